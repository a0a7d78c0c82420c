// A visit is READY only on an answer about this person, this day and this coverage as they are stored, and NOT_READY only for a reason that
// still holds: what happens when something changes while an inquiry is open, and afterwards.
import { describe, expect, it } from 'vitest'
import { type Body, coverageBody } from '../../../test/support/bodies.ts'
import { clinicsOf, silent, verifyVisit } from '../../../test/support/clinic.ts'
import { checkCoverage as check } from '../../../test/support/coverage-checks.ts'
import { ACTIVE, DOWN, INACTIVE, NOT_FOUND, scriptedPayer } from '../../../test/support/scripted-payer.ts'
import { type Caller, testService } from '../../../test/support/service.ts'
import { updateOrganization } from '../../platform/auth/clients.ts'
import { listChangedDecisions } from './decided-visits.ts'

const clock = { at: '2026-03-08T12:00:00.000Z' }
const payer = scriptedPayer()
const service = testService(() => ({ clearinghouses: payer.clearinghouses, now: () => new Date(clock.at) }))
const { newClinic, newPatient, fileCoverages, newVisit, read, historyOf, put, verify, makeDue } = clinicsOf(service)

const READY = { status: 'READY', ready_source: 'MACHINE' }

/** Writes a record with some fields changed. */
async function change({ call }: Caller, path: string, id: string, changes: Body): Promise<void> {
  const { body } = await call('GET', `${path}/${id}`)
  const reply = await call('PUT', `${path}/${id}/${body.version + 1}`, { ...body, ...changes })
  expect(reply.status, reply.text).toBe(200)
}

const changeCoverage = async (caller: Caller, id: string, plan: Body, changes: Body = {}) => {
  const { body } = await caller.call('GET', `/coverages/v1/${id}`)
  await change(caller, '/coverages/v1', id, { insurance_plan: { ...body.insurance_plan, ...plan }, ...changes })
}

const cancel = (caller: Caller, id: string) => changeCoverage(caller, id, {}, { status: 'CANCELLED' })

/** A user checks the coverage by itself, not for the visit, a second later. */
async function checkCoverage(caller: Caller, id: string, overrides: Body = {}): Promise<void> {
  clock.at = new Date(Date.parse(clock.at) + 1_000).toISOString()
  await check(caller, id, overrides)
}

const addHour = (instant: string) => new Date(Date.parse(instant) + 3_600_000).toISOString()

let members = 0
const newMember = () => `ready-${++members}`

interface Case {
  caller: Caller
  patient: { id: string; coverages: string[] }
  visit: Body & { id: string }
  member: string
  /** Of the secondary coverage, if there is one. */
  second: string
}

/** Each change makes the answer one about something else; `refused` is the member about whom the payer then answers. */
const CHANGES: Record<string, (about: Case, refused: string) => Promise<unknown>> = {
  'the member id is corrected': ({ caller, patient }, refused) =>
    changeCoverage(caller, patient.coverages[0]!, { member_id: refused }),
  'the coverage is replaced by another': async ({ caller, patient }, refused) => {
    const insurance_plan = { member_id: refused, payer_id: '60054', payer_name: 'Aetna' }
    const { body } = await caller.call('POST', '/coverages/v1', coverageBody(patient.id, { insurance_plan }))
    await fileCoverages(caller, patient.id, [body.id])
  },
  'another coverage is filed first': async ({ caller, patient }, refused) => {
    const insurance_plan = { member_id: refused, payer_id: '60054', payer_name: 'Aetna' }
    const { body } = await caller.call('POST', '/coverages/v1', coverageBody(patient.id, { insurance_plan }))
    await fileCoverages(caller, patient.id, [body.id, ...patient.coverages])
  },
  'the birth date of the subscriber is corrected': async ({ caller, patient, member }) => {
    payer.answers.set(member, INACTIVE)
    const { body } = await caller.call('GET', `/coverages/v1/${patient.coverages[0]}`)
    const subscriber = { ...body.subscriber, date_of_birth: '1971-03-04' }
    await change(caller, '/coverages/v1', patient.coverages[0]!, { subscriber })
  },
  'the visit is moved to a day after the end of the coverage': async ({ caller, visit, member }) => {
    payer.answers.set(member, `${ACTIVE}DTP*291*RD8*20250101-20260310~`)
    await put(caller, visit.id, { start_timestamp: '2026-03-11T09:00:00.000Z' })
  },
  'the doctor of the visit changes': async ({ caller, visit, member }) => {
    payer.answers.set(member, INACTIVE)
    const { body } = await caller.call('GET', `/appointments/v1/${visit.id}`)
    const attending_doctor = {
      name: body.attending_doctor?.name ?? { family: 'Okafor', given: ['Ada'], use: 'USUAL', period: {} },
      npi: '1999999984',
      telecoms: [],
      addresses: [],
    }
    await put(caller, visit.id, { attending_doctor })
  },
  "the organization's NPI changes": async ({ caller, member }) => {
    payer.answers.set(member, INACTIVE)
    await setOrganization(caller, { npi: '1999999984' })
  },
  "the organization's service for such visits changes": async ({ caller, member }) => {
    payer.answers.set(member, INACTIVE)
    await setOrganization(caller, { visit_services: { MD_Visit: ['UC'] } })
  },
}

const setOrganization = ({ organizationId }: Caller, settings: Parameters<typeof updateOrganization>[2]) =>
  updateOrganization(service.deps.systemDatabase, organizationId, settings)

async function newCase(overrides: Body = {}, coverages = 1): Promise<Case> {
  const caller = await newClinic()
  const members = Array.from({ length: coverages }, newMember)
  const [member = '', second = ''] = members
  const patient = await newPatient(caller, ...members)
  const visit = await newVisit(caller, patient.id, overrides)
  return { caller, patient, visit, member, second }
}

const stateOf = async ({ caller, visit }: Case) => {
  const { status, not_ready_reason } = await read(caller, visit.id)
  return not_ready_reason ?? status
}

describe.each(Object.entries(CHANGES))('when %s', (_, act) => {
  it('during the inquiry, the visit is decided by an answer about the current data', async () => {
    const about = await newCase()
    const refused = newMember()
    payer.answers.set(refused, INACTIVE)
    payer.meanwhile(about.member, () => act(about, refused))
    await verify(about.caller)
    await makeDue(about.caller)
    await verify(about.caller)
    expect(await read(about.caller, about.visit.id)).toMatchObject({ not_ready_reason: 'INACTIVE_PRIMARY' })
  })

  it('after the visit became READY, it does not stay READY on the earlier answer', async () => {
    const about = await newCase()
    const refused = newMember()
    payer.answers.set(refused, INACTIVE)
    await verify(about.caller)
    expect(await read(about.caller, about.visit.id)).toMatchObject(READY)
    await act(about, refused)
    await verify(about.caller)
    expect(await read(about.caller, about.visit.id)).toMatchObject({ not_ready_reason: 'INACTIVE_PRIMARY' })
  })
})

describe('a coverage that no longer counts', () => {
  it.each([
    ['cancelled', cancel],
    [
      'entered in error',
      (caller: Caller, id: string) => changeCoverage(caller, id, {}, { status: 'ENTERED_IN_ERROR' }),
    ],
    [
      'moved to another patient',
      async (caller: Caller, id: string) =>
        change(caller, '/coverages/v1', id, { patient: (await newPatient(caller)).id }),
    ],
  ])('because it is %s during the inquiry leaves the visit without coverage', async (_, act) => {
    const { caller, patient, visit, member } = await newCase()
    payer.meanwhile(member, () => act(caller, patient.coverages[0]!))
    await verify(caller)
    expect(await read(caller, visit.id)).toMatchObject({ not_ready_reason: 'NO_COVERAGE' })
  })

  it('because it is cancelled after the visit became READY leaves it without coverage', async () => {
    const { caller, patient, visit } = await newCase()
    await verify(caller)
    await cancel(caller, patient.coverages[0]!)
    await verify(caller)
    expect(await read(caller, visit.id)).toMatchObject({ not_ready_reason: 'NO_COVERAGE' })
  })
})

describe('a READY visit', () => {
  it.each([
    ['denies the coverage', INACTIVE, 'INACTIVE_PRIMARY'],
    ['does not find the patient', NOT_FOUND, 'ELIGIBILITY_CHECK_FAILED_PRIMARY'],
  ])('is decided again when the payer %s in a later check of the coverage', async (_, rows, reason) => {
    const { caller, patient, visit, member } = await newCase()
    await verify(caller)
    payer.answers.set(member, rows)
    await checkCoverage(caller, patient.coverages[0]!)
    await verify(caller)
    expect(await read(caller, visit.id)).toMatchObject({ not_ready_reason: reason })
  })

  it('is decided again after a later check by a machine whose clock is behind', async () => {
    const { caller, patient, visit, member } = await newCase()
    await verify(caller)
    payer.answers.set(member, INACTIVE)
    const now = clock.at
    clock.at = new Date(Date.parse(now) - 3_600_000).toISOString()
    await check(caller, patient.coverages[0]!)
    clock.at = now
    await verify(caller)
    expect(await read(caller, visit.id)).toMatchObject({ not_ready_reason: 'INACTIVE_PRIMARY' })
  })

  it('stays READY, in the same version and without another inquiry, when the payer cannot be reached in a later check', async () => {
    const { caller, patient, visit, member } = await newCase()
    await verify(caller)
    payer.answers.set(member, DOWN)
    await checkCoverage(caller, patient.coverages[0]!)
    const asked = payer.countFor(member)
    await verify(caller)
    expect(await read(caller, visit.id)).toMatchObject({ version: 2, ...READY })
    expect(payer.countFor(member)).toBe(asked)
  })

  it('stays READY after changes that no inquiry contains, without another inquiry', async () => {
    const { caller, patient, visit, member } = await newCase()
    await verify(caller)
    await put(caller, visit.id, { notes: 'needs an interpreter', start_timestamp: '2026-03-10T16:00:00.000Z' })
    await change(caller, '/patients/v1', patient.id, { gender: 'WOMAN' })
    await verify(caller)
    expect(await read(caller, visit.id)).toMatchObject({ version: 3, ...READY })
    expect(payer.countFor(member)).toBe(1)
  })

  it('is decided again after a change, also when the clock of the process is years ahead of the database', async () => {
    clock.at = '2036-03-08T12:00:00.000Z'
    const { caller, patient, visit } = await newCase({ start_timestamp: '2036-03-10T14:00:00.000Z' })
    await verify(caller)
    expect(await read(caller, visit.id)).toMatchObject(READY)
    await cancel(caller, patient.coverages[0]!)
    await verify(caller)
    clock.at = '2026-03-08T12:00:00.000Z'
    expect(await read(caller, visit.id)).toMatchObject({ not_ready_reason: 'NO_COVERAGE' })
  })

  it('is reconsidered once after a change, not by every run', async () => {
    const { caller, patient, visit } = await newCase()
    const changed = async () => {
      const visits = await listChangedDecisions(service.deps, { organizationId: caller.organizationId, limit: 10 })
      return visits.map(({ appointmentId }) => appointmentId)
    }
    await verify(caller)
    expect(await changed()).toEqual([])
    await change(caller, '/patients/v1', patient.id, { gender: 'WOMAN' })
    expect(await changed()).toEqual([visit.id])
    await verify(caller)
    expect(await changed()).toEqual([])
  })

  it('that a user marked READY is left alone', async () => {
    const { caller, patient, visit } = await newCase()
    await put(caller, visit.id, { status: 'READY', ready_source: 'MANUAL' })
    await verify(caller)
    await cancel(caller, patient.coverages[0]!)
    await verify(caller)
    expect(await read(caller, visit.id)).toMatchObject({ version: 2, status: 'READY', ready_source: 'MANUAL' })
  })

  it('is PENDING again at once when it is moved beyond the days that are verified, with the estimate of the old answer removed', async () => {
    const { caller, visit, member } = await newCase()
    payer.answers.set(member, `${ACTIVE}EB*B**98***27*25*****Y~`)
    await verify(caller)
    expect(await read(caller, visit.id)).toMatchObject({ ...READY, estimated_copay_cents: 2500 })
    await put(caller, visit.id, { start_timestamp: '2026-05-20T09:00:00.000Z' })
    expect(await verify(caller)).toEqual([])
    const moved = await read(caller, visit.id)
    expect(moved.status).toBe('PENDING')
    expect([moved.ready_source, moved.estimated_copay_cents]).toEqual([undefined, undefined])
    clock.at = '2026-05-18T12:00:00.000Z'
    await verify(caller)
    clock.at = '2026-03-08T12:00:00.000Z'
    expect(await read(caller, visit.id)).toMatchObject(READY)
  })

  it('is PENDING while the payer of a changed coverage cannot be reached', async () => {
    const { caller, patient, visit } = await newCase()
    await verify(caller)
    const silent = newMember()
    payer.answers.set(silent, DOWN)
    await changeCoverage(caller, patient.coverages[0]!, { member_id: silent })
    await verify(caller)
    expect((await read(caller, visit.id)).status).toBe('PENDING')
  })

  it('is reconsidered by several workers at once in one new decision', async () => {
    const { caller, patient, visit } = await newCase()
    await verify(caller)
    const refused = newMember()
    payer.answers.set(refused, INACTIVE)
    await changeCoverage(caller, patient.coverages[0]!, { member_id: refused })
    await Promise.all([verify(caller), verify(caller), verify(caller)])
    await verify(caller)
    expect(await read(caller, visit.id)).toMatchObject({ not_ready_reason: 'INACTIVE_PRIMARY' })
    expect(await historyOf(caller, visit.id)).toHaveLength(4)
    expect(payer.countFor(refused)).toBe(1)
  })

  it('is reconsidered even if another visit cannot be; that one is unchanged and logged', async () => {
    const { caller, patient, visit } = await newCase()
    const refused = newMember()
    payer.answers.set(refused, INACTIVE)
    const other = await newPatient(caller, refused)
    const broken = await newVisit(caller, other.id)
    await verify(caller)
    await changeCoverage(caller, patient.coverages[0]!, { member_id: refused })
    await changeCoverage(caller, other.coverages[0]!, { member_id: newMember() })
    const breakAnswers = `update appointment_verification set answers = '[null]' where organization_id = $1 and appointment_id = $2`
    await service.database.rows(breakAnswers, [caller.organizationId, broken.id])
    const failures: unknown[] = []
    const log = { ...silent, error: (failure: unknown) => failures.push(failure) } as typeof silent
    await verify(caller, { log })
    expect(await read(caller, broken.id)).toMatchObject({ version: 2, not_ready_reason: 'INACTIVE_PRIMARY' })
    expect(failures).toHaveLength(1)
    expect(await read(caller, visit.id)).toMatchObject({ not_ready_reason: 'INACTIVE_PRIMARY' })
  })

  it('is reconsidered beside those of other organizations: the soonest visits of each first', async () => {
    const cases = [await newCase(), await newCase()]
    const later: string[] = []
    for (const { caller, patient, visit } of cases) {
      const second = await newVisit(caller, patient.id)
      await change(caller, '/appointments/v1', second.id, { start_timestamp: addHour(visit.start_timestamp as string) })
      await verify(caller)
      later.push(second.id)
      await changeCoverage(caller, patient.coverages[0]!, { member_id: newMember() })
    }
    const ours = new Set([...cases.map(({ visit }) => visit.id as string), ...later])
    const listed = async (limit: number) => {
      const visits = await listChangedDecisions(service.deps, { limit })
      return visits.flatMap(({ appointmentId }) => (ours.has(appointmentId) ? [appointmentId] : [])).sort()
    }
    expect(await listed(2)).toEqual([...ours].sort())
    expect(await listed(1)).toEqual(cases.map(({ visit }) => visit.id).sort())
  })
})

const SPEND_DOWN = `${ACTIVE}EB*Y**30***29*412~`

describe('a later answer of the payer', () => {
  it.each([
    ['that it cannot answer now', DOWN, {}],
    ['about dental care alone', 'EB*1**35~', { service_code: '35' }],
    ['about an earlier day', ACTIVE, { date_of_service: '2026-01-10' }],
  ])('%s does not hide that it denied the coverage before', async (_, rows, overrides) => {
    const about = await newCase()
    const [coverage = ''] = about.patient.coverages
    await verify(about.caller)
    payer.answers.set(about.member, INACTIVE)
    await checkCoverage(about.caller, coverage)
    payer.answers.set(about.member, rows)
    await checkCoverage(about.caller, coverage, overrides)
    payer.answers.set(about.member, INACTIVE)
    await verify(about.caller)
    expect(await stateOf(about)).toBe('INACTIVE_PRIMARY')
  })

  it('that states active coverage with a readiness issue sets a READY visit back', async () => {
    const about = await newCase()
    await verify(about.caller)
    payer.answers.set(about.member, SPEND_DOWN)
    await checkCoverage(about.caller, about.patient.coverages[0]!)
    await verify(about.caller)
    expect(await stateOf(about)).toBe('ELIGIBILITY_CHECK_FAILED_PRIMARY')
  })

  it('counts when it comes while the payer of the other coverage cannot be reached', async () => {
    const about = await newCase({}, 2)
    payer.answers.set(about.second, DOWN)
    await verify(about.caller)
    payer.answers.set(about.member, INACTIVE)
    await checkCoverage(about.caller, about.patient.coverages[0]!)
    payer.answers.delete(about.second)
    await makeDue(about.caller)
    await verify(about.caller)
    expect(await stateOf(about)).toBe('INACTIVE_PRIMARY')
  })

  it('counts when it comes while the other coverage is asked about', async () => {
    const about = await newCase({}, 2)
    const { caller, patient, member, second } = about
    payer.meanwhile(second, async () => {
      const latest = async () => (await caller.call('GET', `/coverages/v1/${patient.coverages[0]}`)).body
      await expect.poll(async () => (await latest()).latest_eligibility_check?.status).toBe('ACTIVE')
      payer.answers.set(member, INACTIVE)
      await checkCoverage(caller, patient.coverages[0]!)
    })
    await verify(caller)
    expect(await stateOf(about)).toBe('INACTIVE_PRIMARY')
  })

  it('for a visit after the end of the coverage leaves an earlier visit READY, without another inquiry', async () => {
    const about = await newCase()
    const { caller, patient, member } = about
    payer.answers.set(member, ({ dateOfService }) => (dateOfService <= '2026-03-10' ? ACTIVE : INACTIVE))
    await verify(caller)
    const visit = await newVisit(caller, patient.id, { start_timestamp: '2026-03-11T10:00:00.000Z' })
    await verify(caller)
    await verify(caller)
    expect([await stateOf(about), await stateOf({ ...about, visit })]).toEqual(['READY', 'INACTIVE_PRIMARY'])
    expect(payer.countFor(member)).toBe(2)
  })
})

describe('a visit that is verified again on request while the payer cannot be reached', () => {
  it('stays READY if nothing has changed', async () => {
    const about = await newCase()
    await verify(about.caller)
    payer.answers.set(about.member, DOWN)
    await verifyVisit(about.caller, about.visit.id)
    await verify(about.caller)
    expect(await stateOf(about)).toBe('READY')
  })

  it('does not stay READY on an answer about the coverage before it was changed', async () => {
    const about = await newCase()
    await verify(about.caller)
    const unreachable = newMember()
    payer.answers.set(unreachable, DOWN)
    await changeCoverage(about.caller, about.patient.coverages[0]!, { member_id: unreachable })
    await verifyVisit(about.caller, about.visit.id)
    await verify(about.caller)
    expect(await stateOf(about)).toBe('PENDING')
  })
})

it('a visit that was verified long before is verified again when its days begin', async () => {
  const about = await newCase({ start_timestamp: '2026-05-20T09:00:00.000Z' })
  await verifyVisit(about.caller, about.visit.id)
  await verify(about.caller)
  expect(await stateOf(about)).toBe('READY')
  payer.answers.set(about.member, INACTIVE)
  const now = clock.at
  clock.at = '2026-05-18T12:00:00.000Z'
  await verify(about.caller)
  clock.at = now
  expect(await stateOf(about)).toBe('INACTIVE_PRIMARY')
})

/** Each takes away the reason for which a visit was NOT_READY. */
const REMEDIES: Record<string, (about: Case) => Promise<unknown>> = {
  'the member id is corrected': ({ caller, patient }) =>
    changeCoverage(caller, patient.coverages[0]!, { member_id: newMember() }),
  'the coverage is found active in a later check': async ({ caller, patient, member }) => {
    payer.answers.set(member, ACTIVE)
    await checkCoverage(caller, patient.coverages[0]!, { date_of_service: '2026-03-08' })
  },
  'the visit is moved to a day on which the coverage is active': async ({ caller, visit, member }) => {
    payer.answers.set(member, ACTIVE)
    await put(caller, visit.id, { start_timestamp: '2026-03-11T09:00:00.000Z' })
  },
  'the coverage is replaced by another': async ({ caller, patient }) => {
    const insurance_plan = { member_id: newMember(), payer_id: '60054', payer_name: 'Aetna' }
    const { body } = await caller.call('POST', '/coverages/v1', coverageBody(patient.id, { insurance_plan }))
    await fileCoverages(caller, patient.id, [body.id])
  },
}

describe.each(Object.entries(REMEDIES))('when %s', (_, remedy) => {
  it('a visit that was NOT_READY is verified again, with its reason and work queue removed', async () => {
    const about = await newCase()
    payer.answers.set(about.member, INACTIVE)
    await verify(about.caller)
    expect(await stateOf(about)).toBe('INACTIVE_PRIMARY')
    await remedy(about)
    await verify(about.caller)
    const visit = await read(about.caller, about.visit.id)
    expect(visit).toMatchObject(READY)
    expect([visit.not_ready_reason, visit.work_queue]).toEqual([undefined, undefined])
  })

  it.each([{ work_queue: 'MANUAL_ESCALATION' }, { not_ready_reason: 'MANUAL' }])(
    'a visit that a user has taken over with %j is left alone',
    async (changes) => {
      const about = await newCase()
      payer.answers.set(about.member, INACTIVE)
      await verify(about.caller)
      await put(about.caller, about.visit.id, changes)
      await remedy(about)
      expect(await verify(about.caller)).toEqual([])
      expect(await read(about.caller, about.visit.id)).toMatchObject({ status: 'NOT_READY', ...changes })
    },
  )
})

it('a visit without coverage is READY once an active one is filed', async () => {
  const about = await newCase({}, 0)
  await verify(about.caller)
  expect(await stateOf(about)).toBe('NO_COVERAGE')
  await REMEDIES['the coverage is replaced by another']!(about)
  await verify(about.caller)
  expect(await stateOf(about)).toBe('READY')
})

it('a visit whose payer could not be reached is READY once it answers, also after a user has added a note', async () => {
  const about = await newCase({ start_timestamp: '2026-03-09T10:00:00.000Z' })
  payer.answers.set(about.member, DOWN)
  await verify(about.caller)
  expect(await stateOf(about)).toBe('UNAVAILABLE_PRIMARY')
  await put(about.caller, about.visit.id, { notes: 'called the payer' })
  payer.answers.delete(about.member)
  await makeDue(about.caller)
  await verify(about.caller)
  expect(await read(about.caller, about.visit.id)).toMatchObject({ ...READY, notes: 'called the payer' })
})
