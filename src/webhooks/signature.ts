// Source: Standard Webhooks 1.0.0, "Signature scheme" (https://github.com/standard-webhooks/standard-webhooks)
import { createHmac, randomBytes } from 'node:crypto'

const SECRET_PREFIX = 'whsec_'
/** The specification requires 24 to 64 bytes. */
const SECRET_BYTES = 32

export const createSecret = () => SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')

/** The headers of one attempt; during a rotation both secrets sign. */
export function signedHeaders(
  secrets: readonly string[],
  message: { id: string; at: Date; body: string },
): Record<string, string> {
  const timestamp = String(Math.floor(message.at.getTime() / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
    const signed = createHmac('sha256', key).update(`${message.id}.${timestamp}.${message.body}`).digest('base64')
    return `v1,${signed}`
  })
  return { 'webhook-id': message.id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
