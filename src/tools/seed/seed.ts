// Fills an organization with a year's worth of records: patients, coverages, merges, tags and appointments, written in blocks through the
// record engine while a server may be running.

import type { Deps } from '../../deps.ts'
import { systemUser } from '../../platform/auth/system-user.ts'
import { violatedConstraint } from '../../platform/database/errors.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { createMany, deactivateMany, type NewRecord } from '../../records/bulk.ts'
import { appointment } from '../../resources/appointments/appointment.ts'
import { coverage } from '../../resources/coverages/coverage.ts'
import { coverageEvents } from '../../resources/coverages/coverage-events.ts'
import { patientMerge } from '../../resources/patient-merges/patient-merge.ts'
import { patient } from '../../resources/patients/patient.ts'
import { patientEvents } from '../../resources/patients/patient-events.ts'
import { tag } from '../../resources/tags/tag.ts'
import { type Roster, type RosterMember, readRoster } from '../sandbox/roster.ts'
import { chanceFor } from './chance.ts'
import { coverageCount, knownMembers, makeCoverage, payersOf } from './insurance.ts'
import { isRegisteredTwice, makePatient, makePerson, mrnOf, type Person } from './people.ts'
import { appointmentCreated, type ClinicDay, firstSlotOf, makeAppointment, slotOf } from './schedule.ts'

type SeedDeps = Pick<Deps, 'database' | 'systemDatabase' | 'newId' | 'now'>

interface SeedSize {
  organizationId: string
  /** At least 1. */
  patients: number
  appointments: number
}

/** The counts of added records; `deactivated` counts patients and appointments. */
interface Seeded {
  patients: number
  coverages: number
  appointments: number
  patient_merges: number
  tags: number
  deactivated: number
}

/** A block makes other writers of its record type wait: a few tenths of a second at this size. */
const BLOCK = 2000

/**
 * Adds invented records to an organization. The same numbers on the same day make the same data except for ids; a second run adds further
 * records. A patient has 1.5 coverages on average. The first argument of `onProgress` counts up to the second.
 * @throws StartupError when a client already uses an MRN that a seeded patient would get.
 */
export async function seed(
  deps: SeedDeps,
  size: SeedSize,
  onProgress: (done: number, all: number) => void,
): Promise<Seeded> {
  const made: Seeded = { patients: 0, coverages: 0, appointments: 0, patient_merges: 0, tags: 0, deactivated: 0 }
  const actor = { organizationId: size.organizationId, userId: systemUser.id }
  const all = size.patients + size.appointments
  const roster = await readRoster()
  const run: Run = {
    deps,
    actor,
    size,
    made,
    tagIds: await makeTags(deps, actor, made),
    days: await readClinicDays(deps, size.organizationId),
    first: await reserveNumbers(deps, size),
    roster,
    members: knownMembers(roster),
    report: () => onProgress(made.patients + made.appointments, all),
  }
  const patientIds = await writePatients(run).catch(explainTakenMrn)
  await writeAppointments(run, patientIds)
  await gatherStatistics(deps)
  return made
}

interface Run {
  deps: SeedDeps
  actor: { organizationId: string; userId: string }
  size: SeedSize
  made: Seeded
  tagIds: string[]
  days: ClinicDay[]
  /** The number of this run's first patient. */
  first: number
  roster: Roster
  /** Members of the sandbox's payers, used for the first patients of an organization. */
  members: RosterMember[]
  report(): void
}

const TAGS = [
  { value: 'Interpreter', description: 'Needs an interpreter' },
  { value: 'Wheelchair', description: 'Needs a room with a wide door' },
  { value: 'Payment plan', alert: true },
  { value: 'Fall risk', alert: true },
  { value: 'Call before visit' },
  { value: 'New to the area' },
]

/** The ids of the tags; missing tags are created. */
async function makeTags(deps: SeedDeps, actor: Run['actor'], made: Seeded): Promise<string[]> {
  const values = TAGS.map(({ value }) => value)
  const rows = await deps.database.rows(
    `select body ->> 'value', id from tag where organization_id = $1 and body ->> 'value' = any($2)`,
    [actor.organizationId, values],
  )
  const known = new Map(rows as [string, string][])
  const missing = TAGS.filter(({ value }) => !known.has(value)).map((body) => ({ id: deps.newId(), body, events: [] }))
  if (missing.length > 0) await createMany(deps, tag, actor, missing)
  for (const { id, body } of missing) known.set(body.value, id)
  made.tags = missing.length
  return values.map((value) => known.get(value) ?? '')
}

/** The weekdays of two years around today, in the organization's time zone. */
async function readClinicDays(deps: SeedDeps, organizationId: string): Promise<ClinicDay[]> {
  const rows = await deps.database.rows(
    `select to_char(day, 'YYYY-MM-DD'), (extract(epoch from (day + time '12:00') at time zone time_zone) * 1000)::bigint, day - today
    from organization,
      lateral (select ($2::timestamptz at time zone time_zone)::date as today) now,
      lateral (select today + n as day from generate_series(-365, 365) n) calendar
    where id = $1 and extract(isodow from day) < 6 order by day`,
    [organizationId, deps.now().toISOString()],
  )
  return rows.map(([date = '', noonMs, distance]) => ({ date, noonMs: Number(noonMs), distance: Number(distance) }))
}

/** Seeded patients are numbered by the counter of a day before all others: concurrent runs share no number, and none is repeated. */
async function reserveNumbers(deps: SeedDeps, { organizationId, patients }: SeedSize): Promise<number> {
  const row = await deps.database.row(
    `insert into mrn_counter as c (organization_id, day, last) values ($1, '-infinity', $2)
    on conflict (organization_id, day) do update set last = c.last + excluded.last returning last`,
    [organizationId, patients],
  )
  return Number(row?.[0]) - patients + 1
}

/** One patient in a hundred, the fiftieth, is deactivated. */
const LEFT = { every: 100, rest: 50 }

/** Writes patients with their coverages and merges, and returns the patients' ids in the order of their numbers. */
async function writePatients(run: Run): Promise<string[]> {
  const ids = Array.from({ length: run.size.patients }, () => run.deps.newId())
  await inTurn(blocks(ids.length), ({ from, to }) => {
    const [patients, coverages, merges, left]: [NewRecord[], NewRecord[], NewRecord[], string[]] = [[], [], [], []]
    for (let index = from; index < to; index++) {
      const number = run.first + index
      const id = ids[index] ?? ''
      const person = personOf(run, number)
      const patientCoverages = coveragesOf(run, number, id, person)
      const body = makePatient(
        number,
        person,
        patientCoverages.map((each) => each.id),
        run.tagIds,
      )
      patients.push({ id, body, events: patientEvents({ id, after: body }) })
      coverages.push(...patientCoverages)
      if (isRegisteredTwice(number)) {
        const merge = { alternative_patient_mrn: mrnOf(number), primary_patient_mrn: mrnOf(number - 1) }
        merges.push({ id: run.deps.newId(), body: merge, events: [] })
      }
      if (number % LEFT.every === LEFT.rest) left.push(id)
    }
    return () => writePatientBlock(run, { patients, coverages, merges, left })
  })
  return ids
}

const memberOf = ({ members }: Run, number: number): RosterMember | undefined => members[number - 1]

const personOf = (run: Run, number: number): Person => makePerson(number, memberOf(run, number))

function coveragesOf(run: Run, number: number, patientId: string, person: Person): NewRecord[] {
  const year = Number(run.days[0]?.date.slice(0, 4)) + 1
  const member = memberOf(run, number)
  return payersOf({ number, person, member }, run.roster, year).map((payer, place) => {
    const id = run.deps.newId()
    const known = { payer, member: payer.id === member?.payer ? member : undefined }
    const body = makeCoverage(patientId, person, known, chanceFor(`coverage ${place}`, number))
    return { id, body, events: coverageEvents({ id, after: body }) }
  })
}

/** Patients and coverages share a transaction, so that a filing order never names a coverage that a reader cannot find. */
async function writePatientBlock(
  { deps, actor, made, report }: Run,
  block: { patients: NewRecord[]; coverages: NewRecord[]; merges: NewRecord[]; left: string[] },
): Promise<void> {
  const { patients, coverages, merges, left } = block
  await deps.database.transaction(async (database) => {
    const inTransaction = { ...deps, database }
    await createMany(inTransaction, patient, actor, patients)
    await createMany(inTransaction, coverage, actor, coverages)
    await createMany(inTransaction, patientMerge, actor, merges)
  })
  made.deactivated += await deactivateMany(deps, patient, actor, left)
  made.patients += patients.length
  made.coverages += coverages.length
  made.patient_merges += merges.length
  report()
}

/** Cancelled appointments. */
const CANCELLED_SHARE = 0.03

async function writeAppointments(run: Run, patientIds: string[]): Promise<void> {
  const { deps, actor, made } = run
  await inTurn(blocks(run.size.appointments), ({ from, to }) => {
    const [appointments, cancelled]: [NewRecord[], string[]] = [[], []]
    for (let index = from; index < to; index++) {
      const isFirst = index < patientIds.length && memberOf(run, run.first + index) !== undefined
      const slot = isFirst ? firstSlotOf(index, run.days) : slotOf(index, patientIds.length, run.days)
      const number = run.first + slot.patient
      const id = deps.newId()
      const body = makeAppointment(index, slot, {
        id: patientIds[slot.patient] ?? '',
        person: personOf(run, number),
        coverages: coverageCount(number),
        placerId: `SEED-${run.first}-${index}`,
        isPending: isFirst,
      })
      appointments.push({ id, body, events: appointmentCreated(id, body, slot.day.date) })
      if (chanceFor('cancelled', index).happens(CANCELLED_SHARE)) cancelled.push(id)
    }
    return async () => {
      await createMany(deps, appointment, actor, appointments)
      made.deactivated += await deactivateMany(deps, appointment, actor, cancelled)
      made.appointments += appointments.length
      run.report()
    }
  })
}

function blocks(count: number): { from: number; to: number }[] {
  const starts = Array.from({ length: Math.ceil(count / BLOCK) }, (_, block) => block * BLOCK)
  return starts.map((from) => ({ from, to: Math.min(from + BLOCK, count) }))
}

/** Writes the parts in order; the next part is prepared while the database writes the current one. */
async function inTurn<T>(parts: T[], prepare: (part: T) => () => Promise<void>): Promise<void> {
  let writing = Promise.resolve()
  for (const part of parts) {
    const write = prepare(part)
    await writing
    writing = write()
  }
  await writing
}

/** Without statistics, the planner would not know of the new records until autovacuum runs. */
async function gatherStatistics({ systemDatabase }: SeedDeps): Promise<void> {
  await systemDatabase.transaction(async (transaction) => {
    await transaction.rows('set local statement_timeout = 0')
    await transaction.rows('analyze patient, coverage, appointment, patient_merge')
  })
}

function explainTakenMrn(error: Error): never {
  if (violatedConstraint(error) !== 'patient_mrn_unique') throw error
  throw new StartupError('an MRN that seed would assign is already in use in this organization', { cause: error })
}
