// Who is signed in. The session itself is a cookie that no script can read; here is what the server tells about it.
import { useSyncExternalStore } from 'react'
import { mayCall } from '../rules/scopes.ts'
import { ApiError, sendOnce } from './client.ts'
import type { Operations } from './generated.ts'

export interface Session {
  user: { id: string; username: string; name: string; role: string }
  organization: { id: string; name: string; time_zone: string }
  scopes: string[]
  csrf_token: string
  idle_expires_at: string
  expires_at: string
  must_change_password: boolean
}

/** `expired` keeps the session: the page stays, and the same person signs in again in a dialog. */
type State = { status: 'unknown' | 'none' } | { status: 'active' | 'expired'; session: Session }

let state: State = { status: 'unknown' }
let waiting: (() => void)[] = []
const listeners = new Set<() => void>()

function become(next: State): void {
  state = next
  if (next.status === 'active') {
    for (const go of waiting) go()
    waiting = []
  }
  for (const listener of listeners) listener()
}

export const sessionState = () => state
export const csrfToken = () => ('session' in state ? state.session.csrf_token : undefined)

/** Resolves when somebody has signed in again. */
export function waitForSignIn(): Promise<void> {
  if ('session' in state) become({ status: 'expired', session: state.session })
  else become({ status: 'none' })
  return new Promise((resolve) => waiting.push(resolve))
}

const PATH = '/anteroom/v1/session'

/** @throws ApiError when the server cannot be reached */
export async function loadSession(): Promise<void> {
  try {
    become({ status: 'active', session: (await sendOnce('GET', PATH)) as Session })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    become({ status: 'none' })
  }
}

export interface Credentials {
  username: string
  password: string
  one_time_code?: string
}

/** @throws ApiError */
export async function signIn(credentials: Credentials): Promise<void> {
  const session = (await sendOnce('POST', PATH, credentials)) as Session
  const isAnother = 'session' in state && state.session.user.id !== session.user.id
  // What one person typed and saw is not for the next.
  if (isAnother) leave()
  else become({ status: 'active', session })
}

/** @throws ApiError */
export async function changePassword(passwords: { current_password: string; new_password: string }): Promise<void> {
  await sendOnce('PUT', `${PATH}/password`, passwords)
  await loadSession()
}

export async function signOut(): Promise<void> {
  await sendOnce('DELETE', PATH).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
  })
  leave()
}

/** Forgets everything in memory and everything that was kept for this tab. */
function leave(): void {
  sessionStorage.clear()
  location.assign(document.baseURI)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useSessionState = () => useSyncExternalStore(subscribe, sessionState)

/** The session of the person at the screen. Only for screens, which are shown to nobody else. */
export function useSession(): Session {
  const current = useSessionState()
  if (!('session' in current)) throw new Error('nobody is signed in')
  return current.session
}

export const useMay = (name: keyof Operations) => mayCall(useSession().scopes, name)
