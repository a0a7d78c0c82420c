// Names in order of their similarity to a given name (rules.md 2.2). The nearest are found by the trigrams that they
// share with it; the others by walking an index of all names.
import { SIMILARITY } from '../../platform/database/pool-settings.ts'
import type { Listing, Sort } from '../../records/listing.ts'

/**
 * The trigram distance between a patient's name and `wanted.name`: the most similar name has the smallest distance. Its
 * direction is fixed (rules.md 2.2).
 */
export const similarity: Sort = {
  sql: 'patient.full_name <-> wanted.name',
  type: 'real',
  direction: 'asc',
  isAlwaysSet: true,
}

/**
 * As a distance, slightly less than the threshold of `%`: a distance and a similarity need not add up to exactly one.
 */
const NEAR = 1 - SIMILARITY - 0.0001

/**
 * A name with a part that resembles `wanted.name`. The planner looks for it in the index of trigrams where it expects few such names, and
 * otherwise walks the index by similarity. Only for a search: the published lists are ordered by similarity and have every patient
 * (rules.md 2.2).
 */
export const RESEMBLES = 'lower(patient.full_name) %> lower(wanted.name)'

/**
 * The rows of `from` whose patient has a name similar to `name`; `$1` is the organization. None for the first letters of a name: they
 * are not similar enough to any whole name, so looking for one takes as long as the walk that follows anyway.
 */
export function nearestNames(from: string, name: string): Pick<Listing, 'near'> {
  if (trigramsIn(name) < NEAR_TRIGRAMS) return {}
  const near = {
    from: `${from} and patient.id = any(array(
        select near.id from patient near where near.organization_id = $1 and lower(near.full_name) % lower(wanted.name)
      )) and ${similarity.sql} < ${NEAR}::real`,
    below: NEAR,
  }
  return { near }
}

/** A name of two words has some 14 trigrams, of which a similar one shares a third. */
const NEAR_TRIGRAMS = 6

/** A word has one trigram more than letters. A letter beyond ASCII is compared as five (decisions/0023-text-beyond-ascii.md). */
function trigramsIn(name: string): number {
  const words = name.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return words.reduce((sum, word) => sum + word.replace(/\P{ASCII}/gu, '12345').length + 1, 0)
}
