import { alreadyInUse } from '../../../src/contract/errors.ts'
import { defineRecord } from '../../../src/records/record.ts'
import { MutableRecall } from './recall.schema.ts'

/** A day on which a patient is due for a return visit. */
export const recall = defineRecord({
  name: 'recall',
  label: 'Recall',
  mutable: MutableRecall,
  example: { patient_id: '0197a2c4-5b1e-7c3a-9d42-6f0e8b1a7c55', due_on: '2026-09-01', reason: 'Yearly visit' },
  pathVersions: { update: 'next', deactivate: 'current' },
  patients: [{ patient: 'patient_id' }],
  encrypts: ['door_code'],
  uniqueness: { recall_due_unique: () => alreadyInUse('due_on is in use by another recall of this patient') },
})
