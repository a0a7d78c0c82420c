import { Button } from '@mantine/core'
import { signOut } from '../api/session.ts'
import { announce } from '../ui/announce.tsx'
import { PasswordForm } from './change-password.tsx'
import styles from './shell.module.css'

/** The first thing to do with a password that somebody else made. */
export default function RequiredPassword() {
  return (
    <main className={styles.gate}>
      <div className={styles.card}>
        <h1>Choose your password</h1>
        <p>The one that you signed in with was made for you, and only you should know yours.</p>
        <PasswordForm onDone={() => announce('Your password was changed.')} />
        <Button mt="sm" variant="subtle" fullWidth onClick={() => signOut()}>
          Sign out
        </Button>
      </div>
    </main>
  )
}
