// The filter language of lists: `path|operator|value`, joined by commas, all of them to hold. Source: rules.md 2.1.
import { badRequest } from '../errors.ts'

export const FILTER_OPERATORS = ['eq', 'gt', 'lt', 'contains', 'ieq', 'in'] as const
export type FilterOperator = (typeof FILTER_OPERATORS)[number]

export interface Filter {
  path: string
  operator: FilterOperator
  value: string
}

/** More say nothing that fewer do not; each costs the database a comparison a row. */
const MAX_FILTERS = 100
/** What may be repeated in a message: the spelling of a path, and nothing that looks like text. */
const PATH = /^[A-Za-z][A-Za-z0-9_.]{0,99}$/

/**
 * The filters of a request, none where it has none. The first two pipes separate, so a value may hold more of them.
 * @throws BadRequestError for a filter that has not three parts and for an unknown operator.
 */
export function parseFilters(text: string | undefined): Filter[] {
  if (!text) return []
  const parts = text.split(',')
  if (parts.length > MAX_FILTERS) throw badRequest(`filters must not be more than ${MAX_FILTERS}`)
  return parts.map(parseFilter)
}

function parseFilter(text: string, index: number): Filter {
  const first = text.indexOf('|')
  const second = text.indexOf('|', first + 1)
  if (first === -1 || second === -1) throw badRequest(`filters[${index}] must read path|operator|value`)
  const path = text.slice(0, first)
  const operator = FILTER_OPERATORS.find((each) => each === text.slice(first + 1, second))
  if (!operator) {
    const where = PATH.test(path) ? ` (${path})` : ''
    throw badRequest(`filters[${index}]${where} must have one of the operators ${FILTER_OPERATORS.join(', ')}`)
  }
  return { path, operator, value: text.slice(second + 1) }
}
