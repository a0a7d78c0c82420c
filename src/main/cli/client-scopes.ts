import { EVERYTHING } from '../../administration/api-clients/grants.ts'
import { ADMIN, ANY, describeScopes } from '../../platform/http/scopes.ts'
import { type CommandLine, UsageError } from './program/command-line.ts'

/**
 * The scopes that `--scopes` and `--read-only` grant; undefined means everything. A resource name alone stands for both
 * of its scopes.
 * @throws UsageError that lists the existing scopes, or for `all` beside others.
 */
export async function readScopes({ flags }: CommandLine): Promise<string[] | undefined> {
  const isReadOnly = flags['read-only'] === true
  const words = typeof flags.scopes === 'string' ? flags.scopes.split(',').map((word) => word.trim()) : [EVERYTHING]
  const isEverything = words.length === 1 && words[0] === EVERYTHING
  if (isEverything) return isReadOnly ? [`${ANY}:read`] : undefined
  if (words.includes(EVERYTHING)) throw new UsageError(`--scopes: ${EVERYTHING} cannot be combined with other scopes`)
  // Loads every operation with all of its dependencies: only done when a scope is given.
  const { operationsOf } = await import('../interface.ts')
  const known = [...Object.keys(describeScopes(operationsOf())), `${ANY}:read`, `${ANY}:write`]
  const scopes = words.flatMap((word) => scopesOf(word, known))
  const kept = isReadOnly ? scopes.filter((scope) => !scope.endsWith(':write')) : scopes
  if (kept.length === 0) throw new UsageError('--read-only removes all of --scopes')
  return [...new Set(kept)]
}

/** The scopes as a person or a program reads them. */
export const shownScopes = ({ scopes }: { scopes: string[] | undefined }) => ({
  scopes: scopes?.join(' ') ?? EVERYTHING,
})

function scopesOf(word: string, known: string[]): string[] {
  const found = known.filter((scope) => scope === word || (word !== ADMIN && scope.startsWith(`${word}:`)))
  if (found.length > 0) return found
  throw new UsageError(`unknown scope ${word}: the scopes are ${EVERYTHING}, ${known.join(', ')}`)
}
