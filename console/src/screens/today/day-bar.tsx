import { ActionIcon, Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useIsLive } from '../../api/live.ts'
import { addDays, formatDay, isDay } from '../../rules/days.ts'
import { LeftIcon, RightIcon } from '../../ui/icons.tsx'
import styles from './day-bar.module.css'

interface Props {
  day: string
  today: string
  /** The visits could not be read when they were last asked for. */
  isOld: boolean
  onGo: (day: string) => void
}

export function DayBar({ day, today, isOld, onGo }: Props) {
  const isLive = useIsLive()
  const tomorrow = addDays(today, 1)
  return (
    <div className={styles.dayBar}>
      <ActionIcon variant="default" size="md" aria-label="Previous day" onClick={() => onGo(addDays(day, -1))}>
        <LeftIcon />
      </ActionIcon>
      <ActionIcon variant="default" size="md" aria-label="Next day" onClick={() => onGo(addDays(day, 1))}>
        <RightIcon />
      </ActionIcon>
      <h1>
        {day === today && 'Today, '}
        {day === tomorrow && 'Tomorrow, '}
        {formatDay(day)}
      </h1>
      {day !== today && (
        <Button variant="default" size="xs" onClick={() => onGo(today)}>
          Today
        </Button>
      )}
      {day !== tomorrow && (
        <Button variant="default" size="xs" onClick={() => onGo(tomorrow)}>
          Tomorrow
        </Button>
      )}
      <Link to="/week" search={day === today ? {} : { day }} className={styles.toWeek}>
        Week
      </Link>
      <label className={styles.pick}>
        <span>Day</span>
        <input
          type="date"
          value={day}
          onChange={(event) => isDay(event.currentTarget.value) && onGo(event.currentTarget.value)}
        />
      </label>
      <span className={styles.live} data-live={isLive && !isOld} role="status">
        {isOld ? 'Not up to date' : isLive ? 'Up to date' : 'Connecting…'}
      </span>
    </div>
  )
}
