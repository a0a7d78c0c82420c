// A day's traffic at once: every operation, invalid bodies, slow callers and callers that disconnect.
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Endpoint } from '../../src/platform/http/endpoint.ts'
import type { Body } from './bodies.ts'
import { bodiesFor, endpoints, urlOf } from './operations.ts'
import type { Caller, Reply } from './service.ts'

interface Traffic {
  /** The number of answers by status; 0 is a connection that ended without an answer. */
  statuses: Map<number, number>
  /** Operation, status and errorName of every answer that is a failure. */
  failures: string[]
  stop(): Promise<void>
}

type Oddity = 'valid' | 'spoilt' | 'unknown' | 'aborted' | 'slow'

/** The kinds of requests; some are invalid, aborted or slow. */
const ODDITIES: Oddity[] = ['valid', 'valid', 'valid', 'valid', 'valid', 'spoilt', 'unknown', 'aborted', 'slow']

/** 500 and above, except the 503 that asks the caller to try again. */
const isFault = (status: number) => status >= 500 && status !== 503

interface TrafficOptions {
  oddities?: Oddity[]
  /** By the status of an answer, 0 for none. */
  isFailure?(status: number): boolean
  /** Between two requests of a caller. */
  pauseMs?: number
}
const SLOW_BYTE_MS = 20

const spoilt = [
  '{"value": ',
  '[]',
  '5',
  '"\\u0000"',
  `${'['.repeat(5000)}`,
  '{"__proto__":{"x":1}}',
  'x'.repeat(2_000_000),
]

/** Starts `callers` that each send one request after another to the address until they are stopped. */
export function startTraffic(
  url: string,
  token: string,
  callers: number,
  { oddities = ODDITIES, isFailure = isFault, pauseMs }: TrafficOptions = {},
): Traffic {
  const statuses = new Map<number, number>()
  const failures: string[] = []
  let isStopping = false
  let turn = 0
  const note = (endpoint: Endpoint, status: number, text: string) => {
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (isFailure(status)) failures.push(`${endpoint.operation} ${status} ${text.slice(0, 200)}`)
  }
  const caller = callerOver(url, token)

  async function askOnce(endpoint: Endpoint, oddity: Oddity): Promise<void> {
    const body = endpoint.body && (await bodyFor(endpoint, caller))
    const address = url + urlOf(endpoint)
    if (oddity === 'slow' || oddity === 'aborted') return trickle(address, endpoint, token, oddity === 'aborted')
    const text = oddity === 'spoilt' ? spoilt[turn % spoilt.length] : body && JSON.stringify(body)
    const answer = await fetch(oddity === 'unknown' ? `${address}/nobody/knows` : address, {
      method: endpoint.method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(endpoint.method !== 'GET' && text !== undefined && { body: text }),
    })
    note(endpoint, answer.status, await answer.text())
  }

  const working = Array.from({ length: callers }, async () => {
    while (!isStopping) {
      turn++
      const endpoint = endpoints[turn % endpoints.length] as Endpoint
      await askOnce(endpoint, oddities[turn % oddities.length] ?? 'valid').catch(() => note(endpoint, 0, ''))
      if (pauseMs) await delay(pauseMs)
    }
  })
  return {
    statuses,
    failures,
    async stop() {
      isStopping = true
      await Promise.all(working)
    },
  }
}

/** A valid body of the operation, or an invalid one if none can be created. */
async function bodyFor(endpoint: Endpoint, caller: Caller): Promise<Body> {
  try {
    return await bodiesFor(endpoint).make(caller)
  } catch {
    return { client_id: randomUUID(), client_secret: 'none' }
  }
}

/** Sends a request a few bytes at a time and reads nothing; disconnects in the middle, or after a while. */
async function trickle(address: string, endpoint: Endpoint, token: string, hangsUp: boolean): Promise<void> {
  const { hostname, port, pathname, search } = new URL(address)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  const head = [`${endpoint.method} ${pathname}${search} HTTP/1.1`, 'host: x', `authorization: Bearer ${token}`]
  const text = `${head.join('\r\n')}\r\ncontent-type: application/json\r\ncontent-length: 2000\r\n\r\n{"value":"`
  const pieces = hangsUp ? [text] : [text.slice(0, 20), text.slice(20), 'xxxx', 'xxxx']
  for (const piece of pieces) {
    socket.write(piece)
    await delay(SLOW_BYTE_MS)
  }
  socket.destroy()
}

/** A caller for test/support/bodies.ts, which creates the records that a body refers to. */
function callerOver(url: string, token: string): Caller {
  const call: Caller['call'] = async (method, path, body) => {
    const answer = await fetch(url + path, {
      method: String(method),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    const parsed = text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : undefined
    return { status: answer.status, headers: {}, body: parsed, text } satisfies Reply
  }
  const newCheckId = async () => randomUUID()
  return { organizationId: '', credentials: { client_id: '', client_secret: '' }, token, call, newCheckId }
}
