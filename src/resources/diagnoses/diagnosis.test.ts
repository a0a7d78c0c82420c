import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { diagnosisBody } from '../../../test/support/bodies.ts'
import { type Reply, testService } from '../../../test/support/service.ts'

const service = testService()
const url = '/api/diagnoses/v2'

async function withDiagnosis(overrides: object = {}) {
  const caller = await service.newCaller()
  const { body: diagnosis } = await caller.call('POST', url, diagnosisBody({ ...overrides }))
  const patch = (change: object | string, id: string = diagnosis.diagnosis_id) =>
    caller.call('PATCH', `${url}/${id}`, change)
  return { ...caller, diagnosis, patch }
}

const expectSecondPrimary = ({ status, body }: Reply, existing: string, added: unknown) =>
  expect([status, body]).toEqual([
    422,
    {
      errorName: 'DisallowMultiplePrimaryDiagnosisHTTPError',
      content: {
        existing_primary_diagnosis_id: existing,
        new_primary_diagnosis_id: added,
        message: 'the encounter already has a primary diagnosis (code_type ABK or BK)',
      },
    },
  ])

const expectNotFound = ({ status, body }: Reply, id?: string) =>
  expect([status, body]).toEqual([
    404,
    {
      errorName: 'DiagnosisNotFoundHTTPError',
      content: { ...(id && { diagnosis_id: id }), message: 'Diagnosis not found' },
    },
  ])

const primariesOf = async (encounterId: string) =>
  (
    await service.database.rows(
      `select id from diagnosis where encounter_id = $1 and body ->> 'code_type' in ('ABK', 'BK')`,
      [encounterId],
    )
  ).map(([id]) => id)

describe(`POST ${url}`, () => {
  it('returns 200 with the sent fields, an id and timestamps', async () => {
    const { call } = await service.newCaller()
    const sent = diagnosisBody({ name: 'Type 2 diabetes', code: 'e11.9', present_on_admission_indicator: 'YES' })
    const { status, body } = await call('POST', url, sent)
    expect(status).toBe(200)
    expect(body).toEqual({
      diagnosis_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ...sent,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: body.created_at,
    })
  })

  it('returns 422 that names the field of a malformed body', async () => {
    const { call } = await service.newCaller()
    const faults = { encounter_id: 'none', code_type: 'ZZZ', code: '', name: 5, present_on_admission_indicator: 'Y' }
    for (const [field, value] of Object.entries(faults)) {
      const { status, body } = await call('POST', url, diagnosisBody({ [field]: value }))
      expect([status, body]).toEqual([
        422,
        {
          errorName: 'HttpRequestValidationsError',
          content: [{ fieldName: field, humanReadableMessage: expect.stringContaining(field) }],
        },
      ])
    }
  })

  it('validates ICD-10 codes, and accepts and keeps codes of the other types as sent', async () => {
    const { call } = await service.newCaller()
    for (const [code_type, code, expected] of [
      ['ABF', 'E11.9', 200],
      ['ABF', '250.00', 422],
      ['BF', '250.00', 200],
      ['BJ', '250.000', 200],
      ['BK', 'I10', 200],
      ['PR', '87.44', 200],
      ['DR', '194-2', 200],
      ['LOI', 'LP14559-6', 200],
    ] as const) {
      const { status, body } = await call('POST', url, diagnosisBody({ code_type, code }))
      expect(status, `${code_type} ${code}`).toBe(expected)
      if (status === 200) expect(body.code).toBe(code)
    }
  })

  it('accepts one primary per encounter, ABK or BK, and returns 422 with both ids for a second', async () => {
    const { call } = await service.newCaller()
    const encounter_id = randomUUID()
    const { body: primary } = await call('POST', url, diagnosisBody({ encounter_id, code_type: 'ABK' }))
    for (const second of [
      { code_type: 'ABK', encounter_id: encounter_id.toUpperCase() },
      { code_type: 'BK', code: '250.00' },
    ]) {
      const reply = await call('POST', url, diagnosisBody({ encounter_id, ...second }))
      expectSecondPrimary(reply, primary.diagnosis_id, expect.stringMatching(/^[0-9a-f-]{36}$/))
      expect(reply.body.content.new_primary_diagnosis_id).not.toBe(primary.diagnosis_id)
    }
    expect(await primariesOf(encounter_id)).toEqual([primary.diagnosis_id])
  })

  it('accepts any number of other diagnoses besides the primary, and a primary for every encounter', async () => {
    const { call } = await service.newCaller()
    const encounter_id = randomUUID()
    for (const body of [
      { encounter_id, code_type: 'ABK' },
      { encounter_id, code_type: 'ABF' },
      { encounter_id, code_type: 'ABF' },
      { code_type: 'ABK' },
    ]) {
      expect((await call('POST', url, diagnosisBody(body))).status).toBe(200)
    }
  })

  it("ignores another organization's primary of the same encounter", async () => {
    const { diagnosis } = await withDiagnosis({ code_type: 'ABK' })
    const other = await withDiagnosis({ code_type: 'ABK', encounter_id: diagnosis.encounter_id })
    expect(other.diagnosis.diagnosis_id).toEqual(expect.any(String))
  })

  it('creates one of 10 concurrent primaries, and returns its id to the others', async () => {
    const { call } = await service.newCaller()
    const encounter_id = randomUUID()
    const body = diagnosisBody({ encounter_id, code_type: 'ABK' })
    const replies = await Promise.all(Array.from({ length: 10 }, () => call('POST', url, body)))
    const [primary] = await primariesOf(encounter_id)
    expect(replies.filter(({ status }) => status === 200).map(({ body }) => body.diagnosis_id)).toEqual([primary])
    for (const reply of replies.filter(({ status }) => status !== 200)) {
      expectSecondPrimary(reply, primary ?? '', expect.any(String))
    }
  })
})

describe(`PATCH ${url}/:diagnosis_id`, () => {
  it('changes what was sent and keeps the rest, null included', async () => {
    const { diagnosis, patch } = await withDiagnosis({ name: 'Diabetes', present_on_admission_indicator: 'NO' })
    const { status, body } = await patch({ code: 'E11.65', name: null, encounter_id: randomUUID() })
    expect(status).toBe(200)
    expect(body).toEqual({ ...diagnosis, code: 'E11.65', updated_at: body.updated_at })
    expect(body.updated_at >= diagnosis.updated_at).toBe(true)
  })

  it('without changes returns the diagnosis unchanged', async () => {
    const { diagnosis, patch } = await withDiagnosis()
    // The client of Python sends no body where no field is given.
    for (const change of [{}, { name: null }, { code: diagnosis.code }, '']) {
      const { status, body } = await patch(change)
      expect([status, body]).toEqual([200, diagnosis])
    }
  })

  it('validates the stored code against a new type, and a new code against the stored type', async () => {
    const expectRefused = ({ status, body }: Reply) =>
      expect([status, body.errorName, body.content[0].fieldName]).toEqual([422, 'HttpRequestValidationsError', 'code'])
    const { diagnosis, patch } = await withDiagnosis({ code: 'E11.9' })
    expectRefused(await patch({ code: '250.00' }))
    expect((await patch({})).body).toEqual(diagnosis)
    expect((await patch({ code_type: 'BF', code: '250.00' })).status).toBe(200)
    for (const code_type of ['ABF', 'ABK', 'APR']) expectRefused(await patch({ code_type }))
  })

  it('returns 422 with both ids if it would create a second primary diagnosis', async () => {
    const { call, diagnosis: primary, patch } = await withDiagnosis({ code_type: 'ABK' })
    const { encounter_id } = primary
    const { body: other } = await call('POST', url, diagnosisBody({ encounter_id }))
    expectSecondPrimary(await patch({ code_type: 'ABK' }, other.diagnosis_id), primary.diagnosis_id, other.diagnosis_id)
    const asIcd9 = { code_type: 'BK', code: '250.00' }
    expectSecondPrimary(await patch(asIcd9, other.diagnosis_id), primary.diagnosis_id, other.diagnosis_id)
  })

  it('lets a primary change its type, and lets another diagnosis become primary once it no longer is', async () => {
    const { call, diagnosis: primary, patch } = await withDiagnosis({ code_type: 'ABK' })
    const { body: other } = await call('POST', url, diagnosisBody({ encounter_id: primary.encounter_id }))
    expect((await patch({ name: 'Renamed' })).status).toBe(200)
    expect((await patch({ code_type: 'BK', code: '250.00' })).status).toBe(200)
    expect((await patch({ code_type: 'BF' })).status).toBe(200)
    expect((await patch({ code_type: 'ABK' }, other.diagnosis_id)).status).toBe(200)
  })

  it('makes exactly one of 10 diagnoses primary when all are changed concurrently', async () => {
    const { call, patch } = await withDiagnosis()
    const encounter_id = randomUUID()
    const create = () => call('POST', url, diagnosisBody({ encounter_id }))
    const made = await Promise.all(Array.from({ length: 10 }, create))
    const replies = await Promise.all(made.map(({ body }) => patch({ code_type: 'ABK' }, body.diagnosis_id)))
    const [primary] = await primariesOf(encounter_id)
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const [index, reply] of replies.entries()) {
      if (reply.status !== 200) expectSecondPrimary(reply, primary ?? '', made[index]?.body.diagnosis_id)
    }
  })

  it('returns 404 with the id from the path, also for another organization', async () => {
    const { call } = await service.newCaller()
    const { diagnosis } = await withDiagnosis()
    for (const id of [randomUUID(), diagnosis.diagnosis_id]) {
      expectNotFound(await call('PATCH', `${url}/${id}`, { code: 'not looked at' }), id)
    }
    expectNotFound(await call('PATCH', `${url}/no-uuid`, {}))
  })

  it('accepts an empty name, which no rule forbids', async () => {
    const { patch } = await withDiagnosis({ name: '' })
    const { status, body } = await patch({ name: '' })
    expect([status, body.name]).toEqual([200, ''])
  })
})

describe(`DELETE ${url}/:diagnosis_id`, () => {
  it('returns 200 without a body, and removes the diagnosis', async () => {
    const { call, diagnosis } = await withDiagnosis()
    const path = `${url}/${diagnosis.diagnosis_id}`
    const { status, text, headers } = await call('DELETE', path)
    expect([status, text, headers['content-length']]).toEqual([200, '', '0'])
    expectNotFound(await call('DELETE', path), diagnosis.diagnosis_id)
    expectNotFound(await call('PATCH', path, {}), diagnosis.diagnosis_id)
  })

  it('of the primary allows another primary', async () => {
    const { call, diagnosis } = await withDiagnosis({ code_type: 'ABK' })
    await call('DELETE', `${url}/${diagnosis.diagnosis_id}`)
    const again = diagnosisBody({ code_type: 'ABK', encounter_id: diagnosis.encounter_id })
    expect((await call('POST', url, again)).status).toBe(200)
  })

  it("returns 404 for another organization's diagnosis, and keeps it", async () => {
    const { patch, diagnosis } = await withDiagnosis()
    const { call } = await service.newCaller()
    expectNotFound(await call('DELETE', `${url}/${diagnosis.diagnosis_id}`), diagnosis.diagnosis_id)
    expect((await patch({})).status).toBe(200)
  })
})
