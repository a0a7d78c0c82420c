// What a list can be sorted by: every path to a single value, and the similarity of a name. Source: rules.md 2.2.

import { badRequest } from '../contract/errors.ts'
import { NIL_UUID } from '../contract/formats.ts'
import { nearestPaths } from './conditions.ts'
import type { Sort } from './listing.ts'
import { type Path, type Paths, textOrder } from './paths.ts'

/** A sort, with the table that the query must contain for it. */
export interface PathSort extends Sort {
  root: string
}

/**
 * The sort that a client requests, ascending by default. @throws BadRequestError for a path that does not exist or
 * cannot be sorted by.
 */
export function sortBy(paths: Paths, order: { field: string; direction?: 'asc' | 'desc' | undefined }): PathSort {
  const path = paths.get(order.field)
  if (!path || path.elements) {
    const ordered = [...paths].filter(([, each]) => !each.elements).map(([name]) => name)
    throw badRequest(`sort_field must be a path that leads to one value; ${nearestPaths(order.field, ordered)}`)
  }
  const { root, kind, type, isAlwaysSet = false } = path
  const sql = kind === 'text' ? textOrder(path.sql) : path.sql
  return { root, sql, type, isAlwaysSet, direction: order.direction ?? 'asc', ...boundsOf(path) }
}

export const TIME_BOUNDS = ['-infinity', 'infinity'] as const

/** A date-time that is stored as text begins with a digit or a sign. */
function boundsOf({ kind, type }: Path): Pick<Sort, 'bounds'> {
  if (type === 'timestamptz') return { bounds: TIME_BOUNDS }
  if (type === 'uuid') return { bounds: [NIL_UUID, 'ffffffff-ffff-ffff-ffff-ffffffffffff'] }
  return type === 'text' ? { bounds: kind === 'instant' ? ['', '~'] : [''] } : {}
}

const SIMILAR_NAME = 'similar_name:'
/** Our choice: longer than any name that people type. Each row's name is split into trigrams for the comparison. */
const NAME_LENGTH = 64

/** The name of `similar_name:<name>`; undefined for a sort by a path. */
export function similarNameIn(field: string | undefined): string | undefined {
  if (!field?.startsWith(SIMILAR_NAME)) return undefined
  return nameToCompare(field.slice(SIMILAR_NAME.length))
}

/** The part of a name that is compared. */
export const nameToCompare = (name: string) => [...name].slice(0, NAME_LENGTH).join('')
