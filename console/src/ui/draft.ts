// Unsaved input, kept for this tab until it is saved, so that a reload, a lost connection or an expired session loses nothing, and what was
// sent before its answer was lost is not stored twice. Signing out clears it (api/session.ts).
import { useCallback, useEffect, useState } from 'react'

export function useDraft<Value>(key: string, initial: () => Value) {
  const place = `draft:${key}`
  const [value, setState] = useState<Value>(() => readDraft<Value>(place) ?? initial())
  const [isRestored] = useState(() => sessionStorage.getItem(place) !== null && !filledIn.has(place))
  const set = useCallback(
    (next: Value) => {
      setState(next)
      sessionStorage.setItem(place, JSON.stringify(next))
    },
    [place],
  )
  const clear = useCallback(() => {
    sessionStorage.removeItem(place)
    forgetAttempt(key)
  }, [place, key])
  // A draft that exists when the form is opened was typed by the user.
  useEffect(() => () => void filledIn.delete(place), [place])
  // Not of the last rendering: for what was sent before, and has its answer now.
  const latest = useCallback((): Value => readDraft<Value>(place) ?? initial(), [place, initial])
  return { value, set, clear, latest, isRestored }
}

/**
 * One field of a form that is kept until it is saved or given up: the value, a setter, and `reset`, after which it is as at first, unless the
 * user has typed more since the rendering that `reset` is from. The key of
 * a field of a stored record names what the record was, so that a draft never hides what another user has changed since.
 */
export function useDraftField<Value>(key: string, initial: Value) {
  const { value, set, clear, latest } = useDraft<Value>(key, () => initial)
  // What was typed since the form was sent is the next entry.
  function reset() {
    if (JSON.stringify(latest()) !== JSON.stringify(value)) return forgetAttempt(key)
    set(initial)
    clear()
  }
  return [value, set, reset] as const
}

const keyPlace = (draft: string) => `key:${draft}`

/**
 * The idempotency key of what a form creates, the same until its draft is cleared: what is sent again, by the browser or by the user,
 * because its answer was lost is stored once. decisions/0150-creates-that-are-sent-twice.md
 */
export function idempotencyKey(draft: string): string {
  const place = keyPlace(draft)
  // A page that is not of a secure origin has no `crypto.randomUUID`.
  const key = sessionStorage.getItem(place) ?? [...crypto.getRandomValues(new Uint32Array(4))].join('-')
  sessionStorage.setItem(place, key)
  return key
}

const sentPlace = (draft: string) => `sent:${draft}`

/** What a form has sent to be created, and whose answer was lost: it may be stored. */
export function lostAttempt<Content>(draft: string): Content | undefined {
  const text = sessionStorage.getItem(sentPlace(draft))
  return text === null ? undefined : (JSON.parse(text) as Content)
}

export const rememberAttempt = (draft: string, content: unknown): void =>
  sessionStorage.setItem(sentPlace(draft), JSON.stringify(content))

/** It was refused, and is not stored: what is sent next takes no notice of it. */
export const forgetLost = (draft: string): void => sessionStorage.removeItem(sentPlace(draft))

/** What the form creates next is another record, whatever was sent before. */
export function forgetAttempt(draft: string): void {
  forgetLost(draft)
  sessionStorage.removeItem(keyPlace(draft))
}

/** The drafts that the console has just filled in itself: nothing of the user's was restored. */
const filledIn = new Set<string>()

/** Fills in a form before it is opened. */
export function startDraft(key: string, value: unknown): void {
  sessionStorage.setItem(`draft:${key}`, JSON.stringify(value))
  filledIn.add(`draft:${key}`)
}

function readDraft<Value>(place: string): Value | undefined {
  const text = sessionStorage.getItem(place)
  return text === null ? undefined : (JSON.parse(text) as Value)
}
