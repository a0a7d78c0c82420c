import { Button, PasswordInput, Stack } from '@mantine/core'
import { useState } from 'react'
import { PASSWORD_MIN } from '../../../src/contract/limits.ts'
import { changePassword } from '../api/session.ts'
import { Form } from '../ui/form.tsx'
import { useRefusals } from '../ui/refusals.ts'
import { Problem } from '../ui/states.tsx'
import { AccountName } from './account-name.tsx'

/** `isOneTime`: the password that the user has signed in with was made by somebody else, and is not theirs. */
export function PasswordForm({ isOneTime = false, onDone }: { isOneTime?: boolean; onDone: () => void }) {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [error, setError] = useState<unknown>()
  const [isSending, setSending] = useState(false)

  const { form, errorOf, rest } = useRefusals(
    { isPending: isSending, error },
    { current_password: current, new_password: next },
  )

  async function submit() {
    setSending(true)
    setError(undefined)
    try {
      await changePassword({ current_password: current, new_password: next })
      setCurrent('')
      setNext('')
      onDone()
    } catch (caught) {
      setError(caught)
    } finally {
      setSending(false)
    }
  }

  return (
    <Form ref={form} onSubmit={submit}>
      <Stack gap="sm">
        <AccountName />
        {rest !== undefined && <Problem error={rest} />}
        <PasswordInput
          label={isOneTime ? 'One-time password' : 'Current password'}
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the current password' }}
          required
          value={current}
          onChange={(event) => setCurrent(event.currentTarget.value)}
          error={errorOf('current_password') && `Incorrect ${isOneTime ? 'one-time' : 'current'} password.`}
        />
        <PasswordInput
          label="New password"
          description={`At least ${PASSWORD_MIN} characters. A sentence works well; common passwords are not accepted.`}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the new password' }}
          required
          minLength={PASSWORD_MIN}
          value={next}
          error={errorOf('new_password')}
          onChange={(event) => setNext(event.currentTarget.value)}
        />
        <Button type="submit" loading={isSending}>
          Change password
        </Button>
      </Stack>
    </Form>
  )
}
