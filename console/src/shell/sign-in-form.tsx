import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ApiError } from '../api/client.ts'
import { signIn } from '../api/session.ts'
import { Form } from '../ui/form.tsx'
import { Problem } from '../ui/states.tsx'

export function SignInForm({ username: known = '' }: { username?: string }) {
  const [username, setUsername] = useState(known)
  const [password, setPassword] = useState('')
  const [error, setError] = useState<unknown>()
  const [isSending, setSending] = useState(false)

  async function submit() {
    setSending(true)
    setError(undefined)
    try {
      await signIn({ username: username.trim(), password })
    } catch (caught) {
      setError(caught)
    } finally {
      setSending(false)
    }
  }

  const isRefused = error instanceof ApiError && error.status === 401
  return (
    <Form onSubmit={submit}>
      <Stack gap="sm">
        {error !== undefined && !isRefused && <Problem error={error} />}
        <TextInput
          label="Username"
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          autoFocus={known === ''}
          readOnly={known !== ''}
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          data-autofocus={known !== '' || undefined}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={isRefused && 'Username or password is wrong.'}
        />
        <Button type="submit" loading={isSending}>
          Sign in
        </Button>
      </Stack>
    </Form>
  )
}
