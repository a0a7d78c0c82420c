import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { pools, storeListRecords } from '../../../test/support/list-records.ts'
import { answerNaively, type Item, type NaivePath, trigramDistance } from '../../../test/support/naive-list.ts'
import { type Caller, testService } from '../../../test/support/service.ts'
import { expectSame, type Walked, walkPages } from '../../../test/support/walk-pages.ts'
import { type Filter, type FilterOperator, parseFilters } from '../../platform/http/filters.ts'

const NOW = '2026-03-09T04:00:00.000Z'
const TIME_ZONE = 'America/New_York'
const RUNS = 80
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

const text = (values: readonly string[], isList = false) => ({ kind: 'text' as const, values, isList })
const parts = [...pools.family, ...pools.given].flatMap((each) => [each, each.slice(0, 2)])

const patientFields = {
  'patient.name.family': text(parts),
  'patient.name.given': text(pools.given, true),
  'patient.contacts.name.family': text(parts),
  'patient.birthDate': { kind: 'date' as const, values: pools.birthDate },
  'patient.gender': { kind: 'enum' as const, values: pools.gender },
  'patient.multipleBirth': { kind: 'number' as const, values: pools.number.map(String) },
  'patient.selfPay': { kind: 'boolean' as const, values: ['true', 'false'] },
  'patient.deceased': { kind: 'instant' as const, values: [...pools.instant, ...pools.day] },
  'patient.tagIds': text(pools.tag, true),
  'patient.mrn': text(['M1', 'M65', 'm2', 'M1930']),
  'patient.primaryAddress.city': text(pools.city),
  'primaryCoverage.insurancePlan.payerName': text(pools.payer),
  'secondaryCoverage.verified': { kind: 'boolean' as const, values: ['true', 'false'] },
}
const appointmentFields = {
  'appointment.startTimestamp': { kind: 'instant' as const, values: [...pools.instant, ...pools.day] },
  'appointment.status': { kind: 'enum' as const, values: pools.status },
  'appointment.serviceDuration': { kind: 'number' as const, values: pools.number.map(String) },
  'appointment.estimatedCopayCents': { kind: 'number' as const, values: pools.number.map(String) },
  'appointment.services.universalServiceIdentifier': { kind: 'enum' as const, values: pools.service },
  'appointment.medicalNecessityVerified': { kind: 'boolean' as const, values: ['true', 'false'] },
}
const fields: Record<ListName, Record<string, NaivePath & { values: readonly string[] }>> = {
  patient: {
    ...patientFields,
    'patient.deactivated': { kind: 'boolean', values: ['true', 'false'] },
    'patient.version': { kind: 'number', values: ['1', '2'] },
    'tertiaryCoverage.insurancePlan.payerName': text(pools.payer),
    'nextAppointment.startTimestamp': { kind: 'instant', values: [...pools.instant, ...pools.day] },
    'nextAppointment.status': { kind: 'enum', values: pools.status },
    primaryMrn: text(['M60', 'M65', 'm70']),
    alternativeMrns: text(['M1', 'M2', 'M21'], true),
  },
  appointment: {
    ...patientFields,
    ...appointmentFields,
    primaryServiceType: { kind: 'enum', values: pools.service },
  },
}

const operators: Record<NaivePath['kind'], FilterOperator[]> = {
  text: ['eq', 'gt', 'lt', 'contains', 'ieq', 'in'],
  enum: ['eq', 'ieq', 'in'],
  uuid: ['eq', 'in'],
  number: ['eq', 'gt', 'lt', 'in'],
  boolean: ['eq'],
  date: ['eq', 'gt', 'lt', 'in'],
  instant: ['eq', 'gt', 'lt', 'in'],
}

const filterOf = (name: ListName) =>
  fc
    .constantFrom(...Object.entries(fields[name]))
    .chain(([path, { kind, values }]) =>
      fc
        .constantFrom(...operators[kind])
        .chain((operator) =>
          fc
            .array(fc.constantFrom(...values), { minLength: 1, maxLength: operator === 'in' ? 3 : 1 })
            .map((chosen) => ({ path, operator, value: chosen.join(';') })),
        ),
    )

const queryOf = (name: ListName) => {
  const sortable = Object.keys(fields[name]).filter((path) => !/given|contacts|tagIds|services|alternative/.test(path))
  return fc.record({
    // A list without filters is read in full, which takes as long as all other cases together.
    filters: fc.oneof(
      { weight: 1, arbitrary: fc.constant<Filter[]>([]) },
      { weight: 19, arbitrary: fc.array(filterOf(name), { minLength: 1, maxLength: 3 }) },
    ),
    sort: fc.record({
      path: fc.constantFrom(...sortable, `${name}.id`, `${name}.updatedAt`),
      direction: fc.constantFrom('asc' as const, 'desc' as const),
    }),
    limit: fc.integer({ min: 1, max: 1000 }),
    includesDeactivated: fc.boolean(),
    hidesAlternatives: fc.boolean(),
  })
}

async function getPage(name: ListName, parameters: Record<string, string | undefined>): Promise<Walked<Item>> {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const { status, body, text } = await caller.call('GET', `/lists/v1/${name}?${new URLSearchParams(given)}`)
  expect(status, text).toBe(200)
  return body
}

describe.each(['patient', 'appointment'] as const)('GET /lists/v1/%s', (name) => {
  it('returns the pages of a naive evaluation for random filters and sorts, forwards and backwards', async () => {
    await fc.assert(
      fc.asyncProperty(queryOf(name), async ({ filters, sort, limit, includesDeactivated, ...flags }) => {
        const hidesAlternatives = name === 'patient' && flags.hidesAlternatives
        const { items, idOf } = lists[name]
        const candidates = items
          .filter((item) => includesDeactivated || !(item[name] as Item).deactivated)
          .filter((item) => !hidesAlternatives || item.primary_mrn === undefined)
        const expected = answerNaively(
          candidates,
          { filters, sort },
          { paths: fields[name], idOf, timeZone: TIME_ZONE },
        )
        const written = filters
          .map((each) => `${each.path}|${each.operator}|${each.value.replaceAll('\\', '\\\\')}`)
          .join(',')
        expect(parseFilters(written).map(({ path }) => path)).toEqual(filters.map(({ path }) => path))
        const parameters = {
          filters: written,
          sort_field: sort.path,
          sort_direction: sort.direction,
          include_deactivated: String(includesDeactivated),
          ...(hidesAlternatives && { hide_alternatives: 'true' }),
          // At most half a dozen pages.
          limit: String(Math.max(limit, Math.ceil(expected.length / 6))),
        }
        const pages = await walkPages((page_token) => getPage(name, { ...parameters, page_token }))
        expectSame(
          pages.flatMap((page) => page.items.map(idOf)),
          expected.map(idOf),
        )
        expectSame(
          pages.flatMap((page) => page.items),
          expected,
        )
        expect(pages.every((page) => page.total === expected.length)).toBe(true)
      }),
      { seed: 20_260_310, numRuns: RUNS },
    )
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
      { seed: 20_260_313, numRuns: 8 },
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
