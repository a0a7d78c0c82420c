import { alreadyInUse } from '../../contract/errors.ts'
import { defineRecord } from '../../records/record.ts'
import { refuseBlank } from '../existing-values.ts'
import { MutableTag } from './tag.schema.ts'

/** A label that an organization groups its patients by; a patient's `tag_ids` refer to tags. Source: rules.md 7. */
export const tag = defineRecord({
  name: 'tag',
  label: 'Tag',
  mutable: MutableTag,
  example: { value: 'Needs interpreter', description: 'Book an interpreter with the visit.', alert: true },
  pathVersions: { update: 'current', deactivate: 'current' },
  patients: 'none',
  async prepare(body, context) {
    await refuseBlank(body, context, ({ value }) => ({ value }))
    return body
  },
  uniqueness: { tag_value_unique: () => alreadyInUse('value is in use by another tag') },
})
