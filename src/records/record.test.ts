// The compiler checks what a declaration must contain (npm run types): each @ts-expect-error below fails when its line
// compiles.
import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { update } from './endpoints.ts'
import { defineRecord } from './record.ts'

const about = { name: 'recall', label: 'Recall', pathVersions: {} } as const
const OfPatient = Type.Object({ patient_id: Type.String(), door: Type.Object({ coverage_id: Type.String() }) })
const example = { patient_id: '', door: { coverage_id: '' } }

it('a record without `patients` neither compiles nor can be defined', () => {
  const silent = { ...about, mutable: Type.Object({ value: Type.String() }), example: { value: '' } }
  // @ts-expect-error patients is missing
  expect(() => defineRecord(silent)).toThrow()
})

it('a record whose body names a patient must declare that field, and cannot declare one that does not exist', () => {
  const ofPatient = { ...about, mutable: OfPatient, example }
  const throughDoor = {
    ...about,
    mutable: Type.Object({ door: OfPatient.properties.door }),
    example: { door: example.door },
  }
  // @ts-expect-error patient_id is a patient's id
  defineRecord({ ...ofPatient, patients: 'none' })
  // @ts-expect-error door.coverage_id leads to a patient
  defineRecord({ ...throughDoor, patients: 'none' })
  // @ts-expect-error there is no such field
  defineRecord({ ...ofPatient, patients: [{ patient: 'patient' }] })
  // @ts-expect-error at least one place
  expect(() => defineRecord({ ...ofPatient, patients: [] })).toBeTypeOf('function')
})

it('a patient field must be one that the audit trail finds in answers', () => {
  const ofPerson = { ...about, mutable: Type.Object({ person: Type.String() }), example: { person: '' } }
  // @ts-expect-error answers are searched for patient, patient_id and patient.id
  expect(defineRecord({ ...ofPerson, patients: [{ patient: 'person' }] }).name).toBe('recall')
})

it('an operation with a version in its path accepts only a record that declares what the version means', () => {
  const record = defineRecord({ ...about, mutable: OfPatient, example, patients: [{ patient: 'patient_id' }] })
  // @ts-expect-error the record has no rule for an update
  expect(() => update(record)).toBeTypeOf('function')
  const written = { ...record, pathVersions: { update: 'next' } as const }
  expect(update(written).parameters).toEqual({ version: expect.stringContaining('plus 1') })
})

it('an example must be a valid body', () => {
  const example = { patient_id: '' }
  // @ts-expect-error door is missing
  const record = defineRecord({ ...about, mutable: OfPatient, example, patients: [{ patient: 'patient_id' }] })
  expect(record.name).toBe('recall')
})
