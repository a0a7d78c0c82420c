// The first screen: the visits of a day, and why each is not ready.
import { Button } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { BoardItem } from '../../api/generated.ts'
import { useSession } from '../../api/session.ts'
import { useVisitChecks, verifyVisit } from '../../api/visit-checks.ts'
import { addDays, dayOf, formatDay } from '../../rules/days.ts'
import { fullName } from '../../rules/names.ts'
import { type Action, doctorOf, isExpected, isShown } from '../../rules/visits.ts'
import { announce } from '../../ui/announce.tsx'
import { useTime } from '../../ui/clock.ts'
import { useKeys } from '../../ui/keys.ts'
import { Empty, Loading, Problem } from '../../ui/states.tsx'
import { Board } from './board.tsx'
import { DayBar } from './day-bar.tsx'
import { Filters } from './filters.tsx'
import styles from './today.module.css'
import type { TodaySearch } from './today-search.ts'
import { useDay } from './use-day.ts'
import { describeFailure, takeStep } from './visit-actions.ts'
import { VisitPanel } from './visit-panel.tsx'

export function Today() {
  const { organization } = useSession()
  const search = useSearch({ from: '/today' })
  const navigate = useNavigate({ from: '/today' })
  const today = useTime((now) => dayOf(now, organization.time_zone))
  const day = search.day ?? today
  const { items, error, refetch, refresh } = useDay(day)
  const [selectedId, select] = useState<string>()
  const [isOpen, setOpen] = useState(false)
  const checks = useVisitChecks()
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set())

  const change = useCallback(
    (next: Partial<TodaySearch>) => navigate({ search: (old) => ({ ...old, ...next }), replace: true }),
    [navigate],
  )
  const goTo = (next: string) => {
    setOpen(false)
    change({ day: next === today ? undefined : next })
  }

  useEffect(() => {
    document.title = `${formatDay(day)} · Anteroom`
  }, [day])

  // The selected row stays until the user moves on, even when it has left the queue.
  const shown = useMemo(
    () => (items ?? []).filter((item) => item.appointment.id === selectedId || isShown(item, search)),
    [items, search, selectedId],
  )
  const doctors = useMemo(() => [...new Set((items ?? []).map(doctorOf).filter(Boolean))].sort(), [items])
  const selected = shown.find(({ appointment }) => appointment.id === selectedId)

  // Once a visit that was checked here has left the queue, the selection moves to the next one, but not while its panel is open: the
  // user would suddenly see another patient.
  const [doneId, setDone] = useState<string>()
  useEffect(() => {
    if (doneId === undefined || doneId !== selectedId || isOpen) return
    const row = items?.find(({ appointment }) => appointment.id === doneId)
    if (row && isShown(row, search)) return
    const place = shown.findIndex(({ appointment }) => appointment.id === doneId)
    setDone(undefined)
    select((shown[place + 1] ?? shown[place - 1])?.appointment.id)
  }, [doneId, isOpen, items, search, selectedId, shown])

  /** One write at a time for each visit; afterwards its row is read again, regardless of the result. */
  const act = useCallback(
    async (item: BoardItem, work: () => Promise<void>) => {
      const { id } = item.appointment
      setBusy((old) => new Set([...old, id]))
      try {
        await work()
      } catch (caught) {
        announce(describeFailure(caught))
      } finally {
        setBusy((old) => new Set([...old].filter((each) => each !== id)))
        await refresh([id]).catch(() => {})
      }
    },
    [refresh],
  )

  /** A user who waits for a payer can continue with other work. */
  const check = useCallback(
    async ({ appointment: { id }, patient }: BoardItem) => {
      try {
        const verification = await verifyVisit(id, fullName(patient.name))
        await refresh([id])
        if (verification?.status === 'READY') setDone(id)
      } catch (caught) {
        announce(describeFailure(caught))
        await refresh([id]).catch(() => {})
      }
    },
    [refresh],
  )

  const run = useCallback(
    (item: BoardItem, action: Action) => {
      const steps = { 'mark-ready': 'READY', 'check-in': 'CHECKED_IN', 'check-out': 'CHECKED_OUT' } as const
      if (action === 'check-again') check(item)
      else if (action === 'read-answer') {
        const checkId = item.primary_coverage?.latest_eligibility_check?.check_id
        if (checkId) navigate({ to: '/checks/$checkId', params: { checkId } })
      } else if (action === 'add-coverage' || action === 'fix-coverage') {
        navigate({ to: '/patients/$patientId', params: { patientId: item.appointment.patient_id } })
      } else act(item, () => takeStep(item, steps[action]))
    },
    [act, check, navigate],
  )

  useKeys({
    '[': () => goTo(addDays(day, -1)),
    ']': () => goTo(addDays(day, 1)),
    t: () => goTo(today),
    w: () => navigate({ to: '/week', search: day === today ? {} : { day } }),
    Escape: () => setOpen(false),
    ...(selected && {
      c: () => isExpected(selected.appointment) && run(selected, 'check-again'),
      i: () => day === today && isExpected(selected.appointment) && run(selected, 'check-in'),
      o: () => selected.appointment.status === 'CHECKED_IN' && run(selected, 'check-out'),
    }),
  })

  return (
    <>
      <DayBar day={day} today={today} onGo={goTo} />
      {items && <Filters items={items} search={search} doctors={doctors} onChange={change} />}
      {error && !items && <Problem error={error} retry={refetch} />}
      {!items && !error && <Loading what="the visits" rows={10} />}
      {items && items.length === 0 && (
        <Empty title="No visits on this day">
          <Button variant="default" onClick={() => goTo(nextWorkday(day))}>
            Go to {formatDay(nextWorkday(day))}
          </Button>
        </Empty>
      )}
      {items && items.length > 0 && shown.length === 0 && (
        <Empty title="No visits match these filters">
          <Button variant="default" onClick={() => change({ queue: undefined, doctor: undefined, text: undefined })}>
            Show all visits
          </Button>
        </Empty>
      )}
      {shown.length > 0 && (
        <div className={styles.split} data-open={isOpen && selected !== undefined}>
          <Board
            key={day}
            items={shown}
            isToday={day === today}
            isOpen={isOpen}
            selectedId={selectedId}
            busy={busy}
            checks={checks}
            onSelect={select}
            onOpen={() => setOpen(true)}
            onAction={run}
          />
          {isOpen && selected && (
            <VisitPanel
              key={selected.appointment.id}
              item={selected}
              day={day}
              isToday={day === today}
              isBusy={busy.has(selected.appointment.id)}
              isChecking={checks.has(selected.appointment.id)}
              onAct={(work) => act(selected, work)}
              onAction={(action) => run(selected, action)}
              onClose={() => setOpen(false)}
            />
          )}
        </div>
      )}
    </>
  )
}

function nextWorkday(day: string): string {
  const next = addDays(day, 1)
  const weekday = new Date(`${next}T00:00:00Z`).getUTCDay()
  if (weekday === 6) return addDays(next, 2)
  return weekday === 0 ? addDays(next, 1) : next
}
