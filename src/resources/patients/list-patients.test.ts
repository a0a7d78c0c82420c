import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { nameBody, patientBody } from '../../../test/support/bodies.ts'
import { expectEnvelope } from '../../../test/support/operations.ts'
import { type Caller, testService } from '../../../test/support/service.ts'

const service = testService()
type Fields = Record<string, unknown>

async function create(caller: Caller, overrides: Fields = {}) {
  const sent = patientBody({ name: nameBody(randomUUID()), ...overrides })
  const reply = await caller.call('POST', '/patients/v1?skip_duplicate_check=true', sent)
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

const named = (caller: Caller, given: string, family: string) => create(caller, { name: nameBody(family, given) })

async function merge(caller: Caller, alternative: Fields, primary: Fields) {
  const sent = { alternative_patient_mrn: alternative.mrn, primary_patient_mrn: primary.mrn }
  const reply = await caller.call('POST', '/patient-merge/v1', sent)
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

const givenNames = (patients: { name: { given: string[] } }[]) => patients.map(({ name }) => name.given[0])

describe('GET /patients/v1', () => {
  const list = async ({ call }: Caller, query = '') => (await call('GET', `/patients/v1${query}`)).body

  it('lists every active patient, or the one with the MRN', async () => {
    const caller = await service.newCaller()
    const [one, two, gone] = [await create(caller), await create(caller), await create(caller)]
    await caller.call('DELETE', `/patients/v1/${gone.id}/2`)
    expect(await list(caller)).toEqual([one, two])
    expect(await list(caller, `?mrn=${two.mrn}`)).toEqual([two])
    for (const nobody of [gone.mrn, 'nobody', '']) expect(await list(caller, `?mrn=${nobody}`)).toEqual([])
    expect(await list(await service.newCaller(), `?mrn=${two.mrn}`)).toEqual([])
  })

  it('orders by the similarity of the name on request, and includes every patient', async () => {
    const caller = await service.newCaller()
    for (const [given, family] of [
      ['Bo', 'Quist'],
      ['Marlow', 'Iris'],
      ['Iris', 'Marlow'],
      ['Iris', 'Marlowe'],
    ] as const) {
      await named(caller, given, family)
    }
    const found = await list(caller, '?similar_name_ordering=iris%20marlowe')
    expect(found.map(({ name }: { name: Fields }) => name.family)).toEqual(['Marlowe', 'Iris', 'Marlow', 'Quist'])
    expect(await list(caller, '?similar_name_ordering=')).toHaveLength(4)
  })

  it('returns the complete list when there are thousands', async () => {
    const caller = await service.newCaller()
    const { id } = await create(caller)
    await service.database.rows(
      `insert into patient (organization_id, id, version, deactivated, updated_at, updating_user_id, created_at, body)
      select organization_id, gen_random_uuid(), version, deactivated, updated_at, updating_user_id, created_at,
        body || jsonb_build_object('mrn', 'copy ' || n) from patient, generate_series(1, 2500) n where id = $1`,
      [id],
    )
    for (const query of ['', '?similar_name_ordering=Ana']) {
      const patients = await list(caller, query)
      expect(new Set(patients.map((each: Fields) => each.id)).size).toBe(2501)
      expect(patients).toHaveLength(2501)
    }
  })
})

describe('GET /patients/v1/get_multi', () => {
  const ask = ({ call }: Caller, query = '') => call('GET', `/patients/v1/get_multi${query}`)
  const page = async (caller: Caller, query = '') => (await ask(caller, query)).body

  it('lists active patients in the order of creation, page by page in both directions, with the total', async () => {
    const caller = await service.newCaller()
    const made = []
    for (let count = 0; count < 5; count++) made.push(await create(caller))
    const gone = await create(caller)
    await caller.call('DELETE', `/patients/v1/${gone.id}/2`)
    const first = await page(caller, '?limit=2')
    // The client of Ruby writes a parameter that is nil as a name alone.
    expect((await page(caller, '?limit=2&mrn&page_token&sort_direction')).items).toEqual(first.items)
    const second = await page(caller, `?limit=2&page_token=${first.next_page_token}`)
    const third = await page(caller, `?limit=2&page_token=${second.next_page_token}`)
    expect([first, second, third].flatMap(({ items }) => items)).toEqual(made)
    expect([first, second, third].map(({ total }) => total)).toEqual([5, 5, 5])
    expect((await page(caller, `?limit=2&page_token=${third.prev_page_token}`)).items).toEqual(second.items)
    expect(await page(caller, `?mrn=${made[3].mrn}`)).toEqual({ items: [made[3]], total: 1 })
    expect(await page(caller, `?mrn=${gone.mrn}`)).toEqual({ items: [], total: 0 })
  })

  it.each([
    ['mrn', ['A', 'B', 'C']],
    ['birthDate', ['C', 'A', 'B']],
    ['name.family', ['B', 'C', 'A']],
    ['primaryAddress.postalCode', ['A', 'C', 'B']],
    ['updatedAt', ['A', 'B', 'C']],
    ['createdAt', ['A', 'B', 'C']],
    ['version', ['A', 'B', 'C']],
    ['multipleBirth', ['B', 'A', 'C']],
    ['selfPay', ['C', 'A', 'B']],
  ])('sorts by %s in either direction, page by page', async (field, expected) => {
    const caller = await service.newCaller()
    const address = (postal_code: string) => ({ ...patientBody().primary_address, postal_code })
    const rows = [
      { birth_date: '1980-05-05', family: 'Zorn', primary_address: address('1'), multiple_birth: 10, self_pay: true },
      { birth_date: '1990-05-05', family: 'Abel', primary_address: address('3'), multiple_birth: 9 },
      { birth_date: '1970-05-05', family: 'Moss', primary_address: address('2'), self_pay: false },
    ]
    for (const [index, { family, ...overrides }] of rows.entries()) {
      await create(caller, { ...overrides, name: nameBody(family, 'ABC'[index]) })
    }
    const walk = async (direction: string) => {
      const names: unknown[] = []
      for (let token = ''; ; ) {
        const query = `?limit=1&sort_field=${field}${direction}${token && `&page_token=${token}`}`
        const { items, next_page_token } = await page(caller, query)
        names.push(...givenNames(items))
        if (!next_page_token) return names
        token = next_page_token
      }
    }
    expect(await walk('')).toEqual(expected)
    expect(await walk('&sort_direction=asc')).toEqual(expected)
    const backwards = field === 'version' ? ['C', 'B', 'A'] : [...expected].reverse()
    expect(await walk('&sort_direction=desc')).toEqual(backwards)
  })

  it('orders by similarity, best first in either direction, page by page', async () => {
    const caller = await service.newCaller()
    for (const given of ['Bo', 'Katherine', 'Catherine', 'Kathryn', 'Kate']) await named(caller, given, 'Marsh')
    const expected = givenNames((await page(caller, '?sort_field=similar_name:katherine%20marsh')).items)
    expect(expected[0]).toBe('Katherine')
    expect(expected.at(-1)).toBe('Bo')
    for (const direction of ['asc', 'desc']) {
      const names: unknown[] = []
      for (let token = ''; names.length < 5; ) {
        const sort = `sort_field=similar_name:katherine%20marsh&sort_direction=${direction}`
        const { items, next_page_token } = await page(caller, `?limit=2&${sort}${token && `&page_token=${token}`}`)
        names.push(...givenNames(items))
        token = next_page_token
      }
      expect(names).toEqual(expected)
    }
  })

  it('counts the suffix and every given name as part of the name', async () => {
    const caller = await service.newCaller()
    const name = (given: string[], suffix?: string) => ({ ...nameBody('Stone'), given, ...(suffix && { suffix }) })
    await create(caller, { name: name(['Ana']) })
    await create(caller, { name: name(['Ana', 'Lucia'], 'III') })
    const { items } = await page(caller, '?sort_field=similar_name:ana%20lucia%20stone%20iii')
    expect(items[0].name.suffix).toBe('III')
  })

  it.each([
    'name',
    'otherNames',
    'birth_date',
    'nothing',
    '',
    'socialSecurityNumber',
    'name.given',
    'constructor',
    'similar_name',
    "mrn'--",
  ])('returns 400 for sort_field=%s', async (field) => {
    const reply = await ask(await service.newCaller(), `?sort_field=${encodeURIComponent(field)}`)
    expectEnvelope(reply, 400)
    expect(reply.body.content.message).toContain('sort_field')
  })

  it('returns 400 for a page token of another sort, MRN or redirection', async () => {
    const caller = await service.newCaller()
    for (let count = 0; count < 2; count++) await create(caller)
    const { next_page_token: token } = await page(caller, '?limit=1')
    for (const query of ['sort_field=mrn', 'sort_direction=desc', 'mrn=1', 'redirect_to_primary=true']) {
      expectEnvelope(await ask(caller, `?limit=1&${query}&page_token=${token}`), 400)
    }
    expect((await ask(await service.newCaller(), `?limit=1&page_token=${token}`)).status).toBe(400)
  })

  it('shows the primary of a merged patient with redirect_to_primary, while the merge lasts', async () => {
    const caller = await service.newCaller()
    const [primary, alternative, other] = [await create(caller), await create(caller), await create(caller)]
    const { id } = await merge(caller, alternative, primary)
    const redirected = async (query: string) => (await page(caller, `?redirect_to_primary=true${query}`)).items
    expect(await redirected(`&mrn=${alternative.mrn}`)).toEqual([primary])
    expect(await redirected(`&mrn=${primary.mrn}`)).toEqual([primary])
    expect(await redirected('')).toEqual([primary, other])
    expect((await page(caller, `?mrn=${alternative.mrn}`)).items).toEqual([alternative])
    expect((await page(caller, '?redirect_to_primary=false')).total).toBe(3)
    await caller.call('DELETE', `/patient-merge/v1/${id}/2`)
    expect(await redirected(`&mrn=${alternative.mrn}`)).toEqual([alternative])
    expect(await redirected('')).toEqual([primary, alternative, other])
  })

  it('shows at most 1000 patients, 100 by default, and none with a limit of 0', async () => {
    const caller = await service.newCaller()
    const { id } = await create(caller)
    await service.database.rows(
      `insert into patient (organization_id, id, version, deactivated, updated_at, updating_user_id, created_at, body)
      select organization_id, gen_random_uuid(), version, deactivated, updated_at, updating_user_id, created_at,
        body || jsonb_build_object('mrn', 'copy ' || n) from patient, generate_series(1, 1000) n where id = $1`,
      [id],
    )
    // As every write of the program does (live-count.ts).
    await service.database.rows(
      `update change_clock set total = total + 1000, live = live + 1000
      where record_type = 'patient' and organization_id = (select organization_id from patient where id = $1)`,
      [id],
    )
    expect((await page(caller)).items).toHaveLength(100)
    expect((await page(caller, '?limit=5000')).items).toHaveLength(1000)
    expect(await page(caller, '?limit=0')).toEqual({ items: [], total: 1001 })
  })
})
