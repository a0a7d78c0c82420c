// What the types of events are made of: a subject and a verb, such as `patient.created`.

/** What can happen to every record. */
export const RECORD_VERBS = ['created', 'updated', 'deactivated', 'reactivated'] as const
export type RecordVerb = (typeof RECORD_VERBS)[number]

/** The subjects that are not records, with what can happen to each. Their paths are in src/main/events.ts. */
export const OTHER_EVENTS = {
  /** The status of an appointment, beside the events of its versions (rules.md 17). */
  visit: ['ready', 'not_ready'],
  eligibility_check: ['finished'],
  eligibility_batch: ['finished'],
  webhook: ['disabled'],
} as const satisfies Record<string, readonly string[]>

export type OtherSubject = keyof typeof OTHER_EVENTS

/** The type of an event that is not about a record: `webhook.disabled`. */
export type OtherEventType<Subject extends OtherSubject = OtherSubject> = {
  [Each in Subject]: `${Each}.${(typeof OTHER_EVENTS)[Each][number]}`
}[Subject]
