import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { resumeSession, signOut, useSession } from '../api/session.ts'
import { PasskeySignIn } from './passkey-sign-in.tsx'
import { ProviderSignIn } from './provider-sign-in.tsx'
import styles from './shell.module.css'
import { SignInForm } from './sign-in-form.tsx'

/**
 * The page stays behind the dialog, with all unsaved input. The browser's own dialog, since it is part of the first screen: one that is loaded
 * when it is needed may not be there any more, after a restart of the service or a new release, and the input would be lost.
 */
export function SignInAgain({ username }: { username: string }) {
  const session = useSession()
  const dialog = useRef<HTMLDialogElement>(null)
  const open = () => {
    dialog.current?.showModal()
    dialog.current?.querySelector<HTMLElement>('[data-autofocus], button')?.focus()
  }
  useEffect(open, [])
  useEffect(() => {
    // Back from another tab, in which the user may have signed in.
    const look = () => void resumeSession().catch(() => {})
    window.addEventListener('focus', look)
    return () => window.removeEventListener('focus', look)
  }, [])
  return (
    // It has to be answered: Escape opens it again.
    <dialog ref={dialog} aria-labelledby="sign-in-again" className={styles.again} onClose={open}>
      <h2 id="sign-in-again">Your session has expired</h2>
      <p>Sign in again to continue. Your unsaved changes are kept.</p>
      {session.has_password && <SignInForm username={username} />}
      {session.has_password && <PasskeySignIn />}
      <ProviderSignIn isAgain />
      <Button mt="sm" variant="subtle" fullWidth onClick={() => signOut()}>
        I am not {username}
      </Button>
    </dialog>
  )
}
