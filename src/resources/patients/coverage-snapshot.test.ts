import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { coverageBody, nameBody, patientBody } from '../../../test/support/bodies.ts'
import { mostRead } from '../../../test/support/most-read.ts'
import { expectEnvelope } from '../../../test/support/operations.ts'
import { type Caller, testService } from '../../../test/support/service.ts'
import { CHUNK_BYTES } from '../../records/read-all.ts'

const service = testService()
type Fields = Record<string, unknown>

async function withCoverages(count: number) {
  const caller = await service.newCaller()
  const name = nameBody(randomUUID())
  const { body: patient } = await caller.call('POST', '/patients/v1', patientBody({ name }))
  const coverages = []
  for (let made = 0; made < count; made++) {
    coverages.push((await caller.call('POST', '/coverages/v1', coverageBody(patient.id))).body)
  }
  const file = async (version: number, ids: string[], overrides: Fields = {}) => {
    const sent = patientBody({ name, filing_order: { coverages: ids }, ...overrides })
    const reply = await caller.call('PUT', `/patients/v1/${patient.id}/${version}`, sent)
    expect(reply.status, reply.text).toBe(200)
    return reply.body
  }
  const snapshot = async (date?: string) => ask(caller, patient.id, date)
  return { caller, patient, coverages, file, snapshot }
}

const ask = ({ call }: Caller, id: string, date?: string) =>
  call('GET', `/patients/v1/${id}/snapshot${date === undefined ? '' : `?date=${encodeURIComponent(date)}`}`)

it('shows the patient with the first three coverages of the filing order', async () => {
  const { coverages, file, snapshot } = await withCoverages(4)
  const ids = coverages.map(({ id }) => id)
  const patient = await file(2, [ids[2], ids[0], ids[1], ids[3]])
  expect((await snapshot()).body).toEqual({
    patient,
    primary_coverage: coverages[2],
    secondary_coverage: coverages[0],
    tertiary_coverage: coverages[1],
    coverages_for_related_causes: [],
  })
})

it('shows no coverage when the filing order is empty, and lists those of related causes in their order', async () => {
  const { patient, coverages, file, snapshot } = await withCoverages(2)
  expect((await snapshot()).body).toEqual({ patient, coverages_for_related_causes: [] })
  const [one, two] = coverages
  const related = { coverages: [two.id.toUpperCase(), one.id] }
  await file(2, [one.id], { coverages_for_related_causes: related })
  const { body } = await snapshot()
  expect(body).toMatchObject({ primary_coverage: one, coverages_for_related_causes: [two, one] })
  expect(body).not.toHaveProperty('secondary_coverage')
})

it('uses the filing order in force at the date, but the current patient and coverages', async () => {
  const { caller, patient, coverages, file, snapshot } = await withCoverages(2)
  const [one, two] = coverages
  await file(2, [one.id])
  const latest = await file(3, [two.id], { language: 'es' })
  await service.database.rows(
    `update patient_history set updated_at = '2026-03-01T12:00:00Z'::timestamptz + (version - 1) * interval '1 day' where id = $1`,
    [patient.id],
  )
  const sent = coverageBody(patient.id, { verified: true })
  const { body: changed } = await caller.call('PUT', `/coverages/v1/${one.id}/2`, sent)
  const at = async (date?: string) => (await snapshot(date)).body
  expect(await at('2026-03-02T12:00:00.000Z')).toEqual({
    patient: latest,
    primary_coverage: changed,
    coverages_for_related_causes: [],
  })
  expect(await at('2026-03-03T13:59:59.999+02:00')).toMatchObject({ primary_coverage: changed })
  expect(await at('2026-03-03T14:00:00.000+02:00')).toMatchObject({ primary_coverage: two })
  expect(await at('2026-03-02T11:59:59.999Z')).not.toHaveProperty('primary_coverage')
  expect(await at()).toMatchObject({ primary_coverage: two })
})

it('uses the first version for a date before it', async () => {
  const { caller, patient, coverages, file } = await withCoverages(1)
  await file(2, [])
  // A patient is normally older than its coverages; here the first version names a coverage.
  await service.database.rows(
    `update patient_history set body = jsonb_set(body, '{filing_order,coverages}', to_jsonb(array[$2::text])) where id = $1 and version = 1`,
    [patient.id, coverages[0].id],
  )
  expect((await ask(caller, patient.id, '1970-01-01T00:00:00Z')).body).toMatchObject({ primary_coverage: coverages[0] })
  expect((await ask(caller, patient.id)).body).not.toHaveProperty('primary_coverage')
})

it('returns 404 for a patient that does not exist or belongs to another organization, and 400 for a date without a time', async () => {
  const { caller, patient } = await withCoverages(0)
  for (const id of [randomUUID(), 'nobody']) expectEnvelope(await ask(caller, id), 404)
  expectEnvelope(await ask(await service.newCaller(), patient.id), 404)
  expectEnvelope(await ask(caller, patient.id, '2026-03-01'), 400)
})

it('shows thousands of coverages of related causes once each and in their order, with never more than a chunk of them in memory', async () => {
  const { caller, patient, coverages, file } = await withCoverages(1)
  const COUNT = 40
  await service.database.rows(
    `insert into coverage (organization_id, id, version, deactivated, updated_at, updating_user_id, created_at, body)
     select organization_id, gen_random_uuid(), 1, false, updated_at, updating_user_id, created_at,
       body || jsonb_build_object('benefits', jsonb_build_object('notes', repeat(md5(n::text), 10000)))
     from coverage, generate_series(2, ${COUNT}) as n where organization_id = $1`,
    [caller.organizationId],
  )
  const found = await service.database.rows(
    `select id from coverage where organization_id = $1 order by md5(id::text)`,
    [caller.organizationId],
  )
  const ids = found.map(([id]) => id)
  await file(2, [coverages[0].id], { coverages_for_related_causes: { coverages: ids } })
  const { result, bytes } = await mostRead(service.deps.database, () => ask(caller, patient.id))
  expect(result.body.primary_coverage).toEqual(coverages[0])
  expect(result.body.coverages_for_related_causes.map(({ id }: { id: string }) => id)).toEqual(ids)
  expect(bytes).toBeLessThan(CHUNK_BYTES)
})
