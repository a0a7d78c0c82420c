// Compares visits with a naive evaluation over all appointments: the same pages for the same query, in any time zone.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { appointmentBody, coverageBody, nameBody, patientBody } from '../../../test/support/bodies.ts'
import { expectEnvelope } from '../../../test/support/operations.ts'
import { rounds } from '../../../test/support/rounds.ts'
import { type Caller, testService } from '../../../test/support/service.ts'
import { type Walked, walkPages } from '../../../test/support/walk-pages.ts'
import { createMany } from '../../records/bulk.ts'
import { appointment } from './appointment.ts'

const service = testService()
const SEED = 20_260_308

interface KnownAppointment {
  patientId: string
  family: string
  payer: string | undefined
  start: string
  day: string
  status: string
  reason: string | undefined
  duration: number
}

interface KnownVisit {
  patientId: string
  start: string
  status: string
  family: string
  payer: string | undefined
  /** The tie-breaker between visits with the same sort value. */
  key: string
}

/**
 * Time zones with the days on which their clocks change. In Santiago they go forward at midnight, so that day starts at
 * one o'clock.
 */
const zones: Record<string, string[]> = {
  UTC: ['2026-03-08', '2026-12-31'],
  'America/New_York': ['2026-03-08', '2026-11-01'],
  'America/Santiago': ['2026-04-04', '2026-09-06'],
  'Australia/Lord_Howe': ['2026-04-05', '2026-10-04'],
  'Pacific/Kiritimati': ['2026-02-28', '2026-03-01'],
}

const STATUSES = ['NOT_READY', 'PENDING', 'READY', 'CHECKED_IN', 'CHECKED_OUT', 'NO_SHOW']
const REASONS = ['NO_COVERAGE', 'ERROR', 'MANUAL']
const FAMILIES = ['Abara', 'Bonnet', 'Cho', 'Cho']
const PAYERS = ['Aetna', 'Cigna', undefined]
const HOUR = 3_600_000

const calendarOf = (timeZone: string) => {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })
  return (instant: string) => format.format(new Date(instant))
}

/** How many appointments are generated for a zone, where it is not the default. */
const APPOINTMENTS: Record<string, number> = { 'America/New_York': 2500 }
const FEW_APPOINTMENTS = 120
const APPOINTMENTS_A_PATIENT = 15

/**
 * Creates patients with and without a payer, and appointments within two days of each clock change, some at the same
 * instant.
 */
async function fillDesk(caller: Caller, timeZone: string): Promise<KnownAppointment[]> {
  const dayOf = calendarOf(timeZone)
  const count = APPOINTMENTS[timeZone] ?? FEW_APPOINTMENTS
  const patients: Awaited<ReturnType<typeof newPatient>>[] = []
  for (let index = 0; index < Math.ceil(count / APPOINTMENTS_A_PATIENT); index++)
    patients.push(await newPatient(caller, FAMILIES[index % 4] ?? '', PAYERS[index % 3]))
  const drawn = fc.record({
    patient: fc.constantFrom(...patients),
    change: fc.constantFrom(...(zones[timeZone] ?? [])),
    quarters: fc.integer({ min: -200, max: 200 }),
    status: fc.constantFrom(...STATUSES),
    reason: fc.option(fc.constantFrom(...REASONS), { nil: undefined }),
    duration: fc.constantFrom(15, 30, 60),
  })
  const appointments = fc
    .sample(drawn, { seed: SEED, numRuns: count })
    .map(({ patient, change, quarters, ...rest }) => {
      const start = new Date(Date.parse(change) + (quarters * HOUR) / 4).toISOString()
      const reason = rest.status === 'NOT_READY' ? rest.reason : undefined
      return { ...patient, ...rest, reason, start, day: dayOf(start) }
    })
  const bodies = appointments.map((each) => ({ id: service.deps.newId(), body: bodyOf(each), events: [] }))
  const actor = { organizationId: caller.organizationId, userId: randomUUID() }
  await createMany(service.deps, appointment, actor, bodies)
  return appointments
}

async function newPatient({ call }: Caller, family: string, payer: string | undefined) {
  const body = patientBody({ name: nameBody(family) })
  const { id } = (await call('POST', '/patients/v1?skip_duplicate_check=true', body)).body
  if (payer !== undefined) {
    const insurance_plan = { member_id: 'W1', payer_id: '60054', payer_name: payer }
    const coverage = (await call('POST', '/coverages/v1', coverageBody(id, { insurance_plan }))).body
    const filed = await call('PUT', `/patients/v1/${id}/2`, { ...body, filing_order: { coverages: [coverage.id] } })
    expect(filed.status, filed.text).toBe(200)
  }
  return { patientId: id as string, family, payer }
}

function bodyOf(each: Omit<KnownAppointment, 'day'>) {
  const { start, status, reason } = each
  return appointmentBody(each.patientId, {
    start_timestamp: start,
    status,
    service_duration: each.duration,
    ...(status === 'NOT_READY' && { work_queue: 'NEW_PATIENT' }),
    ...(reason && { not_ready_reason: reason }),
    ...(status.startsWith('CHECKED') && { checked_in_timestamp: start }),
    ...(status === 'CHECKED_OUT' && { checked_out_timestamp: start }),
  })
}

async function newAppointment({ call }: Caller, each: Omit<KnownAppointment, 'day'>) {
  const reply = await call('POST', '/appointments/v1', bodyOf(each))
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

/** A filter as text, with its meaning. */
interface Filter {
  text: string
  holds(appointment: KnownAppointment): boolean
}

function filtersIn(timeZone: string): { date: fc.Arbitrary<Filter>; other: fc.Arbitrary<Filter> } {
  const starts = (zones[timeZone] ?? []).map((day) => Date.parse(day))
  const instant = fc
    .tuple(fc.constantFrom(...starts), fc.integer({ min: -60, max: 60 }))
    .map(([start, hours]) => new Date(start + hours * HOUR).toISOString())
  const operator = fc.constantFrom('gt', 'lt', 'eq')
  const compare = (operator: string, a: string, b: string) =>
    operator === 'gt' ? a > b : operator === 'lt' ? a < b : a === b
  const asked = (path: string, operator: string, value: string) => `${path}|${operator}|${value}`
  const date = fc.oneof(
    fc.tuple(fc.constantFrom('appointment.startTimestamp', 'startTime'), operator, instant).map(([path, how, at]) => ({
      text: asked(path, how, at.slice(0, 10)),
      holds: ({ day }: KnownAppointment) => compare(how, day, at.slice(0, 10)),
    })),
    fc.tuple(operator, instant).map(([how, at]) => ({
      text: asked('appointment.startTimestamp', how, at),
      holds: ({ start }: KnownAppointment) => compare(how, start, at),
    })),
  )
  const other = fc.oneof(
    fc.subarray(STATUSES, { minLength: 1 }).map((statuses) => ({
      text: asked('appointment.status', 'in', statuses.join(';')),
      holds: ({ status }: KnownAppointment) => statuses.includes(status),
    })),
    fc.constantFrom(...REASONS).map((wanted) => ({
      text: asked('appointment.notReadyReason', 'eq', wanted),
      holds: ({ reason }: KnownAppointment) => reason === wanted,
    })),
    fc.tuple(operator, fc.constantFrom(15, 30, 60)).map(([how, minutes]) => ({
      text: asked('appointment.serviceDuration', how, String(minutes)),
      holds: ({ duration }: KnownAppointment) => compare(how, String(duration), String(minutes)),
    })),
    fc.constantFrom('o', 'CHO', '%').map((part) => ({
      text: asked('patient.name.family', 'contains', part),
      holds: ({ family }: KnownAppointment) => family.toLowerCase().includes(part.toLowerCase()),
    })),
    fc.constantFrom('aetna', 'CIGNA').map((wanted) => ({
      text: asked('primaryPayerName', 'ieq', wanted),
      holds: ({ payer }: KnownAppointment) => payer?.toLowerCase() === wanted.toLowerCase(),
    })),
  )
  return { date, other }
}

const sorts: Record<string, (visit: KnownVisit) => string | undefined> = {
  startTime: ({ start }) => start,
  'appointment.start_time': ({ start }) => start,
  status: ({ status }) => status,
  patientId: ({ patientId }) => patientId,
  'patient.name.family': ({ family }) => family,
  primaryPayerName: ({ payer }) => payer,
  'patient.gender': () => undefined,
}

function visitsOf(appointments: KnownAppointment[]): KnownVisit[] {
  const groups = new Map<string, KnownAppointment[]>()
  for (const each of appointments) groups.set(keyOf(each), [...(groups.get(keyOf(each)) ?? []), each])
  return [...groups].map(([key, members]) => ({
    ...(members[0] as KnownAppointment),
    key,
    start: members.map(({ start }) => start).sort()[0] ?? '',
    status: STATUSES.find((status) => members.some((each) => each.status === status)) ?? '',
  }))
}

const keyOf = ({ patientId, day }: KnownAppointment) => patientId + day

/** Visits without a value come last in ascending and first in descending order. */
function sorted(visits: KnownVisit[], field: string, direction: 'asc' | 'desc'): KnownVisit[] {
  const value = sorts[field] as (visit: KnownVisit) => string | undefined
  const ascending = visits.toSorted((a, b) => {
    const [one, other] = [value(a) ?? '\uffff', value(b) ?? '\uffff']
    if (one !== other) return one < other ? -1 : 1
    return a.key < b.key ? -1 : 1
  })
  return direction === 'asc' ? ascending : ascending.reverse()
}

function countsOf(appointments: KnownAppointment[]): Record<string, number> {
  const visits = new Set(appointments.flatMap((each) => (each.reason ? [`${each.reason} ${keyOf(each)}`] : [])))
  const counts: Record<string, number> = {}
  for (const visit of visits) {
    const [reason = ''] = visit.split(' ')
    counts[reason] = (counts[reason] ?? 0) + 1
  }
  return counts
}

const shown = ({ patientId, start, status, payer }: KnownVisit) => [patientId, start, status, payer]

type Page = Walked<{ patient_id: string; start_time: string; status: string; primary_payer_name?: string }>

type Query = Record<string, string>

async function readPage({ call }: Caller, query: Query): Promise<Page> {
  const reply = await call('GET', `/appointments/v1/visits?${new URLSearchParams(query)}`)
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

describe('the pages of visits', () => {
  it.each(Object.keys(zones))('equal a naive evaluation, forwards and backwards, in %s', async (timeZone) => {
    const caller = await service.newCaller({ timeZone })
    const appointments = await fillDesk(caller, timeZone)
    const { date, other } = filtersIn(timeZone)
    const requests = fc.record({
      questions: fc.tuple(date, fc.array(other, { maxLength: 2 })).map(([first, rest]) => [...rest, first]),
      field: fc.constantFrom(...Object.keys(sorts)),
      direction: fc.constantFrom('asc' as const, 'desc' as const),
      limit: fc.integer({ min: 1, max: 40 }),
    })
    const ask = fc.asyncProperty(requests, async ({ questions, field, direction, limit }) => {
      const filters = questions.map(({ text }) => text).join(',')
      const matching = appointments.filter((each) => questions.every(({ holds }) => holds(each)))
      const expected = sorted(visitsOf(matching), field, direction)
      // At most a dozen pages.
      const size = Math.max(limit, Math.ceil(expected.length / 12))
      const query = { filters, limit: String(size), sort_field: field, sort_direction: direction }
      const pages = await walkPages((token) => readPage(caller, { ...query, ...(token && { page_token: token }) }))
      const found = pages.flatMap(({ items }) => items)
      expect(
        found.map((each) => [each.patient_id, each.start_time, each.status, each.primary_payer_name]),
        filters,
      ).toEqual(expected.map(shown))
      expect(pages.map(({ items }) => items.length).slice(0, -1)).toEqual(pages.slice(1).map(() => size))
      expect(new Set(pages.map(({ total }) => total))).toEqual(new Set([expected.length]))
      const counts = await caller.call('GET', `/appointments/v1/visits/counts?${new URLSearchParams({ filters })}`)
      expect(counts.body.not_ready_reason_counts).toEqual(countsOf(matching))
    })
    await fc.assert(ask, { seed: SEED, numRuns: rounds(60) })
  })

  it('neither skip nor repeat an unchanged visit while others are added, moved and removed', async () => {
    const caller = await service.newCaller()
    const patient = () => newPatient(caller, 'Cho', undefined)
    const add = async (start: string) =>
      newAppointment(caller, { ...(await patient()), start, status: 'PENDING', reason: undefined, duration: 30 })
    const minutes = Array.from({ length: 30 }, (_, index) => `2026-03-10T10:${String(index).padStart(2, '0')}:00.000Z`)
    const still: { patient_id: string }[] = []
    const moving: { id: string; patient_id: string }[] = []
    for (const start of minutes) {
      still.push(await add(start))
      moving.push(await add(start))
    }
    const query = { filters: 'startTime|eq|2026-03-10', limit: '4' }
    for (const direction of ['asc', 'desc']) {
      const seen: string[] = []
      let token: string | undefined
      do {
        const page = await readPage(caller, {
          ...query,
          sort_direction: direction,
          ...(token && { page_token: token }),
        })
        seen.push(...page.items.map(({ patient_id }) => patient_id))
        token = page.next_page_token
        await add(minutes[seen.length % 30] ?? '')
        const { id = '', patient_id = '' } = moving.pop() ?? {}
        const moved = appointmentBody(patient_id, { start_timestamp: minutes[(seen.length * 7) % 30] })
        const write = seen.length % 8 === 0 ? ['DELETE', 1] : ['PUT', 2]
        await caller.call(
          write[0] as 'PUT',
          `/appointments/v1/${id}/${write[1]}`,
          write[0] === 'PUT' ? moved : undefined,
        )
      } while (token)
      const unchanged = new Set(still.map(({ patient_id }) => patient_id))
      const found = seen.filter((id) => unchanged.has(id))
      expect(found).toHaveLength(still.length)
      expect(new Set(found)).toEqual(unchanged)
    }
  })

  it('refuse a page token that was altered, or issued for other filters, another order or another organization', async () => {
    const [caller, other] = [await service.newCaller(), await service.newCaller()]
    for (const each of [caller, caller, other]) {
      const known = await newPatient(each, 'Cho', undefined)
      const start = '2026-03-10T10:00:00.000Z'
      await newAppointment(each, { ...known, start, status: 'PENDING', reason: undefined, duration: 30 })
    }
    const query = { filters: 'startTime|eq|2026-03-10', limit: '1' }
    const token = (await readPage(caller, query)).next_page_token ?? ''
    const [text = '', signature = ''] = token.split('.')
    const refused: [Caller, Query][] = [
      [caller, { ...query, page_token: `${text}x.${signature}` }],
      [caller, { ...query, page_token: 'none' }],
      [caller, { ...query, page_token: token, filters: 'appointment.checkedInTimestamp|eq|2026-03-10' }],
      [caller, { ...query, page_token: token, filters: `${query.filters},status|eq|PENDING` }],
      [caller, { ...query, page_token: token, sort_field: 'status' }],
      [caller, { ...query, page_token: token, sort_direction: 'desc' }],
      [other, { ...query, page_token: token }],
    ]
    for (const [each, asked] of refused) {
      expectEnvelope(await each.call('GET', `/appointments/v1/visits?${new URLSearchParams(asked)}`), 400)
    }
    expect((await readPage(caller, { ...query, page_token: token })).items).toHaveLength(1)
  })
})
