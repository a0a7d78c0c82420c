import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { nameBody, patientBody } from '../../../test/support/bodies.ts'
import { mostRead } from '../../../test/support/most-read.ts'
import { expectEnvelope } from '../../../test/support/operations.ts'
import { type Caller, testService } from '../../../test/support/service.ts'

const service = testService()
type Fields = Record<string, unknown>

const provider = (given: string, family: string, overrides: Fields = {}) => ({
  name: nameBody(family, given),
  telecoms: [],
  ...overrides,
})

const referring = (given: string, family: string, overrides: Fields = {}) =>
  provider(given, family, { type: 'REFERRING', ...overrides })

async function patientWith(caller: Caller, overrides: Fields) {
  const sent = patientBody({ name: nameBody(randomUUID()), ...overrides })
  const reply = await caller.call('POST', '/patients/v1', sent)
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

const ask = ({ call }: Caller, criteria: string) =>
  call('GET', `/patients/v1/search_providers?search_criteria=${encodeURIComponent(criteria)}`)

const families = async (caller: Caller, criteria: string) =>
  (await ask(caller, criteria)).body.map(({ name }: { name: Fields }) => name.family)

it('finds a referring provider by part of a name or NPI, ignoring case', async () => {
  const caller = await service.newCaller()
  const hopper = referring('Grace', 'Hopper', { npi: '1234567893', fax: '555-0100' })
  await patientWith(caller, { general_practitioners: [hopper, referring('Alan', 'Quist', { npi: '1999999984' })] })
  for (const criteria of ['hopper', 'HOPP', 'grace hopper', ' Grace ', '1234567893', '34567']) {
    expect((await ask(caller, criteria)).body, criteria).toEqual([hopper])
  }
  expect((await ask(caller, 'zebra')).body).toEqual([])
})

it.each(['hoper', 'hoppre', 'Hoppr', 'Hopper Grace', 'grece hopper'])(
  'finds "Grace Hopper" as %s',
  async (criteria) => {
    const caller = await service.newCaller()
    const practitioners = [referring('Grace', 'Hopper'), referring('Bo', 'Quist')]
    await patientWith(caller, { general_practitioners: practitioners })
    expect(await families(caller, criteria)).toEqual(['Hopper'])
  },
)

it('searches only referring practitioners and the providers of referrals and of the origination', async () => {
  const caller = await service.newCaller()
  await patientWith(caller, {
    general_practitioners: [
      provider('Ada', 'Stonea'),
      provider('Ada', 'Stoneb', { type: 'PRIMARY' }),
      provider('Ada', 'Stonec', { type: 'ATTENDING' }),
      referring('Ada', 'Stoned'),
    ],
    referrals: [{ provider: provider('Ada', 'Stonee'), referral_number: '1' }],
    origination_detail: { referral_source: 'REFERRING_MD', referring_provider: provider('Ada', 'Stonef') },
  })
  expect((await families(caller, 'stone')).sort()).toEqual(['Stoned', 'Stonee', 'Stonef'])
})

it('shows a provider of many patients once, as on the most recently changed patient', async () => {
  const caller = await service.newCaller()
  const npi = '1234567893'
  await patientWith(caller, { general_practitioners: [referring('Grace', 'Hopper', { npi, fax: 'old' })] })
  await patientWith(caller, { general_practitioners: [referring('Grace', 'Hopper', { npi, fax: 'new' })] })
  await patientWith(caller, { general_practitioners: [referring('Grace', 'Hopper')] })
  await patientWith(caller, { general_practitioners: [referring('GRACE', 'hopper')] })
  const { body } = await ask(caller, 'hopper')
  expect(body).toHaveLength(2)
  expect(body.filter((each: Fields) => each.npi === npi)).toMatchObject([{ fax: 'new' }])
})

it('shows the 20 most similar, the best first', async () => {
  const caller = await service.newCaller()
  const practitioners = Array.from({ length: 25 }, (_, index) => referring(`N${index}`, 'Smithers'))
  await patientWith(caller, { general_practitioners: [...practitioners, referring('Jo', 'Smith')] })
  const found = await families(caller, 'smith')
  expect(found).toHaveLength(20)
  expect(found[0]).toBe('Smith')
})

it('excludes providers of deactivated patients and of other organizations', async () => {
  const [caller, stranger] = [await service.newCaller(), await service.newCaller()]
  const { id } = await patientWith(caller, { general_practitioners: [referring('Grace', 'Hopper')] })
  expect(await families(stranger, 'hopper')).toEqual([])
  await caller.call('DELETE', `/patients/v1/${id}/2`)
  expect(await families(caller, 'hopper')).toEqual([])
})

it.each(['', '  ', "O'Brien", 'a-b', '%', '_', 'a,b', 'x'.repeat(101)])('answers 400 to "%s"', async (criteria) => {
  const reply = await ask(await service.newCaller(), criteria)
  expectEnvelope(reply, 400)
  expect(reply.body.content.message).toContain('search_criteria')
})

it('requires search_criteria, and accepts letters of any script', async () => {
  const caller = await service.newCaller()
  expectEnvelope(await caller.call('GET', '/patients/v1/search_providers'), 400)
  await patientWith(caller, { general_practitioners: [referring('José', 'Müller')] })
  expect(await families(caller, 'müller')).toEqual(['Müller'])
})

it.each(['Bronwlee', 'bronlee', 'Borwnlee', 'Brwonlee', 'brownlee jhon'])(
  'finds "John Brownlee" as %s',
  async (criteria) => {
    const caller = await service.newCaller()
    await patientWith(caller, { general_practitioners: [referring('John', 'Brownlee'), referring('Ada', 'Quist')] })
    expect(await families(caller, criteria)).toEqual(['Brownlee'])
  },
)

it('finds a provider of any type by the complete NPI, but not by a part of it', async () => {
  const caller = await service.newCaller()
  await patientWith(caller, {
    general_practitioners: [
      provider('Ada', 'Stonea', { npi: '1000000004' }),
      provider('Ada', 'Stoneb', { type: 'PRIMARY', npi: '1000000012' }),
      provider('Ada', 'Stonec', { type: 'ATTENDING', npi: '1000000020' }),
    ],
    referrals: [{ provider: provider('Ada', 'Stoned', { npi: '1000000038' }), referral_number: '1' }],
  })
  const npis = ['1000000004', '1000000012', '1000000020', '1000000038']
  expect(await Promise.all(npis.map((npi) => families(caller, npi)))).toEqual([
    ['Stonea'],
    ['Stoneb'],
    ['Stonec'],
    ['Stoned'],
  ])
  expect(await families(caller, '100000001')).not.toContain('Stoneb')
  expect(await families(await service.newCaller(), '1000000012')).toEqual([])
})

it('finds names in other scripts, ignoring case and with a typing mistake', async () => {
  const caller = await service.newCaller()
  await patientWith(caller, {
    general_practitioners: [referring('Анна', 'Петрова'), referring('明', '王'), referring('Bo', 'Quist')],
  })
  for (const criteria of ['ПЕТРОВА', 'петорва', 'Анна Петрова'])
    expect(await families(caller, criteria), criteria).toEqual(['Петрова'])
  expect(await families(caller, '王')).toEqual(['王'])
})

it('reads about a megabyte of providers at most, however large they are, the most similar first', async () => {
  const caller = await service.newCaller()
  const filler = 'x '.repeat(100_000)
  const large = (n: number) => referring('Grace', `Hopper${'r'.repeat(n)}`, { emails: [filler] })
  for (let n = 0; n < 15; n++) await patientWith(caller, { general_practitioners: [large(n)] })
  const { result, bytes } = await mostRead(service.deps.database, () => ask(caller, 'Grace Hopper'))
  expect(result.body[0].name.family).toBe('Hopper')
  expect(bytes).toBeLessThan(1024 * 1024)
})

it('finds a provider by a part at the end of very long names', async () => {
  const caller = await service.newCaller()
  const found = referring('Grace '.repeat(500), 'Hopperson')
  await patientWith(caller, { general_practitioners: [found] })
  expect((await ask(caller, 'pperso')).body).toEqual([found])
})
