// The history of a record for display: what each version changed.
import { shownTelephone } from '../../../src/contract/shown-telephones.ts'
import { shortDay } from './days.ts'
import { codeLabel, labelOf } from './names.ts'

interface Difference {
  /** `Insurance plan › Member ID` */
  path: string
  before: string | undefined
  after: string | undefined
}

/** The service's own fields, which change with every version. */
const KEPT_BY_SERVICE = new Set(['id', 'organization_id', 'version', 'updated_at', 'updating_user_id'])

export function differences(before: object, after: object): Difference[] {
  const old = flatten(before)
  const now = flatten(after)
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((path) => old.get(path) !== now.get(path))
    .map((path) => inShownForm({ path, before: old.get(path), after: now.get(path) }))
}

const TELEPHONES = new Set(['primary_telecom', 'other_telecoms', 'telecoms'].map(labelOf))

/** Telephone numbers as all screens show them, unless only the way of writing was changed, which that would hide. */
function inShownForm(difference: Difference): Difference {
  const { path, before, after } = difference
  if (!path.split(' › ').some((part) => TELEPHONES.has(part))) return difference
  const [old, now] = [before, after].map((text) => text && shownTelephone(text))
  return old === now ? difference : { path, before: old, after: now }
}

function flatten(record: object): Map<string, string> {
  const leaves = new Map<string, string>()
  const walk = (value: unknown, path: string[]) => {
    if (value === null || value === undefined) return
    if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) {
      if (value.length > 0) leaves.set(path.join(' › '), value.map(valueInWords).join(', '))
    } else if (typeof value === 'object') {
      for (const [key, each] of Object.entries(value)) walk(each, [...path, wordsOf(key)])
    } else leaves.set(path.join(' › '), valueInWords(value))
  }
  for (const [key, value] of Object.entries(record)) if (!KEPT_BY_SERVICE.has(key)) walk(value, [wordsOf(key)])
  return leaves
}

/** Positions in lists count from one. A name that begins with a capital is in words already. */
function wordsOf(key: string): string {
  if (/^\d+$/.test(key)) return String(Number(key) + 1)
  return /^[A-Z]/.test(key) ? key : labelOf(key)
}

/** Codes of the interface. Payers write in capitals, too, so that others cannot be told from names. */
const CODES =
  /^(SELF|SPOUSE|CHILD|OTHER|FEMALE|MALE|UNKNOWN|REFUSED|ACTIVE|CANCELLED|DRAFT|HOME|WORK|MOBILE|USUAL|OFFICIAL|[A-Z]+(_[A-Z]+)+)$/

function valueInWords(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const text = String(value)
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return shortDay(text)
  return CODES.test(text) ? codeLabel(text) : text
}
