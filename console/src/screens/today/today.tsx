// The first screen: the visits of a day, and why each is not ready.
import { Button } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo } from 'react'
import { useMay, useSession } from '../../api/session.ts'
import { useVisitChecks } from '../../api/visit-checks.ts'
import { addDays, dayOf, formatDay, nextWorkday } from '../../rules/days.ts'
import { queues } from '../../rules/queues.ts'
import { doctorOf, isExpected } from '../../rules/visits.ts'
import { useTime } from '../../ui/clock.ts'
import { useKeys } from '../../ui/keys.ts'
import { Empty, Loading, Problem } from '../../ui/states.tsx'
import { Board } from './board.tsx'
import { DayBar } from './day-bar.tsx'
import { Filters } from './filters.tsx'
import styles from './today.module.css'
import type { TodaySearch } from './today-search.ts'
import { useDay } from './use-day.ts'
import { useSelection } from './use-selection.ts'
import { useVisitWork } from './use-visit-work.ts'
import { VisitPanel } from './visit-panel.tsx'

/** Which of the visits are shown: paper has no filters. */
const filterWords = ({ queue, doctor, text }: TodaySearch) =>
  [queue && queues[queue], doctor, text && `“${text}”`].filter(Boolean).join(', ')

export function Today() {
  const { organization } = useSession()
  const search = useSearch({ from: '/today' })
  const navigate = useNavigate({ from: '/today' })
  const mayChange = useMay('appointments.update')
  const today = useTime((now) => dayOf(now, organization.time_zone))
  const day = search.day ?? today
  const { items, error, refetch, refresh, others } = useDay(day)
  const { shown, selected, selectedId, select, isOpen, open, close, leave } = useSelection(items, search)
  const { busy, act, run } = useVisitWork({ refresh, others, onReady: leave })
  const checks = useVisitChecks()
  const doctors = useMemo(() => [...new Set((items ?? []).map(doctorOf).filter(Boolean))].sort(), [items])

  const change = useCallback(
    (next: Partial<TodaySearch>) => navigate({ search: (old) => ({ ...old, ...next }), replace: true }),
    [navigate],
  )
  const goTo = (next: string) => change({ day: next === today ? undefined : next, visit: undefined })

  useEffect(() => {
    document.title = `${formatDay(day)} · Anteroom`
  }, [day])

  useKeys({
    '[': () => goTo(addDays(day, -1)),
    ']': () => goTo(addDays(day, 1)),
    t: () => goTo(today),
    w: () => navigate({ to: '/week', search: day === today ? {} : { day } }),
    Escape: close,
    ...(selected &&
      mayChange && {
        c: () => isExpected(selected.appointment) && run(selected, 'check-again'),
        i: () => day === today && isExpected(selected.appointment) && run(selected, 'check-in'),
        o: () => selected.appointment.status === 'CHECKED_IN' && run(selected, 'check-out'),
      }),
  })

  return (
    <>
      <DayBar day={day} today={today} isRead={error ? false : items && true} onGo={goTo} />
      {items && <Filters items={items} search={search} doctors={doctors} onChange={change} />}
      {error && !items && <Problem error={error} retry={refetch} />}
      {!items && !error && <Loading what="the visits" rows={10} />}
      {items && items.length === 0 && (
        <Empty title="No visits on this day">
          <p>Visits come from your scheduling system. To add one, find or add the patient.</p>
          <Button variant="default" onClick={() => goTo(nextWorkday(day))}>
            Go to {formatDay(nextWorkday(day))}
          </Button>
        </Empty>
      )}
      {items && items.length > 0 && shown.length === 0 && (
        <Empty
          title={
            search.queue && !search.doctor && !search.text
              ? `No visits under “${queues[search.queue]}” on this day`
              : 'No visits match these filters'
          }
        >
          <Button variant="default" onClick={() => change({ queue: undefined, doctor: undefined, text: undefined })}>
            Show all visits
          </Button>
        </Empty>
      )}
      {shown.length > 0 && (
        <div className={styles.split} data-open={isOpen && selected !== undefined}>
          <Board
            key={day}
            title={[organization.name, formatDay(day), filterWords(search)].filter(Boolean).join(', ')}
            items={shown}
            isToday={day === today}
            isOpen={isOpen}
            selectedId={selectedId}
            busy={busy}
            checks={checks}
            onSelect={select}
            onOpen={open}
            onAction={run}
          />
          {isOpen && selected && (
            <VisitPanel
              key={selected.appointment.id}
              item={selected}
              others={others(selected)}
              day={day}
              isToday={day === today}
              isBusy={busy.has(selected.appointment.id)}
              isChecking={checks.has(selected.appointment.id)}
              onAct={(work) => act(selected, work)}
              onAction={(action) => run(selected, action)}
              onClose={close}
            />
          )}
        </div>
      )}
    </>
  )
}
