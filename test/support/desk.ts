// A front desk that works over HTTP on a started server and records what was acknowledged.
import { randomBytes, randomUUID } from 'node:crypto'
import { type Body, imageBody, patientBody } from './bodies.ts'
import type { Credentials } from './started-server.ts'

export const SSN = '123-45-6789'

export interface Desk {
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: Body }>
  /** A patient with a social security number. */
  newPatient(): Promise<Body>
  /** An image with unique bytes. */
  newImage(sizeBytes: number): Promise<{ image: Body; bytes: Buffer }>
}

/** @throws with the answer if the token is refused; so do all its functions that create something. */
export async function openDesk(url: string, { client_id, client_secret }: Credentials): Promise<Desk> {
  const answer = await fetch(`${url}/api/auth/v2/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_id, client_secret }),
  })
  const { access_token } = (await answer.json()) as { access_token: string }
  const call: Desk['call'] = async (method, path, body) => {
    const reply = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${access_token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    return { status: reply.status, body: text === '' ? {} : JSON.parse(text) }
  }
  const made = async (path: string, body: unknown) => {
    const reply = await call('POST', path, body)
    if (reply.status !== 200) throw new Error(`${path} ${reply.status}: ${JSON.stringify(reply.body)}`)
    return reply.body
  }
  return {
    call,
    newPatient: () =>
      made(
        '/patients/v1',
        patientBody({
          name: { family: `Rivera ${randomUUID()}`, given: ['Ana'], use: 'USUAL' },
          social_security_number: SSN,
        }),
      ),
    async newImage(sizeBytes) {
      const image = await made('/images/v1', imageBody())
      const bytes = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(sizeBytes)])
      const upload = await fetch(String(image.signed_url), { method: 'PUT', body: bytes })
      if (!upload.ok) throw new Error(`an upload was answered ${upload.status}: ${await upload.text()}`)
      return { image, bytes }
    },
  }
}
