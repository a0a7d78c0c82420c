import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { openConsoleFiles } from '../console/console-files.ts'
import { serveConsole } from '../console/serve-console.ts'
import type { Deps } from '../deps.ts'
import { sessionRoutes } from '../platform/auth/session.routes.ts'
import { tokenRoutes } from '../platform/auth/token.routes.ts'
import { isMigrated } from '../platform/database/migrate.ts'
import { sendLongTextsAsBytes } from '../platform/http/answer-stream.ts'
import { auditRequests } from '../platform/http/audit.ts'
import { authenticateRequests, authorizeRequests, recognizeClients } from '../platform/http/authenticate.ts'
import { readJsonBodies } from '../platform/http/body-reader.ts'
import { logOfCall } from '../platform/http/call-log.ts'
import { refuseProxyRequests, refuseUnknownFraming, refuseUnreadable } from '../platform/http/client-errors.ts'
import { allowOrigins, readAllowedOrigins } from '../platform/http/cors.ts'
import { publishDocs } from '../platform/http/documentation/docs.ts'
import { registerEndpoint } from '../platform/http/endpoint.ts'
import { renderErrors, send, toWireError } from '../platform/http/error-handler.ts'
import { reportHealth } from '../platform/http/health.ts'
import { requireOneHost, requirePlainRequests } from '../platform/http/host-header.ts'
import { beginInTurns } from '../platform/http/limits/begin-in-turns.ts'
import { connectionLimits, limitConnections, SERVER_OPTIONS } from '../platform/http/limits/connection-limits.ts'
import { limitCalls } from '../platform/http/limits/limit-calls.ts'
import { loadLimits, shedLoad } from '../platform/http/limits/load-shedding.ts'
import { answerInTurn } from '../platform/http/limits/pipelined-requests.ts'
import type { Pressure } from '../platform/http/limits/pressure.ts'
import { createRateLimit } from '../platform/http/limits/rate-limit.ts'
import { routedUrl } from '../platform/http/paths.ts'
import { onlyReads } from '../platform/http/scopes.ts'
import { SECURITY_HEADERS, setSecurityHeaders } from '../platform/http/security-headers.ts'
import { openBrowserSessions } from '../platform/http/session-cookie.ts'
import { type Certificate, tlsOptions } from '../platform/http/tls.ts'
import { readTrustedProxies } from '../platform/http/trusted-proxies.ts'
import { measureRequests } from '../platform/metrics/measure-requests.ts'
import { packageFile } from '../platform/package-root.ts'
import { publicPath } from '../platform/public-path.ts'
import { followRequests } from '../platform/tracing/follow-requests.ts'
import { endpointsOf, type Resource } from '../records/resource.ts'
import { imageContentRoutes } from '../resources/images/image-content.routes.ts'
import { describeProgram } from './interface.ts'
import { resources } from './resources.ts'

/** MRNs are short; longer path segments are refused before any lookup. */
const PATH_SEGMENT_MAX = 500

interface AppOptions {
  logger?: FastifyBaseLogger
  /** The server speaks HTTPS when given. */
  certificate?: Certificate | undefined
  /** Whether the process can accept more requests; measured by default. */
  pressure?: Pressure
  /** Whether the start is complete: from then on `/readyz` may answer 200. */
  isStarted?: () => boolean
  /** The folder of the built web console; the package's by default. */
  consoleFolder?: string
  /** Resources to serve instead of those of the interface. */
  resources?: readonly Resource[]
}

/** The HTTP service over its dependencies: it is not listening yet, and nothing was read from the environment. */
export function buildApp(deps: Deps, options: AppOptions = {}): FastifyInstance {
  const { resources: served = resources } = options
  const app: FastifyInstance = Fastify({
    ...serverOptions(options.certificate),
    trustProxy: readTrustedProxies(deps.config.TRUSTED_PROXIES),
    ...(options.logger ? { loggerInstance: options.logger } : { logger: false }),
    // auditRequests writes the one log line of a request.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: logOfCall,
    rewriteUrl: routedUrl,
    routerOptions: { maxParamLength: PATH_SEGMENT_MAX },
    // Endpoints have their own validation: with neither of these, Fastify would load its compilers at every start.
    schemaController: { compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema } },
    clientErrorHandler: refuseUnreadable,
    frameworkErrors: (error, _request, reply) => {
      send(reply.headers(SECURITY_HEADERS), toWireError(error))
    },
  })
  limitConnections(app.server, connectionLimits(deps.config))
  refuseProxyRequests(app.server)
  // Before everything that counts requests in flight.
  answerInTurn(app)
  const browser = openBrowserSessions(deps.config.PUBLIC_URL)
  const verifiers = { tokens: deps.tokens, sessions: deps.sessions, browser }
  recognizeClients(app, verifiers)
  // Before anything is refused, which is work as well.
  beginInTurns(app)
  measureRequests(app, deps.metrics)
  setSecurityHeaders(app)
  refuseUnknownFraming(app)
  requireOneHost(app)
  allowOrigins(app, readAllowedOrigins(deps.authenticationDatabase))
  renderErrors(app)
  requirePlainRequests(app)
  shedLoad(app, loadLimits(deps.config.MAX_REQUESTS_IN_FLIGHT), options.pressure)
  readJsonBodies(app)
  auditRequests(app, deps)
  sendLongTextsAsBytes(app)
  followRequests(app, deps.tracing)
  authenticateRequests(app, verifiers)
  limitClients(app, deps)
  authorizeRequests(app)
  app.addHook('preClose', async () => deps.events.close())
  app.addHook('onClose', async () => {
    await deps.background.close()
    await deps.audit.close()
  })
  reportHealth(app, { database: () => isMigrated(deps.probeDatabase) }, options)
  publishKeys(app, deps)
  const files = openConsoleFiles(options.consoleFolder ?? packageFile('dist', 'console'))
  if (files) serveConsole(app, files, deps.config.PUBLIC_URL)
  publishDocs(app, () => describeProgram(served), {
    home: files ? '/console/' : '/docs',
    base: publicPath(deps.config.PUBLIC_URL),
  })
  app.register(tokenRoutes(deps))
  app.register(sessionRoutes(deps, browser))
  app.register(imageContentRoutes(deps))
  app.register(async (scope) => {
    const reading = deps.readDatabase ? { ...deps, database: deps.readDatabase } : deps
    for (const endpoint of endpointsOf(served)) registerEndpoint(scope, endpoint, onlyReads(endpoint) ? reading : deps)
  })
  return app
}

function refuseSchema(): never {
  throw new Error('a route must not have a Fastify schema: declare it as an endpoint')
}

const CLIENT_WINDOW_MS = 10_000

/** 1,000 calls in 10 seconds by default. Source: rules.md 1.9. */
function limitClients(
  app: FastifyInstance,
  { config, limitDatabase: database }: Pick<Deps, 'config' | 'limitDatabase'>,
): void {
  if (config.RATE_LIMIT === 0) return
  limitCalls(app, createRateLimit({ database, name: 'client', limit: config.RATE_LIMIT, windowMs: CLIENT_WINDOW_MS }))
}

function serverOptions(certificate: Certificate | undefined) {
  const { requestTimeout, keepAliveTimeout } = SERVER_OPTIONS
  // Fastify's type depends on the kind of server; its routes and hooks do not.
  const tls = certificate && ({ https: { ...SERVER_OPTIONS, ...tlsOptions(certificate) } } as object)
  return { http: SERVER_OPTIONS, requestTimeout, keepAliveTimeout, ...tls }
}

/** The public keys that verify access tokens. Source: rules.md 3; RFC 7517. */
function publishKeys(app: FastifyInstance, deps: Pick<Deps, 'tokens'>): void {
  app.get('/.well-known/jwks.json', async () => deps.tokens.jwks())
  app.get('/pem', async (_request, reply) => reply.type('application/x-pem-file').send(await deps.tokens.pem()))
}
