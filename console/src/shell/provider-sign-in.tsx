import { Button } from '@mantine/core'
import { apiBase } from '../api/client.ts'
import { useSignInMethods } from '../api/passkeys.ts'
import { isAnotherUser } from '../api/session.ts'
import { REFUSED, rememberPlace } from './return-place.ts'

/**
 * Links to the identity provider, if the organization has one; in a new tab if this page holds unsaved input. Who was refused there, or has
 * signed out here, is not signed in again without being asked: somebody else may stand before the screen.
 */
export function ProviderSignIn({ isAgain = false }: { isAgain?: boolean }) {
  const provider = useSignInMethods()?.identity_provider
  if (!provider) return null
  const address = new URL(provider.path.replace(/^\//, ''), apiBase)
  if (isAnotherUser() || location.pathname.endsWith(REFUSED)) address.searchParams.set('another_user', 'true')
  return (
    <Button
      component="a"
      variant="default"
      fullWidth
      mt="sm"
      href={address.href}
      onClick={rememberPlace}
      {...(isAgain && { target: '_blank' })}
    >
      Sign in with {provider.name}
      {isAgain && ' (in a new tab)'}
    </Button>
  )
}
