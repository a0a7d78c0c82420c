import { createSecureContext, type SecureContext } from 'node:tls'
import { takeTurn } from '../event-loop.ts'

/** PEM texts: a private certificate authority, a client certificate and its key. */
interface TlsTexts {
  ca?: string
  cert?: string
  key?: string
}

/**
 * What all connections to one partner are secured by, made once: a chain of 200 KB takes 40 ms to read, which Node does for each connection
 * otherwise. Connectors that are first used in the same moment take turns.
 */
export async function secured(tls: TlsTexts | undefined): Promise<{ secureContext?: SecureContext }> {
  if (!tls || Object.keys(tls).length === 0) return {}
  await takeTurn('')
  return { secureContext: createSecureContext(tls) }
}
