// The visits of a week by queue: where the work of the coming days is. Each number leads to its visits.
import { ActionIcon, Button } from '@mantine/core'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useRef } from 'react'
import type { BoardItem, Event } from '../../api/generated.ts'
import { useEvents } from '../../api/live.ts'
import { useSession } from '../../api/session.ts'
import { addDays, dayOf, formatDay, shortDay, weekOf } from '../../rules/days.ts'
import { type Queue, queues } from '../../rules/queues.ts'
import { countQueues } from '../../rules/visits.ts'
import { useTime } from '../../ui/clock.ts'
import { LeftIcon, RightIcon } from '../../ui/icons.tsx'
import { useKeys } from '../../ui/keys.ts'
import { headsOf, stacked } from '../../ui/rows.tsx'
import { Loading, Problem } from '../../ui/states.tsx'
import { readDay, useReadAgainLater } from '../today/use-day.ts'
import styles from './week.module.css'

const parts = (Object.keys(queues) as Queue[]).filter((queue) => queue !== 'all')
const HEADS = ['Day', 'Visits', ...parts.map((queue) => queues[queue])]

export function Week() {
  const { organization } = useSession()
  const navigate = useNavigate({ from: '/week' })
  const today = useTime((now) => dayOf(now, organization.time_zone))
  const { day = today } = useSearch({ from: '/week' })
  const days = weekOf(day)
  const [sunday = day] = days
  const reads = useQueries({ queries: days.map(readDay) })
  useEvents(useHeard())
  useReadAgainLater()
  useEffect(() => {
    document.title = `Week of ${shortDay(sunday)} · Anteroom`
  }, [sunday])
  const goTo = (next: string) => navigate({ search: weekOf(next).includes(today) ? {} : { day: next }, replace: true })
  useKeys({
    '[': () => goTo(addDays(day, -7)),
    ']': () => goTo(addDays(day, 7)),
    t: () => goTo(today),
  })
  const failed = reads.find(({ error, data }) => error && !data)
  const isWaiting = reads.some(({ data }) => data === undefined)
  const most = Math.max(1, ...reads.map(({ data }) => data?.length ?? 0))
  return (
    <>
      <div className={styles.bar}>
        <ActionIcon variant="default" size="md" aria-label="Previous week" onClick={() => goTo(addDays(day, -7))}>
          <LeftIcon />
        </ActionIcon>
        <ActionIcon variant="default" size="md" aria-label="Next week" onClick={() => goTo(addDays(day, 7))}>
          <RightIcon />
        </ActionIcon>
        <h1>Week of {shortDay(sunday)}</h1>
        {!days.includes(today) && (
          <Button variant="default" size="xs" onClick={() => goTo(today)}>
            This week
          </Button>
        )}
      </div>
      {failed && <Problem error={failed.error} retry={failed.refetch} />}
      {!failed && isWaiting && <Loading what="the week" rows={7} />}
      {!failed && !isWaiting && (
        <div className={`${stacked.frame} ${styles.frame}`}>
          <table className={`${stacked.table} ${styles.week}`} style={headsOf(HEADS)}>
            <thead>
              <tr>
                <th scope="col">Day</th>
                <th scope="col">Visits</th>
                {parts.map((queue) => (
                  <th key={queue} scope="col" className={styles.number}>
                    {queues[queue]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {days.map((each, place) => (
                <Day key={each} day={each} today={today} most={most} items={reads[place]?.data ?? []} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}

interface DayProps {
  day: string
  today: string
  /** The visits of the day with most of them, whose bar is as long as the column. */
  most: number
  items: readonly BoardItem[]
}

function Day({ day, today, most, items }: DayProps) {
  const counts = countQueues(items)
  const at = day === today ? {} : { day }
  return (
    <tr aria-current={day === today ? 'date' : undefined}>
      <th scope="row">
        <Link to="/today" search={at}>
          {formatDay(day).replace(/, \d{4}$/, '')}
        </Link>
        {day === today && <span className={styles.today}> today</span>}
      </th>
      <td className={styles.visits}>
        {items.length}
        <span className={styles.chart} aria-hidden="true" style={{ width: `${(100 * items.length) / most}%` }}>
          {parts
            .filter((queue) => counts[queue] > 0)
            .map((queue) => (
              <span key={queue} data-queue={queue} style={{ flexGrow: counts[queue] }} />
            ))}
        </span>
      </td>
      {parts.map((queue) => (
        <td key={queue} className={styles.number}>
          {counts[queue] > 0 ? (
            <Link
              to="/today"
              search={{ ...at, queue }}
              aria-label={`${counts[queue]} ${queues[queue]}, ${formatDay(day)}`}
              className={styles.count}
            >
              {counts[queue]}
            </Link>
          ) : (
            <span className={styles.none}>0</span>
          )}
        </td>
      ))}
    </tr>
  )
}

/** A change is shown soon; many at once are read once. */
const GATHER_MS = 2_000

function useHeard() {
  const client = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return useCallback(
    (event: Event | undefined) => {
      if (event !== undefined && event.data.record_type !== 'appointment') return
      clearTimeout(timer.current)
      timer.current = setTimeout(() => client.invalidateQueries({ queryKey: ['day'] }), GATHER_MS)
    },
    [client],
  )
}
