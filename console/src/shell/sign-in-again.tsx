import { Button, Modal } from '@mantine/core'
import { signOut } from '../api/session.ts'
import { SignInForm } from './sign-in-form.tsx'

/** The page stays as it is behind the dialog, with everything that was typed. */
export default function SignInAgain({ username }: { username: string }) {
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      overlayProps={{ blur: 6 }}
      title="Your session has ended"
    >
      <p>Sign in again to go on. What you typed is kept.</p>
      <SignInForm username={username} />
      <Button mt="sm" variant="subtle" fullWidth onClick={() => signOut()}>
        I am not {username}
      </Button>
    </Modal>
  )
}
