import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { endpoint } from '../platform/http/endpoint.ts'
import { history, read, scan } from './endpoints.ts'
import { pageOf } from './page.ts'
import { defineRecord, type VersionedRecord } from './record.ts'
import { resource } from './resource.ts'

const pathVersions = { update: 'next' } as const

const donor = defineRecord({
  name: 'donor',
  label: 'Donor',
  mutable: Type.Object({ name: Type.String() }),
  example: { name: 'Jane Doe' },
  pathVersions,
  patients: 'itself',
})

const visitNote = defineRecord({
  name: 'visit_note',
  label: 'Visit note',
  mutable: Type.Object({ patient_id: Type.String() }),
  example: { patient_id: '0197a2c4-5b1e-7c3a-9d42-6f0e8b1a7c55' },
  pathVersions,
  patients: [{ patient: 'patient_id' }],
})

const operationOf = (operation: string, answer: ReturnType<typeof pageOf>) =>
  endpoint({
    operation,
    method: 'GET',
    path: `/${operation}`,
    summary: '',
    answer,
    errors: [],
    handle: async () => undefined,
  })

const namesPatients = (record: VersionedRecord) =>
  resource({
    path: '/records/v1',
    group: 'records',
    record,
    routes: [
      read(record),
      history(record),
      scan(record, 'fixed'),
      operationOf('page', pageOf(record.wire)),
      operationOf('summaries', pageOf(Type.Object({ count: Type.Integer() }))),
    ],
  }).endpoints.flatMap(({ operation, answersPatients }) => (answersPatients ? operation : []))

describe('the audit trail names the records of an answer as patients', () => {
  it('where the record declares that it is the patient, alone, in a list and in a page, whatever its fields', () => {
    expect(namesPatients(donor)).toEqual(['records.get', 'records.getHistory', 'records.scan', 'records.page'])
  })

  it('not where a record only names its patient', () => {
    expect(namesPatients(visitNote)).toEqual([])
  })
})
