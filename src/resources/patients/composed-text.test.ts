// Text that earlier releases stored with decomposed letters, before the service composed them: migrations/0063.
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { nameBody, patientBody } from '../../../test/support/bodies.ts'
import { type Caller, testService } from '../../../test/support/service.ts'
import { packageFile } from '../../platform/package-root.ts'

const service = testService()

/** The database after the migration. */
async function migrate(): Promise<void> {
  await service.database.rows(await readFile(packageFile('migrations', '0063_composed_text.sql'), 'utf8'))
}

/** Decomposes the organization's records of a table, as an earlier release stored them. */
async function decompose(table: string, { organizationId }: Caller): Promise<void> {
  const sql = `update ${table} set body = normalize(body::text, nfd)::jsonb where organization_id = $1`
  await service.database.rows(sql, [organizationId])
}

async function newPatient({ call }: Caller, mrn: string, family = 'Müller') {
  const body = { ...patientBody({ name: nameBody(family) }), mrn }
  const reply = await call('POST', '/patients/v1/with_mrn?skip_duplicate_check=true', body)
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

const found = async ({ call }: Caller, path: string) => {
  const { body } = await call('GET', path)
  return (Array.isArray(body) ? body : body.items).map(({ id }: { id: string }) => id)
}

it('a text that was stored decomposed is found by MRN, by merges and by the duplicate check, and keeps its version', async () => {
  const caller = await service.newCaller()
  const [kept, other] = [await newPatient(caller, 'Ré-1'), await newPatient(caller, 'Ré-2')]
  await caller.call('POST', '/tags/v1', { value: 'Rücken', color: '#aa0000', text_color: '#ffffff' })
  for (const table of ['patient', 'tag']) await decompose(table, caller)
  const byMrn = `/patients/v1?mrn=${encodeURIComponent('Ré-1')}`
  expect(await found(caller, byMrn), 'before').toEqual([])
  await migrate()
  expect(await found(caller, byMrn)).toEqual([kept.id])
  expect(await found(caller, byMrn.normalize('NFD'))).toEqual([kept.id])
  expect((await caller.call('GET', `/patients/v1/${kept.id}`)).body).toEqual(kept)
  const merge = { alternative_patient_mrn: 'Ré-2', primary_patient_mrn: 'Ré-1' }
  expect((await caller.call('POST', '/patient-merge/v1', merge)).status).toBe(200)
  expect(
    await found(caller, `/patients/v1/get_multi?mrn=${encodeURIComponent('Ré-2')}&redirect_to_primary=true`),
  ).toEqual([kept.id])
  expect((await caller.call('POST', '/patients/v1', patientBody({ name: other.name }))).status).toBe(409)
  expect((await caller.call('PUT', `/patients/v1/${kept.id}/2`, kept)).status).toBe(200)
})

it('a decomposed MRN stays unchanged if its composed form belongs to another patient, and references to it stay valid', async () => {
  const caller = await service.newCaller()
  const old = await newPatient(caller, 'É-9')
  const primary = await newPatient(caller, 'P-9')
  const merge = { alternative_patient_mrn: 'É-9', primary_patient_mrn: 'P-9' }
  expect((await caller.call('POST', '/patient-merge/v1', merge)).status).toBe(200)
  for (const table of ['patient', 'patient_merge']) await decompose(table, caller)
  const twin = await newPatient(caller, 'É-9', 'Weiß')
  await migrate()
  const status = async (id: string) => (await caller.call('GET', `/patient-merge/v1/status/${id}`)).body.merge_status
  expect([await status(old.id), await status(twin.id), await status(primary.id)]).toEqual([
    'alternative',
    'none',
    'primary',
  ])
})

it('a text with a combining mark after an escaped character stays unchanged, and other records are still migrated', async () => {
  const caller = await service.newCaller()
  const notes = []
  for (const value of ['line\n\u0303é', 'tab\t\u0327é', 'bell\u0001f\u0307é', 'é']) {
    notes.push((await caller.call('POST', '/notes/v1', { value })).body)
  }
  await decompose('note', caller)
  await migrate()
  const values = await Promise.all(
    notes.map(async ({ id }) => (await caller.call('GET', `/notes/v1/${id}`)).body.value),
  )
  expect(values.map((value) => value.normalize('NFC'))).toEqual(notes.map(({ value }) => value))
  expect(values[3]).toBe('é')
})
