import { Button } from '@mantine/core'
import { useState } from 'react'
import { ApiError } from '../api/client.ts'
import { isDismissed, usePasskeys } from '../api/passkeys.ts'
import { signInWithPasskey } from '../api/session.ts'
import { Problem } from '../ui/states.tsx'

/** Where this site and this browser can use passkeys. */
export function PasskeySignIn() {
  const [error, setError] = useState<unknown>()
  const [isWaiting, wait] = useState(false)
  if (!usePasskeys()) return null
  async function enter() {
    wait(true)
    setError(undefined)
    await signInWithPasskey().catch((caught: unknown) => !isDismissed(caught) && setError(caught))
    wait(false)
  }
  const isRefused = error instanceof ApiError && error.status === 401
  return (
    <>
      <Button variant="default" fullWidth mt="sm" loading={isWaiting} onClick={enter}>
        Sign in with a passkey
      </Button>
      {isRefused && (
        <p role="alert">This passkey is not registered here. Use your password, and add it in your account.</p>
      )}
      {error !== undefined && !isRefused && <Problem error={error} />}
    </>
  )
}
