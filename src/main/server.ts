import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer, type Server as HttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { type DestinationStream, type Logger, pino } from 'pino'
import { type Config, requireProductionSettings } from '../config.ts'
import type { Deps } from '../deps.ts'
import { administer } from '../platform/audit/administration.ts'
import { type Credentials, createClient, createOrganization, listOrganizations } from '../platform/auth/clients.ts'
import { createPasswords, makePassword } from '../platform/auth/passwords.ts'
import { makePairAhead } from '../platform/auth/signing-keys.ts'
import { createUser } from '../platform/auth/user-account.ts'
import type { SystemDatabase } from '../platform/database/database.ts'
import { addressOf } from '../platform/http/address-of.ts'
import { refuseProxyRequests, refuseUnreadable } from '../platform/http/client-errors.ts'
import { explainListen } from '../platform/http/explain-listen.ts'
import {
  backlogOf,
  connectionLimits,
  limitConnections,
  SERVER_OPTIONS,
} from '../platform/http/limits/connection-limits.ts'
import {
  type Certificate,
  followCertificate,
  readCertificate,
  type TlsServer,
  tlsOptions,
} from '../platform/http/tls.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import { connectionsFor, ENOUGH_FILES, openFilesMax } from '../platform/open-files.ts'
import { logContext } from '../platform/tracing/request-context.ts'
import type { Sandbox } from '../tools/sandbox/sandbox.ts'
import { requireFreePorts } from './free-ports.ts'
import type { Meanwhile } from './open-database.ts'
import { openMetrics } from './open-metrics.ts'
import { openService } from './service.ts'

export interface RunningServer {
  /** The URL of the service, e.g. `http://127.0.0.1:4000`. */
  url: string
  coreUrl: string | undefined
  sandbox: Sandbox | undefined
  /**
   * The first client and the first user, created at the first start on an empty embedded database; their secrets are
   * not shown again.
   */
  firstClient: Credentials | undefined
  firstUser: FirstUser | undefined
  metrics: Metrics
  /** Finishes accepted work, then closes everything. */
  close(): Promise<void>
}

interface FirstUser {
  username: string
  password: string
}

/** Writes JSON lines to standard output, or to `destination`. Where calls are traced, a line also names its trace. */
export function createLogger(config: Config, destination?: DestinationStream): Logger {
  const { LOG_LEVEL: level, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = config
  const timestamp = pino.stdTimeFunctions.isoTime
  const options = { level, base: null, timestamp, ...(endpoint !== undefined && { mixin: logContext }) }
  return destination ? pino(options, destination) : pino(options)
}

interface ServerOptions {
  stopping?: AbortSignal
  /** Its role for the embedded database: a server owns it, a command works beside a server. */
  role?: 'server' | 'command'
  /** The number of processes of this service. */
  processes?: number
}

/**
 * Starts the service: the database, the sandbox clearinghouse when none is configured, and HTTP on both ports. When
 * `stopping` is aborted it starts no background work, also while it is still starting.
 * @throws StartupError; what was opened until then is closed again.
 */
export async function startServer(
  config: Config,
  logger: Logger,
  { stopping = new AbortController().signal, role = 'server', processes = 1 }: ServerOptions = {},
): Promise<RunningServer> {
  const closers: (() => Promise<unknown>)[] = []
  const close = async () => {
    while (closers.length > 0)
      await closers
        .pop()?.()
        .catch((error: Error) => logger.warn({ type: error.name }, 'a component did not close'))
  }
  try {
    requireProductionSettings(config)
    const certificate = await readCertificate(config)
    if (role === 'server') await requireFreePorts(config)
    let password: ReturnType<typeof makePassword> | undefined
    const meanwhile: Meanwhile = (doing) => {
      if (doing === 'starting') return load()
      if (makesFirst(config)) password = makePassword(createPasswords(), 'sandbox')
      return Promise.all([password, makePairAhead(), load()])
    }
    const use = { role, data: 'existing or new', processes, answersCalls: true, meanwhile } as const
    const service = await openService(config, logger, use)
    closers.push(service.close)
    const [{ buildApp }, { startWorker }] = await load()
    const { deps, sandbox } = service.value
    deps.audit.startSweeping()
    const worker = startWorker(deps, logger, stopping)
    closers.push(worker.close)
    let isStarted = false
    const app = buildApp(deps, { logger, certificate, isStarted: () => isStarted })
    warnOfFewFiles(logger)
    let isStopping = false
    // Clients keep connections open for their next request; without this header they would delay the stop.
    app.addHook('onSend', (_request, reply, _payload, done) => {
      if (isStopping) reply.header('connection', 'close')
      done()
    })
    closers.push(() => app.close())
    const metricsServer = await openMetrics(config, deps.metrics.registry, logger)
    if (metricsServer) closers.push(metricsServer.close)
    const url = await listen(app, config, certificate)
    const core = config.CORE_PORT === 0 ? undefined : await listenToo(app, config, certificate)
    if (core) closers.push(core.close)
    if (certificate) {
      const servers = [app.server, core?.server].filter((server) => server !== undefined) as unknown as TlsServer[]
      const following = followCertificate(config, { current: certificate, servers, log: logger })
      closers.push(async () => following.stop())
    }
    closers.push(async () => {
      isStopping = true
      // While the callers' requests are finished, no background work is started.
      worker.takeNoMore()
      // Streams stay open indefinitely; their listeners reconnect to another process.
      deps.events.close()
    })
    const first = await createFirst(config, deps, password)
    isStarted = true
    const { client: firstClient, user: firstUser } = first ?? {}
    return { url, coreUrl: core?.url, sandbox, firstClient, firstUser, metrics: deps.metrics, close }
  } catch (error) {
    await close()
    throw error
  }
}

const load = () => Promise.all([import('./app.ts'), import('./worker.ts')])

function warnOfFewFiles(logger: Logger): void {
  const openFiles = openFilesMax()
  if (openFiles === undefined || openFiles >= ENOUGH_FILES) return
  const connections = connectionsFor(openFiles)
  logger.warn({ openFiles, connections }, 'few open files are allowed, so few connections are accepted (ulimit -n)')
}

/** The settings that name the address. */
const LISTEN = { host: 'HOST', port: 'PORT' }

async function listen(app: FastifyInstance, config: Config, certificate: Certificate | undefined): Promise<string> {
  try {
    await app.listen({
      host: config.HOST,
      port: config.PORT,
      backlog: backlogOf(config),
      listenTextResolver: (address) => `listening on ${address}`,
    })
    return addressOf(certificate ? 'https' : 'http', config.HOST, (app.server.address() as AddressInfo).port)
  } catch (error) {
    throw explainListen(error, LISTEN, config.PORT)
  }
}

/** A second port for the same routes: clients expect the `/api/...` group on a separate port (rules.md 1.1). */
async function listenToo(
  app: FastifyInstance,
  config: Config,
  certificate: Certificate | undefined,
): Promise<{ url: string; server: Server; close(): Promise<void> }> {
  const server: Server | HttpsServer = certificate
    ? createTlsServer({ ...SERVER_OPTIONS, ...tlsOptions(certificate) }, app.routing)
    : createServer(SERVER_OPTIONS, app.routing)
  server.on('clientError', refuseUnreadable)
  refuseProxyRequests(server)
  limitConnections(server, connectionLimits(config))
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explainListen(error, { ...LISTEN, port: 'CORE_PORT' }, config.CORE_PORT)))
    server.listen({ port: config.CORE_PORT, host: config.HOST, backlog: backlogOf(config) }, resolve)
  })
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeIdleConnections()
    })
  return { url: addressOf(certificate ? 'https' : 'http', config.HOST, config.CORE_PORT), server, close }
}

/** On a laptop the service is ready at once; in production nothing is created automatically (design.md, "What runs"). */
const makesFirst = (config: Config) => config.NODE_ENV !== 'production' && !config.DATABASE_URL

async function createFirst(
  config: Config,
  deps: Pick<Deps, 'systemDatabase' | 'passwords' | 'newId'>,
  madeAhead: ReturnType<typeof makePassword> | undefined,
): Promise<{ client: Credentials; user: FirstUser } | undefined> {
  if (!makesFirst(config)) return undefined
  if ((await listOrganizations(deps.systemDatabase)).length > 0) return undefined
  const { password, hash } = await (madeAhead ?? makePassword(deps.passwords, 'sandbox'))
  const make = async (database: SystemDatabase) => {
    const { organization_id: organizationId } = await createOrganization(database, deps.newId, { name: 'sandbox' })
    const client = await createClient(database, deps.newId, { organizationId, name: 'first client' })
    const user = { username: 'admin', name: 'First user', role: 'administrator', hash, isKept: true } as const
    await createUser(database, { organizationId, id: deps.newId() }, user)
    return { client, user: { username: user.username, password } }
  }
  return administer(deps.systemDatabase, 'serve', make, ({ client: { organization_id, client_id } }) => ({
    organizationId: organization_id,
    type: 'client',
    ids: [client_id],
  }))
}
