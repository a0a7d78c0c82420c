import { describe, expect, it } from 'vitest'
import { countStored, endpoints, expectDeclaredAnswer } from '../../../test/support/operations.ts'
import { type Caller, testService } from '../../../test/support/service.ts'
import type { Actor } from '../../contract/actor.ts'
import type { Endpoint } from '../../platform/http/endpoint.ts'
import { liveCount } from '../../records/live-count.ts'
import type { MutableAppointment } from '../../resources/appointments/appointment.schema.ts'
import { appointmentEvents } from '../../resources/appointments/appointment-events.ts'
import { applyStatusRules } from '../../resources/appointments/status-rules.ts'
import { readRoster } from '../sandbox/roster.ts'
import { appointmentCreated } from './schedule.ts'
import { seed } from './seed.ts'

// biome-ignore lint/suspicious/noExplicitAny: a JSON answer, as a client without types reads it
type Body = any

const service = testService()
const TODAY = new Date('2026-03-09T18:00:00.000Z')
const SIZE = { patients: 220, appointments: 900 }
const kinds: string[] = ['patient', 'coverage', 'appointment', 'patient_merge', 'tag']

async function seeded(size = SIZE, now = TODAY) {
  const caller = await service.newCaller({ timeZone: 'America/New_York' })
  const progress: number[] = []
  const made = await seed(
    {
      database: service.deps.database,
      systemDatabase: service.database,
      newId: service.deps.newId,
      now: () => now,
    },
    { organizationId: caller.organizationId, ...size },
    (done, all) => progress.push(done / all),
  )
  return { caller, made, progress }
}

/** Bodies with everything but ids, in a fixed order. */
async function contentOf({ organizationId }: Caller) {
  const rows = await service.database.rows(
    `select (body - 'patient_id' - 'tag_ids') #- '{filing_order}' #- '{placer_appointment_id}' from
      (select body from patient where organization_id = $1
      union all select body from appointment where organization_id = $1
      union all select body - 'patient' from coverage where organization_id = $1) records order by 1::text`,
    [organizationId],
  )
  return rows.map(([body]) => body)
}

async function scanAll({ call }: Caller, url: string) {
  const seen = new Map<string, Record<string, unknown>>()
  let since = '2000-01-01T00:00:00.000Z'
  for (let before = -1; before < seen.size; ) {
    before = seen.size
    const { body } = await call('GET', `${url}/updates/scan?since=${since}`)
    for (const record of body) seen.set(`${record.id} ${record.version}`, record)
    since = body.at(-1)?.updated_at ?? since
  }
  return [...seen.values()]
}

describe('seed', () => {
  it('adds the requested patients and appointments, three coverages for two patients, and reports the counts', async () => {
    const { caller, made, progress } = await seeded()
    expect(made).toMatchObject({ ...SIZE, coverages: 330, patient_merges: 2, tags: 6 })
    expect(made.deactivated).toBeGreaterThan(0)
    expect(progress.at(-1)).toBe(1)
    for (const name of kinds) {
      const row = await service.database.row(
        `select count(*), count(*) filter (where not deactivated) from ${name} where organization_id = $1`,
        [caller.organizationId],
      )
      const counts = [
        await liveCount(service, caller.organizationId, name, { includeDeactivated: true }),
        await liveCount(service, caller.organizationId, name),
      ]
      expect(counts.map(String), name).toEqual(row)
    }
  })

  it('writes every version to the history and at most 50 records of a type with the same time stamp', async () => {
    const { caller } = await seeded()
    for (const name of kinds) {
      expect((await countStored(service.database, { name })).isWhole, name).toBe(true)
      const row = await service.database.row(
        `select max(count) from (select count(*) from ${name} where organization_id = $1 group by updated_at) stamps`,
        [caller.organizationId],
      )
      expect(Number(row?.[0]), name).toBeLessThanOrEqual(50)
    }
  })

  it.each(['/patients/v1', '/coverages/v1', '/appointments/v1'])(
    'makes records that a poller of %s finds all of, each as the interface declares it',
    async (url) => {
      const { caller, made } = await seeded()
      const records = await scanAll(caller, url)
      const stem = url.split('/')[1] as 'patients' | 'coverages' | 'appointments'
      expect(new Set(records.map(({ id }) => id)).size).toBe(made[stem])
      const scan = endpoints.find(({ operation }) => operation === `${stem}.scan`) as Endpoint
      expectDeclaredAnswer(scan, { status: 200, headers: {}, text: '', body: records })
    },
  )

  it('makes patients that a client can read and write back unchanged', async () => {
    const { caller } = await seeded({ patients: 20, appointments: 60 })
    for (const { id, version, ...body } of await scanAll(caller, '/patients/v1')) {
      const reply = await caller.call('PUT', `/patients/v1/${id}/${Number(version) + 1}`, body)
      expect([reply.status, reply.body]).toEqual([200, expect.objectContaining({ filing_order: body.filing_order })])
    }
    for (const { id, version, ...body } of await scanAll(caller, '/appointments/v1')) {
      expect((await caller.call('PUT', `/appointments/v1/${id}/${Number(version) + 1}`, body)).status).toBe(200)
    }
  })

  it('makes the same data twice on one day, except for ids', async () => {
    const size = { patients: 120, appointments: 300 }
    const [one, other] = [await seeded(size), await seeded(size, new Date('2026-03-09T23:00:00.000Z'))]
    expect(await contentOf(other.caller)).toEqual(await contentOf(one.caller))
    expect(other.made).toEqual(one.made)
  })

  it('begins with members of the sandbox, each with an upcoming visit that is still to be verified', async () => {
    const { caller } = await seeded({ patients: 60, appointments: 100 })
    const roster = await readRoster()
    const { body } = await caller.call(
      'GET',
      '/lists/v1/appointment?limit=100&sort_field=patient.mrn&sort_direction=asc',
    )
    const known = body.items.filter(({ patient, primary_coverage: held }: Body) =>
      roster.members.some(
        (member) =>
          member.payer === held?.insurance_plan.payer_id &&
          member.memberId === held?.insurance_plan.member_id &&
          member.birthDate === patient.birth_date &&
          member.lastName === patient.name.family,
      ),
    )
    const next = known.filter(
      ({ appointment }: Body) => appointment.status === 'PENDING' && appointment.start_timestamp < '2026-03-12',
    )
    expect(new Set(next.map(({ patient }: Body) => patient.mrn)).size).toBeGreaterThan(15)
    const days = next.map(({ appointment }: Body) => appointment.start_timestamp.slice(0, 10))
    expect(new Set(days)).toEqual(new Set(['2026-03-09', '2026-03-10', '2026-03-11']))
  })

  it('adds further patients at the next run, also when two runs are concurrent', async () => {
    const { caller } = await seeded({ patients: 30, appointments: 40 })
    const deps = {
      database: service.deps.database,
      systemDatabase: service.database,
      newId: service.deps.newId,
      now: () => TODAY,
    }
    const size = { organizationId: caller.organizationId, patients: 30, appointments: 40 }
    const runs = await Promise.all([seed(deps, size, () => {}), seed(deps, size, () => {})])
    expect(runs.map(({ patients, appointments, tags }) => [patients, appointments, tags])).toEqual([
      [30, 40, 0],
      [30, 40, 0],
    ])
    const { body } = await caller.call('GET', '/patients/v1/get_multi?limit=1000&sort_field=mrn')
    const mrns = body.items.map(({ mrn }: { mrn: string }) => mrn)
    expect(new Set(mrns).size).toBe(mrns.length)
    expect(mrns[0]).toBe('S0000001')
    expect(await liveCount(service, caller.organizationId, 'patient', { includeDeactivated: true })).toBe(90)
  })

  it('assigns MRNs that never collide with generated ones', async () => {
    const { caller } = await seeded({ patients: 5, appointments: 0 })
    const { body: seededPatient } = await caller.call('GET', '/patients/v1/mrn/S0000001')
    // The coverages in the seeded patient's filing order belong to no other patient.
    const { body } = await caller.call('POST', '/patients/v1?skip_duplicate_check=true', {
      ...seededPatient,
      filing_order: { coverages: [] },
    })
    expect(body.mrn).toMatch(/^\d{6}0001$/)
  })

  it('stays within clinic hours of the organization, on weekdays of two years around today', async () => {
    const { caller } = await seeded()
    const rows = await service.database.rows(
      `select distinct extract(hour from at), extract(isodow from at), at::date - date '2026-03-09' from
        (select (body ->> 'start_timestamp')::timestamptz at time zone 'America/New_York' as at
        from appointment where organization_id = $1) local`,
      [caller.organizationId],
    )
    for (const [hour, weekday, distance] of rows.map((row) => row.map(Number))) {
      expect(hour).toBeGreaterThanOrEqual(8)
      expect(hour).toBeLessThan(17)
      expect(weekday).toBeLessThan(6)
      expect(Math.abs(distance ?? 999)).toBeLessThanOrEqual(365)
    }
  })

  it('gives each appointment the fields of its status, uses every status, and records the events of its creation', async () => {
    const { caller } = await seeded({ patients: 100, appointments: 4000 })
    const actor: Actor = { organizationId: caller.organizationId, userId: '', clientId: '' }
    const rows = await service.database.rows(
      `select id, body, to_char((body ->> 'start_timestamp')::timestamptz at time zone 'America/New_York', 'YYYY-MM-DD'),
        coalesce(events, '[]')
      from appointment left join (
        select appointment_id, jsonb_agg(payload order by event_type) as events
        from timeline_event where organization_id = $1 group by appointment_id) recorded on appointment_id = appointment.id
      where organization_id = $1`,
      [caller.organizationId],
    )
    const statuses = new Set<string>()
    for (const [index, [id = '', text = '', date = '', stored = '']] of rows.entries()) {
      const body: MutableAppointment = JSON.parse(text)
      statuses.add(body.status ?? '')
      expect(applyStatusRules(body)).toEqual(body)
      if (index % 40 > 0) continue
      const events = await appointmentEvents({ id, after: body }, { actor, deps: service.deps })
      expect(appointmentCreated(id, body, date)).toEqual(events)
      expect(JSON.parse(stored)).toHaveLength(events.length)
    }
    expect([...statuses].sort()).toEqual(['CHECKED_IN', 'CHECKED_OUT', 'NOT_READY', 'NO_SHOW', 'PENDING', 'READY'])
  })
})
