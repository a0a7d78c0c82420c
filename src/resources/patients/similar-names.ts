// Names in the order of their likeness to one (rules.md 2.2): the nearest are found by the trigrams that they share with it, all
// others by walking an index of every name.
import { SIMILARITY } from '../../platform/database/database.ts'
import type { Listing, Sort } from '../../records/page.ts'

/**
 * The distance of a patient's name from `wanted.name` by their trigrams, so the most similar has the least. Its direction is
 * fixed (rules.md 2.2).
 */
export const similarity: Sort = {
  sql: 'patient.full_name <-> wanted.name',
  type: 'real',
  direction: 'asc',
  isAlwaysSet: true,
}

/** As a distance, hardly less than where `%` ends: a distance and a share need not add up to one exactly. */
const NEAR = 1 - SIMILARITY - 0.0001

/** The rows of `from` whose patient has a near name; `$1` is the organization. */
export function nearestNames(from: string): NonNullable<Listing['near']> {
  return {
    from: `${from} and patient.id = any(array(
        select near.id from patient near where near.organization_id = $1 and lower(near.full_name) % lower(wanted.name)
      )) and ${similarity.sql} < ${NEAR}::real`,
    below: NEAR,
  }
}
