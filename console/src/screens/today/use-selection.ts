// The visits that the board shows, the one that is selected, and whether its panel is open.
import { useNavigate, useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { BoardItem } from '../../api/generated.ts'
import { isShown } from '../../rules/visits.ts'
import type { TodaySearch } from './today-search.ts'

/** A user who returns from a patient's page finds the same visit selected. */
let lastSelected: string | undefined

const SAME_ENTRY = { replace: true, state: true } as const

interface Selection {
  shown: BoardItem[]
  selected: BoardItem | undefined
  selectedId: string | undefined
  select: (id: string) => void
  isOpen: boolean
  open: (id: string) => void
  close: () => void
  /** The visit is done here: once it has left the queue, the selection moves to the next one. */
  leave: (id: string) => void
}

export function useSelection(items: readonly BoardItem[] | undefined, search: TodaySearch): Selection {
  const navigate = useNavigate({ from: '/today' })
  const { history } = useRouter()
  const [chosenId, choose] = useState(lastSelected)
  const [doneId, leave] = useState<string>()
  // A visit that has left the day has no panel.
  const openId = items?.find(({ appointment }) => appointment.id === search.visit)?.appointment.id
  const isOpen = openId !== undefined
  const selectedId = openId ?? chosenId

  const show = useCallback(
    (visit: string | undefined, entry: { replace: true; state: true } | { state: { isOfPanel: true } } = SAME_ENTRY) =>
      navigate({ search: (old: TodaySearch) => ({ ...old, visit }), resetScroll: false, ...entry }),
    [navigate],
  )
  const select = useCallback(
    (id: string | undefined) => {
      lastSelected = id
      choose(id)
      if (isOpen && id !== openId) show(id)
    },
    [isOpen, openId, show],
  )
  const open = useCallback(
    (id: string) => {
      // The entry of the first panel serves the next ones, or Back would lead through all that were opened.
      if (!isOpen) show(id, history.location.state.isOfPanel ? SAME_ENTRY : { state: { isOfPanel: true } })
    },
    [history, isOpen, show],
  )
  const close = useCallback(() => {
    if (isOpen) show(undefined)
  }, [isOpen, show])

  // The selected row stays until the user moves on, even when it has left the queue.
  const shown = useMemo(
    () => (items ?? []).filter((item) => item.appointment.id === selectedId || isShown(item, search)),
    [items, search, selectedId],
  )

  // Not while the panel is open: the user would suddenly see another patient.
  useEffect(() => {
    if (doneId === undefined || doneId !== selectedId || isOpen) return
    const row = items?.find(({ appointment }) => appointment.id === doneId)
    if (row && isShown(row, search)) return
    const place = shown.findIndex(({ appointment }) => appointment.id === doneId)
    leave(undefined)
    select((shown[place + 1] ?? shown[place - 1])?.appointment.id)
  }, [doneId, isOpen, items, search, select, selectedId, shown])

  const selected = shown.find(({ appointment }) => appointment.id === selectedId)
  return { shown, selected, selectedId, select, isOpen, open, close, leave }
}
