// The frame of every screen. No screen is shown before the user has signed in.
import { useQuery } from '@tanstack/react-query'
import { Outlet, useMatches } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { watchInput } from '../api/attendance.ts'
import { connectEarly } from '../api/live.ts'
import { loadSession, useSessionState, watchEnd } from '../api/session.ts'
import { mayCall } from '../rules/scopes.ts'
import { keepDoubleClicks } from '../ui/double-clicks.ts'
import { keepFocus } from '../ui/keep-focus.ts'
import { NotAllowed } from '../ui/not-found.tsx'
import { takePastedDates } from '../ui/pasted-dates.ts'
import { watchPresses } from '../ui/presses.ts'
import { Loading, Problem } from '../ui/states.tsx'
import { ClinicTime } from './clinic-time.tsx'
import { Connection } from './connection.tsx'
import { Header } from './header.tsx'
import { places, useMayGo } from './places.ts'
import { SearchKeys } from './search-keys.tsx'
import styles from './shell.module.css'
import { SignIn } from './sign-in.tsx'
import { SignInAgain } from './sign-in-again.tsx'

const ChangePassword = lazy(() => import('./required-password.tsx'))

export function Shell() {
  const state = useSessionState()
  const { error, refetch } = useQuery({
    queryKey: ['session'],
    queryFn: async () => {
      await loadSession()
      return null
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  useEffect(keepFocus, [])
  useEffect(keepDoubleClicks, [])
  useEffect(watchPresses, [])
  useEffect(takePastedDates, [])
  useEffect(watchInput, [])
  const isIn = state.status === 'active' && !state.session.must_change_password
  const mayHear = isIn && mayCall(state.session.scopes, 'events.getMulti')
  useEffect(() => {
    if (mayHear) connectEarly()
  }, [mayHear])
  useEffect(() => (state.status === 'active' ? watchEnd(state.session) : undefined), [state])
  if (state.status === 'none') return <SignIn />
  if (!('session' in state)) {
    return (
      <main className={styles.main}>
        {error ? <Problem error={error} retry={refetch} /> : <Loading what="Anteroom" />}
      </main>
    )
  }
  if (state.session.must_change_password) {
    return (
      <Suspense>
        <ChangePassword />
      </Suspense>
    )
  }
  return (
    <>
      <a className={styles.skip} href="#main">
        Skip to the content
      </a>
      <div className={styles.top}>
        <Header />
        {mayHear && <Connection />}
      </div>
      <main id="main" tabIndex={-1} className={styles.main}>
        <ClinicTime />
        <Suspense fallback={<Loading what="the page" />}>
          <Screen />
        </Suspense>
      </main>
      <SearchKeys />
      {state.status === 'expired' && <SignInAgain username={state.session.user.username} />}
    </>
  )
}

/** No form is shown whose input the server would refuse. */
function Screen() {
  const mayGo = useMayGo()
  const path = useMatches({ select: (matches) => matches.at(-1)?.fullPath })
  const place = places.find(({ to }) => to === path)
  return place && !mayGo(place) ? <NotAllowed /> : <Outlet />
}
