// Passkeys of the browser (WebAuthn). The forms of options and answers are the browser's own.
import { useQuery } from '@tanstack/react-query'
import { callOnce } from './client.ts'
import type { NewPasskey, PasskeySignIn } from './generated.ts'

export function useSignInMethods() {
  const { data } = useQuery({
    queryKey: ['session.methods'],
    queryFn: () => callOnce('session.methods', {}),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data
}

/** Whether this browser and this page can use passkeys. */
export function usePasskeys(): boolean {
  const site = useSignInMethods()?.passkeys?.relying_party
  return site === location.hostname && hasPasskeys()
}

const hasPasskeys = () =>
  'PublicKeyCredential' in window && 'parseCreationOptionsFromJSON' in PublicKeyCredential && window.isSecureContext

/** Makes a passkey on this device. @throws ApiError, DOMException */
export async function makePasskey(options: object): Promise<NewPasskey['credential']> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON)
  const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
  return credential.toJSON() as NewPasskey['credential']
}

/** Has the person choose a passkey of this site. @throws DOMException */
export async function choosePasskey(options: object): Promise<PasskeySignIn['credential']> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON)
  const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential
  return credential.toJSON() as PasskeySignIn['credential']
}

/** The person has closed the browser's dialog, or has let it wait too long. */
export const isDismissed = (error: unknown) => error instanceof DOMException && error.name === 'NotAllowedError'

export const isKnownHere = (error: unknown) => error instanceof DOMException && error.name === 'InvalidStateError'
