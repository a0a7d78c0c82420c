// Names in order of their similarity to a given name (rules.md 2.2). The nearest are found by the trigrams that they
// share with it; the others by walking an index of all names.
import { SIMILARITY } from '../../platform/database/connections/pool-settings.ts'
import type { Listing, Sort } from '../../records/listing.ts'
import type { PageRequest } from '../../records/page.ts'

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

/** The most names that a search shows while a person types. */
const FEW = 10
/** As many of the most similar names are read, because some may be hidden, deactivated or merged. */
const FEW_WITH_HIDDEN = 40

/** Whether a first page of so few names is asked for. */
export const areFew = ({ limit, page_token }: PageRequest): boolean =>
  page_token === undefined && limit !== undefined && limit <= FEW

/**
 * A name with a part that resembles `wanted.name`. The planner looks for it in the index of trigrams where it expects few such names, and
 * otherwise walks the index by similarity. Only for a search: the published lists are ordered by similarity and have every patient
 * (rules.md 2.2).
 */
export const RESEMBLES = 'lower(patient.full_name) %> lower(wanted.name)'

/**
 * The same once more, as the index by similarity has it, so that a walk does not put every name in order. For few names only: for more, the
 * planner would read all that resemble the text from that index. For the same reason it is not told the value.
 */
export const RESEMBLES_ON_WALK = 'patient.full_name %> (select wanted.name)'

/**
 * The rows of `from` whose patient has a name similar to `name`; `$1` is the organization. None for the first letters of a name: they
 * are not similar enough to any whole name, so looking for one takes as long as the walk that follows anyway. Hundreds are similar to a
 * frequent name: where few are asked for, only the most similar ones are read as a whole. A page that these fill is complete.
 */
export function nearestNames(from: string, name: string, isOfFew = false): Pick<Listing, 'near'> {
  if (trigramsIn(name) < NEAR_TRIGRAMS) return {}
  const similar = `from patient near where near.organization_id = $1 and lower(near.full_name) % lower(wanted.name)`
  // Without the offset the planner might walk the index by similarity until it has found so many.
  const ids = isOfFew
    ? `select near.id from (
          select near.id, near.full_name <-> wanted.name as distance ${similar} offset 0
        ) near order by near.distance, near.id limit ${FEW_WITH_HIDDEN}`
    : `select near.id ${similar}`
  const near = {
    from: `${from} and patient.id = any(array(${ids})) and ${similarity.sql} < ${NEAR}::real`,
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
