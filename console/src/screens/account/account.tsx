import { useEffect } from 'react'
import { useSession } from '../../api/session.ts'
import { roleNames } from '../../rules/roles.ts'
import { PasswordForm } from '../../shell/change-password.tsx'
import { announce } from '../../ui/announce.tsx'
import styles from './account.module.css'
import { OwnSessions } from './own-sessions.tsx'
import { Passkeys } from './passkeys.tsx'
import { SecondFactor } from './second-factor.tsx'

/** The user's own sessions, password, second factor and passkeys. */
export function Account() {
  const { user, organization, has_password } = useSession()
  useEffect(() => {
    document.title = 'Your account · Anteroom'
  }, [])
  return (
    <div className={styles.page}>
      <h1>Your account</h1>
      <p className={styles.lead}>
        <bdi>{user.name}</bdi>
        {user.username !== user.name && ` (${user.username})`}, {roleNames[user.role] ?? user.role} at{' '}
        <bdi>{organization.name}</bdi>
      </p>
      {has_password ? (
        <OwnPassword />
      ) : (
        <p>You sign in through your organization's identity provider, which manages your password and second factor.</p>
      )}
      <section className={styles.part} aria-labelledby="sessions">
        <h2 id="sessions">Active sessions</h2>
        <OwnSessions />
      </section>
    </div>
  )
}

function OwnPassword() {
  return (
    <>
      <section className={styles.part} aria-labelledby="second-factor">
        <h2 id="second-factor" tabIndex={-1}>
          Second factor
        </h2>
        <SecondFactor />
      </section>
      <section className={styles.part} aria-labelledby="passkeys">
        <h2 id="passkeys">Passkeys</h2>
        <Passkeys />
      </section>
      <section className={styles.part} aria-labelledby="password">
        <h2 id="password">Password</h2>
        <div className={styles.narrow}>
          <PasswordForm onDone={() => announce('Your password was changed. Your other sessions have ended.')} />
        </div>
      </section>
    </>
  )
}
