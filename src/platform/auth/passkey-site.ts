// The site that passkeys belong to: its name (RP ID) and its origin. Source: WebAuthn Level 3, 5.1.2 and 13.4.9;
// decisions/0069-passkeys.md.
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

export interface PasskeySite {
  /** The RP ID, a host name. */
  id: string
  /** The only origin whose pages may use passkeys; undefined if the request was sent to another host. */
  originOf(request: FastifyRequest): string | undefined
}

const LOCAL = 'localhost'

/** Undefined if browsers do not support passkeys there: plain HTTP other than localhost, and IP addresses. */
export function passkeySite(publicUrl: string | undefined): PasskeySite | undefined {
  if (publicUrl === undefined) {
    return {
      id: LOCAL,
      originOf: ({ protocol, host, hostname }) => (hostname === LOCAL ? `${protocol}://${host}` : undefined),
    }
  }
  const { protocol, hostname, origin } = new URL(publicUrl)
  const isSecure = protocol === 'https:' || hostname === LOCAL
  const isAddress = hostname.startsWith('[') || isIP(hostname) !== 0
  return isSecure && !isAddress ? { id: hostname, originOf: () => origin } : undefined
}
