// The filter language of lists: `path|operator|value`, joined by commas; all filters must hold. Source: rules.md 2.1.
import { badRequest } from '../../contract/errors.ts'

export const FILTER_OPERATORS = ['eq', 'gt', 'lt', 'contains', 'ieq', 'in'] as const
export type FilterOperator = (typeof FILTER_OPERATORS)[number]

export interface Filter {
  path: string
  operator: FilterOperator
  /** As it was written; `valuesOf` parses it. */
  value: string
}

/** More filters add nothing that fewer could not express, and each costs the database a comparison per row. */
const MAX_FILTERS = 100
/**
 * The limit of one `in`: each value costs the database a comparison per row. A URL may be 64 KB long, which holds some
 * 1,700 ids.
 */
export const FILTER_VALUES_MAX = 2000
/** Input that a message may repeat: the spelling of a path, and nothing that could be free text. */
export const FILTER_PATH = /^[A-Za-z][A-Za-z0-9_.]{0,99}$/

/**
 * The filters of a request; none when the text is empty. The first two pipes separate, so a value may contain more of
 * them; blanks around a path and an operator are ignored. A comma in a value is written `\,` (our choice: the interface
 * has no escape).
 * @throws BadRequestError for a filter without three parts and for an unknown operator.
 */
export function parseFilters(text: string | undefined): Filter[] {
  if (!text) return []
  const parts = splitUnescaped(text, ',')
  if (parts.length > MAX_FILTERS) throw badRequest(`there must be at most ${MAX_FILTERS} filters`)
  return parts.map(parseFilter)
}

function parseFilter(text: string, index: number): Filter {
  const first = text.indexOf('|')
  const second = text.indexOf('|', first + 1)
  if (first === -1 || second === -1) throw badRequest(`filters[${index}] must read path|operator|value`)
  const path = text.slice(0, first).trim()
  const named = text.slice(first + 1, second).trim()
  const operator = FILTER_OPERATORS.find((each) => each === named)
  if (!operator) {
    const where = FILTER_PATH.test(path) ? ` (${path})` : ''
    throw badRequest(`filters[${index}]${where} must have one of the operators ${FILTER_OPERATORS.join(', ')}`)
  }
  return { path, operator, value: text.slice(second + 1) }
}

/**
 * The values of a filter: those of `in` are separated by semicolons. `\,`, `\;` and `\\` mean the second
 * character.
 * @throws BadRequestError for more values than FILTER_VALUES_MAX.
 */
export function valuesOf({ path, operator, value }: Filter): string[] {
  const texts = operator === 'in' ? splitUnescaped(value, ';') : [value]
  if (texts.length > FILTER_VALUES_MAX)
    throw badRequest(`filters: ${path} must not have more than ${FILTER_VALUES_MAX} values`)
  return texts.map((text) => text.replaceAll(/\\([\\,;])/g, '$1'))
}

function splitUnescaped(text: string, separator: string): string[] {
  const parts: string[] = []
  let start = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\' && /[\\,;]/.test(text[at + 1] ?? '')) at++
    else if (text[at] === separator) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, text.slice(start)]
}
