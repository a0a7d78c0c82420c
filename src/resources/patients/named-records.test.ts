// The records that a patient names must exist, belong to it and be named once; names that are stored already stay
// valid.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { coverageBody, nameBody, patientBody } from '../../../test/support/bodies.ts'
import { expectEnvelope } from '../../../test/support/operations.ts'
import { type Caller, testService } from '../../../test/support/service.ts'

const service = testService()
type Fields = Record<string, unknown>

const created = async ({ call }: Caller, url: string, body: Fields) => {
  const reply = await call('POST', url, body)
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}
const newPatient = (caller: Caller, overrides: Fields = {}) =>
  created(caller, '/patients/v1', patientBody({ name: nameBody(randomUUID()), ...overrides }))
const newCoverage = (caller: Caller, patient: { id: string }) =>
  created(caller, '/coverages/v1', coverageBody(patient.id))
const read = async ({ call }: Caller, { id }: { id: string }) => (await call('GET', `/patients/v1/${id}`)).body

/** Writes the current patient with some fields changed. */
async function put(caller: Caller, patient: { id: string }, overrides: Fields) {
  const body = await read(caller, patient)
  return caller.call('PUT', `/patients/v1/${patient.id}/${body.version + 1}`, { ...body, ...overrides })
}

/** Stores a value as a record from before a rule may contain it. */
const store = (id: string, path: string, value: unknown) =>
  service.database.rows(`update patient set body = jsonb_set(body, $2::text[], $3::jsonb) where id = $1`, [
    id,
    `{${path}}`,
    JSON.stringify(value),
  ])

const lists = (ids: string[]): [string, Fields][] => [
  ['filing_order', { filing_order: { coverages: ids } }],
  ['coverages_for_related_causes', { coverages_for_related_causes: { coverages: ids } }],
]

describe.each([0, 1])('list %i of coverages', (at) => {
  const named = (ids: string[]) => lists(ids)[at]?.[1] ?? {}

  it("accepts only the patient's own coverages, each once", async () => {
    const [caller, stranger] = [await service.newCaller(), await service.newCaller()]
    const [patient, other, foreign] = [await newPatient(caller), await newPatient(caller), await newPatient(stranger)]
    const [own, second] = [await newCoverage(caller, patient), await newCoverage(caller, patient)]
    expect((await put(caller, patient, named([own.id.toUpperCase(), second.id]))).body).toMatchObject(
      named([own.id, second.id]),
    )
    for (const { id } of [
      await newCoverage(caller, other),
      await newCoverage(stranger, foreign),
      { id: randomUUID() },
    ]) {
      expectEnvelope(await put(caller, patient, named([own.id, id])), 404)
      expectEnvelope(
        await caller.call('POST', '/patients/v1', patientBody({ name: nameBody(randomUUID()), ...named([id]) })),
        404,
      )
    }
    for (const ids of [
      [own.id, own.id],
      [own.id, own.id.toUpperCase()],
    ]) {
      expectEnvelope(await put(caller, patient, named(ids)), 400)
    }
  })

  it('loses a coverage that moves to another patient, in a new version; a move of one that it does not name changes nothing', async () => {
    const caller = await service.newCaller()
    const [patient, heir] = [await newPatient(caller), await newPatient(caller)]
    const [moving, staying] = [await newCoverage(caller, patient), await newCoverage(caller, patient)]
    const unnamed = await newCoverage(caller, patient)
    await put(caller, patient, named([moving.id, staying.id]))
    const reply = await caller.call('PUT', `/coverages/v1/${moving.id}/2`, coverageBody(heir.id))
    expect([reply.status, reply.body.patient]).toEqual([200, heir.id])
    expect(await read(caller, patient)).toMatchObject({ version: 3, ...named([staying.id]) })
    expect(await read(caller, heir)).toMatchObject({ version: 1 })
    expect((await caller.call('PUT', `/coverages/v1/${unnamed.id}/2`, coverageBody(heir.id))).status).toBe(200)
    expect(await read(caller, patient)).toMatchObject({ version: 3 })
    expect((await put(caller, heir, named([moving.id]))).status).toBe(200)
    expect((await caller.call('PUT', `/coverages/v1/${moving.id}/2`, coverageBody(patient.id))).status).toBe(409)
    expect(await read(caller, heir)).toMatchObject(named([moving.id]))
  })

  it('never names a coverage that is moved concurrently', async () => {
    const caller = await service.newCaller()
    const heir = await newPatient(caller)
    for (let round = 0; round < 5; round++) {
      const patient = await newPatient(caller)
      const coverage = await newCoverage(caller, patient)
      const replies = await Promise.all([
        caller.call('PUT', `/coverages/v1/${coverage.id}/2`, coverageBody(heir.id)),
        ...[1, 2, 3].map(() => put(caller, patient, named([coverage.id]))),
      ])
      for (const { status } of replies) expect([200, 404, 409]).toContain(status)
      expect(replies[0]?.status).toBe(200)
      expect(JSON.stringify((await read(caller, patient))[lists([])[at]?.[0] as string] ?? {})).not.toContain(
        coverage.id,
      )
    }
  })

  it('keeps references from before this rule, and accepts no new ones like them', async () => {
    const caller = await service.newCaller()
    const [patient, other] = [await newPatient(caller), await newPatient(caller)]
    const strange = await newCoverage(caller, other)
    const ids = [strange.id, strange.id, randomUUID()]
    await store(patient.id, lists([])[at]?.[0] as string, { coverages: ids })
    expect((await put(caller, patient, { email: 'a@example.org' })).body).toMatchObject({
      email: 'a@example.org',
      ...named(ids),
    })
    expectEnvelope(await put(caller, patient, named([...ids, randomUUID()])), 400)
    expectEnvelope(await put(caller, patient, named([strange.id, randomUUID()])), 404)
    expect((await put(caller, patient, named([strange.id]))).status).toBe(200)
  })
})

it.each([
  ['note_ids', '/notes/v1', { value: 'Calls back' }],
  ['tag_ids', '/tags/v1', { value: 'VIP' }],
])('%s accepts ids of existing records only, including deactivated ones', async (field, url, body) => {
  const [caller, stranger] = [await service.newCaller(), await service.newCaller()]
  const [known, foreign] = [await created(caller, url, body), await created(stranger, url, body)]
  const patient = await newPatient(caller, { [field]: [known.id.toUpperCase()] })
  expect(patient[field]).toEqual([known.id])
  for (const id of [foreign.id, randomUUID(), 'x', '']) {
    expectEnvelope(await put(caller, patient, { [field]: [known.id, id] }), 404)
    expectEnvelope(
      await caller.call('POST', '/patients/v1', patientBody({ name: nameBody(randomUUID()), [field]: [id] })),
      404,
    )
  }
  await caller.call('DELETE', `${url}/${known.id}/1`)
  expect((await put(caller, patient, { email: 'b@example.org' })).status).toBe(200)
  await store(patient.id, field, ['older than this rule'])
  expect((await put(caller, patient, { email: 'c@example.org' })).body[field]).toEqual(['older than this rule'])
  expectEnvelope(await put(caller, patient, { [field]: ['older than this rule', 'another'] }), 404)
})

it('returns 409 for an update of another version before it checks the named records', async () => {
  const caller = await service.newCaller()
  const patient = await newPatient(caller)
  const body = patientBody({ filing_order: { coverages: [randomUUID()] }, tag_ids: ['x'] })
  expectEnvelope(await caller.call('PUT', `/patients/v1/${patient.id}/3`, body), 409)
  expectEnvelope(await caller.call('PUT', `/patients/v1/${randomUUID()}/2`, body), 404)
})

it('custom metadata of a deactivated schema stays unchanged, and new and changed pairs are refused', async () => {
  const caller = await service.newCaller()
  const fields = [
    { key: 'color', type: 'STRING' },
    { key: 'height', type: 'DOUBLE' },
  ]
  const schema = await created(caller, '/metadata-schemas/v1', { name: 'Intake', fields })
  const entry = (pairs: Fields, id = schema.id) => ({
    custom_metadata: [{ metadata_schema_id: id, key_value_pairs: pairs }],
  })
  const patient = await newPatient(caller, entry({ color: 'red', height: 1.5 }))
  await caller.call('DELETE', `/metadata-schemas/v1/${schema.id}/1`)
  expect((await put(caller, patient, { email: 'a@example.org' })).body).toMatchObject({
    email: 'a@example.org',
    ...entry({ color: 'red', height: 1.5 }),
  })
  expect((await put(caller, patient, entry({ color: 'red' }, schema.id.toUpperCase()))).status).toBe(200)
  for (const pairs of [{ color: 'blue' }, { color: 'red', height: 1.5 }, { color: 'red', size: 1 }]) {
    expectEnvelope(await put(caller, patient, entry(pairs)), 400)
  }
  expectEnvelope(
    await caller.call(
      'POST',
      '/patients/v1',
      patientBody({ name: nameBody(randomUUID()), ...entry({ color: 'red' }) }),
    ),
    400,
  )
  expect((await put(caller, patient, { custom_metadata: [] })).status).toBe(200)
  expectEnvelope(await put(caller, patient, entry({ color: 'red' })), 400)
})
