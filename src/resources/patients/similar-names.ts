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

/** The rows of `from` whose patient has a similar name; `$1` is the organization. */
export function nearestNames(from: string): NonNullable<Listing['near']> {
  return {
    from: `${from} and patient.id = any(array(
        select near.id from patient near where near.organization_id = $1 and lower(near.full_name) % lower(wanted.name)
      )) and ${similarity.sql} < ${NEAR}::real`,
    below: NEAR,
  }
}
