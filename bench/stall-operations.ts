// The longest turn of the event loop for the largest body of every operation that takes one: its first call, which compiles its schema, then
// one large body, then several at once. Usage: npm run bench:stall-operations [part of an operation's name]
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { endpoints, resources } from '../src/main/resources.ts'
import type { Endpoint } from '../src/platform/http/endpoint.ts'
import { type Body, type OperationBodies, operationBodies, recordBodies } from '../test/support/bodies.ts'
import type { Caller } from '../test/support/caller.ts'
import type { Schema } from '../test/support/schemas.ts'
import { largestBodies } from './largest-bodies.ts'
import { authorize, startWatched } from './processes.ts'

const BODY_BYTES = 1024 * 1024 - 4096
const AT_ONCE = 8
/** Turns above this are marked. */
const LONG_MS = 60
const only = process.argv[2] ?? ''

const dataDir = await mkdtemp(join(tmpdir(), 'anteroom-stall-'))
const server = await startWatched({ DATA_DIR: dataDir })
try {
  const { headers } = await authorize(server)
  const caller = {
    newCheckId: async () => crypto.randomUUID(),
    call: (method, path, body) => send(method ?? 'GET', path, JSON.stringify(body)),
  } as Caller

  async function send(method: string, path: string, body?: string) {
    const response = await fetch(server.url + path, { method, headers, ...(body !== undefined && { body }) })
    const text = await response.text()
    return { status: response.status, headers: {}, text, body: text && JSON.parse(text) }
  }

  const bodiesOf = ({ operation }: Endpoint): OperationBodies | undefined => {
    const [group = ''] = operation.split('.')
    const kind = Object.values(recordBodies).find((each) => each.group === group)
    const { record } = resources.find((each) => each.group === group) ?? {}
    const ofRecord = kind ?? (record && { make: async () => ({ ...(record.example as Body) }) })
    return (
      operationBodies[operation] ?? (/\.(create|update)$/.test(operation) ? (ofRecord as OperationBodies) : undefined)
    )
  }

  async function pathOf(endpoint: Endpoint, bodies: OperationBodies): Promise<string> {
    let params = await bodies.target?.(caller)
    if (endpoint.operation.endsWith('.update') && !params) {
      const create = endpoints.find(({ operation }) => operation === endpoint.operation.replace('update', 'create'))
      const { body } = await caller.call('POST', create?.path ?? '', await bodies.make(caller))
      const { record } = resources.find(({ group }) => endpoint.operation.startsWith(`${group}.`)) ?? {}
      params = { ...body, version: body.version + (record?.pathVersions.update === 'next' ? 1 : 0) }
    }
    return endpoint.path.replaceAll(/:(\w+)/g, (_, name) =>
      encodeURIComponent(String(params?.[name] ?? crypto.randomUUID())),
    )
  }

  async function longest(calls: { method: string; path: string; text: string }[]): Promise<string> {
    await server.longestTurnMs()
    const replies = await Promise.all(calls.map(({ method, path, text }) => send(method, path, text)))
    const turnMs = await server.longestTurnMs()
    const statuses = [...new Set(replies.map(({ status }) => status))].join(',')
    return `${turnMs.toFixed(0)} ms${turnMs > LONG_MS ? ' !' : ''} (${statuses})`
  }

  console.log('| operation | first call | shape | bytes | one | eight at once |\n|---|---|---|---|---|---|')
  for (const endpoint of endpoints) {
    if (!endpoint.body || endpoint.accepts || endpoint.access || !endpoint.operation.includes(only)) continue
    const bodies = bodiesOf(endpoint)
    if (!bodies) {
      console.log(`| ${endpoint.operation} | no body known |`)
      continue
    }
    const given = { ...(await bodies.make(caller)), ...(await bodies.references?.(caller)) }
    const query =
      endpoint.query && 'skip_duplicate_check' in endpoint.query.properties ? '?skip_duplicate_check=true' : ''
    const call = async (body: unknown) => ({
      method: endpoint.method,
      path: (await pathOf(endpoint, bodies)) + query,
      text: JSON.stringify(body).replaceAll('unique-text', () => crypto.randomUUID().slice(0, 11)),
    })
    let first = await longest([await call(given)])
    const all = largestBodies(endpoint.body as Schema, given, bodies.unfillable ?? [], BODY_BYTES)
    if (all.size === 0) console.log(`| ${endpoint.operation} | ${first} |`)
    for (const [shape, body] of all) {
      const one = await longest([await call(body)])
      const eight = await longest(await Promise.all(Array.from({ length: AT_ONCE }, () => call(body))))
      console.log(
        `| ${endpoint.operation} | ${first} | ${shape} | ${JSON.stringify(body).length} | ${one} | ${eight} |`,
      )
      first = ''
    }
  }
  console.log(
    `load of the machine ${loadavg()
      .map((each) => each.toFixed(1))
      .join(', ')}`,
  )
} finally {
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
}
