// The history of a record for display: what each version changed.
import { codeLabel } from './names.ts'

export interface Difference {
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
    .map((path) => ({ path, before: old.get(path), after: now.get(path) }))
}

function flatten(record: object): Map<string, string> {
  const leaves = new Map<string, string>()
  const walk = (value: unknown, path: string[]) => {
    if (value === null || value === undefined) return
    if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) {
      if (value.length > 0) leaves.set(path.join(' › '), value.join(', '))
    } else if (typeof value === 'object') {
      for (const [key, each] of Object.entries(value)) walk(each, [...path, wordsOf(key)])
    } else leaves.set(path.join(' › '), String(value))
  }
  for (const [key, value] of Object.entries(record)) if (!KEPT_BY_SERVICE.has(key)) walk(value, [wordsOf(key)])
  return leaves
}

/** Positions in lists count from one. */
const wordsOf = (key: string) => (/^\d+$/.test(key) ? String(Number(key) + 1) : codeLabel(key))
