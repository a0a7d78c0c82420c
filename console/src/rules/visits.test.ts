import { describe, expect, it } from 'vitest'
import type { Appointment, BoardItem, MutableCoverage } from '../api/generated.ts'
import { lightOf } from './light.ts'
import { missingOf } from './missing.ts'
import { mayCall } from './scopes.ts'
import {
  actionFor,
  afterStep,
  answerOf,
  beforeStep,
  checkedWith,
  countQueues,
  isShown,
  isToCall,
  nextAction,
  timingOf,
  toMutable,
  wordOf,
} from './visits.ts'

const appointment = (change: Partial<Appointment> = {}): Appointment => ({
  id: 'a1',
  organization_id: 'o1',
  deactivated: false,
  version: 3,
  updated_at: '2026-11-22T08:00:00.000Z',
  updating_user_id: 'u1',
  patient_id: 'p1',
  start_timestamp: '2026-11-22T09:00:00.000Z',
  service_duration: 30,
  services: [],
  ...change,
})
const coverage = (status: 'ACTIVE' | 'INACTIVE' | 'UNKNOWN', initiated_at: string, notes?: string) =>
  ({
    status: 'ACTIVE',
    limits: [],
    latest_eligibility_check: { check_id: 'c', status, initiated_at },
    ...(notes && { benefits: { notes } }),
  }) as unknown as MutableCoverage
const visit = (change: Partial<Appointment>, rest: Partial<BoardItem> = {}) =>
  ({
    appointment: appointment(change),
    patient: { mrn: 'S1', name: { family: 'Doe', given: ['Jane'], use: 'USUAL' } },
    ...rest,
  }) as BoardItem

const LATER = '2026-11-22T08:30:00.000Z'
const EARLIER = '2026-11-22T07:30:00.000Z'
const notReady = { status: 'NOT_READY', not_ready_reason: 'INACTIVE_PRIMARY' } as const

describe('the next action of a visit', () => {
  it.each([
    ['today’s ready visit is checked in', visit({ status: 'READY' }), true, 'check-in'],
    ['a ready visit of another day needs nothing', visit({ status: 'READY' }), false, undefined],
    ['a patient who is here is checked out', visit({ status: 'CHECKED_IN' }), true, 'check-out'],
    ['a visit that is over needs nothing', visit({ status: 'NO_SHOW' }), true, undefined],
    ['without a coverage one is added', visit(notReady), true, 'add-coverage'],
    [
      'a coverage that a user must correct is corrected first',
      visit(notReady, { primary_coverage: coverage('INACTIVE', EARLIER) }),
      true,
      'fix-coverage',
    ],
    [
      'a repeated answer corrects nothing',
      visit(notReady, { primary_coverage: coverage('INACTIVE', LATER) }),
      true,
      'fix-coverage',
    ],
    [
      'once it is active, the service decides again',
      visit(notReady, { primary_coverage: coverage('ACTIVE', LATER) }),
      true,
      'check-again',
    ],
    [
      'a payer that was unavailable is checked again',
      visit(
        { status: 'NOT_READY', not_ready_reason: 'UNAVAILABLE_PRIMARY' },
        { primary_coverage: coverage('UNKNOWN', EARLIER) },
      ),
      true,
      'check-again',
    ],
    [
      'an unverified visit is checked',
      visit({}, { primary_coverage: { status: 'ACTIVE' } as MutableCoverage }),
      true,
      'check-again',
    ],
    [
      'a self-pay patient needs no payer',
      visit({}, { patient: { self_pay: true } as BoardItem['patient'] }),
      true,
      'mark-ready',
    ],
    [
      'a patient who pays needs no other coverage than the one that is filed',
      visit(notReady, {
        primary_coverage: coverage('INACTIVE', EARLIER),
        patient: { self_pay: true } as BoardItem['patient'],
      }),
      true,
      'mark-ready',
    ],
    [
      'a payer’s warning is read first',
      visit(notReady, { primary_coverage: coverage('ACTIVE', LATER, 'ATTENTION: another payer is primary') }),
      true,
      'read-answer',
    ],
  ] as const)('%s', (_, item, isToday, action) => {
    expect(nextAction(item, isToday)).toBe(action)
  })

  it.each([
    ['43', 'of its provider', 'Billing', 'read-answer'],
    ['50', 'of its provider', 'Billing', 'read-answer'],
    ['63', 'of its date', 'Front desk', 'check-again'],
    ['72', 'of the member ID', 'Front desk', 'fix-coverage'],
    ['79', 'of the payer ID', 'Billing', 'fix-coverage'],
    [undefined, 'of nothing that it names', 'Front desk', 'fix-coverage'],
  ] as const)(
    'after a rejection with code %s, because %s, is what mends it, and the board names who does',
    (code, _, owner, action) => {
      const rejected = coverage('UNKNOWN', EARLIER)
      Object.assign(rejected.latest_eligibility_check ?? {}, { errors: [{ code, description: 'refused' }] })
      for (const [reason, coverages] of [
        ['ELIGIBILITY_CHECK_FAILED_PRIMARY', { primary_coverage: rejected }],
        [
          'ELIGIBILITY_CHECK_FAILED_SECONDARY',
          { primary_coverage: coverage('ACTIVE', EARLIER), secondary_coverage: rejected },
        ],
      ] as const) {
        const item = visit({ status: 'NOT_READY', not_ready_reason: reason }, coverages)
        expect(nextAction(item, true), reason).toBe(action)
        expect(missingOf(item.appointment, item)?.owner, reason).toBe(owner)
      }
    },
  )

  it.each([
    ['ERROR', 'REFUSED', 'Administrator'],
    ['UNAVAILABLE_PRIMARY', 'HTTP 401', 'Administrator'],
    ['UNAVAILABLE_PRIMARY', 'UnAuthorized', 'Administrator'],
    ['UNAVAILABLE_SECONDARY', 'CERT_HAS_EXPIRED', 'Administrator'],
    ['UNAVAILABLE_PRIMARY', 'Timeout', 'Payer'],
    ['UNAVAILABLE_PRIMARY', 'HTTP 503', 'Payer'],
    ['ERROR', undefined, 'Front desk'],
  ] as const)(
    'of a visit with the reason %s, where an inquiry failed with %s, is that of: %s',
    (reason, code, owner) => {
      const failed = coverage('UNKNOWN', EARLIER)
      Object.assign(failed.latest_eligibility_check ?? {}, { errors: [{ code, description: 'as the service says' }] })
      const covering =
        reason === 'UNAVAILABLE_SECONDARY'
          ? { primary_coverage: coverage('ACTIVE', EARLIER), secondary_coverage: failed }
          : { primary_coverage: failed }
      expect(missingOf(appointment({ status: 'NOT_READY', not_ready_reason: reason }), covering)?.owner).toBe(owner)
      expect(lightOf(failed).reason).toBe('As the service says')
    },
  )

  it('of a role that changes no visits is what it may do about the coverage, or the answer to read, and never empty where there is one', () => {
    const scopes = ['*:read', 'coverages:write']
    const of = (item: BoardItem, also: string[] = []) =>
      actionFor(item, true, (name) => mayCall([...scopes, ...also], name))
    const inactive = { primary_coverage: coverage('INACTIVE', EARLIER) }
    const active = { primary_coverage: coverage('ACTIVE', LATER) }
    expect(of(visit(notReady, inactive))).toBe('fix-coverage')
    expect(of(visit(notReady))).toBe('add-coverage')
    for (const status of ['READY', 'CHECKED_IN', 'CHECKED_OUT', 'NO_SHOW', 'PENDING'] as const) {
      expect(of(visit({ status }, active)), status).toBe('read-answer')
    }
    expect(of(visit({ status: 'READY' }))).toBeUndefined()
    expect(of(visit({ status: 'READY' }, active), ['appointments:write'])).toBe('check-in')
    expect(of(visit({ status: 'CHECKED_OUT' }, active), ['appointments:write'])).toBeUndefined()
    expect(actionFor(visit(notReady, inactive), true, (name) => mayCall(['*:read'], name))).toBe('read-answer')
  })

  it('opens the answer of the coverage that warns, also where that is the secondary one', () => {
    const answer = (check_id: string, notes?: string) => {
      const stored = coverage('ACTIVE', LATER, notes)
      return {
        ...stored,
        latest_eligibility_check: { ...stored.latest_eligibility_check, check_id },
      } as MutableCoverage
    }
    const second = answer('second', 'ATTENTION: another payer is primary')
    expect(answerOf({ primary_coverage: answer('first'), secondary_coverage: second })).toBe('second')
    expect(answerOf({ primary_coverage: answer('first'), secondary_coverage: answer('second') })).toBe('first')
    const unchecked = { status: 'ACTIVE' } as MutableCoverage
    expect(answerOf({ primary_coverage: unchecked, secondary_coverage: second })).toBe('second')
    // A warning without an answer, such as one that another program wrote, leads nowhere.
    const written = { ...unchecked, benefits: { notes: 'ATTENTION: another payer is primary' } } as MutableCoverage
    expect(nextAction(visit({}, { primary_coverage: written }), true)).toBe('check-again')
  })

  it('is called "Check" while no coverage has been checked, and "Check again" afterwards', () => {
    const unchecked = { status: 'ACTIVE' } as MutableCoverage
    expect(wordOf('check-again', { primary_coverage: unchecked, secondary_coverage: unchecked })).toBe('Check')
    expect(wordOf('check-again', { primary_coverage: unchecked, secondary_coverage: coverage('ACTIVE', LATER) })).toBe(
      'Check again',
    )
    const cancelled = { ...unchecked, status: 'CANCELLED' } as typeof unchecked
    expect(wordOf('check-again', { primary_coverage: unchecked, secondary_coverage: cancelled })).toBe('Check')
    expect(wordOf('check-in', { primary_coverage: unchecked })).toBe('Check in')
  })
})

describe('the time of a visit', () => {
  const now = Date.parse('2026-11-22T09:20:00Z')

  it('shows how late a patient is, after ten minutes, and how long a patient has waited', () => {
    expect(timingOf(appointment({ status: 'READY' }), now)).toEqual({ kind: 'late', minutes: 20, isLong: false })
    expect(timingOf(appointment({ status: 'READY' }), now - 15 * 60_000)).toBeUndefined()
    const here = appointment({ status: 'CHECKED_IN', checked_in_timestamp: '2026-11-22T08:40:00.000Z' })
    expect(timingOf(here, now)).toEqual({ kind: 'waiting', minutes: 40, isLong: true })
  })

  it('marks no patient late for a visit of another day or one that is over', () => {
    expect(timingOf(appointment({ status: 'READY' }), now + 48 * 3_600_000)).toBeUndefined()
    expect(timingOf(appointment({ status: 'CHECKED_OUT' }), now)).toBeUndefined()
  })
})

describe('a step', () => {
  const now = '2026-11-22T09:05:00.000Z'
  const exception = appointment({ ...notReady, work_queue: 'NEW_PATIENT', notes: 'wheelchair' })

  it('clears what the new status forbids and keeps the rest', () => {
    expect(afterStep(exception, 'CHECKED_IN', now)).toEqual({
      patient_id: 'p1',
      start_timestamp: exception.start_timestamp,
      service_duration: 30,
      services: [],
      notes: 'wheelchair',
      status: 'CHECKED_IN',
      checked_in_timestamp: now,
    })
    const here = appointment({ status: 'CHECKED_IN', checked_in_timestamp: '2026-11-22T09:00:00.000Z' })
    expect(afterStep(here, 'CHECKED_OUT', now)).toMatchObject({
      checked_in_timestamp: '2026-11-22T09:00:00.000Z',
      checked_out_timestamp: now,
    })
    expect(afterStep(here, 'NO_SHOW', now)).not.toHaveProperty('checked_in_timestamp')
  })

  it('is undone to the previous status, with its reason and its queue, and keeps later changes', () => {
    const before = { ...exception, version: 2 }
    const here = appointment({ status: 'CHECKED_IN', checked_in_timestamp: now, notes: 'wheelchair, came early' })
    expect(beforeStep(here, [before, here])).toEqual({ ...toMutable(exception), notes: 'wheelchair, came early' })
    expect(beforeStep(here, [here])).toBeUndefined()
  })

  it('is undone step by step: undone twice, a visit that was checked out is expected again, and not checked out', () => {
    const steps = [exception, { status: 'CHECKED_IN' }, { status: 'CHECKED_OUT' }, { status: 'CHECKED_IN' }] as const
    const history = steps.map((step, place) => appointment({ ...step, version: place + 1 }))
    const undone = history.map((each) => beforeStep(each, history)?.status)
    expect(undone).toEqual([undefined, 'NOT_READY', 'CHECKED_IN', 'NOT_READY'])
    const missed = appointment({ status: 'NO_SHOW', version: 9 })
    expect(beforeStep(missed, [...history.slice(0, 1), missed])?.status).toBe('NOT_READY')
  })
})

describe('the board', () => {
  it('counts each visit in one queue, and finds them by queue, provider, name, MRN and member ID', () => {
    const doctor = { name: { family: 'Okafor', given: ['Ada'], use: 'OFFICIAL' as const }, telecoms: [] }
    const items = [visit(notReady), visit({ status: 'READY', attending_doctor: doctor }), visit({})]
    expect(countQueues(items)).toEqual({ all: 3, exceptions: 1, unverified: 1, ready: 1, here: 0, done: 0 })
    expect(items.filter((item) => isShown(item, { queue: 'exceptions' }))).toEqual([items[0]])
    expect(items.filter((item) => isShown(item, { doctor: 'Ada Okafor' }))).toEqual([items[1]])
    expect(items.filter((item) => isShown(item, { text: 'jane d' })).length).toBe(3)
    expect(items.filter((item) => isShown(item, { text: 's2' }))).toEqual([])
    const [shown] = items.map(
      (item) =>
        ({
          ...item,
          patient: { ...item.patient, name: { family: 'Peña', given: ['Ana'], use: 'USUAL' } },
        }) as BoardItem,
    )
    for (const text of ['Peña, Ana', 'ana pena', 'pen s1 ']) expect(isShown(shown!, { text }), text).toBe(true)
    expect(isShown(shown!, { text: 'pena, bo' })).toBe(false)
    const insurance_plan = { payer_name: 'Medicare', member_id: '1EG4-TE5-MK73' }
    for (const place of ['primary_coverage', 'secondary_coverage']) {
      const insured = { ...shown!, [place]: { ...coverage('ACTIVE', EARLIER), insurance_plan } } as BoardItem
      for (const text of ['1eg4te5mk73', 'MK73', '5 mk73 ']) expect(isShown(insured, { text }), text).toBe(true)
      for (const text of ['K73', '1EG4']) expect(isShown(insured, { text }), text).toBe(false)
    }
  })

  it('states for every exception what is missing and who resolves it, and nothing for a ready visit', () => {
    const inactive = { primary_coverage: coverage('INACTIVE', EARLIER) }
    expect(missingOf(notReady, inactive)).toMatchObject({ what: 'Primary coverage is not active', owner: 'Front desk' })
    expect(missingOf(notReady)).toMatchObject({ what: 'Primary coverage does not apply to the visit' })
    expect(missingOf({ status: 'NOT_READY' })).toMatchObject({ what: 'Marked not ready by a user' })
    const noCoverage = { status: 'NOT_READY', not_ready_reason: 'NO_COVERAGE' } as const
    expect(missingOf(noCoverage)).toMatchObject({ what: 'No coverage is filed' })
    for (const reason of [noCoverage, notReady]) {
      const paying = missingOf(reason, { ...inactive, patient: { self_pay: true } })
      expect(paying).toMatchObject({ todo: 'Mark the visit ready.' })
    }
    // It was filed since: the board shows its light beside the reason.
    const filed = missingOf(noCoverage, { primary_coverage: coverage('ACTIVE', LATER) })
    expect(filed).toMatchObject({ what: 'A coverage was filed after the visit was verified', todo: 'Check again.' })
    const draft = { primary_coverage: { ...coverage('ACTIVE', LATER), status: 'DRAFT' as const } }
    expect(missingOf(noCoverage, draft)).toMatchObject({ what: 'No coverage is filed' })
    const byUser = missingOf({ status: 'NOT_READY', not_ready_reason: 'MANUAL' }, { patient: { self_pay: true } })
    expect(byUser).toMatchObject({ what: 'Marked not ready by a user' })
    expect(missingOf({ status: 'READY', not_ready_reason: 'ERROR' })).toBeUndefined()
  })

  it('asks for a check once a plan that an answer named is filed before it, and no longer to add that plan or to read the answer', () => {
    const { latest_eligibility_check: _, ...never } = coverage('ACTIVE', EARLIER)
    const advantage = { ...coverage('ACTIVE', EARLIER), limits: [{ kind: 'OTHER_PAYER', note: 'HUMANA pays' }] }
    for (const not_ready_reason of [
      'MEDICARE_ADVANTAGE_CONVERSION',
      'MEDICAID_MANAGED_CONVERSION',
      'NEW_INSURANCE',
    ] as const) {
      const named = visit({ status: 'NOT_READY', not_ready_reason }, { primary_coverage: advantage } as object)
      expect(nextAction(named, true), not_ready_reason).toBe('read-answer')
      expect(missingOf(named.appointment, named)?.todo, not_ready_reason).toMatch(/^Add the .+ and file it first\.$/)
      const both = { primary_coverage: never, secondary_coverage: advantage }
      const filed = visit({ status: 'NOT_READY', not_ready_reason }, both as object)
      expect(nextAction(filed, true), not_ready_reason).toBe('check-again')
      expect(missingOf(filed.appointment, filed)?.what).toBe('The primary coverage has not been checked yet')
      const draft = visit({ status: 'NOT_READY', not_ready_reason }, {
        ...both,
        primary_coverage: { ...never, status: 'DRAFT' },
      } as object)
      expect(nextAction(draft, true), not_ready_reason).toBe('read-answer')
    }
  })

  it('shows the telephone of a patient who is to be called: what is missing is asked for, and who is late', () => {
    const start = '2026-11-22T09:00:00.000Z'
    const early = Date.parse('2026-11-22T08:00:00.000Z')
    const late = Date.parse('2026-11-22T09:20:00.000Z')
    const toCall = (change: Partial<Appointment>, now: number) =>
      isToCall(appointment({ start_timestamp: start, ...change }), now)
    expect(toCall(notReady, early)).toBe(true)
    expect(toCall({ status: 'READY' }, early)).toBe(false)
    expect(toCall({ status: 'READY' }, late)).toBe(true)
    expect(toCall({}, early)).toBe(false)
    expect(toCall({ status: 'CHECKED_IN', checked_in_timestamp: start }, late)).toBe(false)
    expect(toCall({ status: 'NO_SHOW' }, late)).toBe(false)
  })

  it.each([
    ['ELIGIBILITY_CHECK_FAILED_SECONDARY', 'The check of the secondary coverage failed'],
    ['INACTIVE_SECONDARY', 'The check of the secondary coverage failed'],
    ['UNAVAILABLE_SECONDARY', 'The secondary payer cannot answer'],
  ] as const)(
    'names the primary coverage that no payer could be asked about beside the secondary one: %s',
    (not_ready_reason, of) => {
      const { latest_eligibility_check: _, ...never } = coverage('ACTIVE', EARLIER)
      const status = 'NOT_READY'
      const secondary_coverage = coverage('UNKNOWN', EARLIER)
      const both = missingOf({ status, not_ready_reason }, { primary_coverage: never, secondary_coverage })
      expect(both?.what).toBe(`Primary coverage could not be checked. ${of}`)
      expect(both).toMatchObject({
        owner: 'Front desk',
        todo: expect.stringContaining('it says which entry is missing'),
      })
      const asked = { ...coverage('ACTIVE', EARLIER), limits: [] }
      const one = missingOf({ status, not_ready_reason }, { primary_coverage: asked, secondary_coverage })
      expect(one?.what).toBe(of)
    },
  )

  it('checks the other visits of a patient that a verification found not ready together with one, and no other visit', () => {
    const covering = { primary_coverage: coverage('INACTIVE', EARLIER) }
    const of = (id: string, part: object) => {
      const item = visit(notReady, covering)
      return { ...item, appointment: { ...item.appointment, id, ...part } }
    }
    const [one, other] = [of('1', {}), of('2', {})]
    const left = [
      of('3', { patient_id: 'somebody else' }),
      of('4', { not_ready_reason: 'MANUAL' }),
      of('5', { status: 'READY' }),
      { ...of('6', {}), primary_coverage: undefined },
    ] as BoardItem[]
    expect(checkedWith(one, [one, other, ...left])).toEqual([other])
  })

  it('asks to check again where active coverage was changed after its check', () => {
    const limits = [{ kind: 'CHANGED' as const, note: 'changed after the check: subscriber member ID' }]
    const item = visit(notReady, { primary_coverage: { ...coverage('ACTIVE', EARLIER), limits } })
    expect(lightOf(item.primary_coverage)).toMatchObject({
      state: 'limited',
      word: 'Active, not confirmed',
      reason: 'Changed after the check: subscriber member ID',
    })
    expect(nextAction(item, true)).toBe('check-again')
  })

  it.each([
    ['INACTIVE', 'Not active.'],
    ['UNKNOWN', 'The payer did not state whether the coverage is active.'],
  ] as const)(
    'shows an %s answer about data that were changed since as not checked, and asks to check again',
    (status, before) => {
      const limits = [{ kind: 'CHANGED' as const, note: 'changed after the check: payer' }]
      const item = visit(notReady, { primary_coverage: { ...coverage(status, EARLIER), limits } })
      expect(lightOf(item.primary_coverage)).toMatchObject({
        state: 'unknown',
        word: 'Not checked since a change',
        reason: `Changed after the check: payer. Response before the change: ${before}`,
      })
      expect(missingOf(notReady, item)).toMatchObject({ what: 'Primary coverage was changed after the check' })
      expect(nextAction(item, true)).toBe('check-again')
    },
  )

  it.each([
    ['SPEND_DOWN', 'ELIGIBILITY_CHECK_FAILED_PRIMARY', 'Primary coverage: active, but limited', /spend-down/],
    ['COVERAGE', 'INACTIVE_PRIMARY', 'Primary coverage: active, but limited', /not covered/],
    [
      'IDENTITY',
      'ELIGIBILITY_CHECK_FAILED_PRIMARY',
      'Primary coverage: active, not confirmed',
      /Confirm with the patient/,
    ],
  ] as const)(
    'does not say of active coverage with the limit %s that it failed or is not active',
    (kind, reason, what, todo) => {
      const limits = [{ kind, note: 'a limit' }]
      const item = { primary_coverage: { ...coverage('ACTIVE', EARLIER), limits } }
      const missing = missingOf({ status: 'NOT_READY', not_ready_reason: reason }, item)
      expect(missing).toMatchObject({ what, todo: expect.stringMatching(todo) })
      expect(nextAction(visit({ status: 'NOT_READY', not_ready_reason: reason }, item), true)).toBe('read-answer')
    },
  )
})
