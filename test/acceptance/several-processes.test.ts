// Two servers on one database: a decision of one process takes effect in both. Slow, because it waits for the documented seconds.
import { setTimeout as delay } from 'node:timers/promises'
import { decodeProtectedHeader } from 'jose'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publishedClient } from '../support/published-client.ts'
import {
  type Credentials,
  newClonePlace,
  runCommand,
  type StartedProgram,
  type StartedServer,
  startProgram,
  startServer,
} from '../support/started-server.ts'

const RATE_LIMIT = 200
const TOKEN_RATE_LIMIT = 20
const WINDOW_MS = 10_000
/** A revocation and similar changes take effect in every process, within seconds where the machine is idle. */
const EFFECTIVE = { timeout: 60_000, interval: 250 }

let place: Awaited<ReturnType<typeof newClonePlace>>
let servers: StartedServer[] = []
let clients: Credentials[] = []
beforeAll(async () => {
  place = await newClonePlace()
  const limits = { RATE_LIMIT: String(RATE_LIMIT), TOKEN_RATE_LIMIT: String(TOKEN_RATE_LIMIT) }
  // One after the other, because the first creates the encryption key.
  for (let count = 0; count < 2; count++) servers.push(await startServer({ ...place.settings, ...limits }))
  clients = await Promise.all(Array.from({ length: 7 }, () => servers[0]!.newCredentials()))
})
afterAll(async () => {
  await Promise.allSettled(servers.map((server) => server.stop()))
  servers = []
  await place?.remove()
})

async function command(...args: string[]) {
  const { code, stdout, stderr } = await runCommand([...args, '--json'], place.settings)
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

async function change(sql: string, values: unknown[] = []): Promise<void> {
  const client = new pg.Client({ connectionString: place.settings.DATABASE_URL ?? '' })
  await client.connect()
  await client.query(sql, values).finally(() => client.end())
}

/** Another client at each call, so that tests do not share limits. */
const newCredentials = (): Credentials => clients.pop()!

function askToken(server: StartedServer, { client_id, client_secret }: Credentials): Promise<Response> {
  return fetch(`${server.url}/api/auth/v2/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id, client_secret }),
  })
}

async function tokenOf(server: StartedServer, credentials: Credentials): Promise<string> {
  return ((await (await askToken(server, credentials)).json()) as { access_token: string }).access_token
}

const read = (server: StartedServer, token: string, path = '/tags/v1') =>
  fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } })

/**
 * Answers to twice as many calls as one window allows. On a busy machine they may take longer than a window, or a process may have no room for
 * one (503): then they are made again in the next window.
 */
async function callsOfOneWindow(token: string): Promise<Response[]> {
  for (;;) {
    const startedAt = performance.now()
    const calls = Array.from({ length: 2 * RATE_LIMIT }, (_, turn) => read(servers[turn % 2]!, token))
    const answers = await Promise.all(calls)
    const isOneWindow = performance.now() - startedAt < WINDOW_MS
    if (isOneWindow && answers.every(({ status }) => status !== 503)) return answers
    await delay(WINDOW_MS)
  }
}

const statuses = (token: string, path?: string) =>
  Promise.all(servers.map(async (server) => (await read(server, token, path)).status))

describe('within ten seconds and in every process', () => {
  test('a revoked client is refused, also with existing tokens', async () => {
    const credentials = newCredentials()
    const token = await tokenOf(servers[0]!, credentials)
    expect(await statuses(token)).toEqual([200, 200])
    await command('client', 'revoke', credentials.client_id)
    await expect.poll(() => statuses(token), EFFECTIVE).toEqual([401, 401])
    expect((await askToken(servers[1]!, credentials)).status).toBe(401)
  })

  test('changed scopes take effect, also for existing tokens', async () => {
    const credentials = newCredentials()
    const token = await tokenOf(servers[1]!, credentials)
    expect(await statuses(token)).toEqual([200, 200])
    const updated = await command(
      'client',
      'update',
      credentials.client_id,
      '--scopes',
      'patients,notes:read',
      '--read-only',
    )
    expect(updated).toEqual({ client_id: credentials.client_id, scopes: 'patients:read notes:read' })
    await expect.poll(() => statuses(token), EFFECTIVE).toEqual([403, 403])
    expect(await statuses(token, '/patients/v1')).toEqual([200, 200])
    const listed = await command('client', 'list')
    expect(listed).toContainEqual(expect.objectContaining(updated))
    await command('client', 'update', credentials.client_id, '--scopes', 'all')
    await expect.poll(() => statuses(token), EFFECTIVE).toEqual([200, 200])
  })
})

test('the signing key is changed without a restart and without a refused call', async () => {
  const credentials = newCredentials()
  const old = await tokenOf(servers[0]!, credentials)
  const oldKid = decodeProtectedHeader(old).kid
  const { kid } = await command('keys', 'rotate')
  const published = () =>
    Promise.all(
      servers.map(async ({ url }) => {
        const { keys } = (await (await fetch(`${url}/.well-known/jwks.json`)).json()) as { keys: { kid: string }[] }
        return keys.map((key) => key.kid)
      }),
    )
  await expect.poll(published, EFFECTIVE).toEqual([
    [kid, oldKid],
    [kid, oldKid],
  ])
  // Half a minute passes.
  await change('update signing_key set signs_from = now() where kid = $1', [kid])
  let young = ''
  const signedBy = async () => {
    young = await tokenOf(servers[0]!, credentials)
    expect([await statuses(young), await statuses(old)]).toEqual([
      [200, 200],
      [200, 200],
    ])
    return decodeProtectedHeader(young).kid
  }
  await expect.poll(signedBy, { timeout: 60_000, interval: 1_000 }).toBe(kid)
  const states = (await command('keys', 'list')).map((key: { kid: string; state: string }) => [key.kid, key.state])
  expect(states).toEqual([
    [kid, 'signing'],
    [oldKid, 'verifying'],
  ])
  await command('keys', 'retire', String(oldKid))
  await expect.poll(() => statuses(old), EFFECTIVE).toEqual([401, 401])
  await expect.poll(published, EFFECTIVE).toEqual([[kid], [kid]])
  expect(await statuses(young)).toEqual([200, 200])
})

describe('the limit of calls', () => {
  test('holds over all processes, is stated in the headers, and a call after the stated wait succeeds', async () => {
    const credentials = newCredentials()
    const token = await tokenOf(servers[0]!, credentials)
    const askedAt = Date.now()
    const answers = await callsOfOneWindow(token)
    const granted = answers.filter(({ status }) => status === 200)
    const refused = answers.filter(({ status }) => status === 429)
    expect(granted.length + refused.length).toBe(2 * RATE_LIMIT)
    expect(granted).toHaveLength(RATE_LIMIT)
    for (const { headers } of granted) expect(headers.get('ratelimit-policy')).toBe(`"client";q=${RATE_LIMIT};w=10`)
    const [first] = refused
    expect(await first?.json()).toEqual({
      errorName: 'TooManyRequestsError',
      content: { message: expect.stringContaining('try again in') },
    })
    const seconds = Number(first?.headers.get('retry-after'))
    expect(first?.headers.get('ratelimit')).toBe(`"client";r=0;t=${seconds}`)
    expect(Number(first?.headers.get('x-ratelimit-reset')) * 1000).toBeGreaterThan(askedAt - 1000)
    // Other clients and calls without a token are not affected.
    const other = await tokenOf(servers[0]!, newCredentials())
    expect(await statuses(other)).toEqual([200, 200])
    for (const path of ['/healthz', '/readyz', '/docs', '/openapi.json', '/.well-known/jwks.json', '/pem'])
      expect([path, ...(await statuses(token, path))]).toEqual([path, 200, 200])
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    expect(await statuses(token)).toEqual([200, 200])
  })

  test('is a typed error for the published client, and a retry succeeds', async () => {
    const credentials = newCredentials()
    const client = publishedClient(servers[0]!, credentials)
    const token = await tokenOf(servers[0]!, credentials)
    // Calls that a busy process answers with 503 are not counted.
    const isSpent = async () => {
      const answers = await Promise.all(Array.from({ length: RATE_LIMIT }, () => read(servers[1]!, token)))
      return answers.some(({ status }) => status === 429)
    }
    // On a busy machine, time grants new calls before the next one arrives.
    let refused = await client.preEncounter.tags.v1.getAll()
    while (refused.ok) {
      while (!(await isSpent()));
      refused = await client.preEncounter.tags.v1.getAll()
    }
    expect(refused).toMatchObject({ ok: false, error: { content: { body: { errorName: 'TooManyRequestsError' } } } })
    const retried = await client.preEncounter.tags.v1.getAll({}, { maxRetries: 2 })
    expect(retried.ok).toBe(true)
  })

  test('of tokens holds over all processes, by client id', async () => {
    const credentials = newCredentials()
    const asked = Array.from({ length: 2 * TOKEN_RATE_LIMIT }, (_, turn) => askToken(servers[turn % 2]!, credentials))
    const found = (await Promise.all(asked)).map(({ status }) => status).sort()
    expect(found).toEqual([...Array(TOKEN_RATE_LIMIT).fill(200), ...Array(TOKEN_RATE_LIMIT).fill(429)])
  })
})

test('while another process migrates, a server and a command wait, report this, and then continue', async () => {
  const other = new pg.Client({ connectionString: place.settings.DATABASE_URL ?? '' })
  const running: StartedProgram[] = []
  await other.connect()
  try {
    // The last migration is not applied yet, and the other process is applying it.
    const last = 'select name from migration order by name desc limit 1'
    const { rows } = await other.query(`delete from migration where name = (${last}) returning name, checksum`)
    await other.query('begin')
    // The lock that src/platform/database/migrate.ts takes.
    await other.query('select pg_advisory_xact_lock(7206051)')
    const { name, checksum } = rows[0]
    await other.query('insert into migration (name, checksum) values ($1, $2)', [name, checksum])
    // A waiting process reports this every ten seconds.
    const report = /waiting for another process that is migrating or restoring the database/
    const [server, listing] = await Promise.all([
      startProgram(['serve'], { LOG_LEVEL: 'warn', ...place.settings }, report),
      startProgram(['organization', 'list'], place.settings, report),
    ])
    running.push(server, listing)
    const waiting = async () => {
      const sql = `select count(*) from pg_locks where locktype = 'advisory' and objid = 7206051 and not granted
        and database = (select oid from pg_database where datname = current_database())`
      return Number((await other.query(sql)).rows[0].count)
    }
    expect(await waiting()).toBe(2)
    await other.query('commit')
    const answers = /^Anteroom answers on (\S+)/m
    await expect.poll(server.output).toMatch(answers)
    expect((await fetch(`${answers.exec(server.output())?.[1]}/readyz`)).status).toBe(200)
    await server.stop()
    await expect.poll(listing.exitCode).toBe(0)
    // Reports on standard error, then the list.
    expect(listing.output()).toMatch(/^([^\n]*another process[^\n]*\n)+[^\n]+\n/)
  } finally {
    await Promise.all(running.map((program) => program.kill()))
    await other.end()
  }
})
