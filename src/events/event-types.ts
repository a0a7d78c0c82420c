// Which event types exist, what each is about, and which scope a client needs to receive it. Derived from the list of
// resources (src/main/events.ts), so that a new record has events without a line here.
import type { AuditedRecord } from '../platform/audit/audited-record.ts'
import { permits, type Scopes } from '../platform/http/scopes.ts'
import type { ReadableRecord } from '../records/wire.ts'

/** The subject of events, usually a record type. */
export interface EventSubject {
  /** `patient`: the first word of its event types. */
  name: string
  /** The path under which one of them is read, without its id: `/patients/v1`. */
  path: string
  /** The scope that a client needs to receive its events: `patients:read`. */
  scope: string
  /** What can happen to it: `created`, `finished`. */
  verbs: readonly string[]
  /** Its change feed, where it has one. */
  record?: ReadableRecord & Pick<AuditedRecord, 'patients'>
  /** Where its events follow from the versions of a record. */
  within?: VersionEvents
}

/** Events that follow from the versions of a record, in addition to those of the record itself. */
export interface VersionEvents {
  record: Pick<AuditedRecord, 'name'>
  /**
   * SQL over the versions of the record that are new in its change feed: selects their type and their detail, of `version` with the columns
   * `body`, `old_body` and `deactivated`.
   */
  select: { type: string; detail: string; where: string }
}

export interface EventTypes {
  readonly subjects: readonly EventSubject[]
  /** Every type, in the order of the documentation. */
  readonly names: readonly string[]
  /** The subjects with a change feed, by name. */
  readonly feeds: readonly string[]
  subjectOf(type: string): EventSubject | undefined
  /** Whether a client with these scopes may receive events of this type. */
  isPermitted(granted: Scopes, type: string): boolean
  /** Why these are not selectors (`patient.created`, `patient.*`, `*`) that each select something; undefined when they are. */
  faultOf(selectors: readonly string[]): string | undefined
}

export function describeEventTypes(subjects: readonly EventSubject[]): EventTypes {
  const bySubject = new Map(subjects.map((subject) => [subject.name, subject]))
  const names = subjects.flatMap(({ name, verbs }) => verbs.map((verb) => `${name}.${verb}`))
  const known = new Set([...names, ...subjects.map(({ name }) => `${name}.*`), '*'])
  const subjectOf = (type: string) => bySubject.get(subjectName(type))
  return {
    subjects,
    names,
    feeds: subjects.flatMap(({ name, record }) => (record ? [name] : [])),
    subjectOf,
    isPermitted(granted, type) {
      const subject = subjectOf(type)
      return subject !== undefined && permits(granted, subject.scope)
    },
    faultOf: (selectors) =>
      selectors.every((selector) => known.has(selector))
        ? undefined
        : 'event_types must be types of events, such as patient.created, patient.* or *',
  }
}

/** Whether any of the selectors selects this type. */
export function isSelected(selectors: readonly string[], type: string): boolean {
  return selectors.some((selector) => selector === '*' || selector === type || selector === `${subjectName(type)}.*`)
}

/** The same in SQL, over a column with a type and an array of selectors. */
export const selectedSql = (type: string, selectors: string) =>
  `(${selectors} && array['*', ${type}, split_part(${type}, '.', 1) || '.*'])`

const subjectName = (type: string) => type.slice(0, type.indexOf('.'))
