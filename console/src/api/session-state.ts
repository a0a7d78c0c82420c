// The session of this tab, for the calls and for the screens. The session itself is a cookie that scripts cannot read; this
// holds what the server returns about it.
import type { Session } from './generated.ts'

/** `expired` keeps the session: the page stays, and the same user signs in again in a dialog. */
type State = { status: 'unknown' | 'none' } | { status: 'active' | 'expired'; session: Session }

let state: State = { status: 'unknown' }
let waiting: (() => void)[] = []
const listeners = new Set<() => void>()

export function become(next: State): void {
  state = next
  if (next.status === 'active') {
    for (const go of waiting) go()
    waiting = []
  }
  for (const listener of listeners) listener()
}

export const sessionState = () => state
export const csrfToken = () => ('session' in state ? state.session.csrf_token : undefined)

/** Resolves after the user has signed in again. */
export function waitForSignIn(): Promise<void> {
  if ('session' in state) become({ status: 'expired', session: state.session })
  else become({ status: 'none' })
  return new Promise((resolve) => waiting.push(resolve))
}

/** Reads the session again; set by what signs users in. */
let readAgain: () => Promise<void> = async () => {}
export const readSessionBy = (read: () => Promise<void>) => (readAgain = read)

let reading: Promise<void> | undefined

/** Calls that come while it is read share the answer. If it cannot be read, nothing changes. */
export function lookAtSession(): Promise<void> {
  reading ??= readAgain()
    .catch(() => {})
    .finally(() => (reading = undefined))
  return reading
}

export function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
