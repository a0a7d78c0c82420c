// Which scopes an administrator may give to a client: those that exist, and no more than the administrator has.
import { badRequest, forbidden } from '../../contract/errors.ts'
import { ANY, permits, type Scopes } from '../../platform/http/scopes.ts'

/** In the place of a list of scopes: everything, in later releases too. */
export const EVERYTHING = 'all'

/** What may be given beside the scopes of single resources. */
const WILDCARDS: Readonly<Record<string, string>> = {
  [EVERYTHING]: 'Everything, in later releases too.',
  [`${ANY}:read`]: 'See every kind of record.',
  [`${ANY}:write`]: 'Change every kind of record.',
}

export const describeGrants = (scopes: Readonly<Record<string, string>>, granted: Scopes) =>
  Object.entries({ ...WILDCARDS, ...scopes }).map(([scope, description]) => ({
    scope,
    description,
    grantable: mayGive(granted, scope),
  }))

/** What is stored for these scopes; undefined is everything. @throws BadRequestError for a scope that does not exist. */
export function readGrant(known: Readonly<Record<string, string>>, scopes: string[]): string[] | undefined {
  if (scopes.includes(EVERYTHING)) {
    if (scopes.length === 1) return undefined
    throw badRequest(`scopes: ${EVERYTHING} stands alone`)
  }
  const unknown = scopes.findIndex((scope) => !Object.hasOwn(known, scope) && !Object.hasOwn(WILDCARDS, scope))
  if (unknown >= 0) throw badRequest(`scopes.${unknown} is no scope: getScopes lists them`)
  return [...new Set(scopes)]
}

export const shownGrant = (scopes: string[] | undefined): string[] => scopes ?? [EVERYTHING]

/** @throws UnauthorizedError (403) where the scopes are more than the caller has. */
export function requireNoMore(granted: Scopes, scopes: string[] | undefined): void {
  const beyond = shownGrant(scopes).filter((scope) => !mayGive(granted, scope))
  if (beyond.length > 0) throw forbidden(`you do not have ${beyond.join(', ')}: nobody can give more than they have`)
}

/** `*:read` takes in what later releases add: only who has it, or everything, has as much. */
function mayGive(granted: Scopes, scope: string): boolean {
  return scope === EVERYTHING ? granted === undefined : permits(granted, scope)
}
