import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Item } from '../../../test/support/filter-oracle.ts'
import { pools, storeListRecords } from '../../../test/support/list-records.ts'
import { rounds } from '../../../test/support/rounds.ts'
import { type Caller, testService } from '../../../test/support/service.ts'
import { expectSame, type Walked, walkPages } from '../../../test/support/walk-pages.ts'

const NOW = '2026-03-09T04:00:00.000Z'
const TIME_ZONE = 'America/New_York'
const service = testService(() => ({ now: () => new Date(NOW) }))

let caller: Caller
let lists: Record<ListName, { items: Item[]; idOf(item: Item): string }>

type ListName = 'patient' | 'appointment'
const idOf = (name: ListName) => (item: Item) => String((item[name] as Item).id)

beforeAll(async () => {
  caller = await service.newCaller({ timeZone: TIME_ZONE })
  const actor = { organizationId: caller.organizationId, userId: randomUUID(), clientId: randomUUID() }
  const { patients, appointments } = await storeListRecords(service.deps, actor, NOW)
  lists = {
    patient: { items: patients, idOf: idOf('patient') },
    appointment: { items: appointments, idOf: idOf('appointment') },
  }
})

async function getPage(name: ListName, parameters: Record<string, string | undefined>): Promise<Walked<Item>> {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const { status, body, text } = await caller.call('GET', `/lists/v1/${name}?${new URLSearchParams(given)}`)
  expect(status, text).toBe(200)
  return body
}

describe.each([
  ['patient', {}],
  ['patient', { hide_alternatives: 'true' }],
  ['patient', { include_deactivated: 'true' }],
  ['appointment', {}],
  ['appointment', { include_deactivated: 'true' }],
] as const)('GET /lists/v1/%s with %o', (name, flags: Record<string, string>) => {
  it('shows every record with what belongs to it, page by page, forwards and backwards', async () => {
    const { items, idOf } = lists[name]
    const expected = items
      .filter((item) => flags.include_deactivated || !(item[name] as Item).deactivated)
      .filter((item) => !flags.hide_alternatives || item.primary_mrn === undefined)
      .sort((one, other) => (idOf(one) < idOf(other) ? -1 : 1))
    const sorted = { sort_field: `${name}.id`, sort_direction: 'asc', limit: '250', ...flags }
    const pages = await walkPages((page_token) => getPage(name, { ...sorted, page_token }))
    expectSame(
      pages.flatMap((page) => page.items.map(idOf)),
      expected.map(idOf),
    )
    expectSame(
      pages.flatMap((page) => page.items),
      expected,
    )
    expect(pages.map(({ total }) => total)).toEqual(pages.map(() => expected.length))
  })
})

describe.each([
  ['/lists/v1/patient', 'patient'],
  ['/lists/v1/appointment', 'appointment'],
  ['/patients/v1/get_multi', 'patient'],
] as const)('GET %s by similar_name', (url, name) => {
  const word = fc.oneof(fc.constantFrom(...pools.family, ...pools.given), fc.constantFrom('', 'Riv', 'xyz', "' or 1"))

  it('shows all patients by similarity and then by id, forwards and backwards', async () => {
    const requests = fc.record({ words: fc.tuple(word, word), limit: fc.integer({ min: 100, max: 1000 }) })
    await fc.assert(
      fc.asyncProperty(requests, async ({ words, limit }) => {
        const wanted = words.join(' ').trim()
        const active = lists[name].items.filter((item) => !(item[name] as Item).deactivated)
        const trigrams = await readTrigrams([wanted, ...active.map(nameOf)])
        const distance = (item: Item) => trigramDistance(trigrams(nameOf(item)), trigrams(wanted))
        const expected = active
          .map((item) => ({ id: lists[name].idOf(item), distance: distance(item) }))
          .sort((a, b) => a.distance - b.distance || (a.id < b.id ? -1 : 1))
        const pages = await walkPages<Item>(async (token) => {
          const query = new URLSearchParams({ sort_field: `similar_name:${wanted}`, limit: String(limit) })
          if (token !== undefined) query.set('page_token', token)
          const { status, body, text } = await caller.call('GET', `${url}?${query}`)
          expect(status, text).toBe(200)
          return body
        })
        const found = pages.flatMap(({ items }) => items)
        expectSame(
          found.map((item) => (url === '/patients/v1/get_multi' ? item.id : lists[name].idOf(item))),
          expected.map(({ id }) => id),
        )
        expect(pages.every(({ total }) => total === expected.length)).toBe(true)
      }),
      { seed: 20_260_313, numRuns: rounds(12) },
    )
  })
})

/**
 * Trigrams are taken from an ASCII form of the name, which the database computes (decisions/0023-text-beyond-ascii.md).
 */
async function readTrigrams(names: string[]): Promise<(name: string) => Set<string>> {
  const rows = await service.database.rows(
    `select name, to_json(show_trgm(trigram_text(name))) from unnest($1::text[]) as each (name)`,
    [[...new Set(names)]],
  )
  const known = new Map(rows.map(([name, trigrams = '[]']) => [name, new Set<string>(JSON.parse(trigrams))]))
  return (name) => known.get(name) ?? new Set()
}

function nameOf(item: Item): string {
  const { given, family } = (item.patient as Item).name as { given: string[]; family: string }
  return [...given, family].join(' ')
}

/** The trigram distance of two names, 0 to 1, in the single precision of pg_trgm. Source: rules.md 2.2. */
function trigramDistance(a: Set<string>, b: Set<string>): number {
  const shared = [...a].filter((each) => b.has(each)).length
  const all = a.size + b.size - shared
  return Math.fround(1 - (all === 0 ? 0 : Math.fround(shared / all)))
}
