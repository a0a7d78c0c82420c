import { Modal } from '@mantine/core'
import { announce } from '../ui/announce.tsx'
import { PasswordForm } from './change-password.tsx'

export default function ChangePasswordDialog({ onClose }: { onClose: () => void }) {
  const done = () => {
    announce('Your password was changed.')
    onClose()
  }
  return (
    <Modal opened onClose={onClose} title="Change password">
      <PasswordForm onDone={done} />
    </Modal>
  )
}
