// Unsaved input, kept for this tab until it is saved, so that a reload, a lost connection or an expired session loses nothing. Signing out
// clears it (api/session.ts).
import { useCallback, useState } from 'react'

export function useDraft<Value>(key: string, initial: () => Value) {
  const place = `draft:${key}`
  const [value, setState] = useState<Value>(() => readDraft<Value>(place) ?? initial())
  const [isRestored] = useState(() => sessionStorage.getItem(place) !== null)
  const set = useCallback(
    (next: Value) => {
      setState(next)
      sessionStorage.setItem(place, JSON.stringify(next))
    },
    [place],
  )
  const clear = useCallback(() => sessionStorage.removeItem(place), [place])
  return { value, set, clear, isRestored }
}

/** Fills in a form before it is opened. */
export function startDraft(key: string, value: unknown): void {
  sessionStorage.setItem(`draft:${key}`, JSON.stringify(value))
}

function readDraft<Value>(place: string): Value | undefined {
  const text = sessionStorage.getItem(place)
  return text === null ? undefined : (JSON.parse(text) as Value)
}
