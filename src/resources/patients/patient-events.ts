// The timeline events of a patient's writes. Source: rules.md 6, "Timeline".
import type { TimelineEvent } from '../../records/record.ts'
import type { MutablePatient } from './patient.schema.ts'

/** PATIENT_TAGS_UPDATED when tags were added or removed, on create too; the payload contains only non-empty lists. */
export function patientEvents(write: { id: string; after: MutablePatient; before?: MutablePatient }): TimelineEvent[] {
  const [before, after] = [new Set(write.before?.tag_ids), new Set(write.after.tag_ids)]
  const added = [...after].filter((tag) => !before.has(tag))
  const removed = [...before].filter((tag) => !after.has(tag))
  if (added.length === 0 && removed.length === 0) return []
  const payload = { ...(added.length > 0 && { added }), ...(removed.length > 0 && { removed }) }
  return [{ event_type: 'PATIENT_TAGS_UPDATED', patient_id: write.id, payload }]
}
