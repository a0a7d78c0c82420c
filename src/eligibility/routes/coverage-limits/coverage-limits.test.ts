import { describe, expect, it } from 'vitest'
import type { Body } from '../../../../test/support/bodies.ts'
import { clinicsOf, verifyVisit } from '../../../../test/support/clinic.ts'
import { expectEnvelope } from '../../../../test/support/operations.ts'
import { ACTIVE, INACTIVE, scriptedPayer } from '../../../../test/support/scripted-payer.ts'
import { sentBy } from '../../../../test/support/sent-statements.ts'
import { type Caller, testService } from '../../../../test/support/service.ts'

const payer = scriptedPayer()
const service = testService(() => ({
  clearinghouses: payer.clearinghouses,
  now: () => new Date('2026-03-08T12:00:00.000Z'),
}))
const { newClinic, newPatient, newVisit, fileCoverages } = clinicsOf(service)
const PRP = (name: string) => `LS*2120~NM1*PRP*2*${name}*****PI*X-1~LE*2120~`

let members = 0

/** A patient whose coverages were asked about for a visit; each answer is the EB rows of one coverage. */
async function answered(caller: Caller, ...answers: string[]) {
  const ids = answers.map((rows) => {
    members += 1
    payer.answers.set(`limit-${members}`, rows)
    return `limit-${members}`
  })
  const patient = await newPatient(caller, ...ids)
  const visit = await newVisit(caller, patient.id)
  return { patient, verification: await verifyVisit(caller, visit.id) }
}

const limitsOf = ({ call }: Caller, ...ids: string[]) =>
  call('GET', `/anteroom/v1/coverages/limits?${ids.map((id) => `ids=${id}`).join('&')}`)

it.each([
  ['for pharmacy alone', 'EB*1**88~', 'COVERAGE', 'active for Pharmacy only'],
  ['without the service of the visit', `${ACTIVE}EB*I**98~`, 'COVERAGE', 'Non-Covered: Professional'],
  ['before a spend-down is met', `${ACTIVE}EB*Y**30***29*250~`, 'SPEND_DOWN', 'spend-down not met'],
  ['after another payer', `${ACTIVE}EB*R**30~${PRP('SUMMIT HEALTH')}`, 'OTHER_PAYER', 'another payer is primary'],
  ['for a provider in the network', 'EB*1**30~MSG*PROVIDER IS OUT OF NETWORK~', 'COVERAGE', 'the payer says'],
  [
    'while a managed care plan pays',
    'EB*1**30*MC*STATE MEDICAID~EB*MC**30*HM*COUNTY CARE MCO~LS*2120~NM1*Y2*2*COUNTY CARE~LE*2120~',
    'OTHER_PAYER',
    'a managed care plan pays instead of Medicaid: COUNTY CARE',
  ],
])('coverage that is active %s says so, with the kind and the note', async (_, rows, kind, note) => {
  const caller = await newClinic()
  const { patient } = await answered(caller, rows)
  const [coverage = ''] = patient.coverages
  const reply = await limitsOf(caller, coverage)
  expect(reply.body).toMatchObject([
    { coverage_id: coverage, limits: expect.arrayContaining([{ kind, note: expect.stringContaining(note) }]) },
  ])
  const stored = await caller.call('GET', `/anteroom/v1/eligibility-checks/${reply.body[0].check_id}`)
  expect(stored.body.limits).toEqual(reply.body[0].limits)
})

it('coverage that is plainly active, or not active, and was not changed has no limits', async () => {
  const caller = await newClinic()
  const { patient, verification } = await answered(caller, ACTIVE, `${INACTIVE}EB*1**88~EB*6**30~`)
  expect((await limitsOf(caller, ...patient.coverages)).body).toEqual([])
  const [{ check_id }] = verification.coverages
  expect((await caller.call('GET', `/anteroom/v1/eligibility-checks/${check_id}`)).body).not.toHaveProperty('limits')
})

it('a secondary coverage is not limited by the payer that is filed before it, and is again when the order turns', async () => {
  const caller = await newClinic()
  const behind = `${ACTIVE}EB*R**30~${PRP('FIRST PLAN')}`
  const { patient } = await answered(caller, ACTIVE, behind)
  const [first = '', second = ''] = patient.coverages
  const { body } = await caller.call('GET', `/coverages/v1/${first}`)
  const insurance_plan = { ...body.insurance_plan, payer_name: 'FIRST PLAN' }
  await caller.call('PUT', `/coverages/v1/${first}/${body.version + 1}`, { ...body, insurance_plan })
  expect((await limitsOf(caller, second)).body).toEqual([])
  await fileCoverages(caller, patient.id, [second, first])
  expect((await limitsOf(caller, second)).body).toMatchObject([{ limits: [{ kind: 'OTHER_PAYER' }] }])
})

it('reads only the fields of coverages and patients that it compares, however large they are', async () => {
  const caller = await newClinic()
  const { patient } = await answered(caller, ACTIVE, `${ACTIVE}EB*R**30~${PRP('SUMMIT HEALTH')}`)
  for (const id of patient.coverages) {
    const { body } = await caller.call('GET', `/coverages/v1/${id}`)
    const name = { ...body.subscriber.name, given: [...body.subscriber.name.given, 'Y'.repeat(300_000)] }
    const subscriber = { ...body.subscriber, name }
    const insurance_plan = { ...body.insurance_plan, name: 'X'.repeat(300_000) }
    const changed = await caller.call('PUT', `/coverages/v1/${id}/${body.version + 1}`, {
      ...body,
      subscriber,
      insurance_plan,
    })
    expect(changed.status, changed.text).toBe(200)
  }
  const { result, statements } = await sentBy(service.deps.database, () => limitsOf(caller, ...patient.coverages))
  expect(result.body).toMatchObject([{ limits: [{ kind: 'OTHER_PAYER' }] }])
  const read = statements.find(({ text }) => text.includes('in_network_flat'))
  const rows = await service.deps.database.rows(read?.text ?? '', read?.values ?? [])
  expect(rows).toHaveLength(2)
  expect(JSON.stringify(rows).length).toBeLessThan(10_000)
})

it('coverage that was checked with another member ID or birth date is not plainly active, until it is checked again', async () => {
  const caller = await newClinic()
  const { patient } = await answered(caller, ACTIVE)
  const [coverage = ''] = patient.coverages
  const change = async (path: string, part: (body: Body) => object) => {
    const { body } = await caller.call('GET', path)
    const changed = await caller.call('PUT', `${path}/${body.version + 1}`, { ...body, ...part(body) })
    expect(changed.status, changed.text).toBe(200)
  }
  const withMember = (member_id: string) => (body: Body) => ({
    insurance_plan: { ...(body.insurance_plan as object), member_id },
  })
  const notes = async () => (await limitsOf(caller, coverage)).body[0]?.limits
  const asked = (await caller.call('GET', `/coverages/v1/${coverage}`)).body.insurance_plan.member_id
  await change(`/coverages/v1/${coverage}`, withMember('NEVER-ASKED'))
  expect(await notes()).toEqual([{ kind: 'CHANGED', note: 'changed after the check: subscriber member ID' }])
  await change(`/coverages/v1/${coverage}`, withMember(asked.toLowerCase()))
  expect(await notes()).toBeUndefined()
  const born = (date_of_birth: string) => (body: Body) => ({
    subscriber: { ...(body.subscriber as object), date_of_birth },
  })
  await change(`/coverages/v1/${coverage}`, born('1961-01-31'))
  expect(await notes()).toEqual([{ kind: 'CHANGED', note: expect.stringContaining('birth date') }])
  const visit = await newVisit(caller, patient.id)
  await verifyVisit(caller, visit.id)
  expect(await notes()).toBeUndefined()
})

it.each([
  ['not active', `${INACTIVE}EB*6**30~`],
  ['not found', 'AAA*N**75*C~'],
])('coverage that is %s says so of the data that it was checked with, until it is checked again', async (_, answer) => {
  const caller = await newClinic()
  const { patient } = await answered(caller, answer)
  const [coverage = ''] = patient.coverages
  const board = async () =>
    (await caller.call('GET', '/anteroom/v1/lists/board?limit=10')).body.items[0].primary_coverage
  expect((await limitsOf(caller, coverage)).body).toEqual([])
  expect(await board()).toMatchObject({ limits: [] })
  const { body } = await caller.call('GET', `/coverages/v1/${coverage}`)
  const insurance_plan = { ...body.insurance_plan, member_id: 'CORRECTED' }
  await caller.call('PUT', `/coverages/v1/${coverage}/${body.version + 1}`, { ...body, insurance_plan })
  const limits = [{ kind: 'CHANGED', note: 'changed after the check: subscriber member ID' }]
  expect((await limitsOf(caller, coverage)).body).toMatchObject([{ coverage_id: coverage, limits }])
  expect(await board()).toMatchObject({ limits })
  expect(await board()).not.toHaveProperty('office_visit_costs')
})

it('a check that failed because a field was empty does not count for the coverage once the field is filled in', async () => {
  const caller = await newClinic()
  payer.answers.set('', 'AAA*N**72*C~')
  const patient = await newPatient(caller, '')
  const [coverage = ''] = patient.coverages
  const visit = await newVisit(caller, patient.id)
  await verifyVisit(caller, visit.id)
  const { body } = await caller.call('GET', `/coverages/v1/${coverage}`)
  const insurance_plan = { ...body.insurance_plan, member_id: 'ADDED' }
  await caller.call('PUT', `/coverages/v1/${coverage}/${body.version + 1}`, { ...body, insurance_plan })
  expect((await limitsOf(caller, coverage)).body).toMatchObject([{ limits: [{ kind: 'CHANGED' }] }])
})

it('a prohibition to bill the patient, and a text of the payer that looks like an alert, limit nothing', async () => {
  const caller = await newClinic()
  const { patient } = await answered(caller, 'EB*1**30*MB~EB*1**30*QM~', 'EB*1**30~MSG*ATTENTION: CALL US~')
  expect((await limitsOf(caller, ...patient.coverages)).body).toEqual([])
})

describe('a board', () => {
  const boardOf = ({ call }: Caller, query = '') => call('GET', `/anteroom/v1/lists/board?limit=10${query}`)

  it('shows visits with the limits of active coverage and why a check failed, and nothing that a board does not need', async () => {
    const caller = await newClinic()
    const { patient } = await answered(caller, 'EB*1**88~', ACTIVE)
    const [first = ''] = patient.coverages
    const { body } = await boardOf(caller, `&filters=${encodeURIComponent(`patient.id|eq|${patient.id}`)}`)
    const [item] = body.items
    expect(body.total).toBe(1)
    expect(item.primary_coverage.limits).toEqual((await limitsOf(caller, first)).body[0].limits)
    expect(item.secondary_coverage.limits).toEqual([])
    expect(Object.keys(item.patient).sort()).not.toContain('primary_address')
    expect(item.primary_coverage).not.toHaveProperty('subscriber')
    const whole = (await caller.call('GET', `/lists/v1/appointment?limit=10`)).body.items[0]
    expect(item.appointment).toEqual(whole.appointment)
    for (const part of ['patient', 'primary_coverage', 'secondary_coverage'] as const) {
      const { limits, office_visit_costs, benefits, eligibility_checks, ...lean } = item[part]
      expect(whole[part], part).toMatchObject(lean)
    }
    expect(item.primary_coverage.benefits.notes).toBe(whole.primary_coverage.benefits.notes)
  })

  it('shows the in-network costs of active coverage for an office visit, otherwise those of the plan', async () => {
    const caller = await newClinic()
    const visit =
      'EB*B*IND*98***27*25*****Y~EB*B*IND*98***27*70*****N~EB*A*IND*98*****.1****Y~EB*C*IND*98***23*500*****Y~'
    await answered(caller, `${ACTIVE}${visit}EB*B*IND*30***27*40*****Y~`, `${ACTIVE}EB*B*IND*30***27*40*****Y~`)
    const [item] = (await boardOf(caller)).body.items
    const cost = { type: 'COPAY', coverageLevel: 'INDIVIDUAL', unit: 'CURRENCY' }
    expect(item.primary_coverage.office_visit_costs).toEqual([
      { ...cost, value: 25 },
      { ...cost, type: 'COINSURANCE', unit: 'PERCENT', value: 10 },
    ])
    expect(item.secondary_coverage.office_visit_costs).toEqual([{ ...cost, value: 40 }])
  })

  it('shows the coverages that count for the visit before a cancelled one, up to the tertiary one', async () => {
    const caller = await newClinic()
    const { patient } = await answered(caller, ACTIVE, ACTIVE, ACTIVE)
    const memberIds = async () => {
      const [item] = (await boardOf(caller)).body.items
      return [item.primary_coverage, item.secondary_coverage].map((each) => each?.insurance_plan.member_id)
    }
    const [first, second, third] = await Promise.all(
      patient.coverages.map(async (id) => (await caller.call('GET', `/coverages/v1/${id}`)).body),
    )
    const cancel = (coverage: typeof first) =>
      caller.call('PUT', `/coverages/v1/${coverage.id}/${coverage.version + 1}`, { ...coverage, status: 'CANCELLED' })
    const ids = [first, second, third].map(({ insurance_plan }) => insurance_plan.member_id)
    expect(await memberIds()).toEqual([ids[0], ids[1]])
    await cancel(first)
    expect(await memberIds()).toEqual([ids[1], ids[2]])
    await cancel(second)
    expect(await memberIds()).toEqual([ids[2], ids[0]])
  })

  it('states the first error of a check that gave no answer, and shows open checks', async () => {
    const caller = await newClinic()
    await answered(caller, 'AAA*N**75*C~')
    const [item] = (await boardOf(caller)).body.items
    expect(item.primary_coverage.latest_eligibility_check).toMatchObject({
      status: 'UNKNOWN',
      errors: [{ code: '75' }],
    })
    expect(item.primary_coverage).toMatchObject({ limits: [] })
    expect(item.primary_coverage).not.toHaveProperty('office_visit_costs')
  })

  it('shows nothing of another organization', async () => {
    const [caller, stranger] = [await newClinic(), await newClinic()]
    await answered(caller, ACTIVE)
    expect((await boardOf(stranger)).body).toEqual({ items: [], total: 0 })
  })
})

it("another organization's coverages have no limits, and a hundred are asked for at most", async () => {
  const [caller, stranger] = [await newClinic(), await newClinic()]
  const { patient } = await answered(caller, 'EB*1**88~')
  expect((await limitsOf(caller, ...patient.coverages)).body).toHaveLength(1)
  expect((await limitsOf(stranger, ...patient.coverages, 'nobody')).body).toEqual([])
  expectEnvelope(await caller.call('GET', '/anteroom/v1/coverages/limits'), 400)
  expectEnvelope(await limitsOf(caller, ...Array.from({ length: 101 }, () => 'x')), 400)
})
