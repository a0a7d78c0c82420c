import { Alert } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { PasskeySignIn } from './passkey-sign-in.tsx'
import { ProviderSignIn } from './provider-sign-in.tsx'
import { REFUSED } from './return-place.ts'
import styles from './shell.module.css'
import { SignInForm } from './sign-in-form.tsx'

export function SignIn() {
  useEffect(() => {
    document.title = 'Sign in · Anteroom'
  }, [])
  const isRefused = useLocation().pathname.endsWith(REFUSED)
  return (
    <main className={styles.gate}>
      <div className={styles.card}>
        <h1>Anteroom</h1>
        <p>Sign in to see today's visits.</p>
        {isRefused && (
          <Alert role="alert" color="red" variant="light" title="You were not signed in" mb="sm">
            The identity provider did not answer as expected, or you do not have access. Try again. If this persists,
            ask your administrator.
          </Alert>
        )}
        <SignInForm />
        <PasskeySignIn />
        <ProviderSignIn />
      </div>
    </main>
  )
}
