import { Button } from '@mantine/core'
import { signOut } from '../api/session.ts'
import { announce } from '../ui/announce.tsx'
import { PasswordForm } from './change-password.tsx'
import styles from './shell.module.css'

/** Requires a user with a one-time password to choose a new one. */
export default function RequiredPassword() {
  return (
    <main className={styles.gate}>
      <div className={styles.card}>
        <h1>Choose your password</h1>
        <p>You signed in with a one-time password. Choose a password that only you know.</p>
        <PasswordForm isOneTime onDone={() => announce('Your password was changed.')} />
        <Button mt="sm" variant="subtle" fullWidth onClick={() => signOut()}>
          Sign out
        </Button>
      </div>
    </main>
  )
}
