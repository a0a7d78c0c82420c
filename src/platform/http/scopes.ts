// The permissions of a client: OAuth scopes, a read and a write scope per resource and `admin`, all derived from the
// declared operations. decisions/0012-permissions-and-limits.md.

/** How an operation uses its resource. `admin`: it shows more than records, regardless of their owner. */
export type AccessType = 'read' | 'write' | 'admin'

/** The scopes of a client; undefined means everything. */
export type Scopes = ReadonlySet<string> | undefined

export const ADMIN = 'admin'
/** In place of a resource: all resources, including those of later releases. */
export const ANY = '*'

/** What the scopes of a resource permit, in the words of the administrator who grants them. */
export type Permits = Readonly<Partial<Record<'read' | 'write', string>>>

/** The parts of an operation that its scope follows from (`Endpoint` in endpoint.ts). */
interface Declared {
  method: string
  path: string
  accessType?: AccessType
  permits?: Permits
}

/** With `access`: an operation that needs no scope. */
type Operation = Declared & { access?: 'public' | 'session' }

/**
 * The scope that an operation requires: `patients:read`, `admin`. A GET reads and other methods write, unless the
 * operation declares otherwise.
 */
export function scopeOf(endpoint: Declared): string {
  const accessType = accessTypeOf(endpoint)
  return accessType === 'admin' ? ADMIN : `${resourceOf(endpoint.path)}:${accessType}`
}

const ADMIN_PERMITS =
  'Administer the organization: users, API clients, connectors and payer routes, verification, webhooks; see the raw messages of checks and the audit trail.'

/** For a resource that does not say what its scopes permit. */
const VERBS = { read: 'See', write: 'Change' }

/** Every scope with its meaning, in the order of the operations. */
export function describeScopes(endpoints: readonly Operation[]): Record<string, string> {
  const guarded = endpoints.filter(({ access }) => access === undefined)
  const resources = [...new Set(guarded.map(({ path }) => resourceOf(path)))]
  const ofResources = resources.flatMap((resource) => {
    const own = guarded.filter(({ path }) => resourceOf(path) === resource)
    const accessTypes = new Set(own.map(accessTypeOf))
    const wordsOf = (accessType: keyof Permits) =>
      own.find(({ permits }) => permits?.[accessType])?.permits?.[accessType]
    return (['read', 'write'] as const)
      .filter((accessType) => accessTypes.has(accessType))
      .map((accessType) => [`${resource}:${accessType}`, wordsOf(accessType) ?? `${VERBS[accessType]} ${resource}.`])
  })
  return Object.fromEntries([...ofResources, [ADMIN, ADMIN_PERMITS]])
}

/** The scopes of a client as stored; none stored means everything. */
export function grantedScopes(granted: readonly string[] | undefined): Scopes {
  return granted && new Set(granted)
}

/** Whether the granted scopes include a scope; `*:read` includes every `…:read`. */
export function permits(granted: Scopes, scope: string): boolean {
  if (granted === undefined || granted.has(scope)) return true
  const [, accessType] = scope.split(':')
  return accessType !== undefined && granted.has(`${ANY}:${accessType}`)
}

/** Whether an operation of clients only reads records. */
export function onlyReads(endpoint: Operation): boolean {
  return endpoint.access === undefined && accessTypeOf(endpoint) === 'read'
}

/** Whether an operation writes no record, so that it may end before its answer exists. */
export function neverWrites({ method, accessType }: Declared): boolean {
  return accessType === 'read' || (method === 'GET' && accessType !== 'write')
}

function accessTypeOf({ method, accessType }: Declared): AccessType {
  return accessType ?? (method === 'GET' ? 'read' : 'write')
}

/** The first meaningful segment of the path: `/api/diagnoses/v2`, `/anteroom/v1/eligibility-checks`. */
function resourceOf(path: string): string {
  return path.replace(/^\/(api|anteroom\/v1)(?=\/)/, '').split('/')[1] ?? ''
}
