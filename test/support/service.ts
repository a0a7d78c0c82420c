import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, inject } from 'vitest'
import { type Clearinghouse, ClearinghouseError } from '../../src/clearinghouses/clearinghouse.ts'
import { readConfig } from '../../src/config.ts'
import type { Deps } from '../../src/deps.ts'
import { beginCheck, prepareInquiry } from '../../src/eligibility/checks/answer-check.ts'
import { createPayerBreaker } from '../../src/eligibility/checks/payer-breaker.ts'
import { createQueueSignal } from '../../src/eligibility/checks/queue-signal.ts'
import { openEventSource } from '../../src/events/event-source.ts'
import { buildApp } from '../../src/main/app.ts'
import { eventTypesOf } from '../../src/main/events.ts'
import { auditedRecords, resources } from '../../src/main/resources.ts'
import { openLiveDirectory } from '../../src/payers/live-directory.ts'
import { openTrail } from '../../src/platform/audit/trail.ts'
import { createClient, createOrganization, verifyCredentials } from '../../src/platform/auth/clients.ts'
import { createPasswords } from '../../src/platform/auth/passwords.ts'
import { openSessions } from '../../src/platform/auth/sessions.ts'
import { openTokenIssuer } from '../../src/platform/auth/tokens.ts'
import { createBackground } from '../../src/platform/background.ts'
import { createVault } from '../../src/platform/crypto/encryption.ts'
import type { SystemDatabase } from '../../src/platform/database/database.ts'
import type { DatabasePool } from '../../src/platform/database/database-pool.ts'
import type { Pressure } from '../../src/platform/http/limits/pressure.ts'
import { describeScopes } from '../../src/platform/http/scopes.ts'
import { createMetrics } from '../../src/platform/metrics/metrics.ts'
import { openLocalStorage } from '../../src/platform/storage/local.ts'
import { holdsFiles } from '../../src/platform/storage/storage.ts'
import { withoutTracing } from '../../src/platform/tracing/tracing.ts'
import { createBulkTurns } from '../../src/records/bulk.ts'
import { createPageCache } from '../../src/records/page-cache.ts'
import { endpointsOf, type Resource, recordsOf } from '../../src/records/resource.ts'
import { readSandboxPayers } from '../../src/tools/sandbox/directory-payers.ts'
import { eligibilityRequestBody } from './bodies.ts'
import type { Caller, Reply } from './caller.ts'
import { cloneDatabase } from './database.ts'
import { singleConnection } from './single-connection.ts'

export type { Caller, Reply } from './caller.ts'

interface CallerOptions {
  timeZone?: string
  beside?: Caller
  scopes?: string[]
}

export interface TestService {
  app: FastifyInstance
  /** A test may replace single dependencies. */
  deps: { -readonly [Name in keyof Deps]: Deps[Name] }
  /** The rows of every organization, for assertions. The app's own database is `deps.database`. */
  database: SystemDatabase
  databaseUrl: string
  /** `beside`: another client of that caller's organization; `scopes`: its scopes, all by default. */
  newCaller(options?: CallerOptions): Promise<Caller>
}

const unreachable: Clearinghouse = {
  name: 'none',
  checkEligibility: () => Promise.reject(new Error('this test has no clearinghouse')),
}

/** No load shedding: a test shares its event loop with the service and its machine with other tests, so slowness is not load. */
const none: Pressure = { isHigh: () => false, isLate: () => false, stop: () => {} }

/** The encryption key of every service of the run. */
export const dataKey = Buffer.from(inject('dataKey'), 'hex')

/** The real app on a separate database for the tests of one file; `overrides` replace single dependencies, `more` are additional resources. */
export function testService(
  overrides: (deps: Deps) => Promise<Partial<Deps>> | Partial<Deps> = () => ({}),
  more: readonly Resource[] = [],
): TestService {
  const service = {} as TestService
  let drop: (() => Promise<void>) | undefined
  const imageFolder = join(tmpdir(), `anteroom-images-${uuidv7()}`)
  beforeAll(async () => {
    const clone = await cloneDatabase('anteroom_template_with_key')
    drop = clone.drop
    const deps = await testDeps(clone.database, imageFolder, more)
    Object.assign(deps, await overrides(deps))
    const app = buildApp(deps, { pressure: none, resources: [...resources, ...more] })
    await app.ready()
    Object.assign(service, { app, deps, database: clone.database.systemDatabase, databaseUrl: clone.url })
    service.newCaller = (options = {}) => newCaller(app, deps, options)
  })
  afterAll(async () => {
    const closing = service.app?.close()
    // Closing would wait for a connection that a test has left open.
    service.app?.server.closeAllConnections()
    await closing
    await drop?.()
    await rm(imageFolder, { recursive: true, force: true })
  })
  return service
}

async function testDeps(database: DatabasePool, imageFolder: string, more: readonly Resource[]): Promise<Deps> {
  const config = readConfig({ TOKEN_RATE_LIMIT: '1000', RATE_LIMIT: '0' })
  const vault = createVault(dataKey)
  const now = () => new Date()
  const { systemDatabase, authenticationDatabase, sessionDatabase, limitDatabase, probeDatabase } = database
  const tokens = await openTokenIssuer({
    database: authenticationDatabase,
    vault,
    issuer: 'anteroom',
    lifetimeSeconds: 18_000,
    now,
  })
  const storage = openLocalStorage(imageFolder, holdsFiles(systemDatabase))
  const audit = openTrail({
    database,
    systemDatabase,
    vault,
    records: [...auditedRecords, ...recordsOf(more)],
    onError: () => {},
  })
  return {
    config,
    database,
    systemDatabase,
    authenticationDatabase,
    sessionDatabase,
    limitDatabase,
    probeDatabase,
    clearinghouses: singleConnection({ name: 'none', clearinghouse: unreachable, retryForMs: 0 }),
    pageCache: createPageCache(config.PAGE_CACHE_MB),
    bulkTurns: createBulkTurns(),
    breaker: createPayerBreaker(),
    background: createBackground(10_000),
    tokens,
    // The same algorithm at a fraction of the cost.
    passwords: createPasswords({ ln: 4, r: 8, p: 1 }),
    sessions: openSessions(sessionDatabase),
    vault,
    audit,
    connectorNetworks: [],
    scopes: describeScopes(endpointsOf([...resources, ...more])),
    storage,
    payers: openLiveDirectory(database, () => readSandboxPayers(config.SANDBOX_ROSTER)),
    events: openEventSource({
      database,
      systemDatabase,
      types: eventTypesOf([...resources, ...more]),
      onError: () => {},
    }),
    metrics: createMetrics(),
    tracing: withoutTracing,
    queue: createQueueSignal(),
    now,
    newId: uuidv7,
  }
}

async function newCaller(app: FastifyInstance, deps: Deps, options: CallerOptions): Promise<Caller> {
  const { beside, scopes, ...settings } = options
  const name = `test ${uuidv7()}`
  const organizationId =
    beside?.organizationId ??
    (await createOrganization(deps.systemDatabase, uuidv7, { name, ...settings })).organization_id
  const credentials = await createClient(deps.systemDatabase, uuidv7, {
    organizationId,
    name: 'test',
    ...(scopes && { scopes }),
  })
  const actor = await verifyCredentials(deps.systemDatabase, credentials.client_id, credentials.client_secret)
  if (!actor) throw new Error('a new client must be able to act')
  const token = await deps.tokens.issue(actor)
  const call: Caller['call'] = async (method, url, body, headers = {}) =>
    send(app, {
      method,
      url,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && {
        payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
      }),
    })
  const newCheckId = async () => {
    const inquiry = await prepareInquiry(deps, actor, eligibilityRequestBody())
    return (await beginCheck(deps, actor, inquiry)).id
  }
  return { organizationId, credentials, token, call, newCheckId }
}

/** A clearinghouse that cannot be reached: every check fails at once, and is not retried. */
export const deadClearinghouses = singleConnection({
  name: 'down',
  clearinghouse: {
    name: 'down',
    checkEligibility: () => Promise.reject(new ClearinghouseError('it is down', { code: 'DOWN', retryable: false })),
  },
  retryForMs: 0,
})

/** Sends one request without credentials of its own. */
export async function send(app: FastifyInstance, request: InjectOptions): Promise<Reply> {
  const response = await app.inject(request)
  const isJson = String(response.headers['content-type'] ?? '').startsWith('application/json')
  return {
    status: response.statusCode,
    headers: response.headers,
    body: isJson && response.body !== '' ? JSON.parse(response.body) : undefined,
    text: response.body,
  }
}
