import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { Ajv, type ErrorObject } from 'ajv'
import { type Static, Type } from 'typebox'
import { CONNECTOR_KINDS } from './clearinghouses/connector-kind-names.ts'
import { limits } from './clearinghouses/connector-settings.ts'
import { eligibilityVersions, PLANS_VERSION } from './clearinghouses/stedi/stedi-settings.ts'
import { oneOf } from './contract/one-of.ts'
import { codeOf } from './platform/error-code.ts'
import { StartupError } from './platform/startup-error.ts'

// A description completes the sentence "<setting> must be …".
const httpUrl = Type.Optional(
  Type.String({ format: 'http-url', description: 'an http or https address without username, query and #' }),
)
const postgresUrl = Type.Optional(
  Type.String({ pattern: '^postgres(ql)?://', description: 'an address that begins with postgres://' }),
)
const qualifier = Type.String({
  default: 'ZZ',
  pattern: '^[0-9A-Z]{2}$',
  description: 'two uppercase letters or digits',
})
const optionalText = Type.Optional(Type.String({ minLength: 1 }))
const port = (fallback: number) => Type.Integer({ minimum: 0, maximum: 65_535, default: fallback })

/** Every setting of the service; setting-meanings.ts explains them. */
export const Config = Type.Object({
  // One of three values: a misspelled `production` would otherwise start like a laptop.
  NODE_ENV: Type.Union(
    ['development', 'test', 'production'].map((name) => Type.Literal(name)),
    { default: 'development' },
  ),
  HOST: Type.String({ default: '127.0.0.1', minLength: 1 }),
  PORT: port(4000),
  CORE_PORT: port(5050),
  DATA_DIR: Type.String({ default: './data', minLength: 1 }),
  DATABASE_URL: postgresUrl,
  DATABASE_READ_URL: postgresUrl,
  DATABASE_PROCESSORS: Type.Optional(Type.Integer({ minimum: 1, maximum: 1024 })),
  ENCRYPTION_KEY: Type.Optional(
    Type.String({
      pattern: '^[0-9a-fA-F]{64}(,[0-9a-fA-F]{64}){0,7}$',
      description:
        '64 hexadecimal digits, as `openssl rand -hex 32` prints; up to 8 such keys with commas between them',
    }),
  ),
  BACKUP_PASSPHRASE: Type.Optional(Type.String({ minLength: 12 })),
  PUBLIC_URL: httpUrl,
  TLS_CERT_FILE: optionalText,
  TLS_KEY_FILE: optionalText,
  TRUSTED_PROXIES: optionalText,
  // About three seconds of work for two cores.
  MAX_REQUESTS_IN_FLIGHT: Type.Integer({ default: 1000, minimum: 1, maximum: 100_000 }),
  PAGE_CACHE_MB: Type.Integer({ default: 32, minimum: 0, maximum: 4096 }),
  IMAGE_MAX_BYTES: Type.Integer({ default: 15 * 1024 * 1024, minimum: 1, maximum: 1024 ** 3 }),
  IMAGE_URL_LIFETIME_SECONDS: Type.Integer({ default: 900, minimum: 1, maximum: 604_800 }),
  S3_BUCKET: optionalText,
  S3_ENDPOINT: httpUrl,
  S3_REGION: Type.String({ default: 'us-east-1', minLength: 1 }),
  S3_ACCESS_KEY_ID: optionalText,
  S3_SECRET_ACCESS_KEY: optionalText,
  S3_FORCE_PATH_STYLE: Type.Boolean({ default: false }),
  WORKER_CONCURRENCY: Type.Integer({ default: 16, minimum: 0, maximum: 1000 }),
  // Six years, the retention period of such records (45 CFR 164.316(b)(2)).
  CHECK_MESSAGE_DAYS: Type.Integer({ default: 2192, minimum: 1, maximum: 36_500 }),
  EVENT_RETENTION_DAYS: Type.Integer({ default: 30, minimum: 1, maximum: 3650 }),
  WEBHOOK_GIVE_UP_DAYS: Type.Number({ default: 5, minimum: 0, maximum: 365 }),
  WEBHOOK_PRIVATE_NETWORKS: optionalText,
  CONNECTOR_PRIVATE_NETWORKS: optionalText,
  TOKEN_LIFETIME_SECONDS: Type.Integer({ default: 18_000, minimum: 60, maximum: 86_400 }),
  // The documented limit of the interface (rules.md 1.9); 0 means no limit.
  RATE_LIMIT: Type.Integer({ default: 1000, minimum: 0, maximum: 1_000_000_000 }),
  TOKEN_RATE_LIMIT: Type.Integer({ default: 60, minimum: 1 }),
  OIDC_ISSUER: httpUrl,
  OIDC_CLIENT_ID: optionalText,
  OIDC_CLIENT_SECRET: optionalText,
  OIDC_ORGANIZATION: optionalText,
  OIDC_ROLES: optionalText,
  OIDC_ROLE_CLAIM: Type.String({ default: 'groups', minLength: 1 }),
  OIDC_NAME: Type.String({ default: 'your identity provider', minLength: 1, maxLength: 60 }),
  METRICS_HOST: Type.String({ default: '127.0.0.1', minLength: 1 }),
  METRICS_PORT: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535 })),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl,
  SYSTEM_USER_NAME: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  LOG_LEVEL: Type.Union(
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'].map((level) => Type.Literal(level)),
    { default: 'info' },
  ),
  SANDBOX_ROSTER: optionalText,
  CLEARINGHOUSE_NAME: Type.String({
    default: 'default',
    pattern: '^[a-z0-9][a-z0-9-]{0,49}$',
    description: 'up to 50 lowercase letters, digits and hyphens',
  }),
  CLEARINGHOUSE_KIND: Type.Enum([...CONNECTOR_KINDS, 'sandbox'], { default: 'core' }),
  CLEARINGHOUSE_URL: httpUrl,
  CLEARINGHOUSE_FORM: Type.Union([Type.Literal('soap12'), Type.Literal('soap11'), Type.Literal('mime')], {
    default: 'soap12',
  }),
  CLEARINGHOUSE_USERNAME: optionalText,
  CLEARINGHOUSE_PASSWORD: optionalText,
  CLEARINGHOUSE_API_KEY: optionalText,
  CLEARINGHOUSE_STEDI_VERSION: Type.Enum(eligibilityVersions, { default: PLANS_VERSION }),
  CLEARINGHOUSE_CLIENT_CERT_FILE: optionalText,
  CLEARINGHOUSE_CLIENT_KEY_FILE: optionalText,
  CLEARINGHOUSE_CA_FILE: optionalText,
  CLEARINGHOUSE_SENDER_ID: Type.String({ default: 'ANTEROOM', minLength: 1, maxLength: 50 }),
  CLEARINGHOUSE_RECEIVER_ID: Type.String({ default: 'CLEARINGHOUSE', minLength: 1, maxLength: 50 }),
  CLEARINGHOUSE_ISA_SENDER_QUALIFIER: qualifier,
  CLEARINGHOUSE_ISA_SENDER_ID: Type.String({ default: 'ANTEROOM', minLength: 1, maxLength: 15 }),
  CLEARINGHOUSE_ISA_RECEIVER_QUALIFIER: qualifier,
  CLEARINGHOUSE_ISA_RECEIVER_ID: Type.String({ default: 'CLEARINGHOUSE', minLength: 1, maxLength: 15 }),
  CLEARINGHOUSE_USAGE: Type.Union([Type.Literal('P'), Type.Literal('T')], { default: 'P' }),
  CLEARINGHOUSE_TIMEOUT_MS: limits.timeoutMs,
  CLEARINGHOUSE_RETRY_HOURS: limits.retryHours,
  CLEARINGHOUSE_MAX_CONCURRENCY: limits.maxConcurrency,
})
export type Config = Static<typeof Config>

/** @throws StartupError that names the settings that a server or a worker needs in production. */
export function requireProductionSettings({ NODE_ENV, PUBLIC_URL }: Pick<Config, 'NODE_ENV' | 'PUBLIC_URL'>): void {
  if (NODE_ENV !== 'production' || PUBLIC_URL !== undefined) return
  throw new StartupError(
    'PUBLIC_URL is required in production: the http or https address at which callers reach the service',
  )
}

/** Without the meta schema, whose compilation takes longer than checking the settings. */
const ajv = new Ajv({
  allErrors: true,
  coerceTypes: true,
  allowUnionTypes: true,
  meta: false,
  validateSchema: false,
  formats: { 'http-url': isHttpUrl },
})

/** What holds where nothing is set. */
const defaults = Object.fromEntries(
  Object.entries(Config.properties).flatMap(([name, schema]) => ('default' in schema ? [[name, schema.default]] : [])),
)

/**
 * Reads the settings from the environment and `.env`; an empty variable counts as not set.
 * @throws StartupError that lists every fault at once, naming settings and never their values.
 */
export function readConfig(environment: Environment = process.env): Config {
  const { config, faults } = parseConfig(environment)
  refuseFaults(faults)
  return config
}

/** @throws StartupError that lists them, if there are any. */
export function refuseFaults(faults: readonly string[]): void {
  if (faults.length > 0) throw new StartupError(`invalid settings: ${faults.join('; ')}`)
}

type Environment = Record<string, string | undefined>

/** The settings, with the default in place of each invalid one, and what is wrong with them. @throws StartupError when `.env` cannot be read. */
export function parseConfig(environment: Environment = process.env): { config: Config; faults: string[] } {
  const set: Record<string, unknown> = {
    ...(environment === process.env && withoutEmpty(readDotenv())),
    ...withoutEmpty(environment),
  }
  // Only what is set is compiled: the checks of all settings took a tenth of a command.
  const schemas = Object.entries(Config.properties).filter(([name]) => Object.hasOwn(set, name))
  const given = Object.fromEntries(schemas.map(([name]) => [name, set[name]]))
  const validate = ajv.compile({ type: 'object', properties: Object.fromEntries(schemas) })
  const errors = validate(given) ? [] : (validate.errors ?? [])
  for (const error of errors) delete given[nameIn(error)]
  const config = { ...defaults, ...given } as Config
  return { config, faults: [...faultsOf(errors), ...findTwoClearinghouses(config), ...findReplicaAlone(config)] }
}

/** What `.env` in the working directory sets. @throws StartupError when it is there and cannot be read. */
export function readDotenv(): Record<string, string | undefined> {
  try {
    return parseEnv(readFileSync('.env', 'utf8'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return {}
    throw new StartupError('.env cannot be read', { cause: error })
  }
}

const withoutEmpty = (set: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined && value !== ''))

/** A URL that a path can be appended to. */
function isHttpUrl(text: string): boolean {
  if (!/^https?:\/\/[^/?#@\s]+(\/[^?#\s]*)?$/i.test(text)) return false
  return URL.canParse(text)
}

/** With the sandbox and a real clearinghouse in the settings it would be unclear which one is used. */
function findTwoClearinghouses({ CLEARINGHOUSE_KIND, CLEARINGHOUSE_URL }: Config): string[] {
  if (CLEARINGHOUSE_KIND !== 'sandbox' || CLEARINGHOUSE_URL === undefined) return []
  return ['CLEARINGHOUSE_KIND sandbox cannot be combined with CLEARINGHOUSE_URL']
}

/** The embedded database has no standby. */
function findReplicaAlone({ DATABASE_URL, DATABASE_READ_URL }: Config): string[] {
  if (DATABASE_READ_URL === undefined || DATABASE_URL !== undefined) return []
  return ['DATABASE_READ_URL names a standby of DATABASE_URL, which is not set']
}

const nameIn = ({ instancePath }: ErrorObject) => instancePath.slice(1)

function faultsOf(errors: ErrorObject[]): string[] {
  const faults = errors
    .filter(({ keyword }) => keyword !== 'anyOf')
    .map((error) => {
      const expected = expectedOf(Config.properties[nameIn(error) as keyof Config])
      return `${nameIn(error)} ${expected ? `must be ${expected}` : (error.message ?? 'is not valid')}`
    })
  return [...new Set(faults)]
}

/** What a setting with this schema must be, in words; undefined for any text. */
export function expectedOf(schema: object): string | undefined {
  const { description, enum: values, anyOf = [], type, minLength = 0, maxLength } = schema as Expectation
  const allowed = values ?? anyOf.flatMap((each) => each.const ?? [])
  if (allowed.length > 0) return oneOf(allowed)
  if (description !== undefined) return description
  if (type === 'boolean') return 'true or false'
  if (type === 'integer' || type === 'number') return rangeOf(schema)
  if (maxLength !== undefined) return `at most ${maxLength} characters long`
  return minLength > 1 ? `at least ${minLength} characters long` : undefined
}

function rangeOf({ type, minimum, maximum }: Expectation): string {
  const kind = type === 'integer' ? 'a whole number' : 'a number'
  return maximum === undefined ? `${kind}, at least ${minimum}` : `${kind} from ${minimum} to ${maximum}`
}

interface Expectation {
  description?: string
  enum?: string[]
  anyOf?: { const?: string }[]
  type?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
}
