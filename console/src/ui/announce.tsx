// Announces what just happened: immediately to screen readers, and on the screen for a few seconds (WCAG 4.1.3).
import { useEffect, useSyncExternalStore } from 'react'
import styles from './announce.module.css'

const SHOWN_MS = 6_000

let current = { text: '', count: 0 }
const listeners = new Set<() => void>()

export function announce(text: string): void {
  current = { text, count: current.count + 1 }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Announcements() {
  const { text, count } = useSyncExternalStore(subscribe, () => current)
  useEffect(() => {
    if (text === '') return
    const timer = setTimeout(() => current.count === count && announce(''), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [text, count])
  return (
    <div role="status" className={text ? styles.shown : styles.hidden}>
      {text}
    </div>
  )
}
