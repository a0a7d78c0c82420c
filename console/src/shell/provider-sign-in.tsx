import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { apiBase, callOnce } from '../api/client.ts'

/** Links to the identity provider, if the organization has one; in a new tab if this page holds unsaved input. */
export function ProviderSignIn({ isAgain = false }: { isAgain?: boolean }) {
  const { data } = useQuery({
    queryKey: ['session.methods'],
    queryFn: () => callOnce('session.methods', {}),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const provider = data?.identity_provider
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
