import type { JsonObject } from '../json-values.ts'
import { objectsOf, textOf } from '../json-values.ts'

/** `pending`: poll again. `failed`: the payer did not answer. `rejected`: the payer did not accept the inquiry. */
type CoverageState = 'pending' | 'complete' | 'rejected' | 'failed'

/** 3 is an answer that Availity could not process completely. */
const COMPLETE = new Set(['4', '3'])
const REJECTED = new Set(['19', 'R'])
const FAILED = new Set(['7', '13', '14', '15', 'E'])

/** `status` without its code, as gateways between Availity and us shorten it. */
const CODES_OF_WORDS: ReadonlyMap<string, string> = new Map([
  ['COMPLETE', '4'],
  ['COMPLETED', '4'],
  ['REQUEST ERROR', '19'],
  ['COMMUNICATION ERROR', '7'],
])

/** The code without what gateways change of it: ` 4`, `04`, `4.0`, `e`. */
function codeOf({ statusCode, status }: JsonObject): string {
  const code = (textOf(statusCode) ?? '')
    .trim()
    .toUpperCase()
    .replace(/^0+(?=\d)/, '')
    .replace(/\.0+$/, '')
  const word = code === '' ? (textOf(status) ?? '') : code
  return CODES_OF_WORDS.get(word.trim().toUpperCase()) ?? code
}

/** The state of a coverage; an unknown status counts as pending. Source: clearinghouse.md C. */
export function stateOf(coverage: JsonObject, httpStatus: number): CoverageState {
  const statusCode = codeOf(coverage)
  if (objectsOf(coverage.validationMessages).length > 0 || REJECTED.has(statusCode)) return 'rejected'
  if (FAILED.has(statusCode)) return 'failed'
  return httpStatus !== 202 && COMPLETE.has(statusCode) ? 'complete' : 'pending'
}
