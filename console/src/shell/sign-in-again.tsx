import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { resumeSession, signOut, useSession } from '../api/session.ts'
import { Dialog } from '../ui/dialog.tsx'
import { PasskeySignIn } from './passkey-sign-in.tsx'
import { ProviderSignIn } from './provider-sign-in.tsx'
import { SignInForm } from './sign-in-form.tsx'

/** The page stays behind the dialog, with all unsaved input. */
export default function SignInAgain({ username }: { username: string }) {
  const session = useSession()
  useEffect(() => {
    // Back from another tab, in which the user may have signed in.
    const look = () => void resumeSession().catch(() => {})
    window.addEventListener('focus', look)
    return () => window.removeEventListener('focus', look)
  }, [])
  return (
    <Dialog onClose={undefined} blur={6} title="Your session has expired">
      <p>Sign in again to continue. Your unsaved changes are kept.</p>
      {session.has_password && <SignInForm username={username} />}
      {session.has_password && <PasskeySignIn />}
      <ProviderSignIn isAgain />
      <Button mt="sm" variant="subtle" fullWidth onClick={() => signOut()}>
        I am not {username}
      </Button>
    </Dialog>
  )
}
