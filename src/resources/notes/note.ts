import { defineRecord } from '../../records/record.ts'
import { MutableNote } from './note.schema.ts'

/** Free text about a patient; the patient's `note_ids` refer to notes. Source: rules.md 8. */
export const note = defineRecord({
  name: 'note',
  label: 'Note',
  mutable: MutableNote,
  example: { value: 'Bring the new insurance card on Monday.', type: 'GENERAL', author_name: 'Front desk' },
  pathVersions: { update: 'current', deactivate: 'current' },
  patients: 'none',
  shows: ['created_at'],
  prepare: (body) => ({ ...body, type: body.type ?? 'GENERAL' }),
})
