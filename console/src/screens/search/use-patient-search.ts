// Patients by what is typed: a name, an MRN, a member ID, a birth date or a telephone number. Each patient is listed once.
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import type { FoundPatient } from '../../api/generated.ts'
import { type PatientQuery, readSearch } from '../../rules/search.ts'
import { useSettled } from '../../ui/use-settled.ts'

/**
 * Up to `limit` patients of each query, in the order of the queries, then those with such given names, then similar names up to `limit`. `isAsked`: the text is long enough to
 * search for. `isCurrent`: the items are those for the whole text; until then those for its first letters are shown. `others`: how many of the
 * items, the last ones, merely share a part of the text.
 */
export function usePatientSearch(text: string, limit: number) {
  const settled = useSettled(text)
  const { queries, ofMerged, otherwise, givenNames } = readSearch(settled)
  // First, as the whole MRN is what was typed; who has it, and was not merged, is found by the others as well.
  const first = useFound(settled, ofMerged ? [ofMerged, ...queries] : queries, limit)
  // Until the first letters are answered, those before them tell whether to ask for similar names at once.
  const isShort = otherwise !== undefined && first.isAnswered && first.items.length < limit
  const { shared = 'similar name', ...query } = otherwise ?? {}
  const given = useFound(settled, isShort && givenNames ? [givenNames] : [], limit)
  const similar = useFound(settled, isShort ? [query] : [], limit)
  const isSettled = settled === text
  if (!isShort) return { ...first, shared, others: 0, isCurrent: isSettled && first.isCurrent }
  const all = [first, ...(givenNames ? [given] : []), similar]
  const named = onceEach([...first.items, ...given.items]).slice(0, limit)
  const items = onceEach([...named, ...similar.items]).slice(0, limit)
  return {
    items,
    shared,
    others: items.length - named.length,
    isAsked: true,
    isAnswered: all.every(({ isAnswered }) => isAnswered),
    isCurrent: isSettled && all.every(({ isCurrent }) => isCurrent),
    isFetching: all.some(({ isFetching }) => isFetching),
    error: all.find(({ error }) => error)?.error,
    refetch: () => Promise.all(all.map(({ refetch }) => refetch())),
  }
}

/** The patients of all `queries`. While they are asked, those of the same text with more or fewer letters are given. */
function useFound(text: string, queries: PatientQuery[], limit: number) {
  const isAsked = queries.length > 0
  const { data, isPlaceholderData, isError, isFetching, error, refetch } = useQuery({
    queryKey: ['patientSearch.find', queries, limit],
    queryFn: ({ signal }) => Promise.all(queries.map((query) => find(query, limit, signal))),
    enabled: isAsked,
    meta: { text },
    placeholderData: (before, query) => (isContinued(query?.meta?.text, text) ? before : undefined),
  })
  const found = isAsked ? data : undefined
  return {
    items: onceEach(found?.flatMap(({ items }) => items) ?? []),
    isAsked,
    isAnswered: found !== undefined,
    isCurrent: !isAsked || isError || (found !== undefined && !isPlaceholderData),
    isFetching,
    error: error ?? undefined,
    refetch,
  }
}

/** A patient of the list of results. `isMerged`: found by the MRN of another record, which is merged into this one. */
export type Found = FoundPatient & { isMerged?: boolean }

async function find(query: PatientQuery, limit: number, signal: AbortSignal): Promise<{ items: Found[] }> {
  const page = await call('patientSearch.find', { query: { ...query, limit, hide_alternatives: true } }, signal)
  return query.redirect_to_primary ? { items: page.items.map((item) => ({ ...item, isMerged: true })) } : page
}

const isContinued = (before: unknown, text: string) =>
  typeof before === 'string' && (text.startsWith(before) || before.startsWith(text))

const onceEach = <Item extends { patient: { id: string } }>(items: Item[]): Item[] => [
  ...new Map(items.map((item) => [item.patient.id, item])).values(),
]
