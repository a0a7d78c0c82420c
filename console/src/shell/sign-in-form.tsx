import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ApiError } from '../api/client.ts'
import { signIn } from '../api/session.ts'
import { entered } from '../rules/entered.ts'
import { Form } from '../ui/form.tsx'
import { Problem } from '../ui/states.tsx'
import styles from './shell.module.css'

const TOO_OFTEN = 'Too many failed attempts to sign in'

export function SignInForm({ username: known = '' }: { username?: string }) {
  const [username, setUsername] = useState(known)
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [isCodeAsked, askCode] = useState(false)
  const [error, setError] = useState<unknown>()
  const [isSending, setSending] = useState(false)

  async function submit() {
    setSending(true)
    setError(undefined)
    try {
      await signIn({ username: entered(username), password, ...(isCodeAsked && { one_time_code: code }) })
    } catch (caught) {
      const isFirst = isOfCode(caught) && !isCodeAsked
      askCode(isOfCode(caught) || isCodeAsked)
      setError(isFirst ? undefined : caught)
    } finally {
      setSending(false)
    }
  }

  const isRefused = error instanceof ApiError && error.status === 401
  const isTooOften = error instanceof ApiError && error.status === 429
  return (
    <Form onSubmit={submit}>
      <Stack gap="sm">
        {error !== undefined && !isRefused && <Problem error={error} name={isTooOften ? TOO_OFTEN : undefined} />}
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
          error={isRefused && !isOfCode(error) && 'Incorrect username or password.'}
        />
        {isCodeAsked && (
          <TextInput
            label="Code"
            description="From your authenticator app, or a recovery code"
            name="one_time_code"
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            required
            autoFocus
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            error={isOfCode(error) && 'Incorrect or used code. Wait for the next one.'}
          />
        )}
        <Button type="submit" loading={isSending}>
          Sign in
        </Button>
        <p className={styles.help}>
          {isCodeAsked
            ? 'No code and no recovery code? An administrator can reset your second factor.'
            : 'Forgot your password, or it no longer works? An administrator can give you a new one.'}
        </p>
      </Stack>
    </Form>
  )
}

/** The password was right, and a code is needed. */
const isOfCode = (error: unknown) =>
  error instanceof ApiError && error.status === 401 && error.message.startsWith('one_time_code')
