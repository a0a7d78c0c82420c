// Sign-in, sign-out and the signed-in user.
import { useSyncExternalStore } from 'react'
import { roleNames } from '../rules/roles.ts'
import { mayCall } from '../rules/scopes.ts'
import { announce, announceFailure } from '../ui/announce.tsx'
import { ApiError, call, callOnce } from './client.ts'
import { addresses, type Operations, type PasswordChange, type Session, type SignIn } from './generated.ts'
import { choosePasskey } from './passkeys.ts'
import { queryClient } from './query.ts'
import { become, readSessionBy, sessionState, subscribe } from './session-state.ts'

/** @throws ApiError when the server cannot be reached */
export async function loadSession(): Promise<void> {
  try {
    become({ status: 'active', session: await callOnce('session.get', {}) })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    become({ status: 'none' })
  }
}

/** A computer whose clock is wrong asks no more often than this. */
const LOOK_MS = 30_000

/**
 * Looks at the session when it should have ended, which does not extend it: an ended one asks for the sign-in, so that an unattended screen
 * shows no patient. Returns a function that stops it.
 */
export function watchEnd({ idle_expires_at, expires_at }: Session): () => void {
  const endsAt = Math.min(Date.parse(idle_expires_at), Date.parse(expires_at))
  const look = async () => enter(await call('session.get', {}))
  const again = () => look().catch(() => (timer = setTimeout(again, LOOK_MS)))
  let timer = setTimeout(again, Math.max(endsAt - Date.now() + 1_000, LOOK_MS))
  return () => clearTimeout(timer)
}

/** @throws ApiError */
export async function signIn(credentials: SignIn): Promise<void> {
  enter(await callOnce('session.create', { body: credentials }))
}

/** @throws ApiError, DOMException */
export async function signInWithPasskey(): Promise<void> {
  const credential = await choosePasskey(await callOnce('session.challenge', {}))
  enter(await callOnce('session.createByPasskey', { body: { credential } }))
}

/** Continues with the session as it is by now, which may have begun in another tab. @throws ApiError */
export async function resumeSession(): Promise<void> {
  enter(await callOnce('session.get', {}))
}
readSessionBy(resumeSession)

function enter(session: Session): void {
  const state = sessionState()
  const isOtherUser = 'session' in state && state.session.user.id !== session.user.id
  // The input and data of one user must not be visible to the next.
  if (isOtherUser) {
    leave()
    return
  }
  const hasOtherRole = 'session' in state && state.session.scopes.join() !== session.scopes.join()
  become({ status: 'active', session })
  if (!hasOtherRole) return
  // What was refused may be permitted by now.
  queryClient.invalidateQueries()
  tellRole(session, state.session)
}

const operations = Object.keys(addresses) as (keyof Operations)[]

/** Says why a screen has other parts than before: a form may be gone whose input the user was told is kept. */
function tellRole({ user, scopes }: Session, before: Session): void {
  const isLess = operations.some((name) => mayCall(before.scopes, name) && !mayCall(scopes, name))
  const text = `Your role is now ${roleNames[user.role] ?? user.role}.`
  if (isLess)
    announceFailure(`${text} What it does not include is no longer shown. Ask an administrator if you need it.`)
  else announce(text)
}

/** @throws ApiError */
export async function changePassword(body: PasswordChange): Promise<void> {
  become({ status: 'active', session: await call('session.changePassword', { body }) })
}

/** @throws ApiError */
export async function signOut(): Promise<void> {
  await callOnce('session.remove', {}).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
  })
  leave()
}

const ANOTHER = 'another-user'

/** Whether a user has signed out in this tab: the next one need not be the same. */
export const isAnotherUser = () => sessionStorage.getItem(ANOTHER) !== null

/** Clears everything in memory and everything that was stored for this tab. */
function leave(): void {
  sessionStorage.clear()
  sessionStorage.setItem(ANOTHER, 'true')
  location.assign(document.baseURI)
}

export const useSessionState = () => useSyncExternalStore(subscribe, sessionState)

/** The session of the current user. Only for screens, which are shown to signed-in users only. */
export function useSession(): Session {
  const current = useSessionState()
  if (!('session' in current)) throw new Error('no user is signed in')
  return current.session
}

export const useMay = (name: keyof Operations) => mayCall(useSession().scopes, name)
