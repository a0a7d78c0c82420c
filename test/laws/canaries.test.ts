// Values that must not leak, sent through every operation of a started server with its most verbose log, and with a
// clearinghouse that fails in every way and echoes what it received. 45 CFR 164.312(a)(2)(iv), (c)(1)
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/platform/database/database-pool.ts'
import { openEmbedded } from '../../src/platform/database/embedded/embedded.ts'
import type { Endpoint } from '../../src/platform/http/endpoint.ts'
import { type Body, eligibilityRequestBody, UNIQUE_TEXT } from '../support/bodies.ts'
import { tableNames } from '../support/database-contents.ts'
import { endpoints, urlOf, validBody } from '../support/operations.ts'
import { type QuotingClearinghouse, startQuotingClearinghouse } from '../support/quoting-clearinghouse.ts'
import type { Caller, Reply } from '../support/service.ts'
import {
  type Credentials,
  newMigratedFolder,
  runCommand,
  type StartedServer,
  startServer,
} from '../support/started-server.ts'

const canaries = {
  family: 'Quokkasson',
  given: 'Zebulonia',
  mrn: 'MRNCANARY77',
  member: 'CNRYMEMBER4411',
  ssn: '917-65-4329',
  birth: '1931-07-19',
  phone: '5558675309',
  email: 'canary.bird@example.test',
  street: '77 Canary Wharf Lane',
  notes: 'a canary sings of hidden things',
  portal: 'portal-canary-secret',
  /** A value that only the payer knows and sends. */
  payerSsn: '918-22-7651',
}
const settings = {
  ENCRYPTION_KEY: 'ca9a127ca9a127ca'.repeat(4),
  CLEARINGHOUSE_USERNAME: 'harbor',
  CLEARINGHOUSE_PASSWORD: 'clearinghouse-canary-secret',
}
const connector = { url: 'https://clearinghouse.test/core', username: 'us', senderId: 'US', receiverId: 'THEM' }
/** The forms in which the values may occur: an SSN also without hyphens, a date also in X12 form. */
const traces = [
  ...Object.values(canaries),
  canaries.ssn.replaceAll('-', ''),
  canaries.payerSsn.replaceAll('-', ''),
  canaries.birth.replaceAll('-', ''),
  canaries.family.toUpperCase(),
  canaries.given.toUpperCase(),
  settings.CLEARINGHOUSE_PASSWORD,
  settings.ENCRYPTION_KEY,
]

/** By field name: the text that replaces the sample value. */
const fillings: Record<string, string> = {
  family: canaries.family,
  last_name: canaries.family,
  first_name: canaries.given,
  mrn: canaries.mrn,
  member_id: canaries.member,
  date_of_birth: canaries.birth,
  birth_date: canaries.birth,
  notes: canaries.notes,
  value: canaries.notes,
  description: canaries.notes,
  display_name: canaries.notes,
  group_number: canaries.member,
}

let clearinghouse: QuotingClearinghouse
let folder: Awaited<ReturnType<typeof newMigratedFolder>>
let server: StartedServer
let credentials: Credentials
let caller: Caller
/** Organizations whose connectors are of other kinds. */
const withConnectors: Caller[] = []
const errors: { what: string; reply: Reply }[] = []
let sent = 0

beforeAll(async () => {
  clearinghouse = await startQuotingClearinghouse(canaries.payerSsn)
  folder = await newMigratedFolder()
  server = await startServer({
    ...settings,
    DATA_DIR: folder.path,
    CLEARINGHOUSE_URL: clearinghouse.url('core'),
    CLEARINGHOUSE_TIMEOUT_MS: '2000',
    CLEARINGHOUSE_RETRY_HOURS: '0',
    LOG_LEVEL: 'trace',
  })
  credentials = await server.newCredentials()
  caller = await openCaller(credentials)
  withConnectors.push(
    await newCallerThrough('stedi', { apiKey: canaries.portal }),
    await newCallerThrough('availity', { clientId: 'us', clientSecret: canaries.portal, pollMs: 100 }),
  )
})

async function newCallerThrough(kind: 'stedi' | 'availity', own: object): Promise<Caller> {
  const made = await server.newCredentials()
  const args = ['connector', 'create', made.organization_id, 'own', '--kind', kind, '--settings', '-', '--default']
  const input = JSON.stringify({ url: clearinghouse.url(kind), timeoutMs: 30_000, ...own })
  const { code, stderr } = await runCommand(args, { DATA_DIR: folder.path, ...settings }, input)
  expect(code, stderr).toBe(0)
  return openCaller(made)
}
afterAll(async () => {
  await server?.stop()
  clearinghouse?.close()
  await folder?.remove()
})

async function openCaller({ client_id, client_secret, organization_id }: Credentials): Promise<Caller> {
  const token = await send('POST', '/api/auth/v2/token', { client_id, client_secret })
  const authorization = `Bearer ${token.body.access_token}`
  const call: Caller['call'] = (method, url, body, headers) =>
    send(String(method), url, body, { authorization, ...headers })
  return {
    organizationId: organization_id,
    credentials,
    token: token.body.access_token,
    call,
    async newCheckId() {
      const { body } = await call('POST', '/eligibility-checks/v1/batch', [eligibilityRequestBody()])
      return body.batch_id
    },
  }
}

/** Sends every request of this file, and records the refusals. */
async function send(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  sent += 1
  const content = typeof body === 'string' ? body : JSON.stringify(body)
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: { ...(content !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(content !== undefined && { body: content }),
  })
  const replied = await answer.text()
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') && replied !== ''
  const reply = {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: isJson ? JSON.parse(replied) : undefined,
    text: replied,
  }
  if (answer.status >= 400) errors.push({ what: `${method} ${path.split('?')[0]}`, reply })
  return reply
}

/** The body with canaries in the fields that contain such data, including optional ones. */
function filled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(filled)
  if (typeof value !== 'object' || value === null) return value === UNIQUE_TEXT ? canaries.mrn : value
  const entries = Object.entries(value).map(([key, item]) => {
    if (key === 'given') return [key, [canaries.given]]
    if (key === 'line') return [key, [canaries.street]]
    return [key, typeof item === 'string' ? (fillings[key] ?? filled(item)) : filled(item)]
  })
  return { ...Object.fromEntries(entries), ...extrasOf(value as Body) }
}

function extrasOf(body: Body): Body {
  if ('biological_sex' in body && 'filing_order' in body) {
    return {
      social_security_number: canaries.ssn,
      email: canaries.email,
      primary_telecom: { value: canaries.phone, use: 'HOME' },
    }
  }
  if ('payer_id' in body && 'subscriber' in body) {
    return { portal_username: canaries.family, portal_password: canaries.portal }
  }
  return {}
}

/** The same body with faults that make a validator or a parser quote its input. */
function wrongForms(body: Body): unknown[] {
  const each = (change: (key: string, value: unknown) => unknown) =>
    Object.fromEntries(Object.entries(body).map(([key, value]) => [key, change(key, value)]))
  const everything = { ...canaries, nested: [canaries] }
  return [
    each(() => everything),
    each(() => canaries.family),
    each(() => [canaries.ssn, canaries.mrn]),
    { ...body, [canaries.family]: canaries.given, [canaries.ssn]: 1 },
    [body, canaries],
    JSON.stringify(body).slice(0, -1),
    `{"${canaries.family}": "${canaries.ssn}" ${canaries.notes}`,
    JSON.stringify(body).replace('{', `{"__proto__":{"${canaries.member}":1},`),
    canaries.notes,
  ]
}

const address = (endpoint: Endpoint, value: string) =>
  endpoint.path.replaceAll(/:(\w+)/g, (_, name) => (name === 'version' ? '1' : encodeURIComponent(value)))

test('every operation receives the canaries, in valid bodies and in invalid bodies, URLs and queries', async () => {
  for (const endpoint of endpoints) {
    const { method } = endpoint
    const body = await validBody(endpoint, caller).catch(() => undefined)
    if (body) {
      const good = filled(body) as Body
      const first = await caller.call(method, urlOf(endpoint), good)
      // The same request again, so that unique values conflict.
      await caller.call(method, urlOf(endpoint, { id: first.body?.id, mrn: canaries.mrn, version: 1 }), good)
      for (const wrong of wrongForms(good)) await caller.call(method, urlOf(endpoint), wrong)
    }
    for (const value of [canaries.mrn, canaries.ssn, `${canaries.family}'"<%`]) {
      const names = Object.keys((endpoint.query as { properties?: object } | undefined)?.properties ?? { x: 1 })
      const query = new URLSearchParams(Object.fromEntries(names.map((name) => [name, value])))
      await caller.call(method, address(endpoint, value), method === 'GET' ? undefined : body && filled(body))
      if (method === 'GET') await caller.call(method, `${urlOf(endpoint).split('?')[0]}?${query}`)
    }
  }
  for (let turn = 0; turn < clearinghouse.ways; turn++) {
    for (const asking of [caller, ...withConnectors]) {
      const request = eligibilityRequestBody({ get_existing_check_initiated_after: '2100-01-01T00:00:00.000Z' })
      const { status } = await asking.call('POST', '/eligibility-checks/v1', filled(request))
      expect(status).toBe(200)
    }
  }
  await send('POST', '/api/auth/v2/token', { client_id: canaries.family, client_secret: canaries.portal })
  await send('GET', '/patients/v1', undefined, { authorization: `Bearer ${canaries.portal}` })
  await send('GET', `/${canaries.mrn}/${canaries.ssn}`)
  for (const [door, asked] of Object.entries(clearinghouse.asked))
    expect(asked, `${door} was asked and failed`).toBeGreaterThanOrEqual(clearinghouse.ways)
  expect(errors.length).toBeGreaterThan(endpoints.length)
  process.stdout.write(`canaries: ${endpoints.length} operations, ${sent} requests, ${errors.length} refusals\n`)
})

const findTraces = (where: string, more: string[] = []) => [...traces, ...more].filter((trace) => where.includes(trace))

test('no refusal contains any of them', () => {
  const singing = errors.flatMap(({ what, reply }) =>
    findTraces(reply.text + JSON.stringify(reply.headers)).map((trace) => `${what} ${reply.status}: ${trace}`),
  )
  expect([...new Set(singing)]).toEqual([])
})

test('a social security number that a payer sends appears in no check, coverage or recommendation', async () => {
  for (const each of [caller, ...withConnectors]) {
    let active = 0
    for (const path of [
      '/eligibility-checks/v1/get-multi?limit=1000',
      '/anteroom/v1/eligibility-checks?limit=1000',
      '/coverages/v1',
      '/eligibility-checks/v1/recommendation',
    ]) {
      const { status, text: shown } = await each.call('GET', path)
      expect(status, shown.slice(0, 300)).toBe(200)
      active += shown.split('"ACTIVE"').length - 1
      for (const form of [canaries.payerSsn, canaries.payerSsn.replaceAll('-', '')])
        expect(shown, path).not.toContain(form)
    }
    expect(active, 'answers of the payer were read').toBeGreaterThan(0)
  }
})

test('no log of the server or of PostgreSQL contains any of them, a client secret or a token', async () => {
  const output = server.output()
  expect(output.split('\n').length).toBeGreaterThan(errors.length)
  expect(findTraces(output, [credentials.client_secret, caller.token])).toEqual([])
  const postgres = await readFile(join(folder.path, 'postgresql', 'postgresql.log'), 'utf8')
  expect(postgres).toContain('ready to accept connections')
  expect(findTraces(postgres, [credentials.client_secret, caller.token])).toEqual([])
})

test('neither the process list nor the environment of started programs contains any of them', async () => {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const read = (path: string) => readFile(path, 'utf8').catch(() => '')
  let postgres = 0
  for (const pid of pids) {
    const command = await read(`/proc/${pid}/cmdline`)
    expect(findTraces(command, [credentials.client_secret]), 'a command line').toEqual([])
    if (!command.includes('postgres')) continue
    postgres += 1
    expect(findTraces(await read(`/proc/${pid}/environ`)), 'the environment of PostgreSQL').toEqual([])
  }
  if (pids.length > 0) expect(postgres).toBeGreaterThan(0)
})

test('no public page contains any of them: the API description, the documentation, the health checks', async () => {
  for (const path of ['/openapi.json', '/docs', '/healthz', '/readyz', '/metrics']) {
    const { text: shown } = await send('GET', path)
    expect(findTraces(shown), path).toEqual([])
  }
})

test('the commands read secrets from standard input, and never show them again', async () => {
  const own = { DATA_DIR: folder.path, ...settings }
  const create = ['connector', 'create', credentials.organization_id, 'own', '--kind', 'core', '--settings', '-']
  const made = await runCommand(create, own, JSON.stringify({ ...connector, password: canaries.portal }))
  expect(made.code, made.stderr).toBe(0)
  const shown = await runCommand(['connector', 'show', credentials.organization_id, 'own', '--json'], own)
  expect(shown.stdout).toContain('clearinghouse.test')
  const clients = await runCommand(['client', 'list', '--json'], own)
  expect(clients.stdout).toContain(credentials.client_id)
  for (const { stdout, stderr } of [made, shown, clients]) {
    expect(findTraces(stdout + stderr, [credentials.client_secret])).toEqual([])
  }
})

test('the database without the key reveals no SSN, password or credential, and the audit trail no content of a record', async () => {
  const embedded = await openEmbedded({ dataDir: folder.path, log() {}, role: 'command' })
  const opened = openDatabase(embedded.connection, { onError() {} })
  const database = opened.systemDatabase
  const secrets = [
    canaries.ssn,
    canaries.ssn.replaceAll('-', ''),
    canaries.payerSsn,
    canaries.payerSsn.replaceAll('-', ''),
    canaries.portal,
    settings.CLEARINGHOUSE_PASSWORD,
    settings.ENCRYPTION_KEY,
    credentials.client_secret,
  ]
  try {
    const found: string[] = []
    for (const table of await tableNames(database)) {
      // The trail identifies people and records by ids, and contains nothing else of a record.
      const sought = table.startsWith('audit_') ? [...secrets, ...traces] : secrets
      const rows = await database.rows(
        `with written as materialized (select t::text as shown from public.${table} t)
          select sought from unnest($1::text[]) sought where exists (select from written where position(sought in shown) > 0)`,
        [sought],
      )
      found.push(...rows.map(([secret]) => `${table}: ${secret}`))
    }
    const [patients] =
      (await database.row('select count(*) from patient where body ? $1', ['social_security_number'])) ?? []
    expect(Number(patients), 'patients with a social security number').toBeGreaterThan(0)
    const [noted] = (await database.row('select sum(size) from audit_block')) ?? []
    expect(Number(noted), 'events of the calls above').toBeGreaterThan(endpoints.length)
    expect(found).toEqual([])
  } finally {
    await opened.close()
    await embedded.stop()
  }
})
