import { VisuallyHidden } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { BoardItem } from '../../api/generated.ts'
import type { Action } from '../../rules/visits.ts'
import { isFocusFree } from '../../ui/keep-focus.ts'
import { useKeys } from '../../ui/keys.ts'
import styles from './board.module.css'
import { useDrawn } from './use-drawn.ts'
import { VisitRow } from './visit-row.tsx'

/** The height of a row with two lines. */
const ROW_PX = 51

interface Props {
  /** Above the columns of each page on paper. */
  title: string
  items: readonly BoardItem[]
  isToday: boolean
  /** The panel of the selected visit is open, which has the focus then. */
  isOpen: boolean
  selectedId: string | undefined
  busy: ReadonlySet<string>
  checks: { has(id: string): boolean }
  onSelect: (id: string) => void
  onOpen: (id: string) => void
  onAction: (item: BoardItem, action: Action) => void
}

export function Board({ title, items, isToday, isOpen, selectedId, busy, checks, onSelect, onOpen, onAction }: Props) {
  const body = useRef<HTMLTableSectionElement>(null)
  const position = items.findIndex(({ appointment }) => appointment.id === selectedId)
  const { drawn, drawTo } = useDrawn(items.length, position + 1)
  const entry = position === -1 ? items[0]?.appointment.id : selectedId

  function move(to: number): void {
    const place = Math.max(0, Math.min(items.length - 1, to))
    const next = items[place]
    if (!next) return
    drawTo(place)
    onSelect(next.appointment.id)
    rowOf(body.current, next.appointment.id)?.focus()
  }
  const step = (by: number) => () => move(position === -1 ? 0 : position + by)
  useKeys({
    j: step(1),
    ArrowDown: step(1),
    k: step(-1),
    ArrowUp: step(-1),
    Home: () => move(0),
    End: () => move(items.length - 1),
    Enter: () => selectedId !== undefined && onOpen(selectedId),
  })

  // A selected row that has the focus keeps it when it is rendered again, and has it again when its panel is closed.
  useEffect(() => {
    if (selectedId !== undefined && !isOpen && isFocusFree()) rowOf(body.current, selectedId)?.focus()
  }, [isOpen, selectedId])

  return (
    <div className={styles.frame}>
      <div className={styles.scroll}>
        <table className={styles.board} aria-rowcount={drawn < items.length ? items.length + 1 : undefined}>
          <caption>
            <VisuallyHidden>Visits. Arrow keys move, Enter opens a visit.</VisuallyHidden>
          </caption>
          <thead>
            <tr>
              <th scope="col">
                <span className={styles.printed}>{title}</span>
                Time
              </th>
              <th scope="col">Patient</th>
              <th scope="col" className={styles.wide}>
                Provider and service
              </th>
              <th scope="col">Eligibility</th>
              <th scope="col" className={styles.number}>
                Copay
              </th>
              <th scope="col">Status and what is missing</th>
              <th scope="col" className={styles.next}>
                Next
              </th>
            </tr>
          </thead>
          <tbody ref={body}>
            {items.slice(0, drawn).map((item) => {
              const { id } = item.appointment
              return (
                <VisitRow
                  key={id}
                  item={item}
                  isToday={isToday}
                  isSelected={id === selectedId}
                  isEntry={id === entry}
                  isBusy={busy.has(id)}
                  isChecking={checks.has(id)}
                  onSelect={onSelect}
                  onOpen={onOpen}
                  onAction={onAction}
                />
              )
            })}
          </tbody>
        </table>
        {/* Keeps the place of the window, and the size of its scroll bar, until the other rows are drawn. */}
        {drawn < items.length && <div aria-hidden="true" style={{ height: (items.length - drawn) * ROW_PX }} />}
      </div>
    </div>
  )
}

const rowOf = (body: HTMLElement | null, id: string) =>
  body?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`)
