import { useEffect } from 'react'
import styles from './shell.module.css'
import { SignInForm } from './sign-in-form.tsx'

export function SignIn() {
  useEffect(() => {
    document.title = 'Sign in · Anteroom'
  }, [])
  return (
    <main className={styles.gate}>
      <div className={styles.card}>
        <h1>Anteroom</h1>
        <p>Sign in to see the visits of the day.</p>
        <SignInForm />
      </div>
    </main>
  )
}
