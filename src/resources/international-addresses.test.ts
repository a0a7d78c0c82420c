// The rule of international addresses holds wherever a record has an address (rules.md 6).
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { addressBody, appointmentBody, coverageBody, nameBody, patientBody } from '../../test/support/bodies.ts'
import { expectEnvelope } from '../../test/support/operations.ts'
import { type Caller, testService } from '../../test/support/service.ts'
import { records } from '../main/resources.ts'

const service = testService()
type Fields = Record<string, unknown>

const abroad = addressBody({ administrative_area: 'Bayern', country: 'DE', state: 'FC' })
const person = (overrides: Fields = {}) => patientBody({ name: nameBody(randomUUID()), ...overrides })
const provider = (addresses: Fields[]) => ({ name: nameBody('Hall'), telecoms: [], addresses })
const plan = { member_id: 'W123456789', payer_id: '60054', payer_name: 'Aetna' }
const subscriber = { name: nameBody('Rivera'), biological_sex: 'FEMALE' }

interface Kind {
  url: string
  bodyOf(caller: Caller, overrides: Fields): Promise<Fields>
  /** The fields that hold an address, by the path that the message names. */
  places: Record<string, (address: Fields) => Fields>
}

const kinds: Record<string, Kind> = {
  patient: {
    url: '/patients/v1',
    bodyOf: async (_, overrides) => person(overrides),
    places: {
      primary_address: (address) => ({ primary_address: address }),
      'other_addresses[1]': (address) => ({ other_addresses: [abroad, address] }),
      'contacts[0].addresses[1]': (address) => ({
        contacts: [{ relationship: [], name: nameBody('Hall'), telecoms: [], addresses: [abroad, address] }],
      }),
      'general_practitioners[1].addresses[0]': (address) => ({
        general_practitioners: [provider([]), provider([address])],
      }),
      'guarantor.address': (address) => ({ guarantor: { name: nameBody('Hall'), address } }),
      'referrals[0].provider.addresses[0]': (address) => ({
        referrals: [{ provider: provider([address]), referral_number: 'R-1' }],
      }),
      'origination_detail.referring_provider.addresses[0]': (address) => ({
        origination_detail: { referral_source: 'OTHER', referring_provider: provider([address]) },
      }),
    },
  },
  appointment: {
    url: '/appointments/v1',
    bodyOf: async (caller, overrides) => appointmentBody(await newPatient(caller), overrides),
    places: { 'attending_doctor.addresses[0]': (address) => ({ attending_doctor: provider([address]) }) },
  },
  coverage: {
    url: '/coverages/v1',
    bodyOf: async (caller, overrides) => coverageBody(await newPatient(caller), overrides),
    places: {
      'subscriber.address': (address) => ({ subscriber: { ...subscriber, address } }),
      'insurance_plan.address': (address) => ({ insurance_plan: { ...plan, address } }),
    },
  },
  organization_external_provider: {
    url: '/organization-external-providers/v1',
    bodyOf: async (_, overrides) => ({ name: nameBody('Hall'), types: [], ...overrides }),
    places: { 'addresses[1]': (address) => ({ addresses: [abroad, address] }) },
  },
}

async function newPatient({ call }: Caller): Promise<string> {
  return (await call('POST', '/patients/v1', person())).body.id
}

const places = Object.entries(kinds).flatMap(([table, { places }]) =>
  Object.keys(places).map((place) => [table, place] as const),
)

it('these are all places of all records that hold an address', () => {
  const withAddress = records.flatMap(({ name, paths }) =>
    [...paths.keys()].filter((path) => /\.administrativeArea$/.test(path)).map((path) => `${name}.${path}`),
  )
  const inCamelCase = (place: string) =>
    place.replaceAll(/\[\d\]/g, '').replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  expect(places.map(([table, place]) => `${table}.${inCamelCase(place)}.administrativeArea`).sort()).toEqual(
    withAddress.sort(),
  )
})

describe.each(places)('%s: %s', (table, place) => {
  const { url, bodyOf, places } = kinds[table] as Kind
  const at = places[place] as (address: Fields) => Fields

  it('may have an administrative area abroad', async () => {
    const caller = await service.newCaller()
    const sent = await bodyOf(caller, at(abroad))
    const { status, body, text } = await caller.call('POST', url, sent)
    expect(status, text).toBe(200)
    expect(body).toMatchObject(at(abroad))
  })

  it('may have none in the US, with a state of the US or without a country: 400 by the name of the field', async () => {
    const caller = await service.newCaller()
    for (const wrong of [{ country: 'US' }, { country: ' usa ' }, { state: 'NY' }, { country: ' ' }]) {
      const refused = await caller.call('POST', url, await bodyOf(caller, at({ ...abroad, ...wrong })))
      expectEnvelope(refused, 400)
      expect(refused.body.content.message).toContain(`${place}.administrative_area`)
      expect(refused.text).not.toContain('Bayern')
    }
  })

  it('may keep what was stored before the rule, and not get it again', async () => {
    const caller = await service.newCaller()
    const body = await bodyOf(caller, at(abroad))
    const { body: stored } = await caller.call('POST', url, body)
    const wrong = at({ ...abroad, state: 'NY' })
    await service.database.rows(`update ${table} set body = body || $2::jsonb where id = $1`, [
      stored.id,
      JSON.stringify(wrong),
    ])
    const put = (version: number, sent: Fields) =>
      caller.call('PUT', `${url}/${stored.id}/${version}`, { ...body, ...sent })
    expectEnvelope(await put(2, at({ ...abroad, state: 'NJ' })), 400)
    const { status, text } = await put(2, wrong)
    expect(status, text).toBe(200)
  })
})
