// Random filters on every field of every list that takes filters, with every operator, answered a second time in plain JavaScript by the text
// of rules.md 2 alone. FILTER_RUNS and FILTER_SEED run more of them.
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { FILTER_OPERATORS, type FilterOperator } from '../../src/platform/http/filters.ts'
import { createMany, deactivateMany } from '../../src/records/bulk.ts'
import type { VersionedRecord } from '../../src/records/record.ts'
import type { RecordBody } from '../../src/records/store.ts'
import { appointment } from '../../src/resources/appointments/appointment.ts'
import { coverage } from '../../src/resources/coverages/coverage.ts'
import { metadataSchema } from '../../src/resources/metadata-schemas/metadata-schema.ts'
import { patientMerge } from '../../src/resources/patient-merges/patient-merge.ts'
import { patient } from '../../src/resources/patients/patient.ts'
import { type AskedFilter, answerBy, type Item, inOrder, valuesAt } from '../support/filter-oracle.ts'
import { type Field, fieldsOf, type Pools, randomBody } from '../support/schema-fields.ts'
import { type Caller, testService } from '../support/service.ts'
import { expectSame, type Walked, walkPages } from '../support/walk-pages.ts'

const SEED = Number(process.env.FILTER_SEED ?? Date.now() % 1e9)
const RUNS = Number(process.env.FILTER_RUNS ?? 40)
const NOW = '2026-03-09T04:00:00.000Z'
const TIME_ZONE = 'America/New_York'
const RECORDS = 150

// Mulberry32: short, and the same on every machine.
let state = SEED
function random(): number {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
}
const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)] as T
const ids = Array.from({ length: 4 }, () => randomUUID())

const pools: Pools = {
  text: [
    ...[
      '',
      'a',
      'A',
      'ab',
      'a,b',
      'a;b',
      'a|b',
      '\\',
      '\\,x',
      '%',
      '_',
      'a%b',
      'a_b',
      'null',
      'true',
      '007',
      '7',
      '7.0',
    ],
    ...[
      'Straße',
      'STRASSE',
      'ΣΑΣ',
      'σας',
      'Zúñiga',
      'zuniga',
      "O'Neil",
      'O’Neil',
      '李',
      '🙂 Smile',
      'Ångström',
      'Łukasz',
    ],
    ...[
      'İzmir',
      'ılık',
      'Петров',
      'ПЕТРОВ',
      'محمد',
      '김',
      'a b',
      'a\nb',
      '"quoted"',
      "'; drop table patient; --",
      '$1',
      '.*',
    ],
  ],
  uuid: ids,
  number: [0, 1, 7, 30, 1000],
  boolean: [true, false],
  date: ['0001-01-01', '1984-02-29', '2000-06-15', '2026-03-08', '9999-12-31'],
  // Around midnight in New York, before and after the change to daylight saving time and back.
  instant: [
    ...['0001-01-02T00:00:00.000Z', '2026-03-08T04:59:59.999Z', '2026-03-08T05:00:00.000Z', '2026-03-09T03:59:59.999Z'],
    ...['2026-03-09T04:00:00.000Z', '2026-03-10T15:30:00.000Z', '2026-11-01T05:30:00.000Z', '2026-11-02T04:59:59.999Z'],
  ],
}

const service = testService(() => ({ now: () => new Date(NOW) }))
let caller: Caller
let lists: Record<string, List>

interface List {
  path: string
  fields: Field[]
  items: Item[]
  idOf(item: Item): string
  defaultSort: string
}

async function store(record: VersionedRecord, count: number, bodyOf: (index: number) => RecordBody): Promise<string[]> {
  const actor = { organizationId: caller.organizationId, userId: randomUUID(), clientId: randomUUID() }
  const rows = Array.from({ length: count }, (_, index) => ({ id: randomUUID(), body: bodyOf(index), events: [] }))
  await createMany(service.deps, record, actor, rows)
  await deactivateMany(
    service.deps,
    record,
    actor,
    rows.filter(() => random() < 0.1).map(({ id }) => id),
  )
  return rows.map(({ id }) => id)
}

async function readAll(path: string, query: Record<string, string> = {}): Promise<Item[]> {
  const pages = await walkPages<Item>(async (page_token) => getPage(path, { ...query, limit: '1000', page_token }))
  return pages.flatMap(({ items }) => items)
}

async function getPage(path: string, query: Record<string, string | undefined>): Promise<Walked<Item>> {
  const { status, body, text } = await get(path, query)
  expect(status, text).toBe(200)
  return body
}

function get(path: string, query: Record<string, string | undefined>) {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return caller.call('GET', `${path}?${new URLSearchParams(given)}`)
}

beforeAll(async () => {
  console.log(`filters: FILTER_SEED=${SEED}`)
  caller = await service.newCaller({ timeZone: TIME_ZONE })
  const coverages = await store(coverage, RECORDS, () => ({
    ...randomBody('MutableCoverage', pools, random),
    patient: randomUUID(),
  }))
  const mrns: string[] = []
  const people = await store(patient, RECORDS, (index) => {
    const { external_provenance: _, social_security_number: __, ...body } = randomBody('MutablePatient', pools, random)
    const filed = Array.from({ length: Math.floor(random() * 4) }, () => pick(coverages))
    const mrn = `${pick(['M', 'm', 'Ä', '%_'])}${index}`
    mrns.push(mrn)
    return { ...body, mrn, filing_order: { coverages: [...new Set(filed)] } }
  })
  await store(patientMerge, RECORDS / 5, (index) => ({
    alternative_patient_mrn: mrns[index],
    primary_patient_mrn: pick(mrns.slice(RECORDS / 5)),
  }))
  await store(appointment, RECORDS, () => {
    const { placer_appointment_id: _, ...body } = randomBody('MutableAppointment', pools, random)
    return { ...body, patient_id: pick(people) }
  })
  await store(metadataSchema, RECORDS, (index) => ({
    ...randomBody('MutableMetadataSchema', pools, random),
    name: `${pick(pools.text)}${index}`,
  }))
  const list = async (path: string, key: string, query?: Record<string, string>): Promise<List> => {
    const idOf = (item: Item) => String(key === '' ? item.id : (item[key] as Item).id)
    return { path, fields: fieldsOf(path), items: await readAll(path, query), idOf, defaultSort: `${key}.id` }
  }
  lists = {
    patient: await list('/lists/v1/patient', 'patient', { include_deactivated: 'true' }),
    appointment: await list('/lists/v1/appointment', 'appointment', { include_deactivated: 'true' }),
    schema: await list('/metadata-schemas/v1', ''),
  }
  lists.schema?.items.push(...(await readAll('/metadata-schemas/v1', { filters: 'deactivated|eq|true' })))
})

const operators: Record<Field['kind'], readonly FilterOperator[]> = {
  text: FILTER_OPERATORS,
  enum: ['eq', 'contains', 'ieq', 'in'],
  uuid: ['eq', 'contains', 'ieq', 'in'],
  number: ['eq', 'gt', 'lt', 'in'],
  boolean: ['eq', 'in'],
  date: ['eq', 'gt', 'lt', 'in'],
  instant: ['eq', 'gt', 'lt', 'in'],
}

/** A value that is stored at the field, or one that differs from it in a way that matters to an operator. */
function valueFor({ path, kind, values, isList }: Field, operator: FilterOperator, items: Item[]): string {
  const stored = String(valuesAt(pick(items), path)[0] ?? pick(kind === 'enum' ? values : pools[kind]))
  if (operator === 'contains' && !isList && /enum|uuid/.test(kind)) return stored.slice(2, 7).toLowerCase()
  if (kind === 'enum') return operator === 'ieq' ? stored.toLowerCase() : stored
  if (kind === 'uuid') return pick([stored, stored.toUpperCase(), randomUUID(), 'foo'])
  if (kind === 'instant')
    return pick([stored, stored.slice(0, 10), stored.replace('Z', '+00:00'), pick(pools.date) as string])
  if (kind === 'number') return pick([stored, `${stored}.0`, String(Number(stored) - 0.5)])
  if (kind !== 'text') return stored
  const letters = [...stored]
  return pick([
    stored,
    stored.toUpperCase(),
    stored.toLowerCase(),
    letters.slice(0, 2).join(''),
    letters.slice(1).join(''),
    stored.normalize('NFD'),
    String(pick(pools.text)),
  ])
}

function randomFilter({ fields, items }: List): AskedFilter {
  const field = pick(fields)
  const isMember = field.isList && field.kind !== 'instant'
  const operator = pick([...operators[field.kind], ...(isMember && field.kind !== 'text' ? ['contains' as const] : [])])
  const count = operator === 'in' ? 1 + Math.floor(random() * 3) : 1
  return { field, operator, values: Array.from({ length: count }, () => valueFor(field, operator, items)) }
}

const written = ({ field, operator, values }: AskedFilter) =>
  `${field.path}|${operator}|${values.map((each) => each.replaceAll(/[\\,;]/g, '\\$&')).join(';')}`

describe.each(['patient', 'appointment', 'schema'])('the list of %s items', (name) => {
  it('knows every field that its items show, and whether it has an order', async () => {
    const { path, fields } = lists[name] as List
    const filters = fields.flatMap((field) =>
      operators[field.kind]
        .filter((operator) => operator === 'eq' || operator === 'gt')
        .map((operator) => written({ field, operator, values: [legalValue(field)] })),
    )
    const refused = async (some: readonly string[]): Promise<string[]> => {
      const { status, text } = await get(path, { filters: some.join(','), limit: '1' })
      if (status === 200) return []
      if (some.length === 1) return [`${some}: ${text}`]
      return (await Promise.all(some.map((each) => refused([each])))).flat()
    }
    const unknown: string[] = []
    for (let from = 0; from < filters.length; from += 20)
      unknown.push(...(await refused(filters.slice(from, from + 20))))
    expect(unknown.filter((each) => !each.includes('socialSecurityNumber'))).toEqual([])
  })

  it('answers random filters, sorts and limits as plain JavaScript does, page by page', async () => {
    const list = lists[name] as List
    const sortable = list.fields.filter(({ isMany, path }) => !isMany && !/socialSecurityNumber/.test(path))
    for (let run = 0; run < RUNS; run++) {
      const filters = Array.from({ length: 1 + Math.floor(random() * 3) }, () => randomFilter(list)).filter(
        ({ field }) => !/socialSecurityNumber/.test(field.path),
      )
      const withAll = name !== 'schema' && random() < 0.5
      const withoutAlternatives = name === 'patient' && random() < 0.3
      const sort = name === 'schema' ? undefined : pick(sortable)
      const direction = pick(['asc', 'desc'] as const)
      const hides = !withAll && !filters.some(({ field }) => name === 'schema' && field.path === 'deactivated')
      const shown = list.items
        .filter((item) => !hides || !(name === 'schema' ? item : (item[name] as Item)).deactivated)
        .filter((item) => !withoutAlternatives || item.primary_mrn === undefined)
      const by = sort ?? (list.fields.find(({ path }) => path === 'name') as Field)
      const expected = inOrder(
        answerBy(shown, filters, TIME_ZONE),
        by,
        name === 'schema' ? 'asc' : direction,
        list.idOf,
      )
      const query = {
        filters: filters.map(written).join(','),
        ...(sort && { sort_field: sort.path, sort_direction: direction, include_deactivated: String(withAll) }),
        ...(withoutAlternatives && { hide_alternatives: 'true' }),
        limit: String(Math.max(1 + Math.floor(random() * 40), Math.ceil(expected.length / 4))),
      }
      const pages = await walkPages((page_token) => getPage(list.path, { ...query, page_token }))
      const found = pages.flatMap(({ items }) => items)
      expectSame([JSON.stringify(query), ...found.map(list.idOf)], [JSON.stringify(query), ...expected.map(list.idOf)])
      expect(
        pages.every(({ total }) => total === expected.length),
        JSON.stringify(query),
      ).toBe(true)
    }
  }, 3_600_000)
})

function legalValue({ kind, values }: Field): string {
  return String(kind === 'enum' ? values[0] : pools[kind][0])
}
