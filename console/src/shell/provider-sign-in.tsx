import { Button } from '@mantine/core'
import { apiBase } from '../api/client.ts'
import { useSignInMethods } from '../api/passkeys.ts'

/** Links to the identity provider, if the organization has one; in a new tab if this page holds unsaved input. */
export function ProviderSignIn({ isAgain = false }: { isAgain?: boolean }) {
  const provider = useSignInMethods()?.identity_provider
  if (!provider) return null
  return (
    <Button
      component="a"
      variant="default"
      fullWidth
      mt="sm"
      href={new URL(provider.path.replace(/^\//, ''), apiBase).href}
      {...(isAgain && { target: '_blank' })}
    >
      Sign in with {provider.name}
      {isAgain && ' (in a new tab)'}
    </Button>
  )
}
