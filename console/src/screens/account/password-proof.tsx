// Asks for the password before a change of the own sign-in.
import { Button, PasswordInput } from '@mantine/core'
import { useState } from 'react'
import { ApiError } from '../../api/client.ts'
import { AccountName } from '../../shell/account-name.tsx'
import { Form } from '../../ui/form.tsx'
import { Problem } from '../../ui/states.tsx'
import styles from './account.module.css'

export function PasswordProof({
  title,
  isSending,
  error,
  onProof,
  onCancel,
}: {
  title: string
  isSending: boolean
  error: unknown
  onProof: (password: string) => void
  onCancel: () => void
}) {
  const [password, setPassword] = useState('')
  const isWrong = isAbout(error, 'current_password')
  return (
    <Form className={styles.narrow} onSubmit={() => onProof(password)}>
      <AccountName />
      {error != null && !isWrong && <Problem error={error} />}
      <PasswordInput
        label={title}
        autoComplete="current-password"
        required
        autoFocus
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={isWrong && 'Incorrect password.'}
      />
      <div className={styles.actions}>
        <Button type="submit" mt="sm" loading={isSending}>
          Continue
        </Button>
        <Button mt="sm" variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </Form>
  )
}

export const isAbout = (error: unknown, field: string) =>
  error instanceof ApiError && error.status === 400 && error.message.startsWith(field)
