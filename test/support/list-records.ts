// More than a thousand varied records for each list of one organization, and the expected list items: equal values, nulls, names in several
// scripts, deactivated records and merges. The same each time except for the ids.
import fc from 'fast-check'
import type { Actor } from '../../src/contract/actor.ts'
import type { Deps } from '../../src/deps.ts'
import { createMany, deactivateMany } from '../../src/records/bulk.ts'
import type { VersionedRecord } from '../../src/records/record.ts'
import { wireColumns } from '../../src/records/statements.ts'
import { createRecord, type RecordBody } from '../../src/records/store.ts'
import { toWire } from '../../src/records/wire.ts'
import { appointment } from '../../src/resources/appointments/appointment.ts'
import { coverage } from '../../src/resources/coverages/coverage.ts'
import { patientMerge } from '../../src/resources/patient-merges/patient-merge.ts'
import { patient } from '../../src/resources/patients/patient.ts'
import { addressBody, appointmentBody, coverageBody, patientBody } from './bodies.ts'
import type { Item } from './filter-oracle.ts'

/** The values of which the records are made. */
export const pools = {
  family: ['Rivera', 'rivera', 'Ólafsdóttir', "O'Neil", '李', 'van der Berg', 'Ng%_', '🙂 Smile', 'Zúñiga', 'a\\b"c'],
  given: ['Ana', 'Éva', 'ana', '明', 'Bo'],
  city: ['Albany', 'albany', 'Ålesund', ''],
  birthDate: ['1984-02-29', '1950-01-01', '2019-12-31', '2000-06-15'],
  gender: ['MAN', 'WOMAN', 'NON_BINARY'],
  number: [-5, 0, 7, 30, 1000],
  tag: ['tag-1', 'tag-2', 'TAG-1'],
  payer: ['Aetna', 'aetna', 'Cash Pay', 'Blue|Pipe'],
  status: ['PENDING', 'NOT_READY', 'READY'],
  service: ['MD_Visit', 'Treatment', 'Tests'],
  // Around midnight in New York, before and after a daylight saving change.
  instant: [
    '2026-03-08T04:59:59.999Z',
    '2026-03-08T05:00:00.000Z',
    '2026-03-09T03:59:59.999Z',
    '2026-03-09T04:00:00.000Z',
    '2026-03-10T15:30:00.000Z',
    '2026-03-20T09:00:00.001Z',
  ],
  day: ['2026-03-07', '2026-03-08', '2026-03-09', '2026-03-10'],
}

const from = <T>(values: readonly T[]) => fc.constantFrom(...values)
const maybe = <T>(values: readonly T[]) => fc.option(from(values), { nil: undefined })
const some = <T>(values: readonly T[]) => fc.uniqueArray(from(values), { maxLength: 3 })

const name = fc.record({ family: from(pools.family), given: some(pools.given), use: from(['USUAL', 'OLD']) })
const patientParts = fc.record({
  name,
  birth_date: from(pools.birthDate),
  gender: maybe(pools.gender),
  multiple_birth: maybe(pools.number),
  self_pay: maybe([true, false]),
  deceased: maybe(pools.instant),
  tag_ids: fc.option(some(pools.tag), { nil: undefined }),
  city: from(pools.city),
  contacts: fc.array(
    name.map((each) => ({ name: each, relationship: ['SPOUSE'], telecoms: [], addresses: [] })),
    { maxLength: 2 },
  ),
  // Few, because encrypted values are written one by one.
  social_security_number: fc.integer({ min: 0, max: 49 }).map((each) => (each === 0 ? '123456789' : undefined)),
  filed: fc.uniqueArray(fc.nat(), { maxLength: 4 }),
  isDeactivated: fc.integer({ min: 0, max: 9 }).map((each) => each === 0),
})
const appointmentParts = fc.record({
  start_timestamp: from(pools.instant),
  status: maybe(pools.status),
  service_duration: from(pools.number),
  estimated_copay_cents: maybe(pools.number),
  medical_necessity_verified: maybe([true, false]),
  services: fc.array(
    maybe(pools.service).map((each) => ({ universal_service_identifier: each })),
    { maxLength: 2 },
  ),
  patient: fc.nat(),
  isDeactivated: fc.integer({ min: 0, max: 9 }).map((each) => each === 0),
})
const coverageParts = fc.record({ payer: from(pools.payer), verified: from([true, false]) })

const SEED = 20_260_310
/** The number of records of each list: more than the largest page. */
const RECORDS = 1100

/** Stores the records and returns the expected items of both lists, deactivated ones included. */
export async function storeListRecords(
  deps: Deps,
  actor: Actor,
  now: string,
): Promise<{ patients: Item[]; appointments: Item[] }> {
  const coverages = await storeAll(
    deps,
    actor,
    coverage,
    fc.sample(coverageParts, { seed: SEED, numRuns: 500 }),
    (each) =>
      coverageBody(deps.newId(), {
        verified: each.verified,
        insurance_plan: { member_id: 'W1', payer_id: '60054', payer_name: each.payer },
      }),
  )
  const people = await storeAll(
    deps,
    actor,
    patient,
    fc.sample(patientParts, { seed: SEED, numRuns: RECORDS }),
    ({ city, filed, isDeactivated: _, ...parts }, index) =>
      patientBody({
        ...parts,
        mrn: `M${index}`,
        primary_address: addressBody({ city }),
        filing_order: { coverages: filed.map((each) => coverages[each % coverages.length]?.id) },
      }),
  )
  const merges = people.slice(0, 60).map((each, index) => ({
    alternative_patient_mrn: each.mrn,
    primary_patient_mrn: people[60 + Math.floor(index / 2)]?.mrn,
    isDeactivated: index % 10 === 0,
  }))
  await storeAll(deps, actor, patientMerge, merges, ({ isDeactivated: _, ...body }) => body)
  const appointments = await storeAll(
    deps,
    actor,
    appointment,
    fc.sample(appointmentParts, { seed: SEED, numRuns: RECORDS }),
    ({ patient: owner, isDeactivated: _, ...parts }) =>
      appointmentBody(String(people[owner % people.length]?.id), parts),
  )
  // Gives the planner the statistics that a database has after some minutes.
  await deps.database.rows('analyze patient, coverage, appointment, patient_merge')
  return toItems({ coverages, people, merges, appointments, now })
}

type Stored = Item & { id: string }

async function storeAll<Parts extends object>(
  deps: Deps,
  actor: Actor,
  record: VersionedRecord,
  all: (Parts & { isDeactivated?: boolean })[],
  toBody: (parts: Parts, index: number) => RecordBody,
): Promise<Stored[]> {
  const made = all.map((parts, index) => ({
    id: deps.newId(),
    parts,
    body: JSON.parse(JSON.stringify(toBody(parts, index))),
  }))
  const isEncrypted = ({ body }: { body: RecordBody }) =>
    record.encrypts?.some((field) => Object.hasOwn(body, field)) ?? false
  const plain = made.filter((each) => !isEncrypted(each)).map(({ id, body }) => ({ id, body, events: [] }))
  await createMany(deps, record, actor, plain)
  for (const { id, body } of made.filter(isEncrypted))
    await createRecord({ ...deps, newId: () => id }, record, actor, body)
  const left = made.filter(({ parts }) => parts.isDeactivated).map(({ id }) => id)
  await deactivateMany(deps, record, actor, left)
  const rows = await deps.database.rows(
    `select ${wireColumns(record.name, record)} from ${record.name} where organization_id = $1`,
    [actor.organizationId],
  )
  const stored = new Map(rows.map((row) => [row[0], JSON.parse(toWire(record, row, deps.vault)) as Stored]))
  return made.map(({ id }) => stored.get(id) as Stored)
}

const BASE = ['id', 'organization_id', 'deactivated', 'version', 'updated_at', 'updating_user_id']

function bodyOf(record: Stored | undefined): Item | undefined {
  return record && Object.fromEntries(Object.entries(record).filter(([key]) => !BASE.includes(key)))
}

interface Records {
  coverages: Stored[]
  people: Stored[]
  merges: { alternative_patient_mrn: unknown; primary_patient_mrn: unknown; isDeactivated: boolean }[]
  appointments: Stored[]
  now: string
}

function toItems({ coverages, people, merges, appointments, now }: Records): {
  patients: Item[]
  appointments: Item[]
} {
  const coverageById = new Map(coverages.map((each) => [each.id, each]))
  const filed = (person: Stored | undefined, place: number) => {
    const order = person?.filing_order as { coverages: string[] } | undefined
    return bodyOf(coverageById.get(order?.coverages[place] ?? ''))
  }
  const active = merges.filter(({ isDeactivated }) => !isDeactivated)
  const coming = appointments
    .filter((each) => !each.deactivated && String(each.start_timestamp) >= now)
    .sort((a, b) => (`${a.start_timestamp}${a.id}` < `${b.start_timestamp}${b.id}` ? -1 : 1))
  const nextOf = (person: Stored) => coming.find((each) => each.patient_id === person.id)
  const patients = people.map((person) => ({
    patient: person,
    primary_coverage: filed(person, 0),
    secondary_coverage: filed(person, 1),
    tertiary_coverage: filed(person, 2),
    next_appointment: bodyOf(nextOf(person)),
    primary_mrn: active.find((merge) => merge.alternative_patient_mrn === person.mrn)?.primary_patient_mrn,
    alternative_mrns: active
      .filter((merge) => merge.primary_patient_mrn === person.mrn)
      .map((merge) => merge.alternative_patient_mrn)
      .sort(),
  }))
  const personById = new Map(people.map((each) => [each.id, each]))
  const listed = appointments.map((each) => {
    const person = personById.get(String(each.patient_id))
    const [first] = each.services as { universal_service_identifier?: string }[]
    return {
      appointment: each,
      patient: bodyOf(person),
      primary_coverage: filed(person, 0),
      secondary_coverage: filed(person, 1),
      primary_service_type: first?.universal_service_identifier,
    }
  })
  // Like JSON, without undefined properties.
  return JSON.parse(JSON.stringify({ patients, appointments: listed }))
}
