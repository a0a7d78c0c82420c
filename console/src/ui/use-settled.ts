import { useEffect, useRef, useState } from 'react'

/** Less than between two keys of a fast typist; a reader of cards or codes, and a held key, are faster. */
const PAUSE_MS = 50

/** The input, debounced: immediately after a pause, so that a single key has no delay, otherwise when the next pause begins. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  const changedAt = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    const isFast = performance.now() - changedAt.current < PAUSE_MS
    changedAt.current = performance.now()
    if (!isFast) return setSettled(text)
    const timer = setTimeout(() => setSettled(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
