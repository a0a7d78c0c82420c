// Announces what just happened: immediately to screen readers, and on the screen for a few seconds (WCAG 4.1.3). What failed stays until the user
// has read it, or does something else.
import { ActionIcon } from '@mantine/core'
import { useEffect, useSyncExternalStore } from 'react'
import styles from './announce.module.css'
import { CloseIcon } from './icons.tsx'

const SHOWN_MS = 6_000

let current = { text: '', count: 0, isFailure: false }
const listeners = new Set<() => void>()

export function announce(text: string, isFailure = false): void {
  current = { text, count: current.count + 1, isFailure }
  for (const listener of listeners) listener()
}

export const announceFailure = (text: string) => announce(text, true)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Announcements() {
  const { text, count, isFailure } = useSyncExternalStore(subscribe, () => current)
  useEffect(() => {
    if (text === '' || isFailure) return
    const timer = setTimeout(() => current.count === count && announce(''), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [text, count, isFailure])
  return (
    <div className={text ? styles.shown : styles.hidden} data-failure={isFailure || undefined}>
      <div role="status">
        {/* Another element each time: the same text in place of itself changes nothing, and is not said. */}
        <span key={count}>{text}</span>
      </div>
      {isFailure && (
        <ActionIcon variant="transparent" color="inherit" aria-label="Dismiss the message" onClick={() => announce('')}>
          <CloseIcon />
        </ActionIcon>
      )}
    </div>
  )
}
