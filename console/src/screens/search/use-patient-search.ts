// Patients by what is typed: a name, an MRN, a birth date or a telephone number. Each patient is listed once.
import { keepPreviousData, type UseQueryResult, useQueries } from '@tanstack/react-query'
import type { Answer } from '../../api/client.ts'
import { read } from '../../api/query.ts'
import { readSearch } from '../../rules/search.ts'
import { useSettled } from '../../ui/use-settled.ts'

type Page = Answer<'patientSearch.find'>

/** Up to `limit` patients of each query, in the order of the queries. `isAsked`: the text is long enough to search for. */
export function usePatientSearch(text: string, limit: number) {
  const queries = readSearch(useSettled(text))
  return useQueries({
    queries: queries.map((query) =>
      read(
        'patientSearch.find',
        { query: { ...query, limit, hide_alternatives: true } },
        { placeholderData: keepPreviousData },
      ),
    ),
    combine,
  })
}

function combine(results: UseQueryResult<Page>[]) {
  const pages = results.flatMap(({ data }) => data ?? [])
  const items = new Map(pages.flatMap((page) => page.items).map((item) => [item.patient.id, item]))
  return {
    items: [...items.values()],
    isAsked: results.length > 0,
    isAnswered: results.length > 0 && pages.length === results.length,
    isFetching: results.some((result) => result.isFetching),
    error: results.find((result) => result.error)?.error,
    refetch: () => Promise.all(results.map((result) => result.refetch())),
  }
}
