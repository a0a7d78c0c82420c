// The visits of a day, updated by the live stream: an event reads only the rows it affects.

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { PAGE_LIMIT_MAX } from '../../../../src/contract/limits.ts'
import { call } from '../../api/client.ts'
import type { BoardItem, Event } from '../../api/generated.ts'
import { useEvents } from '../../api/live.ts'
import { readPages } from '../../api/read-pages.ts'
import { mergeRows, rowsOf } from '../../rules/live-rows.ts'
import { checkedWith } from '../../rules/visits.ts'

/** Events arrive in bursts, such as a check and the coverage that it updates. */
const GATHER_MS = 200
const RETRY_MS = 15_000

const dayKey = (day: string) => ['day', day] as const
const visitsOf = (day: string) => `appointment.startTimestamp|eq|${day}`

export const readDay = (day: string) => ({
  queryKey: dayKey(day),
  queryFn: ({ signal }: { signal: AbortSignal }) => readVisits(visitsOf(day), signal),
  staleTime: 60_000,
})

const readVisits = (filters: string, signal?: AbortSignal): Promise<BoardItem[]> =>
  readPages((page) => call('board.getVisits', { query: { filters, limit: PAGE_LIMIT_MAX, ...page } }, signal))

/** Once no board is shown, nothing applies events to the visits that were read: they are read again when they are next shown. */
export function useReadAgainLater(): void {
  const client = useQueryClient()
  useEffect(() => () => void client.invalidateQueries({ queryKey: ['day'], refetchType: 'none' }), [client])
}

export function useDay(day: string) {
  const client = useQueryClient()
  const pending = useRef({ ids: new Set<string>(), timer: undefined as ReturnType<typeof setTimeout> | undefined })
  const onDay = visitsOf(day)

  const refresh = useCallback(
    async (ids: readonly string[]) => {
      if (ids.length === 0) return
      const read = await readVisits(`${onDay},appointment.id|in|${ids.join(';')}`)
      client.setQueryData<BoardItem[]>(dayKey(day), (rows) => rows && mergeRows(rows, ids, read))
    },
    [client, day, onDay],
  )

  const heard = useCallback(
    (event: Event | undefined) => {
      if (!event) return void client.invalidateQueries({ queryKey: dayKey(day) })
      const gathered = pending.current
      const rows = client.getQueryData<BoardItem[]>(dayKey(day)) ?? []
      for (const id of rowsOf(event, rows)) gathered.ids.add(id)
      if (gathered.ids.size === 0 || gathered.timer) return
      gathered.timer = setTimeout(() => {
        const ids = [...gathered.ids]
        pending.current = { ids: new Set(), timer: undefined }
        refresh(ids).catch(() => client.invalidateQueries({ queryKey: dayKey(day) }))
      }, GATHER_MS)
    },
    [client, day, refresh],
  )
  useEvents(heard)
  useReadAgainLater()
  useEffect(() => () => clearTimeout(pending.current.timer), [])

  const others = useCallback(
    (item: BoardItem) => checkedWith(item, client.getQueryData<BoardItem[]>(dayKey(day)) ?? []),
    [client, day],
  )

  const { data, error, refetch } = useQuery({
    ...readDay(day),
    // After a failure the shown data is old, and nothing else would refetch it.
    refetchInterval: ({ state }) => (state.status === 'error' && state.data !== undefined ? RETRY_MS : false),
  })
  return { items: data, error, refetch, refresh, others }
}
