import { describe, expect, it } from 'vitest'
import { addressBody, nameBody } from '../../../test/support/bodies.ts'
import { firstVersionOf } from '../../../test/support/first-version.ts'
import { type Reply, testService } from '../../../test/support/service.ts'

const service = testService()
const url = '/organization-external-providers/v1'

interface Provider {
  id: string
  name: { family: string; given: string[] }
  version: number
  updated_at: string
}

const providerBody = (overrides: object = {}) => ({
  name: nameBody('Osei', 'Kwame'),
  types: ['REFERRING'],
  ...overrides,
})

async function withProviders(...bodies: object[]) {
  const caller = await service.newCaller()
  const providers: Provider[] = []
  for (const overrides of bodies) {
    const { status, body } = await caller.call('POST', url, providerBody(overrides))
    expect(status).toBe(200)
    providers.push(body)
  }
  const list = async (query = '') => (await caller.call('GET', `${url}?${query}`)).body
  const familiesOf = async (query = '') => (await list(query)).items.map(({ name }: Provider) => name.family).join(' ')
  return { ...caller, providers, list, familiesOf }
}

const expectNpiInUse = ({ status, body }: Reply) =>
  expect([status, body]).toEqual([
    400,
    { errorName: 'BadRequestError', content: { message: 'npi is in use by another provider' } },
  ])

describe(`POST ${url}`, () => {
  it('returns 200 with the stored provider at version 1', async () => {
    const { call, organizationId } = await service.newCaller()
    const sent = providerBody({
      types: ['REFERRING', 'TREATING'],
      npi: '1234567893',
      license_type: 'OTR/L',
      other_phone_numbers: ['555-0100'],
      addresses: [addressBody()],
    })
    const { status, body } = await call('POST', url, { ...sent, tax_id: null })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...firstVersionOf({ organizationId }),
      ...sent,
    })
  })

  it.each(['OTR/L', 'SLP-CF', 'NP-C', 'PA-C', 'AuD', 'MD'])('accepts the license type %s', async (license_type) => {
    const { call } = await service.newCaller()
    expect((await call('POST', url, providerBody({ license_type }))).body.license_type).toBe(license_type)
  })

  it('returns 400 for an NPI that another provider has, also a deactivated one', async () => {
    const { call, providers } = await withProviders({ npi: '1234567893' })
    expectNpiInUse(await call('POST', url, providerBody({ npi: '1234567893' })))
    await call('DELETE', `${url}/${providers[0]?.id}/2`)
    expectNpiInUse(await call('POST', url, providerBody({ npi: '1234567893' })))
  })

  it('allows several providers without an NPI, or with an empty one', async () => {
    const { list } = await withProviders({}, {}, { npi: '' }, { npi: '' })
    expect((await list()).total).toBe(4)
  })

  it('allows two organizations to have the same NPI', async () => {
    const [one, other] = [await withProviders({ npi: '1234567893' }), await withProviders({ npi: '1234567893' })]
    expect([(await one.list()).total, (await other.list()).total]).toEqual([1, 1])
  })

  it('gives an NPI to one of 10 concurrent creates, and returns 400 to the others', async () => {
    const { call } = await service.newCaller()
    const creates = Array.from({ length: 10 }, () => call('POST', url, providerBody({ npi: '1234567893' })))
    const statuses = (await Promise.all(creates)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, ...Array(9).fill(400)])
  })
})

describe(`PUT ${url}/:id/:version`, () => {
  it('takes the next version', async () => {
    const { call, providers } = await withProviders({ npi: '1234567893' })
    const path = `${url}/${providers[0]?.id}`
    expect((await call('PUT', `${path}/1`, providerBody())).status).toBe(409)
    const { status, body } = await call('PUT', `${path}/2`, providerBody({ npi: '1234567893', tax_id: '12-3456789' }))
    expect([status, body.version, body.tax_id]).toEqual([200, 2, '12-3456789'])
  })

  it('checks 404 before 409, and 409 before 400', async () => {
    const { call, providers } = await withProviders({ npi: '1234567893' }, {})
    const taken = providerBody({ npi: '1234567893' })
    expect((await call('PUT', `${url}/00000000-0000-4000-8000-000000000000/9`, taken)).status).toBe(404)
    expect((await call('PUT', `${url}/${providers[1]?.id}/9`, taken)).status).toBe(409)
    expectNpiInUse(await call('PUT', `${url}/${providers[1]?.id}/2`, taken))
  })

  it('keeps a deactivated provider deactivated', async () => {
    const { call, providers } = await withProviders({})
    await call('DELETE', `${url}/${providers[0]?.id}/2`)
    const { body } = await call('PUT', `${url}/${providers[0]?.id}/3`, providerBody())
    expect(body).toMatchObject({ deactivated: true, version: 3 })
  })
})

describe(`DELETE ${url}/:id/:version`, () => {
  it('takes the next version, removes the provider from the list and keeps it readable by id', async () => {
    const { call, providers, list } = await withProviders({})
    expect((await call('DELETE', `${url}/${providers[0]?.id}/1`)).status).toBe(409)
    const { status, text } = await call('DELETE', `${url}/${providers[0]?.id}/2`)
    expect([status, text]).toEqual([200, ''])
    expect(await list()).toEqual({ items: [], total: 0 })
    expect((await call('GET', `${url}/${providers[0]?.id}`)).body).toMatchObject({ deactivated: true, version: 2 })
  })
})

describe(`GET ${url}`, () => {
  const staff = [
    { name: nameBody('Brandt', 'Élodie'), npi: '3', types: ['TREATING'], tax_id: 'x' },
    { name: { ...nameBody('Anders'), given: ['Jon', 'Marek'] }, npi: '1', types: ['REFERRING', 'PRIMARY'] },
    { name: { ...nameBody('Castle', 'Elod'), suffix: 'Jr' }, npi: '2', types: ['PRIMARY'], tax_id: 'a' },
  ]

  it('lists providers by family name by default', async () => {
    const { familiesOf } = await withProviders(...staff)
    expect(await familiesOf()).toBe('Anders Brandt Castle')
    expect(await familiesOf('sort_direction=desc')).toBe('Castle Brandt Anders')
  })

  it('filters by NPI exactly, by one of the types, and by parts of names in any case', async () => {
    const { familiesOf } = await withProviders(...staff)
    expect(await familiesOf('npi=1')).toBe('Anders')
    expect(await familiesOf('npi=')).toBe('')
    expect(await familiesOf('type=PRIMARY')).toBe('Anders Castle')
    expect(await familiesOf('type=TREATING')).toBe('Brandt')
    expect(await familiesOf('first_name=ELOD')).toBe('Castle')
    expect(await familiesOf(`first_name=${encodeURIComponent('éLOD')}`)).toBe('Brandt')
    expect(await familiesOf('first_name=mar')).toBe('Anders')
    expect(await familiesOf('last_name=AN')).toBe('Anders Brandt')
    expect(await familiesOf('last_name=%25')).toBe('')
    expect(await familiesOf('last_name=an&type=TREATING')).toBe('Brandt')
  })

  it('sorts by any single-valued key, with missing values last', async () => {
    const { familiesOf } = await withProviders(...staff)
    expect(await familiesOf('sort_field=npi')).toBe('Anders Castle Brandt')
    expect(await familiesOf('sort_field=npi&sort_direction=desc')).toBe('Brandt Castle Anders')
    expect(await familiesOf('sort_field=taxId')).toBe('Castle Brandt Anders')
    expect(await familiesOf('sort_field=name.suffix')).toMatch(/^Castle /)
    expect(await familiesOf('sort_field=createdAt')).toBe('Brandt Anders Castle')
  })

  it('sorts by creation and by change separately', async () => {
    const { call, providers, familiesOf } = await withProviders(...staff)
    await call('PUT', `${url}/${providers[0]?.id}/2`, providerBody(staff[0]))
    expect(await familiesOf('sort_field=createdAt')).toBe('Brandt Anders Castle')
    expect(await familiesOf('sort_field=updatedAt')).toBe('Anders Castle Brandt')
    expect(await familiesOf('sort_field=version&sort_direction=desc')).toMatch(/^Brandt /)
  })

  it.each([
    'name.use',
    'name.period.start',
    'name.period.end',
    'taxonomyCode',
    'phoneNumber',
    'faxNumber',
    'licenseType',
    'id',
    'organizationId',
    'deactivated',
    'updatingUserId',
    'similar_name:cast',
  ])('pages by %s in both directions without losing or repeating a provider', async (field) => {
    const { list, providers } = await withProviders(...staff, { name: nameBody('Castle'), phone_number: '555-0100' })
    const query = `limit=1&sort_field=${field}`
    const pages = [await list(query)]
    while (pages.at(-1).next_page_token) pages.push(await list(`${query}&page_token=${pages.at(-1).next_page_token}`))
    const ids = pages.map((page) => page.items[0].id)
    expect([...ids].sort()).toEqual(providers.map(({ id }) => id).sort())
    expect(new Set(pages.map(({ total }) => total))).toEqual(new Set([4]))
    const back = await list(`${query}&page_token=${pages.at(-1).prev_page_token}`)
    expect(back.items[0].id).toBe(ids.at(-2))
  })

  it('puts the most similar names first in either direction, and includes every provider', async () => {
    const { familiesOf } = await withProviders(...staff)
    expect(await familiesOf('sort_field=similar_name:castel')).toMatch(/^Castle \w+ \w+$/)
    expect(await familiesOf('sort_field=similar_name:jon anders&sort_direction=asc')).toMatch(/^Anders /)
    expect(await familiesOf('sort_field=similar_name:jon anders&sort_direction=desc')).toMatch(/^Anders /)
    expect(await familiesOf('sort_field=similar_name:brant&type=PRIMARY')).toMatch(/^(Anders Castle|Castle Anders)$/)
    expect((await familiesOf('sort_field=similar_name:')).split(' ')).toHaveLength(3)
  })

  it.each(['birthday', 'toString', 'name', 'tax_id', ''])('returns 400 for sort_field=%s', async (field) => {
    const { call } = await service.newCaller()
    const { status, body } = await call('GET', `${url}?sort_field=${field}`)
    expect([status, body.errorName]).toEqual([400, 'BadRequestError'])
    expect(body.content.message).toMatch(/^sort_field must be a path that leads to one value; /)
  })

  it('returns 400 for a page token of another sort or filter, also with the same value', async () => {
    const { call, list } = await withProviders(...staff)
    const { next_page_token: token } = await list('limit=1&sort_field=npi')
    for (const query of ['sort_field=taxId', 'sort_field=npi&last_name=a', 'sort_field=npi&sort_direction=desc']) {
      expect((await call('GET', `${url}?limit=1&${query}&page_token=${token}`)).status, query).toBe(400)
    }
    const byLastName = await list('limit=1&last_name=a')
    const elsewhere = `limit=1&first_name=a&page_token=${byLastName.next_page_token}`
    expect((await call('GET', `${url}?${elsewhere}`)).status).toBe(400)
  })

  it('accepts a page token beside a default that the request before left out', async () => {
    const { call, list } = await withProviders(...staff)
    const { next_page_token: token } = await list('limit=1')
    for (const stated of ['sort_field=name.family', 'sort_direction=asc']) {
      expect((await call('GET', `${url}?limit=1&${stated}&page_token=${token}`)).status, stated).toBe(200)
    }
  })
})

describe(`GET ${url}/updates/scan`, () => {
  it('includes deactivated providers, up to maxResults', async () => {
    const { call, providers } = await withProviders({}, {})
    await call('DELETE', `${url}/${providers[0]?.id}/2`)
    const scan = async (query = '') =>
      (await call('GET', `${url}/updates/scan?since=2020-01-01T00:00:00Z${query}`)).body
    expect(await scan()).toMatchObject([{ id: providers[1]?.id }, { id: providers[0]?.id, deactivated: true }])
    expect(await scan('&maxResults=1')).toMatchObject([{ id: providers[1]?.id }])
    expect(await scan('&maxResults=5000')).toHaveLength(2)
  })
})
