// Filters as the published clients and their documentation write them. Source: rules.md 2.1.
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { appointmentBody, coverageBody, nameBody, patientBody } from '../../../test/support/bodies.ts'
import { type Caller, testService } from '../../../test/support/service.ts'

const service = testService()
type Fields = Record<string, unknown>

const create = async ({ call }: Caller, url: string, body: Fields) => {
  const reply = await call('POST', url, body)
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}
const newPatient = (caller: Caller, family: string = randomUUID()) =>
  create(caller, '/patients/v1', patientBody({ name: nameBody(family) }))

async function list({ call }: Caller, url: string, parameters: Record<string, string>) {
  const reply = await call('GET', `${url}?${new URLSearchParams(parameters)}`)
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

const visitsOf = 'appointment.startTimestamp|gt|2020-01-01'

it.each([
  ['/lists/v1/patient', 'patient.id'],
  ['/lists/v1/patient', 'patient.organizationId'],
  ['/lists/v1/patient', 'primaryCoverage.insurancePlan.payerPlanGroupId'],
  ['/lists/v1/patient', 'patient.filingOrder.coverages'],
  ['/lists/v1/appointment', 'patient.id'],
  ['/lists/v1/appointment', 'appointment.id'],
  ['/lists/v1/appointment', 'appointment.patientId'],
  ['/lists/v1/appointment', 'appointment.updatingUserId'],
  ['/appointments/v1/visits', 'patient.id'],
  ['/appointments/v1/visits', 'patientId'],
  ['/metadata-schemas/v1', 'id'],
])('GET %s returns an empty page for %s with texts that are not ids', async (url, path) => {
  const caller = await service.newCaller()
  const { id } = await newPatient(caller)
  await create(caller, '/appointments/v1', appointmentBody(id))
  const prefix = url.endsWith('visits') ? `${visitsOf},` : ''
  for (const filter of [`${path}|in|foo;bar;baz`, `${path}|eq|foo`, `${path}|eq|`, `${path}|in|;`]) {
    expect(await list(caller, url, { filters: prefix + filter }), filter).toMatchObject({ items: [], total: 0 })
  }
})

it('finds the valid ids among invalid ones, 400 in one filter', async () => {
  const caller = await service.newCaller()
  const patient = await newPatient(caller)
  const ids = [...Array.from({ length: 400 }, () => randomUUID()), 'foo', patient.id.toUpperCase()]
  const { items } = await list(caller, '/lists/v1/patient', { filters: `patient.id|in|${ids.join(';')}` })
  expect(items.map((item: { patient: Fields }) => item.patient.id)).toEqual([patient.id])
})

it.each(['/lists/v1/appointment', '/appointments/v1/visits'])(
  'GET %s filters and sorts by fields of the first two coverages',
  async (url) => {
    const caller = await service.newCaller()
    for (const payer of ['Cigna', 'Aetna']) {
      const { id } = await newPatient(caller)
      const plans = [payer, 'Medicare'].map((payer_name) => ({
        member_id: `W-${payer}`,
        payer_id: '60054',
        payer_name,
      }))
      const coverages = []
      for (const insurance_plan of plans) {
        coverages.push((await create(caller, '/coverages/v1', coverageBody(id, { insurance_plan }))).id)
      }
      const { body } = await caller.call('GET', `/patients/v1/${id}`)
      await caller.call('PUT', `/patients/v1/${id}/2`, { ...body, filing_order: { coverages } })
      await create(caller, '/appointments/v1', appointmentBody(id))
    }
    const total = async (filter: string) => (await list(caller, url, { filters: `${visitsOf},${filter}` })).total
    expect(await total('primaryCoverage.insurancePlan.payerName|eq|Aetna')).toBe(1)
    expect(await total('primaryCoverage.insurancePlan.memberId|contains|w-')).toBe(2)
    expect(await total('secondaryCoverage.insurancePlan.payerName|eq|Medicare')).toBe(2)
    expect(await total('secondaryCoverage.status|eq|DRAFT')).toBe(0)
    const sorted = await list(caller, url, {
      filters: visitsOf,
      sort_field: 'primaryCoverage.insurancePlan.payerName',
      limit: '1',
    })
    expect(JSON.stringify(sorted.items[0])).toContain('Aetna')
  },
)

it('accepts commas and semicolons in values after a backslash', async () => {
  const caller = await service.newCaller()
  for (const family of ['Smith, Jr', 'a;b', 'c\\d', 'Smith']) await newPatient(caller, family)
  const families = async (filters: string) =>
    (await list(caller, '/lists/v1/patient', { filters, sort_field: 'patient.name.family' })).items.map(
      ({ patient }: { patient: { name: { family: string } } }) => patient.name.family,
    )
  expect(await families('patient.name.family|eq|Smith\\, Jr')).toEqual(['Smith, Jr'])
  expect(await families('patient.name.family|contains|h\\,,patient.deactivated|eq|false')).toEqual(['Smith, Jr'])
  expect(await families('patient.name.family|in|a\\;b;Smith')).toEqual(['a;b', 'Smith'])
  expect(await families('patient.name.family|eq|c\\d')).toEqual(['c\\d'])
  expect(await families('patient.name.family|eq|c\\\\d')).toEqual(['c\\d'])
})

it('accepts blanks around tokens, and booleans as Python writes them', async () => {
  const caller = await service.newCaller()
  const patient = await newPatient(caller, 'Rivera')
  await caller.call('DELETE', `/patients/v1/${(await newPatient(caller)).id}/2`)
  const total = async (parameters: Record<string, string>) =>
    (await list(caller, '/lists/v1/patient', parameters)).total
  expect(await total({ filters: `patient.id | eq | ${patient.id} , patient.name.family | in | Rivera ; Other ` })).toBe(
    1,
  )
  expect(await total({ filters: 'patient.deactivated|eq| False' })).toBe(1)
  for (const word of ['True', 'TRUE', ' true ']) expect(await total({ include_deactivated: word })).toBe(2)
  for (const word of ['False', 'FALSE', 'false']) expect(await total({ include_deactivated: word })).toBe(1)
  const skipped = await caller.call(
    'POST',
    '/patients/v1?skip_duplicate_check=True',
    patientBody({ name: nameBody('Rivera') }),
  )
  expect(skipped.status).toBe(200)
  expect((await caller.call('GET', '/lists/v1/patient?include_deactivated=yes')).status).toBe(400)
  expect((await caller.call('POST', '/patients/v1', patientBody({ self_pay: 'True' }))).status).toBe(400)
})
