import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { coverageBody, nameBody, patientBody, planGroupBody } from '../../../test/support/bodies.ts'
import { expectEnvelope } from '../../../test/support/operations.ts'
import { type Caller, testService } from '../../../test/support/service.ts'

const service = testService()
type Fields = Record<string, unknown>

async function newPatient({ call }: Caller) {
  return (await call('POST', '/patients/v1', patientBody({ name: nameBody(randomUUID()) }))).body.id as string
}

const planIn = (payer_plan_group_id?: string, overrides: Fields = {}) => ({
  member_id: 'W1',
  payer_id: '60054',
  payer_name: 'Aetna',
  ...(payer_plan_group_id !== undefined && { payer_plan_group_id }),
  ...overrides,
})

async function create(caller: Caller, patient: string, insurance_plan: Fields = planIn()) {
  const reply = await caller.call('POST', '/coverages/v1', coverageBody(patient, { insurance_plan }))
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

const read = async ({ call }: Caller, id: string) => (await call('GET', `/coverages/v1/${id}`)).body

describe('POST /coverages/v1/batch-update-ppg/:ppg_id', () => {
  const batch = (caller: Caller, group: string, body: Fields) =>
    caller.call('POST', `/coverages/v1/batch-update-ppg/${group}`, body)

  it('sets the four fields on every plan of the group, as new versions that the scan shows, and returns no body', async () => {
    const caller = await service.newCaller()
    const patient = await newPatient(caller)
    const group = randomUUID()
    const carve_outs = [
      { carve_out: 'MEDICAL', member_id: 'C', payer_id: 'c', payer_name: 'Carve', payer_plan_group_id: group },
    ]
    const plan = planIn(group, { group_number: 'G', carve_outs })
    const [one, two] = [await create(caller, patient, plan), await create(caller, await newPatient(caller), plan)]
    const other = await create(caller, patient, planIn(randomUUID()))
    const sent = planGroupBody({ payer_plan_group_id: group, payer_id: 'NEW', payer_name: 'New payer' })
    const reply = await batch(caller, group.toUpperCase(), sent)
    expect([reply.status, reply.text, reply.headers['content-length']]).toEqual([200, '', '0'])
    for (const before of [one, two]) {
      const after = await read(caller, before.id)
      const insurance_plan = { ...plan, ...sent }
      expect(after).toEqual({ ...before, insurance_plan, version: 2, updated_at: after.updated_at })
      const { body: history } = await caller.call('GET', `/coverages/v1/${before.id}/history`)
      expect(history).toEqual([before, after])
    }
    expect(await read(caller, other.id)).toEqual(other)
    const { body: scanned } = await caller.call('GET', '/coverages/v1/updates/scan?since=2020-01-01T00:00:00Z')
    expect(scanned.map(({ id }: Fields) => id).sort()).toEqual([one.id, two.id, other.id].sort())
    expect(scanned[0]).toEqual(other)
  })

  it('is known in lower case in every place that names it, and is found in capitals', async () => {
    const caller = await service.newCaller()
    const patient = await newPatient(caller)
    const group = randomUUID()
    const named = { member_id: 'C', payer_id: 'c', payer_name: 'Carve', payer_plan_group_id: group.toUpperCase() }
    const plan = planIn(group.toUpperCase(), { carve_outs: [{ carve_out: 'MEDICAL', ...named }] })
    const made = await create(caller, patient, plan)
    expect(made.insurance_plan).toMatchObject({
      payer_plan_group_id: group,
      carve_outs: [{ payer_plan_group_id: group }],
    })
    const { body: stored } = await caller.call('GET', `/patients/v1/${patient}`)
    const filing_order = { coverages: [made.id.toUpperCase()] }
    expect((await caller.call('PUT', `/patients/v1/${patient}/2`, { ...stored, filing_order })).status).toBe(200)
    for (const path of ['payerPlanGroupId', 'carveOuts.payerPlanGroupId']) {
      const filters = `primaryCoverage.insurancePlan.${path}|eq|${group.toUpperCase()}`
      const { body } = await caller.call('GET', `/lists/v1/patient?${new URLSearchParams({ filters })}`)
      expect(body.total, path).toBe(1)
    }
  })

  it('moves the coverages when the body names another group', async () => {
    const caller = await service.newCaller()
    const [from, to] = [randomUUID(), randomUUID()]
    const { id } = await create(caller, await newPatient(caller), planIn(from))
    await batch(caller, from, planGroupBody({ payer_plan_group_id: to.toUpperCase() }))
    expect((await read(caller, id)).insurance_plan.payer_plan_group_id).toBe(to)
    await batch(caller, from, planGroupBody({ payer_plan_group_id: from }))
    expect(await read(caller, id)).toMatchObject({ version: 2 })
  })

  it('skips coverages that would not change', async () => {
    const caller = await service.newCaller()
    const group = randomUUID()
    const { id } = await create(caller, await newPatient(caller), planIn(group))
    const sent = planGroupBody({ payer_plan_group_id: group })
    await batch(caller, group, sent)
    await batch(caller, group, sent)
    expect(await read(caller, id)).toMatchObject({ version: 2 })
  })

  it("returns 200 when the group has no coverage, and never changes another organization's", async () => {
    const [caller, stranger] = [await service.newCaller(), await service.newCaller()]
    const group = randomUUID()
    const made = await create(stranger, await newPatient(stranger), planIn(group))
    for (const each of [group, randomUUID(), 'nobody']) {
      expect((await batch(caller, each, planGroupBody({ payer_plan_group_id: group }))).status).toBe(200)
    }
    expect(await read(stranger, made.id)).toEqual(made)
  })

  it.each(['payer_plan_group_id', 'payer_id', 'payer_name', 'plan_type'])('requires %s', async (field) => {
    const caller = await service.newCaller()
    const reply = await batch(caller, randomUUID(), { ...planGroupBody(), [field]: null })
    expectEnvelope(reply, 400)
    expect(reply.body.content.message).toContain(field)
  })
})

describe('GET /coverages/v1/get-multi-paginated', () => {
  const page = async ({ call }: Caller, query = '') => call('GET', `/coverages/v1/get-multi-paginated${query}`)

  it('pages by last change, in both directions, and includes the total on every page', async () => {
    const caller = await service.newCaller()
    const patient = await newPatient(caller)
    const made = []
    for (let count = 0; count < 5; count++) made.push(await create(caller, patient))
    const { body: first } = await page(caller, '?limit=2')
    const { body: second } = await page(caller, `?limit=2&page_token=${first.next_page_token}`)
    const { body: third } = await page(caller, `?limit=2&page_token=${second.next_page_token}`)
    expect([first, second, third].flatMap(({ items }) => items)).toEqual(made)
    expect([first, second, third].map(({ total }) => total)).toEqual([5, 5, 5])
    expect(third).not.toHaveProperty('next_page_token')
    const { body: back } = await page(caller, `?limit=2&page_token=${second.prev_page_token}`)
    expect(back.items).toEqual(first.items)
    const plan = coverageBody(patient, { verified: true })
    const { body: changed } = await caller.call('PUT', `/coverages/v1/${made[0].id}/2`, plan)
    expect((await page(caller)).body.items).toEqual([...made.slice(1), changed])
  })

  it('filters by patient and by payer plan group, and excludes deactivated coverages', async () => {
    const caller = await service.newCaller()
    const [patient, group] = [await newPatient(caller), randomUUID()]
    const both = await create(caller, patient, planIn(group.toUpperCase()))
    const [grouped, alone] = [
      await create(caller, await newPatient(caller), planIn(group)),
      await create(caller, patient),
    ]
    const hidden = await create(caller, patient, planIn(group))
    await service.database.rows('update coverage set deactivated = true where id = $1', [hidden.id])
    const items = async (query: string) => (await page(caller, query)).body.items
    expect(await items(`?patient_id=${patient.toUpperCase()}`)).toEqual([both, alone])
    expect(await items(`?payer_plan_group_id=${group.toUpperCase()}`)).toEqual([both, grouped])
    expect((await page(caller, `?patient_id=${patient}&payer_plan_group_id=${group}`)).body).toEqual({
      items: [both],
      total: 1,
    })
    for (const nobody of [randomUUID(), 'nobody', '']) expect(await items(`?patient_id=${nobody}`)).toEqual([])
  })

  it('accepts a limit from 0 to 1000, 100 by default; 0 returns an empty page with the total', async () => {
    const caller = await service.newCaller()
    const patient = await newPatient(caller)
    for (let count = 0; count < 101; count++) await create(caller, patient)
    expect((await page(caller, '?limit=0')).body).toEqual({ items: [], total: 101 })
    expect((await page(caller)).body.items).toHaveLength(100)
    expect((await page(caller, '?limit=1000')).body.items).toHaveLength(101)
  })

  it.each(['limit=1001', 'limit=-1', 'limit=x', 'limit=1.5', 'page_token=nonsense', 'page_token='])(
    'answers 400 to %s',
    async (query) => {
      expectEnvelope(await page(await service.newCaller(), `?${query}`), 400)
    },
  )

  it('returns 400 for a page token of other filters', async () => {
    const caller = await service.newCaller()
    const patient = await newPatient(caller)
    for (let count = 0; count < 2; count++) await create(caller, patient)
    const { body } = await page(caller, '?limit=1')
    expectEnvelope(await page(caller, `?limit=1&patient_id=${patient}&page_token=${body.next_page_token}`), 400)
  })
})
