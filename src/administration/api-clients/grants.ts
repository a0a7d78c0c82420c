// The scopes that an administrator may grant to a client: existing ones, and no more than the administrator has.
import { badRequest, forbidden } from '../../contract/errors.ts'
import { ANY, permits, type Scopes } from '../../platform/http/scopes.ts'

/** Instead of a list of scopes: everything, including scopes of later releases. */
export const EVERYTHING = 'all'

/** The scopes that may be granted besides those of single resources. */
const WILDCARDS: Readonly<Record<string, string>> = {
  [EVERYTHING]: 'Everything, including what later releases add.',
  [`${ANY}:read`]: 'See every kind of record, including those that later releases add.',
  [`${ANY}:write`]: 'Change every kind of record, including those that later releases add.',
}

/** Every scope that can be granted, wildcards first; `grantable`: whether a caller with the scopes `granted` may grant it. */
export const describeGrants = (scopes: Readonly<Record<string, string>>, granted: Scopes) =>
  Object.entries({ ...WILDCARDS, ...scopes }).map(([scope, description]) => ({
    scope,
    description,
    grantable: mayGive(granted, scope),
  }))

/**
 * The stored form of these scopes; undefined means everything. @throws BadRequestError for a scope that does not exist.
 */
export function readGrant(known: Readonly<Record<string, string>>, scopes: string[]): string[] | undefined {
  if (scopes.includes(EVERYTHING)) {
    if (scopes.length === 1) return undefined
    throw badRequest(`scopes: ${EVERYTHING} cannot be combined with other scopes`)
  }
  const unknown = scopes.findIndex((scope) => !Object.hasOwn(known, scope) && !Object.hasOwn(WILDCARDS, scope))
  if (unknown >= 0) throw badRequest(`scopes.${unknown} is not a scope: GET /anteroom/v1/api-clients/scopes lists them`)
  return [...new Set(scopes)]
}

/** The stored scopes as an administrator reads and writes them. */
export const shownGrant = (scopes: string[] | undefined): string[] => scopes ?? [EVERYTHING]

/** @throws UnauthorizedError (403) when the scopes exceed those of the caller. */
export function requireNoMore(granted: Scopes, scopes: string[] | undefined): void {
  const beyond = shownGrant(scopes).filter((scope) => !mayGive(granted, scope))
  if (beyond.length > 0) throw forbidden(`you lack ${beyond.join(', ')}: a caller can grant only scopes that it has`)
}

/** `*:read` includes what later releases add: only a caller with that wildcard, or with everything, has as much. */
function mayGive(granted: Scopes, scope: string): boolean {
  return scope === EVERYTHING ? granted === undefined : permits(granted, scope)
}
