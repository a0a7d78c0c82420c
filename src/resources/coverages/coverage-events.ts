// The timeline events of a coverage's writes. Source: rules.md 6, "Timeline".
import { isObject } from '../../contract/is-object.ts'
import type { TimelineEvent } from '../../records/record.ts'
import type { MutableCoverage } from './coverage.schema.ts'

/** One changed field by its path; a missing value is left out. */
interface Edit {
  field: string
  before?: unknown
  after?: unknown
}

/** Fields that only eligibility checks write, and never the writes that have these events. */
const serverFields = new Set(['eligibility_checks', 'latest_eligibility_check'])

/** COVERAGE_CREATED, or COVERAGE_UPDATED when something has changed. */
export function coverageEvents(write: {
  id: string
  after: MutableCoverage
  before?: MutableCoverage
}): TimelineEvent[] {
  const { id, after, before } = write
  const about = { patient_id: after.patient, coverage_id: id }
  if (!before) {
    const { payer_id, payer_name } = after.insurance_plan
    return [{ ...about, event_type: 'COVERAGE_CREATED', payload: { payer_id, payer_name } }]
  }
  const edits = listEdits(before, after).filter(({ field }) => !serverFields.has(field))
  return edits.length === 0 ? [] : [{ ...about, event_type: 'COVERAGE_UPDATED', payload: { edits, source: 'manual' } }]
}

/** The leaves in which two objects differ, such as `insurance_plan.member_id`; a list counts as one value. */
export function listEdits(before: object, after: object, path = ''): Edit[] {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((key) => {
    const field = path + key
    const [was, is] = [old.get(key), now.get(key)]
    if (isObject(was) && isObject(is)) return listEdits(was, is, `${field}.`)
    return JSON.stringify(sorted(was)) === JSON.stringify(sorted(is)) ? [] : [{ field, before: was, after: is }]
  })
}

/** The same value with sorted keys: the database stores keys in its own order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  )
}
