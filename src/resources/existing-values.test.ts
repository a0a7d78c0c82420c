// Implausible values are refused, except where a record has them from before the rule.
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { appointmentBody, coverageBody, nameBody, patientBody } from '../../test/support/bodies.ts'
import { expectEnvelope } from '../../test/support/operations.ts'
import { type Caller, testService } from '../../test/support/service.ts'

const NOW = '2026-03-09T04:30:00.000Z'
const service = testService(() => ({ now: () => new Date(NOW) }))
type Fields = Record<string, unknown>

const person = (overrides: Fields = {}) => patientBody({ name: nameBody(randomUUID()), ...overrides })
const guarantor = (overrides: Fields) => ({ name: nameBody('Rivera'), address: person().primary_address, ...overrides })

/** A record type: its path, a valid body, and how an invalid value gets into a record. */
const kinds: [string, string, (caller: Caller) => Promise<Fields>, Fields, string][] = [
  ['patient', '/patients/v1', async () => person(), { name: nameBody(' ') }, 'name.family must not be blank'],
  ['patient', '/patients/v1', async () => person(), { name: nameBody('') }, 'name.family must not be blank'],
  [
    'patient',
    '/patients/v1',
    async () => person(),
    { name: nameBody('\u200d\u3164') },
    'name.family must not be blank',
  ],
  [
    'patient',
    '/patients/v1',
    async () => person(),
    { other_names: [nameBody('\u00a0')] },
    'other_names[0].family must not be blank',
  ],
  [
    'patient',
    '/patients/v1',
    async () => person(),
    { guarantor: guarantor({ name: nameBody('') }) },
    'guarantor.name.family must not be blank',
  ],
  [
    'patient',
    '/patients/v1',
    async () => person(),
    { birth_date: '2026-03-10' },
    'birth_date must not be in the future',
  ],
  [
    'patient',
    '/patients/v1',
    async () => person(),
    { guarantor: guarantor({ birth_date: '2099-01-01' }) },
    'guarantor.birth_date must not be in the future',
  ],
  [
    'coverage',
    '/coverages/v1',
    withPatient(coverageBody),
    { subscriber: { name: nameBody(''), biological_sex: 'MALE' } },
    'subscriber.name.family must not be blank',
  ],
  [
    'coverage',
    '/coverages/v1',
    withPatient(coverageBody),
    { subscriber: { name: nameBody('A'), biological_sex: 'MALE', date_of_birth: '2026-03-10' } },
    'subscriber.date_of_birth must not be in the future',
  ],
  [
    'organization_external_provider',
    '/organization-external-providers/v1',
    async () => ({ name: nameBody('A'), types: [] }),
    { name: nameBody('') },
    'name.family must not be blank',
  ],
  [
    'appointment',
    '/appointments/v1',
    withPatient(appointmentBody),
    { service_duration: -1 },
    'service_duration must not be negative',
  ],
  [
    'appointment',
    '/appointments/v1',
    withPatient(appointmentBody),
    checkedOut('yesterday'),
    'checked_out_timestamp must be a date-time with an offset (2026-01-15T09:30:00.000Z)',
  ],
  [
    'appointment',
    '/appointments/v1',
    withPatient(appointmentBody),
    checkedOut('2026-03-09'),
    'checked_out_timestamp must be a date-time with an offset (2026-01-15T09:30:00.000Z)',
  ],
]

function withPatient(bodyOf: (patientId: string) => Fields) {
  return async ({ call }: Caller) => bodyOf((await call('POST', '/patients/v1', person())).body.id)
}

function checkedOut(checked_out_timestamp: string): Fields {
  return { status: 'CHECKED_OUT', checked_in_timestamp: '2026-03-09T01:00:00.000Z', checked_out_timestamp }
}

it.each(kinds)(
  '%s %s refuses an implausible value, and keeps one from before the rule (%#)',
  async (table, url, bodyOf, wrong, message) => {
    const caller = await service.newCaller()
    const body = await bodyOf(caller)
    const refused = await caller.call('POST', url, { ...body, ...wrong })
    expectEnvelope(refused, 400)
    expect(refused.body.content.message).toBe(message)
    const { body: stored } = await caller.call('POST', url, body)
    const put = (version: number, sent: Fields) =>
      caller.call('PUT', `${url}/${stored.id}/${version}`, { ...body, ...sent })
    expectEnvelope(await put(2, wrong), 400)
    // A record that was written before the rule can be read, and updated with the value that it has.
    await service.database.rows(`update ${table} set body = body || $2::jsonb where id = $1`, [
      stored.id,
      JSON.stringify(wrong),
    ])
    const { status, body: again, text } = await put(2, wrong)
    expect(status, text).toBe(200)
    expect(again).toMatchObject(wrong)
    expect((await put(3, {})).status).toBe(200)
    expectEnvelope(await put(4, wrong), 400)
  },
)

const field = (key: string) => ({ fields: [{ key, type: 'STRING' }] })

it.each<[string, string, Fields, Fields, string]>([
  ['tag', '/tags/v1', { value: 'VIP' }, { value: ' \u200d\u00a0' }, 'value'],
  ['metadata_schema', '/metadata-schemas/v1', { name: 'Intake', ...field('color') }, { name: '\u3164' }, 'name'],
  ['metadata_schema', '/metadata-schemas/v1', { name: 'Intake', fields: [] }, field(''), 'fields[0].key'],
  ['metadata_schema', '/metadata-schemas/v1', { name: 'Intake', fields: [] }, field('__proto__'), 'fields[0].key'],
])(
  '%s at %s refuses a name that cannot be used, and keeps one from before the rule (%#)',
  async (table, url, body, wrong, named) => {
    const { call } = await service.newCaller()
    const refused = await call('POST', url, { ...body, ...wrong })
    expectEnvelope(refused, 400)
    expect(refused.body.content.message).toMatch(/ must not be (blank|__proto__)$/)
    expect(refused.body.content.message).toContain(named)
    const { body: stored } = await call('POST', url, body)
    const blank = { ...body, ...wrong, description: 'changed' }
    expectEnvelope(await call('PUT', `${url}/${stored.id}/1`, blank), 400)
    await service.database.rows(`update ${table} set body = body || $2::jsonb where id = $1`, [
      stored.id,
      JSON.stringify(wrong),
    ])
    expect((await call('PUT', `${url}/${stored.id}/1`, blank)).status).toBe(200)
  },
)

it('blanks are refused as an MRN and as the name of a client, a user or a passkey', async () => {
  const { call } = await service.newCaller()
  for (const [url, body] of [
    ['/patients/v1/with_mrn', { ...person(), mrn: ' \u200d' }],
    ['/anteroom/v1/api-clients', { name: ' ', scopes: ['notes:read'] }],
    ['/anteroom/v1/users', { username: 'kim', name: '\t\u3000', role: 'front_desk' }],
  ] as const) {
    const refused = await call('POST', url, body)
    expectEnvelope(refused, 400)
    expect(refused.body.content.message).toBe(`${'mrn' in body ? 'mrn' : 'name'} must not be blank`)
  }
})

it("the birth date is compared with today in the organization's time zone", async () => {
  const statusIn = async (timeZone: string, birth_date: string) =>
    (await (await service.newCaller({ timeZone })).call('POST', '/patients/v1', person({ birth_date }))).status
  expect(await statusIn('UTC', '2026-03-09')).toBe(200)
  expect(await statusIn('America/New_York', '2026-03-09')).toBe(200)
  expect(await statusIn('America/Los_Angeles', '2026-03-09')).toBe(400)
  expect(await statusIn('Pacific/Kiritimati', '2026-03-09')).toBe(200)
  expect(await statusIn('Pacific/Kiritimati', '2026-03-10')).toBe(400)
})

it('the check-out time is stored in the same form as every instant', async () => {
  const caller = await service.newCaller()
  const body = { ...(await withPatient(appointmentBody)(caller)), ...checkedOut('2026-03-09T02:00:00+01:00') }
  expect((await caller.call('POST', '/appointments/v1', body)).body.checked_out_timestamp).toBe(
    '2026-03-09T01:00:00.000Z',
  )
})

it('an MRN has up to 20 characters of any script', async () => {
  const { call } = await service.newCaller()
  const create = async (mrn: string) => (await call('POST', '/patients/v1/with_mrn', { ...person(), mrn })).status
  expect(await create('𝛑'.repeat(20))).toBe(200)
  expect(await create('é'.normalize('NFD').repeat(20))).toBe(200)
  expect(await create('𝛑'.repeat(21))).toBe(400)
})
