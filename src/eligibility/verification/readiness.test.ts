// A visit is set to READY automatically only for active coverage of its own service without readiness issues. Source: rules.md 17.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Body } from '../../../test/support/bodies.ts'
import { clinicsOf } from '../../../test/support/clinic.ts'
import { checkCoverage } from '../../../test/support/coverage-checks.ts'
import { ACTIVE, INACTIVE, NOT_FOUND, scriptedPayer } from '../../../test/support/scripted-payer.ts'
import { type Caller, testService } from '../../../test/support/service.ts'
import type { Deps } from '../../deps.ts'
import { readVisitServices } from '../../main/cli/visit-services.ts'
import { updateOrganization } from '../../platform/auth/clients.ts'
import { listChangedDecisions } from './decided-visits.ts'

const payer = scriptedPayer()
const service = testService(() => ({
  clearinghouses: payer.clearinghouses,
  now: () => new Date('2026-03-08T12:00:00.000Z'),
}))
const { newClinic, newPatient, newVisit, read, verify, makeDue } = clinicsOf(service)

const PRP = (name: string) => `LS*2120~NM1*PRP*2*${name}*****PI*X-1~LE*2120~`

async function visitAnswered(rows: string[], overrides: Body = {}, caller?: Caller) {
  const clinic = caller ?? (await newClinic())
  const members = rows.map((answer) => {
    const member = randomUUID()
    payer.answers.set(member, answer)
    return member
  })
  const patient = await newPatient(clinic, ...members)
  const { id } = await newVisit(clinic, patient.id, overrides)
  const [verified] = await verify(clinic)
  const visit = await read(clinic, id)
  const check = async (index: number) => {
    const { body } = await clinic.call('GET', `/coverages/v1/${patient.coverages[index]}`)
    const checkId = body.latest_eligibility_check.check_id
    const [row] = await service.database.rows('select parsed_response::text from eligibility_check where id = $1', [
      checkId,
    ])
    return JSON.parse(row?.[0] ?? '{}')
  }
  return { visit, verified, notesOf: async (index = 0): Promise<string> => (await check(index)).benefits?.notes ?? '' }
}

describe('a visit whose payer reports active coverage', () => {
  it.each([
    ['of pharmacy alone', 'EB*1**88~', 'INACTIVE_PRIMARY', 'active for Pharmacy only'],
    ['of dental and vision alone', 'EB*1**35^AL~', 'INACTIVE_PRIMARY', 'active for Dental Care, Vision'],
    [
      'and names its service as not covered',
      `${ACTIVE}EB*I**98~`,
      'INACTIVE_PRIMARY',
      'Non-Covered: Professional (Physician) Visit - Office',
    ],
    [
      'and names its service as inactive',
      `${ACTIVE}EB*6**98~MSG*TERMED~`,
      'INACTIVE_PRIMARY',
      'Inactive: Professional (Physician) Visit - Office; TERMED',
    ],
    [
      'behind another payer',
      `${ACTIVE}EB*R**30*C1~DTP*292*D8*20250101~${PRP('HARBOR MUTUAL')}`,
      'NEW_INSURANCE',
      'another payer is primary: HARBOR MUTUAL, since 2025-01-01',
    ],
    [
      'behind the group plan of a Medicare patient',
      `EB*1**30*MA~EB*R**30*12~${PRP('HARBOR MUTUAL')}`,
      'NEW_INSURANCE',
      'another payer is primary: HARBOR MUTUAL',
    ],
    [
      'with an unmet spend-down',
      `${ACTIVE}EB*Y**30***29*412~`,
      'ELIGIBILITY_CHECK_FAILED_PRIMARY',
      'spend-down not met: Spend Down: the plan; $412',
    ],
    [
      'with a spend-down that a message names',
      'EB*1**30~MSG*SPENDDOWN NOT MET~',
      'ELIGIBILITY_CHECK_FAILED_PRIMARY',
      'SPENDDOWN NOT MET',
    ],
    [
      'of a person whom it doubts',
      `${ACTIVE}EB*V**98~AAA*N**75*C~`,
      'ELIGIBILITY_CHECK_FAILED_PRIMARY',
      'AAA 75 Subscriber/Insured Not Found',
    ],
    ['that has not begun', 'EB*1**30~DTP*346*D8*20270101~', 'INACTIVE_PRIMARY', 'begins 2027-01-01'],
  ])('%s is not READY, and the note of the check states why', async (_, rows, reason, note) => {
    const { visit, notesOf } = await visitAnswered([rows])
    expect(visit).toMatchObject({ status: 'NOT_READY', not_ready_reason: reason })
    expect(await notesOf()).toContain(note)
    expect(await notesOf()).toMatch(/^ATTENTION: /)
    const second = await visitAnswered([ACTIVE, rows])
    expect(second.visit.not_ready_reason).toBe(reason.replace('PRIMARY', 'SECONDARY'))
  })

  it.each([
    ['of an office visit alone', 'EB*1**98~'],
    ['of the plan by a row without a service', 'EB*1~'],
    ['and leaves out a service of no concern', `${ACTIVE}EB*I**35~EB*I**AL~EB*6**88~`],
    [
      'and leaves out other networks, procedures and places',
      `${ACTIVE}EB*I**30*********N~EB*I**98*********Y*HC:99499~EB*I**98~III*ZZ*21~`,
    ],
    ['and lists exclusions', `${ACTIVE}EB*E**30~MSG*COSMETIC SURGERY~EB*I**30~MSG*ACUPUNCTURE~`],
    ['before another payer', `${ACTIVE}EB*R**30~LS*2120~NM1*SEP*2*HARBOR MUTUAL~LE*2120~`],
    ['behind another payer that has ended', `${ACTIVE}EB*R**30~DTP*292*RD8*20240101-20251231~${PRP('HARBOR MUTUAL')}`],
    ['behind another payer for drugs', `${ACTIVE}EB*R**88~${PRP('HARBOR RX')}`],
    ['with a spend-down that is met', `${ACTIVE}EB*Y**30***23*500~EB*Y**30***29*0~`],
    ['with a spend-down that a message says is met', 'EB*1**30~MSG*SPEND DOWN HAS BEEN MET~'],
  ])('%s is READY', async (_, rows) => {
    expect((await visitAnswered([rows])).visit.status).toBe('READY')
  })

  it('behind the payer that is filed before it is READY', async () => {
    const { visit } = await visitAnswered([ACTIVE, `${ACTIVE}EB*R**30~${PRP('AETNA')}`])
    expect(visit.status).toBe('READY')
    expect((await visitAnswered([`${ACTIVE}EB*R**30~${PRP('HARBOR')}`, ACTIVE])).visit.not_ready_reason).toBe(
      'NEW_INSURANCE',
    )
  })
})

it('nothing becomes READY while a correction waits, and the note of the check shows it', async () => {
  payer.renames = { lastName: 'RENAMED' }
  const { visit, notesOf } = await visitAnswered([ACTIVE])
  payer.renames = {}
  expect(visit).toMatchObject({ status: 'NOT_READY', not_ready_reason: 'ELIGIBILITY_CHECK_FAILED_PRIMARY' })
  expect(await notesOf()).toContain('ATTENTION: confirm with the patient: the payer has subscriber last name RENAMED')
})

it('an answer about another person requires a user, and stores none of its data', async () => {
  payer.renames = { firstName: 'SOMEBODY' }
  const { visit, notesOf } = await visitAnswered([ACTIVE])
  payer.renames = {}
  expect(visit).toMatchObject({ status: 'NOT_READY', not_ready_reason: 'ELIGIBILITY_CHECK_FAILED_PRIMARY' })
  expect(await notesOf()).toBe('')
})

describe('the service of an appointment', () => {
  const TREATMENT = { services: [{ universal_service_identifier: 'Treatment' }] }

  it('is the one that the organization maps, and the inquiry names it', async () => {
    const caller = await newClinic()
    const visit_services = readVisitServices('Treatment=35,UC; Tests=5', 'visit-services')
    const changed = await updateOrganization(service.database as never, caller.organizationId, { visit_services })
    expect(changed.visit_services).toEqual({ Treatment: ['35', 'UC'], Tests: ['5'] })
    const { visit } = await visitAnswered(['EB*1**35~'], TREATMENT, caller)
    expect(visit.status).toBe('READY')
    expect(payer.inquiries.at(-1)?.serviceTypeCodes).toEqual(['35', 'UC'])
    expect((await visitAnswered(['EB*1**98~'], TREATMENT, caller)).visit.not_ready_reason).toBe('INACTIVE_PRIMARY')
    expect((await visitAnswered(['EB*1**98~'], {}, caller)).visit.status).toBe('READY')
    expect(payer.inquiries.at(-1)?.serviceTypeCodes).toEqual(['30'])
  })

  it('is an office visit by default', async () => {
    expect((await visitAnswered(['EB*1**35~'], TREATMENT)).visit.not_ready_reason).toBe('INACTIVE_PRIMARY')
  })

  it.each(['Surgery=2', 'Treatment', 'Treatment=', 'Treatment=ABCD', 'Treatment=1=2'])('is refused as %s', (text) => {
    expect(() => readVisitServices(text, 'visit-services')).toThrow('--visit-services takes service=codes')
  })
})

it('a worker that takes over from a crashed one evaluates the stored answer by the same rule', async () => {
  const caller = await newClinic()
  for (const [rows, reason] of [
    [`${ACTIVE}EB*R**30~${PRP('HARBOR MUTUAL')}`, 'NEW_INSURANCE'],
    ['EB*1**88~', 'INACTIVE_PRIMARY'],
    [`${ACTIVE}EB*Y**30***29*412~`, 'ELIGIBILITY_CHECK_FAILED_PRIMARY'],
  ]) {
    const member = randomUUID()
    payer.answers.set(member, rows ?? '')
    const { id } = await newVisit(caller, (await newPatient(caller, member)).id)
    expect(await verify(caller, {}, dyingBeforeTheWrite())).toMatchObject([{ outcome: 'FAILED' }])
    await makeDue(caller)
    await verify(caller)
    expect(payer.countFor(member)).toBe(1)
    expect((await read(caller, id)).not_ready_reason).toBe(reason)
  }
})

describe('a visit that a client writes as READY by MACHINE', () => {
  const copied = { status: 'READY', ready_source: 'MACHINE' }

  it('is verified like any other, as when a READY visit is copied', async () => {
    const caller = await newClinic()
    const member = randomUUID()
    payer.answers.set(member, INACTIVE)
    const { id } = await newVisit(caller, (await newPatient(caller, member)).id, copied)
    await verify(caller)
    expect(await read(caller, id)).toMatchObject({ status: 'NOT_READY', not_ready_reason: 'INACTIVE_PRIMARY' })
  })

  it('is verified once, even if the payer has answered the same inquiry before', async () => {
    const caller = await newClinic()
    const visit_services = readVisitServices('Treatment=30', 'visit-services')
    await updateOrganization(service.database as never, caller.organizationId, { visit_services })
    const patient = await newPatient(caller, randomUUID())
    const treatment = { services: [{ universal_service_identifier: 'Treatment' }] }
    const { id } = await newVisit(caller, patient.id, { ...copied, ...treatment })
    const { status } = await caller.call('POST', '/eligibility-checks/v1/eligibility', { encounter_id: id })
    expect(status).toBe(200)
    await verify(caller)
    expect(await read(caller, id)).toMatchObject(copied)
    const { organizationId } = caller
    expect(await listChangedDecisions(service.deps, { organizationId, limit: 10 })).toEqual([])
  })

  it('is unchanged if verification is not enabled', async () => {
    const caller = await newClinic({ on: false })
    const { id } = await newVisit(caller, (await newPatient(caller, randomUUID())).id, copied)
    await verify(caller)
    expect(await read(caller, id)).toMatchObject({ version: 1, ...copied })
  })
})

it('a later denial of an office visit counts for a visit about the plan', async () => {
  const caller = await newClinic()
  const visit_services = readVisitServices('Treatment=30', 'visit-services')
  await updateOrganization(service.database as never, caller.organizationId, { visit_services })
  const member = randomUUID()
  payer.answers.set(member, ACTIVE)
  const patient = await newPatient(caller, member)
  const { id } = await newVisit(caller, patient.id, { services: [{ universal_service_identifier: 'Treatment' }] })
  await verify(caller)
  expect((await read(caller, id)).status).toBe('READY')
  payer.answers.set(member, INACTIVE)
  await checkCoverage(caller, patient.coverages[0]!, { service_code: '98' })
  await verify(caller)
  expect((await read(caller, id)).not_ready_reason).toBe('INACTIVE_PRIMARY')
})

it('the reason for NOT_READY follows a later answer to a check by a user', async () => {
  const caller = await newClinic()
  const member = randomUUID()
  payer.answers.set(member, NOT_FOUND)
  const patient = await newPatient(caller, member)
  const { id } = await newVisit(caller, patient.id)
  await verify(caller)
  expect((await read(caller, id)).not_ready_reason).toBe('ELIGIBILITY_CHECK_FAILED_PRIMARY')
  payer.answers.set(member, INACTIVE)
  await checkCoverage(caller, patient.coverages[0]!)
  await verify(caller)
  expect((await read(caller, id)).not_ready_reason).toBe('INACTIVE_PRIMARY')
})

/** Dependencies of a process that is killed after it has stored the answer. */
function dyingBeforeTheWrite(): Deps {
  let left = 1
  const { database } = service.deps
  const transaction: typeof database.transaction = async (work) => {
    if (left === 0) throw new Error('the process is gone')
    left -= 1
    return database.transaction(work)
  }
  return { ...service.deps, database: { ...database, transaction } }
}
