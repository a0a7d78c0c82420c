import { ActionIcon, Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useIsLive } from '../../api/live.ts'
import { addDays, formatDay, isWholeDay } from '../../rules/days.ts'
import { LeftIcon, RightIcon } from '../../ui/icons.tsx'
import styles from './day-bar.module.css'

interface Props {
  day: string
  today: string
  /** Whether the visits were read when they were last asked for; undefined while they are read for the first time. */
  isRead: boolean | undefined
  onGo: (day: string) => void
}

export function DayBar({ day, today, isRead, onGo }: Props) {
  const isLive = useIsLive() && isRead === true
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
      <DayField day={day} onGo={onGo} />
      <span className={styles.live} data-live={isLive} role="status">
        {isRead === false ? 'Not up to date' : isLive ? 'Up to date' : 'Connecting…'}
      </span>
    </div>
  )
}

function DayField({ day, onGo }: Pick<Props, 'day' | 'onGo'>) {
  const [typed, type] = useState<string>()
  return (
    <label className={styles.pick}>
      <span>Day</span>
      <input
        type="date"
        value={typed ?? day}
        onChange={({ currentTarget: { value } }) => {
          type(value)
          if (isWholeDay(value)) onGo(value)
        }}
        onBlur={() => type(undefined)}
      />
    </label>
  )
}
