// Patients by what is typed: a name, an MRN, a birth date or a telephone number. Each patient is listed once.
import { keepPreviousData, type UseQueryResult, useQueries } from '@tanstack/react-query'
import type { Answer } from '../../api/client.ts'
import { read } from '../../api/query.ts'
import { type PatientQuery, readSearch } from '../../rules/search.ts'
import { useSettled } from '../../ui/use-settled.ts'

type Page = Answer<'patientSearch.find'>

/**
 * Up to `limit` patients of each query, in the order of the queries, then similar names up to `limit`. `isAsked`: the text is long enough to
 * search for. `isCurrent`: the items are those for the whole text.
 */
export function usePatientSearch(text: string, limit: number) {
  const settled = useSettled(text)
  const { queries, otherwise } = readSearch(settled)
  const first = useQueries({ queries: queries.map((query) => searchOf(query, limit)), combine })
  // Until the first letters are answered, those before them tell whether to ask for similar names at once.
  const isShort = otherwise !== undefined && first.isAnswered && first.items.length < limit
  const similar = useQueries({ queries: (isShort ? [otherwise] : []).map((query) => searchOf(query, limit)), combine })
  const isSettled = settled === text
  if (!isShort) return { ...first, isCurrent: isSettled && first.isCurrent }
  const items = new Map([...first.items, ...similar.items].map((item) => [item.patient.id, item]))
  return {
    items: [...items.values()].slice(0, limit),
    isAsked: true,
    isAnswered: similar.isAnswered,
    isCurrent: isSettled && first.isCurrent && similar.isCurrent,
    isFetching: first.isFetching || similar.isFetching,
    error: first.error ?? similar.error,
    refetch: () => Promise.all([first.refetch(), similar.refetch()]),
  }
}

function searchOf(query: PatientQuery, limit: number) {
  const input = { query: { ...query, limit, hide_alternatives: true } }
  return read('patientSearch.find', input, { placeholderData: keepPreviousData })
}

function combine(results: UseQueryResult<Page>[]) {
  const pages = results.flatMap(({ data }) => data ?? [])
  const items = new Map(pages.flatMap((page) => page.items).map((item) => [item.patient.id, item]))
  return {
    items: [...items.values()],
    isAsked: results.length > 0,
    isAnswered: results.length > 0 && pages.length === results.length,
    isCurrent: results.every(({ data, isPlaceholderData, isError }) => isError || (data && !isPlaceholderData)),
    isFetching: results.some((result) => result.isFetching),
    error: results.find((result) => result.error)?.error,
    refetch: () => Promise.all(results.map((result) => result.refetch())),
  }
}
