// The status of a coverage as a color, a shape and a word, each of which is sufficient alone (WCAG 1.4.1).
import type { ReactNode } from 'react'
import { useSession } from '../api/session.ts'
import { age } from '../rules/days.ts'
import { isOld, type Light, type LightState } from '../rules/light.ts'
import { useTime } from './clock.ts'
import styles from './status-light.module.css'

const shapes: Record<LightState, string> = {
  active: 'M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13ZM5 8.2l2.2 2.2L11.2 6',
  limited: 'M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13ZM8 4.4v4.4M8 11.3v.1',
  inactive: 'M5.2 1.5h5.6l3.7 3.7v5.6l-3.7 3.7H5.2l-3.7-3.7V5.2ZM5.8 5.8l4.4 4.4M10.2 5.8l-4.4 4.4',
  unknown: 'M8 1.2 15 14H1ZM6.7 7.4a1.4 1.4 0 1 1 1.9 1.3c-.4.2-.6.4-.6.9M8 11.7v.1',
  checking: 'M8 1.5a6.5 6.5 0 1 1-6.5 6.5M8 4.5V8l2.5 1.5',
  unchecked: 'M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13Z',
  none: 'M3 8h10',
}

interface Props {
  light: Light
  /** Shows the reason on a separate line. */
  withReason?: boolean
  /** Whose status it is, beside it and before the reason. */
  children?: ReactNode
}

export function StatusLight({ light, withReason = false, children }: Props) {
  const { state, word, at, reason } = light
  const { time_zone } = useSession().organization
  const isKnown = state === 'active' || state === 'limited' || state === 'inactive' || state === 'unknown'
  const sentAt = isKnown ? at : undefined
  const elapsed = useTime((now) => (sentAt ? age(sentAt, now) : ''))
  const isPast = useTime((now) => sentAt !== undefined && isOld(sentAt, now, time_zone))
  const isExplained = withReason && reason !== undefined
  return (
    <span className={styles.light} data-state={state} data-explained={isExplained || undefined} title={reason}>
      <span className={styles.status}>
        <svg width="16" height="16" viewBox="0 0 16 16" className={styles.shape} aria-hidden="true" focusable="false">
          <path d={shapes[state]} />
        </svg>
        <span className={styles.word}>{word}</span>
      </span>
      {elapsed && (
        <span className={styles.age}>
          {elapsed}
          {isPast && <strong> · old</strong>}
        </span>
      )}
      {children}
      {isExplained && <span className={styles.reason}>{reason}</span>}
    </span>
  )
}
