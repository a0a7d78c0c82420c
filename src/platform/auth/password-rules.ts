// The rules for passwords that people choose. Source: NIST SP 800-63B 5.1.1.2: long, no composition rules, and not
// commonly used.

import { badRequest } from '../../contract/errors.ts'
import { PASSWORD_MIN } from '../../contract/limits.ts'

const PASSWORD_MAX = 256
/** On a scale from 0 to 4: 3 means more than 10^8 guesses. */
const STRENGTH_MIN = 3
/**
 * The estimate takes time quadratic in the length, on the thread of all callers: 50 ms for the worst 32 characters, three times as long for 48. Further
 * characters only make the password stronger.
 */
const ESTIMATED_CHARACTERS = 32

/** The dictionaries take a tenth of a second to load, so they are loaded only when a password is chosen. */
let loading: Promise<{ check(password: string, words: string[]): { score: number } }> | undefined

async function loadEstimator() {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })
}

/**
 * Refuses passwords that are too short or easily guessed: common passwords with the usual prefixes and suffixes,
 * keyboard rows, repetitions, and `words` that are publicly known about this person.
 * @throws BadRequestError that names the field and never repeats the password.
 */
export async function requireGoodPassword(field: string, password: string, words: string[]): Promise<void> {
  const { length } = [...password]
  if (length < PASSWORD_MIN || length > PASSWORD_MAX) {
    throw badRequest(`${field} must have ${PASSWORD_MIN} to ${PASSWORD_MAX} characters`)
  }
  loading ??= loadEstimator()
  const known = ['anteroom', ...words.flatMap((word) => [word, ...word.split(/[^\p{L}\p{N}]+/u)])]
  const start = [...password.normalize('NFKC')].slice(0, ESTIMATED_CHARACTERS).join('')
  const { score } = (await loading).check(
    start,
    known.filter((word) => word !== ''),
  )
  if (score < STRENGTH_MIN) {
    throw badRequest(`${field} is easily guessed: use several unrelated words`)
  }
}
