import { describe, expect, it } from 'vitest'
import { patientBody } from '../../test/support/bodies.ts'
import { mostRead } from '../../test/support/most-read.ts'
import { type Caller, testService } from '../../test/support/service.ts'
import { CHUNK_BYTES } from './read-all.ts'

const service = testService()
const COUNT = 30
const NOTE = 300_000

/** An organization with patients of 300 kB each; the first one has equally many versions. */
async function largeRecords(): Promise<Caller & { first: string }> {
  const caller = await service.newCaller()
  const patient = await caller.call('POST', '/patients/v1', patientBody())
  expect(patient.status, patient.text).toBe(200)
  const large = `body || jsonb_build_object('mrn', 'M' || n, 'non_clinical_notes', repeat(md5(n::text), ${NOTE / 32}))`
  const columns = 'organization_id, id, version, deactivated, updated_at, updating_user_id, created_at, body'
  const values = [caller.organizationId]
  await service.database.rows(
    `insert into patient (${columns})
     select organization_id, gen_random_uuid(), 1, false, updated_at + n / 4 * interval '1 millisecond', updating_user_id, created_at, ${large}
     from patient, generate_series(2, ${COUNT}) as n where organization_id = $1`,
    values,
  )
  await service.database.rows(
    `insert into record_change (organization_id, record_type, id, at, version)
     select organization_id, 'patient', id, updated_at, version from patient where organization_id = $1 on conflict do nothing`,
    values,
  )
  await service.database.rows(
    `insert into patient_history (${columns})
     select organization_id, id, n, false, updated_at, updating_user_id, created_at, ${large}
     from patient_history, generate_series(2, ${COUNT}) as n where organization_id = $1`,
    values,
  )
  await service.database.rows(
    `update change_clock set total = ${COUNT}, live = ${COUNT} where organization_id = $1 and record_type = 'patient'`,
    values,
  )
  return Object.assign(caller, { first: patient.body.id as string })
}

describe('large records', () => {
  it.each([
    ['a page', '/patients/v1/get_multi?limit=1000'],
    ['a page of a list', '/lists/v1/patient?limit=1000'],
    ['the change feed', '/patients/v1/updates/scan?since=2020-01-01T00:00:00Z'],
    ['a list without pages', '/patients/v1'],
    ['a history', '/patients/v1/FIRST/history'],
  ])('are each shown once by %s, with never more than one chunk of them in memory', async (_what, path) => {
    const caller = await largeRecords()
    const { result, bytes } = await mostRead(service.deps.database, () =>
      caller.call('GET', path.replace('FIRST', caller.first)),
    )
    expect(result.status).toBe(200)
    const items = (result.body.items ?? result.body).map((item: { patient?: unknown }) => item.patient ?? item)
    expect(items.map((item: { mrn: string }) => item.mrn)).toHaveLength(COUNT)
    expect(new Set(items.map(({ id, version }: { id: string; version: number }) => id + version)).size).toBe(COUNT)
    expect(bytes).toBeLessThan(CHUNK_BYTES)
  })

  it('of a page are read about twice in all, not again for every chunk of the answer', async () => {
    const caller = await largeRecords()
    const { database } = service.deps
    const { rows } = database
    const asked: number[] = []
    database.rows = (statement, values = []) => {
      if (typeof statement !== 'string' && statement.name === 'patient_list_items')
        asked.push((values[1] as string[]).length)
      return rows(statement, values)
    }
    try {
      const { body } = await caller.call('GET', '/lists/v1/patient?limit=1000')
      expect(body.items).toHaveLength(COUNT)
    } finally {
      database.rows = rows
    }
    expect(asked.length).toBeGreaterThan(3)
    expect(asked.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(3 * COUNT)
  })

  it('come in the same order on pages of any size, forwards and backwards', async () => {
    const caller = await largeRecords()
    const get = async (query: string) => (await caller.call('GET', `/patients/v1/get_multi?${query}`)).body
    const ids = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id)
    const all = await get('limit=1000')
    expect(all.total).toBe(COUNT)
    expect(all.next_page_token).toBeUndefined()
    const first = await get('limit=20')
    const second = await get(`limit=20&page_token=${encodeURIComponent(first.next_page_token)}`)
    expect([...ids(first), ...ids(second)]).toEqual(ids(all))
    const back = await get(`limit=20&page_token=${encodeURIComponent(second.prev_page_token)}`)
    expect(ids(back)).toEqual(ids(first))
    expect(back.prev_page_token).toBeUndefined()
    expect(back.total).toBe(COUNT)
  })

  it('come in the order of their changes, up to the requested limit, and the next call continues after the last', async () => {
    const caller = await largeRecords()
    const scan = (since: string, most: number) =>
      caller.call('GET', `/patients/v1/updates/scan?since=${encodeURIComponent(since)}&maxResults=${most}`)
    const all = (await scan('2020-01-01T00:00:00Z', 1000)).body as { id: string; updated_at: string }[]
    const key = ({ updated_at, id }: { id: string; updated_at: string }) => `${updated_at} ${id}`
    expect(all.map(key)).toEqual(all.map(key).toSorted())
    const some = (await scan('2020-01-01T00:00:00Z', 11)).body
    expect(some).toEqual(all.slice(0, 11))
    const at = some[10].updated_at
    expect((await scan(at, 1000)).body).toEqual(all.filter(({ updated_at }) => updated_at >= at))
  })

  it('are not all read to answer a HEAD request', async () => {
    const caller = await largeRecords()
    const { database } = service.deps
    const { rows } = database
    let read = 0
    database.rows = async (statement, values) => {
      const found = await rows(statement, values)
      read += found.flat().join('').length
      return found
    }
    try {
      const head = await caller.call('HEAD' as 'GET', '/patients/v1')
      expect(head.status).toBe(200)
      expect(head.text).toBe('')
    } finally {
      database.rows = rows
    }
    expect(read).toBeLessThan(4 * CHUNK_BYTES)
  })
})
