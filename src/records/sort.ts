// What a list can be sorted by: every path that leads to one value, and the likeness of a name. Source: rules.md 2.2.
import { badRequest } from '../contract/errors.ts'
import { nearestPaths } from './conditions.ts'
import type { Sort } from './page.ts'
import { type Paths, textOrder } from './paths.ts'

/** A sort with the table that it needs in the query. */
export interface PathSort extends Sort {
  root: string
}

/** The sort that a client asks for, ascending by default. @throws BadRequestError for a path that is not there or has no order. */
export function sortBy(paths: Paths, order: { field: string; direction?: 'asc' | 'desc' | undefined }): PathSort {
  const path = paths.get(order.field)
  if (!path || path.elements) {
    const ordered = [...paths].filter(([, each]) => !each.elements).map(([name]) => name)
    throw badRequest(`sort_field must be a path that leads to one value; ${nearestPaths(order.field, ordered)}`)
  }
  const { root, kind, type, isAlwaysSet = false } = path
  const sql = kind === 'text' ? textOrder(path.sql) : path.sql
  return { root, sql, type, isAlwaysSet, direction: order.direction ?? 'asc' }
}

const SIMILAR_NAME = 'similar_name:'
/** Our choice: more letters than any name that is typed; they are taken apart again for every row that is compared. */
const NAME_LENGTH = 64

/** The name of `similar_name:<name>`; undefined for a sort by a path. */
export function similarNameIn(field: string | undefined): string | undefined {
  if (!field?.startsWith(SIMILAR_NAME)) return undefined
  return nameToCompare(field.slice(SIMILAR_NAME.length))
}

/** As much of a name as is compared. */
export const nameToCompare = (name: string) => [...name].slice(0, NAME_LENGTH).join('')
