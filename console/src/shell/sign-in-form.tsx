import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ApiError } from '../api/client.ts'
import { signIn } from '../api/session.ts'
import { Problem } from '../ui/states.tsx'

/** The one-time code is asked for when the server names it. */
export function SignInForm({ username: known = '' }: { username?: string }) {
  const [username, setUsername] = useState(known)
  const [password, setPassword] = useState('')
  const [code, setCode] = useState<string>()
  const [error, setError] = useState<unknown>()
  const [isSending, setSending] = useState(false)

  async function submit() {
    setSending(true)
    setError(undefined)
    try {
      await signIn({ username: username.trim(), password, ...(code && { one_time_code: code.trim() }) })
    } catch (caught) {
      const asksForCode = caught instanceof ApiError && caught.status === 401 && /one_time_code/.test(caught.message)
      if (asksForCode && code === undefined) setCode('')
      else setError(caught)
    } finally {
      setSending(false)
    }
  }

  const isRefused = error instanceof ApiError && error.status === 401
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
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
          error={isRefused && code === undefined && 'Username or password is wrong.'}
        />
        {code !== undefined && (
          <TextInput
            label="Code of your authenticator app"
            name="one_time_code"
            autoComplete="one-time-code"
            inputMode="numeric"
            required
            autoFocus
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            error={isRefused && 'The code is wrong or was used before, or the password is wrong.'}
          />
        )}
        <Button type="submit" loading={isSending}>
          Sign in
        </Button>
      </Stack>
    </form>
  )
}
