/** What can happen to every record: the last word of the types of its events. */
export const RECORD_VERBS = ['created', 'updated', 'deactivated', 'reactivated'] as const
export type RecordVerb = (typeof RECORD_VERBS)[number]
