// The visits that the board shows, and the one that is selected.
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { BoardItem } from '../../api/generated.ts'
import { isShown } from '../../rules/visits.ts'
import type { TodaySearch } from './today-search.ts'

/** A user who returns from a patient's page finds the same visit selected. */
let lastSelected: string | undefined

interface Selection {
  shown: BoardItem[]
  selected: BoardItem | undefined
  selectedId: string | undefined
  select: (id: string) => void
  isOpen: boolean
  setOpen: (isOpen: boolean) => void
  /** The visit is done here: once it has left the queue, the selection moves to the next one. */
  leave: (id: string) => void
}

export function useSelection(items: readonly BoardItem[] | undefined, search: TodaySearch): Selection {
  const [selectedId, setSelected] = useState(lastSelected)
  const [isOpen, setOpen] = useState(false)
  const [doneId, leave] = useState<string>()

  const select = useCallback((id: string | undefined) => {
    lastSelected = id
    setSelected(id)
  }, [])

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
  return { shown, selected, selectedId, select, isOpen, setOpen, leave }
}
