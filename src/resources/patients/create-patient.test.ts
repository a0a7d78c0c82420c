import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { nameBody, patientBody } from '../../../test/support/bodies.ts'
import { firstVersionOf } from '../../../test/support/first-version.ts'
import { expectEnvelope } from '../../../test/support/operations.ts'
import { sentBy } from '../../../test/support/sent-statements.ts'
import { send, testService } from '../../../test/support/service.ts'
import { buildApp } from '../../main/app.ts'
import { openDatabase } from '../../platform/database/database-pool.ts'
import { createMetrics } from '../../platform/metrics/metrics.ts'

let today = new Date('2026-03-09T12:00:00.000Z')
const service = testService(() => ({ now: () => today }))
const someone = (overrides: Record<string, unknown> = {}) => patientBody({ name: nameBody(randomUUID()), ...overrides })
const withMrn = (mrn: string, overrides: Record<string, unknown> = {}) => ({ ...someone(overrides), mrn })

async function at<T>(instant: string, work: () => Promise<T>): Promise<T> {
  const before = today
  today = new Date(instant)
  try {
    return await work()
  } finally {
    today = before
  }
}

describe('POST /patients/v1', () => {
  it('returns 200 with the patient at version 1, a generated MRN and orcon false', async () => {
    const { call, organizationId } = await service.newCaller()
    const body = someone()
    const reply = await call('POST', '/patients/v1', body)
    expect(reply.status, reply.text).toBe(200)
    expect(reply.body).toEqual({
      ...body,
      ...firstVersionOf({ organizationId }),
      mrn: '2603090001',
      orcon: false,
    })
  })

  it('ignores an MRN in the body', async () => {
    const { call } = await service.newCaller()
    expect((await call('POST', '/patients/v1', withMrn('MINE'))).body.mrn).toBe('2603090001')
  })

  it('counts MRNs from 0001 for each organization and each day', async () => {
    const [first, second] = [await service.newCaller(), await service.newCaller()]
    const create = async ({ call }: typeof first) => (await call('POST', '/patients/v1', someone())).body.mrn
    expect([await create(first), await create(first), await create(second)]).toEqual([
      '2603090001',
      '2603090002',
      '2603090001',
    ])
    expect(await at('2026-03-10T00:00:00.000Z', () => create(first))).toBe('2603100001')
  })

  it("uses the day in the organization's time zone", async () => {
    const west = await service.newCaller({ timeZone: 'America/Los_Angeles' })
    const east = await service.newCaller({ timeZone: 'Asia/Tokyo' })
    const [late, early] = await at('2026-12-31T20:00:00.000Z', () =>
      Promise.all([west, east].map(async ({ call }) => (await call('POST', '/patients/v1', someone())).body.mrn)),
    )
    expect([late, early]).toEqual(['2612310001', '2701010001'])
  })

  it('gives 20 concurrent creates 20 consecutive MRNs', async () => {
    const { call } = await service.newCaller()
    const replies = await Promise.all(Array.from({ length: 20 }, () => call('POST', '/patients/v1', someone())))
    const mrns = replies.map(({ body }) => body.mrn).sort()
    expect(mrns).toEqual(Array.from({ length: 20 }, (_, index) => `260309${String(index + 1).padStart(4, '0')}`))
  })

  it('reserves MRNs in blocks for rapid creates, and never issues one twice from two processes', async () => {
    const caller = await service.newCaller()
    const pool = openDatabase({ connectionString: service.databaseUrl }, { onError: () => {} })
    const second = buildApp({ ...service.deps, database: pool, metrics: createMetrics() })
    const elsewhere = async () => {
      const headers = { authorization: `Bearer ${caller.token}` }
      return (await send(second, { method: 'POST', url: '/patients/v1', headers, payload: someone() })).body
        .mrn as string
    }
    try {
      const { result: own, names } = await sentBy(service.deps.database, async () => {
        const mrns: string[] = []
        for (let made = 0; made < 30; made++) mrns.push((await caller.call('POST', '/patients/v1', someone())).body.mrn)
        return mrns
      })
      expect(own).toEqual(own.map((_, index) => `260309${String(index + 1).padStart(4, '0')}`))
      expect(names.filter((name) => name === 'mrn_take').length).toBeLessThan(30)
      const others = await Promise.all(Array.from({ length: 10 }, elsewhere))
      const more = await Promise.all(Array.from({ length: 10 }, () => caller.call('POST', '/patients/v1', someone())))
      const all = [...own, ...others, ...more.map(({ body }) => body.mrn)]
      expect(new Set(all).size).toBe(50)
    } finally {
      await second.close()
      await pool.close()
    }
  })

  it('skips MRNs that callers have chosen themselves', async () => {
    const { call } = await service.newCaller()
    await call('POST', '/patients/v1/with_mrn', withMrn('2603090001'))
    await call('POST', '/patients/v1/with_mrn', withMrn('2603090002'))
    expect((await call('POST', '/patients/v1', someone())).body.mrn).toBe('2603090003')
  })

  it('grows the counter past four digits', async () => {
    const { call, organizationId } = await service.newCaller()
    await service.database.rows(
      `insert into mrn_counter (organization_id, day, last) values ($1, '2026-03-09', 9999)`,
      [organizationId],
    )
    expect((await call('POST', '/patients/v1', someone())).body.mrn).toBe('26030910000')
  })

  it.each(['name', 'birth_date', 'filing_order', 'other_names'])('answers 400 without %s', async (field) => {
    const { call } = await service.newCaller()
    const { [field]: _, ...rest } = someone() as Record<string, unknown>
    const reply = await call('POST', '/patients/v1', rest)
    expectEnvelope(reply, 400)
    expect(reply.body.content.message).toBe(`${field} is required`)
  })

  it('returns 400 for a birth date that does not exist', async () => {
    const { call } = await service.newCaller()
    const reply = await call('POST', '/patients/v1', someone({ birth_date: '2025-02-30' }))
    expect(reply.body).toEqual({
      errorName: 'BadRequestError',
      content: { message: 'birth_date must be a date that exists (YYYY-MM-DD)' },
    })
  })
})

describe('concurrent creates of one person', () => {
  const statusesOf = async (calls: Promise<{ status: number }>[]) =>
    (await Promise.all(calls)).map(({ status }) => status).sort()

  it('store one patient, and return 409 with that patient to the others', async () => {
    const { call } = await service.newCaller()
    const [plain, named] = [patientBody(), (n: number) => ({ ...patientBody(), mrn: `M${n}` })]
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 2 ? call('POST', '/patients/v1', plain) : call('POST', '/patients/v1/with_mrn', named(n)),
      ),
    )
    const made = replies.filter(({ status }) => status === 200)
    expect(made).toHaveLength(1)
    const [{ body: patient } = { body: {} }] = made
    for (const { status, body } of replies.filter((reply) => !made.includes(reply))) {
      expect([status, body.errorName]).toEqual([409, 'VersionConflictError'])
      expect(body.content.data).toEqual([{ existing_patient_id: patient.id, existing_patient_mrn: patient.mrn }])
    }
  })

  it('store one patient also where case, blanks and Unicode composition differ', async () => {
    const { call } = await service.newCaller()
    const families = ['Zúñiga', 'ZÚÑIGA', ' zúñiga ', 'Zúñiga'.normalize('NFD')]
    const sent = (n: number) => patientBody({ name: nameBody(families[n % families.length] as string) })
    const statuses = await statusesOf(Array.from({ length: 20 }, (_, n) => call('POST', '/patients/v1', sent(n))))
    expect(statuses).toEqual([200, ...Array(19).fill(409)])
  })

  it('that skip the check are all stored, and at most one of those that do not', async () => {
    const { call } = await service.newCaller()
    const statuses = await statusesOf(
      Array.from({ length: 20 }, (_, n) =>
        call('POST', `/patients/v1${n % 2 ? '?skip_duplicate_check=true' : ''}`, patientBody()),
      ),
    )
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(10)
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(11)
  })

  it('do not delay creates of other people, or of the same person in another organization', async () => {
    const callers = await Promise.all([1, 2, 3].map(() => service.newCaller()))
    const calls = callers.flatMap(({ call }) =>
      [1, 2, 3].map((n) => call('POST', '/patients/v1', patientBody({ name: nameBody(`Person ${n}`) }))),
    )
    expect(await statusesOf(calls)).toEqual(Array(9).fill(200))
  })
})

describe('POST /patients/v1/with_mrn', () => {
  it('accepts an MRN of up to 20 characters unchanged', async () => {
    const { call } = await service.newCaller()
    for (const mrn of ['1', ' a b ', 'Ä/ü?#%', 'x'.repeat(20)]) {
      const { body } = await call('POST', '/patients/v1/with_mrn', withMrn(mrn))
      expect(body.mrn).toBe(mrn)
      expect((await call('GET', `/patients/v1/mrn/${encodeURIComponent(mrn)}`)).body).toEqual(body)
    }
  })

  it.each(['', 'x'.repeat(21), randomUUID()])('returns 400 for the MRN "%s"', async (mrn) => {
    const { call } = await service.newCaller()
    const reply = await call('POST', '/patients/v1/with_mrn', withMrn(mrn))
    expectEnvelope(reply, 400)
    expect(reply.body.content.message).toContain('mrn')
  })

  it('returns 409 without latest_version for an MRN in use, compared exactly', async () => {
    const { call } = await service.newCaller()
    await call('POST', '/patients/v1/with_mrn', withMrn('Case-1'))
    const reply = await call('POST', '/patients/v1/with_mrn', withMrn('Case-1'))
    expectEnvelope(reply, 409)
    expect(reply.body).toEqual({ errorName: 'VersionConflictError', content: { message: 'this MRN is in use' } })
    expect((await call('POST', '/patients/v1/with_mrn', withMrn('case-1'))).status).toBe(200)
    expect((await call('POST', '/patients/v1/with_mrn', withMrn('Case-1 '))).status).toBe(200)
  })

  it('allows other organizations to use the same MRN', async () => {
    for (const { call } of [await service.newCaller(), await service.newCaller()]) {
      expect((await call('POST', '/patients/v1/with_mrn', withMrn('SHARED'))).status).toBe(200)
    }
  })

  it('gives an MRN to one of many concurrent creates', async () => {
    const { call } = await service.newCaller()
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => call('POST', '/patients/v1/with_mrn', withMrn('RACE'))),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
    expect((await call('GET', '/patients/v1/updates/scan?since=2020-01-01T00:00:00Z')).body).toHaveLength(1)
  })

  it("checks the MRN's length, then the external id, then the MRN, then duplicates", async () => {
    const { call } = await service.newCaller()
    const external_provenance = { system_name: 'EHR', external_id: '7' }
    const taken: Record<string, unknown> = withMrn('TAKEN', { external_provenance })
    await call('POST', '/patients/v1/with_mrn', taken)
    const message = async (body: object) => (await call('POST', '/patients/v1/with_mrn', body)).body.content.message
    expect(await message({ ...taken, mrn: 'x'.repeat(21) })).toContain('20 characters')
    expect(await message(taken)).toContain('external_provenance')
    const { external_provenance: _, ...unlinked } = taken
    expect(await message(unlinked)).toBe('this MRN is in use')
    expect(await message({ ...unlinked, mrn: 'FREE' })).toContain('name and birth date')
  })
})

describe('the duplicate check', () => {
  const ana = (overrides: Record<string, unknown> = {}) =>
    patientBody({ name: nameBody('Rivera', 'Ana'), ...overrides })

  it('returns 409 with the patients who have this name and birth date', async () => {
    const { call } = await service.newCaller()
    const { body: first } = await call('POST', '/patients/v1', ana())
    const { body: second } = await call('POST', '/patients/v1?skip_duplicate_check=true', ana())
    const reply = await call('POST', '/patients/v1', ana({ name: nameBody('  rIVERA ', ' ana  ') }))
    expectEnvelope(reply, 409)
    expect(reply.body).toEqual({
      errorName: 'VersionConflictError',
      content: {
        message: expect.any(String),
        data: [first, second].map(({ id, mrn }) => ({ existing_patient_id: id, existing_patient_mrn: mrn })),
      },
    })
    expect((await call('POST', '/patients/v1/with_mrn', { ...ana(), mrn: 'X' })).status).toBe(409)
    expect((await call('POST', '/patients/v1/with_mrn?skip_duplicate_check=true', { ...ana(), mrn: 'X' })).status).toBe(
      200,
    )
  })

  it('names at most a hundred of the patients who are the same, however many were created without the check', async () => {
    const caller = await service.newCaller()
    const { body: first } = await caller.call('POST', '/patients/v1', ana())
    await service.database.rows(
      `insert into patient (organization_id, id, version, deactivated, updated_at, updating_user_id, created_at, body)
       select organization_id, gen_random_uuid(), 1, false, updated_at, updating_user_id, created_at, body || jsonb_build_object('mrn', 'M' || n)
       from patient, generate_series(1, 250) as n where organization_id = $1 and id = $2`,
      [caller.organizationId, first.id],
    )
    const reply = await caller.call('POST', '/patients/v1', ana())
    expectEnvelope(reply, 409)
    const ids = reply.body.content.data.map((each: { existing_patient_id: string }) => each.existing_patient_id)
    expect(new Set(ids).size).toBe(100)
  })

  it.each([
    ['another family name', { name: nameBody('Riviera', 'Ana') }],
    ['another first given name', { name: nameBody('Rivera', 'Maria') }],
    ['another birth date', { birth_date: '1984-03-01' }],
  ])('lets %s pass', async (_what, overrides) => {
    const { call } = await service.newCaller()
    await call('POST', '/patients/v1', ana())
    expect((await call('POST', '/patients/v1', ana(overrides))).status).toBe(200)
  })

  it('compares the first given name only, and a missing one equals a missing one', async () => {
    const { call } = await service.newCaller()
    await call('POST', '/patients/v1', ana({ name: { family: 'Cher', given: [], use: 'USUAL' } }))
    expect((await call('POST', '/patients/v1', ana({ name: { family: 'cher', given: [], use: 'OLD' } }))).status).toBe(
      409,
    )
    await call('POST', '/patients/v1', ana({ name: { family: 'Li', given: ['Wei', 'A'], use: 'USUAL' } }))
    expect(
      (await call('POST', '/patients/v1', ana({ name: { family: 'Li', given: ['Wei', 'B'], use: 'USUAL' } }))).status,
    ).toBe(409)
  })

  it('compares complete family names of any length', async () => {
    const { call } = await service.newCaller()
    const long = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(3)
    await call('POST', '/patients/v1', ana({ name: nameBody(`${long}a`) }))
    expect((await call('POST', '/patients/v1', ana({ name: nameBody(`${long}b`) }))).status).toBe(200)
    expect((await call('POST', '/patients/v1', ana({ name: nameBody(`${long}A`) }))).status).toBe(409)
  })

  it('ignores deactivated patients and other organizations', async () => {
    const [{ call }, stranger] = [await service.newCaller(), await service.newCaller()]
    const { body } = await call('POST', '/patients/v1', ana())
    expect((await stranger.call('POST', '/patients/v1', ana())).status).toBe(200)
    await call('DELETE', `/patients/v1/${body.id}/2`)
    expect((await call('POST', '/patients/v1', ana())).status).toBe(200)
  })

  it.each(['maybe', '', '1'])('returns 400 for skip_duplicate_check=%s', async (value) => {
    const { call } = await service.newCaller()
    expectEnvelope(await call('POST', `/patients/v1?skip_duplicate_check=${value}`, ana()), 400)
  })
})

describe('an external id', () => {
  const linked = (system_name: string, external_id: string) =>
    someone({ external_provenance: { system_name, external_id } })

  it('is unique for its system and organization: 409, on create and on update', async () => {
    const [{ call }, stranger] = [await service.newCaller(), await service.newCaller()]
    expect((await call('POST', '/patients/v1', linked('EHR', '7'))).status).toBe(200)
    const reply = await call('POST', '/patients/v1', linked('EHR', '7'))
    expect(reply.body).toEqual({
      errorName: 'VersionConflictError',
      content: { message: 'external_provenance.external_id is in use for this system' },
    })
    expect((await call('POST', '/patients/v1', linked('Lab', '7'))).status).toBe(200)
    expect((await stranger.call('POST', '/patients/v1', linked('EHR', '7'))).status).toBe(200)
    const { body: other } = await call('POST', '/patients/v1', someone())
    const update = await call('PUT', `/patients/v1/${other.id}/2`, linked('EHR', '7'))
    expectEnvelope(update, 409)
    expect(update.body.content).not.toHaveProperty('latest_version')
    expect((await call('GET', `/patients/v1/${other.id}`)).body).toEqual(other)
  })

  it('is given to one of many concurrent creates', async () => {
    const { call } = await service.newCaller()
    const replies = await Promise.all(Array.from({ length: 8 }, () => call('POST', '/patients/v1', linked('EHR', '1'))))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)])
  })

  it('may be as long as the schema says, in any script', async () => {
    const { call } = await service.newCaller()
    const text = (length: number) =>
      Array.from({ length }, () => String.fromCodePoint(0x20000 + Math.floor(Math.random() * 40_000))).join('')
    expect((await call('POST', '/patients/v1', linked(text(255), text(255)))).status).toBe(200)
    expectEnvelope(await call('POST', '/patients/v1', linked('EHR', text(256))), 400)
    expectEnvelope(await call('POST', '/patients/v1', linked(text(256), '7')), 400)
  })
})
