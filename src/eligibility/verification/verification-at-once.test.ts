// Several workers, killed workers, and users who work on the same appointments concurrently.
import { EventEmitter, once } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import { clinicsOf, silent } from '../../../test/support/clinic.ts'
import { ACTIVE, INACTIVE, scriptedPayer } from '../../../test/support/scripted-payer.ts'
import { type Caller, testService } from '../../../test/support/service.ts'
import type { Deps } from '../../deps.ts'
import { startCheckWorker } from '../checks/check-worker.ts'
import { claimVisits } from './claim-visits.ts'
import { startVerification } from './start-verification.ts'
import { verifyAppointments } from './verify-appointments.ts'

const NOW = '2026-03-08T12:00:00.000Z'
const payer = scriptedPayer()
const service = testService(() => ({ clearinghouses: payer.clearinghouses, now: () => new Date(NOW) }))
const { newClinic, newPatient, fileCoverages, newVisit, read, historyOf, put, verify, makeDue } = clinicsOf(service)

/** A slow payer: `asked` resolves with the inquiry, `answer` returns the answer. */
function slowAnswer(memberId: string) {
  const events = new EventEmitter()
  const asked = once(events, 'asked')
  const answered = once(events, 'answered')
  payer.answers.set(memberId, async () => {
    events.emit('asked')
    const [rows] = await answered
    return rows as string
  })
  return { asked, answer: (rows: string) => events.emit('answered', rows) }
}

async function expectReady(caller: Caller, id: string, version: number) {
  expect(await read(caller, id)).toMatchObject({ version, status: 'READY', ready_source: 'MACHINE' })
}

describe('several concurrent workers', () => {
  it('verify every visit once: one inquiry a coverage, one new version a visit', async () => {
    const caller = await newClinic()
    const members = Array.from({ length: 24 }, (_, index) => `many-${index}`)
    const visits: string[] = []
    for (const member of members) {
      visits.push((await newVisit(caller, (await newPatient(caller, member)).id)).id)
    }
    const runs = await Promise.all([1, 2, 3].map(() => verify(caller, { concurrency: 4 })))
    const done = runs.flat().map(({ appointment_id }) => appointment_id)
    expect(done.toSorted()).toEqual(visits.toSorted())
    expect(members.map(payer.countFor)).toEqual(members.map(() => 1))
    for (const id of visits) await expectReady(caller, id, 2)
  })

  it('one that lost its lease changes nothing, and its inquiry is not sent again', async () => {
    const caller = await newClinic()
    const slow = slowAnswer('slow')
    const visit = await newVisit(caller, (await newPatient(caller, 'slow')).id)
    const first = verify(caller)
    await slow.asked
    await makeDue(caller)
    expect(await verify(caller)).toMatchObject([{ outcome: 'WAITING', coverages: [{ finding: 'PENDING' }] }])
    slow.answer(INACTIVE)
    expect(await first).toMatchObject([{ outcome: 'LEFT', coverages: [{ finding: 'INACTIVE' }] }])
    expect(await historyOf(caller, visit.id)).toHaveLength(1)
    await makeDue(caller)
    await verify(caller)
    expect(await read(caller, visit.id)).toMatchObject({ version: 2, not_ready_reason: 'INACTIVE_PRIMARY' })
    expect(payer.countFor('slow')).toBe(1)
  })
})

describe('a worker that is killed', () => {
  it('after it has taken a visit: no other worker has it until the lease expires, then it is verified', async () => {
    const caller = await newClinic()
    const visit = await newVisit(caller, (await newPatient(caller, 'dead-1')).id)
    const scope = { organizationId: caller.organizationId }
    expect(await claimVisits(service.deps, scope, { limit: 5 })).toHaveLength(1)
    expect(await verify(caller)).toEqual([])
    await makeDue(caller)
    await verify(caller)
    await expectReady(caller, visit.id, 2)
    expect(payer.countFor('dead-1')).toBe(1)
  })

  it('between the answer and the write: the visit is written from the stored answer', async () => {
    const caller = await newClinic()
    const visit = await newVisit(caller, (await newPatient(caller, 'dead-2')).id)
    expect(await verify(caller, {}, dyingAfter(1))).toMatchObject([{ outcome: 'FAILED' }])
    expect(await historyOf(caller, visit.id)).toHaveLength(1)
    await makeDue(caller)
    await verify(caller)
    await expectReady(caller, visit.id, 2)
    expect(payer.countFor('dead-2')).toBe(1)
  })

  it('between the inquiry and the answer: the queue answers the check, and the visit is written', async () => {
    const caller = await newClinic()
    const visit = await newVisit(caller, (await newPatient(caller, 'dead-3')).id)
    expect(await verify(caller, {}, dyingAfter(0))).toMatchObject([{ outcome: 'FAILED' }])
    await makeDue(caller)
    expect(await verify(caller)).toMatchObject([{ outcome: 'WAITING', coverages: [{ finding: 'PENDING' }] }])
    // As when its lease has expired without a renewal.
    await service.database.rows(
      'update eligibility_check set due_at = now(), held = false where organization_id = $1',
      [caller.organizationId],
    )
    const worker = startCheckWorker(service.deps, { concurrency: 1, log: silent })
    const open = "select 1 from eligibility_check where organization_id = $1 and status = 'PENDING'"
    await vi.waitFor(async () => expect(await service.database.rows(open, [caller.organizationId])).toEqual([]), 60_000)
    await worker.stop()
    await makeDue(caller)
    await verify(caller)
    await expectReady(caller, visit.id, 2)
    expect(payer.countFor('dead-3')).toBe(2)
  })

  /** Dependencies of a process that is killed when it begins one transaction more: the first stores the answer, the second the visit. */
  function dyingAfter(transactions: number): Deps {
    let left = transactions
    let isDead = false
    const { database } = service.deps
    const transaction: typeof database.transaction = async (work) => {
      isDead ||= left === 0
      left -= 1
      if (isDead) throw new Error('the process is gone')
      return database.transaction(work)
    }
    const rows: typeof database.rows = async (...asked) => {
      if (isDead) throw new Error('the process is gone')
      return database.rows(...asked)
    }
    return { ...service.deps, database: { ...database, transaction, rows } }
  }
})

describe('a user who changes the appointment concurrently', () => {
  it('keeps the change, and the visit is decided from the stored data', async () => {
    const caller = await newClinic()
    const visit = await newVisit(caller, (await newPatient(caller, 'meanwhile-1')).id)
    payer.meanwhile('meanwhile-1', () => put(caller, visit.id, { notes: 'needs an interpreter' }))
    await verify(caller)
    expect(await read(caller, visit.id)).toMatchObject({ version: 3, status: 'READY', notes: 'needs an interpreter' })
    expect(payer.countFor('meanwhile-1')).toBe(1)
  })

  it.each([
    ['NOT_READY', { status: 'NOT_READY', work_queue: 'MANUAL_ESCALATION', not_ready_reason: 'MANUAL' }],
    ['READY', { status: 'READY', ready_source: 'MANUAL' }],
    ['CHECKED_IN', { status: 'CHECKED_IN', checked_in_timestamp: NOW }],
  ])('to %s has decided it', async (status, change) => {
    const caller = await newClinic()
    const visit = await newVisit(caller, (await newPatient(caller, `meanwhile-${status}`)).id)
    payer.meanwhile(`meanwhile-${status}`, () => put(caller, visit.id, change))
    expect(await verify(caller)).toMatchObject([{ outcome: 'LEFT' }])
    expect(await read(caller, visit.id)).toMatchObject({ version: 2, ...change })
  })

  it('and deletes it finds it still deleted', async () => {
    const caller = await newClinic()
    const visit = await newVisit(caller, (await newPatient(caller, 'meanwhile-2')).id)
    payer.meanwhile('meanwhile-2', () => caller.call('DELETE', `/appointments/v1/${visit.id}/1`))
    expect(await verify(caller)).toMatchObject([{ outcome: 'LEFT' }])
    expect(await read(caller, visit.id)).toMatchObject({ version: 2, deactivated: true, status: 'PENDING' })
  })

  it('and moves it to another day finds it verified for that day', async () => {
    const caller = await newClinic()
    const visit = await newVisit(caller, (await newPatient(caller, 'meanwhile-3')).id)
    payer.meanwhile('meanwhile-3', () => put(caller, visit.id, { start_timestamp: '2026-03-11T09:00:00.000Z' }))
    expect(await verify(caller)).toMatchObject([{ outcome: 'LEFT' }])
    await makeDue(caller)
    await verify(caller)
    await expectReady(caller, visit.id, 3)
    expect(payer.inquiries.at(-1)?.dateOfService).toBe('2026-03-11')
  })

  it('and changes the filing order gets an inquiry for the new primary coverage', async () => {
    const caller = await newClinic()
    const patient = await newPatient(caller, 'old-card', 'new-card')
    const [old = '', current = ''] = patient.coverages
    await fileCoverages(caller, patient.id, [old])
    const visit = await newVisit(caller, patient.id)
    payer.answers.set('new-card', INACTIVE)
    payer.meanwhile('old-card', async () => {
      await fileCoverages(caller, patient.id, [current, old])
      await put(caller, visit.id, { notes: 'a new card' })
    })
    await verify(caller)
    expect(await read(caller, visit.id)).toMatchObject({ not_ready_reason: 'INACTIVE_PRIMARY', notes: 'a new card' })
    expect(['old-card', 'new-card'].map(payer.countFor)).toEqual([1, 1])
  })
})

describe('a process that stops', () => {
  it('finishes the visits in progress and releases the others at once', async () => {
    const caller = await newClinic()
    const stopping = new AbortController()
    const visits: string[] = []
    for (const hour of [8, 9, 10, 11]) {
      const start_timestamp = `2026-03-10T${String(hour).padStart(2, '0')}:00:00.000Z`
      visits.push((await newVisit(caller, (await newPatient(caller, `stop-${hour}`)).id, { start_timestamp })).id)
    }
    // The first worker is busy with one visit; the other one takes two more and is stopped at the first of them.
    const slow = slowAnswer('stop-8')
    payer.answers.set('stop-10', () => {
      stopping.abort()
      slow.answer(ACTIVE)
      return ACTIVE
    })
    const first = await verify(caller, { concurrency: 2, signal: stopping.signal })
    expect(first.map(({ appointment_id }) => appointment_id).toSorted()).toEqual(visits.slice(0, 3).toSorted())
    expect(await verify(caller)).toMatchObject([{ appointment_id: visits[3], outcome: 'READY' }])
  })

  it('is replaced by the next run of another one', async () => {
    const caller = await newClinic()
    const [first, second] = [1, 2].map(() => startVerification(service.deps, { log: silent, everyMs: 50 }))
    const visit = await newVisit(caller, (await newPatient(caller, 'look-1')).id)
    await vi.waitFor(() => expectReady(caller, visit.id, 2), { timeout: 60_000, interval: 50 })
    await first?.stop()
    const later = await newVisit(caller, (await newPatient(caller, 'look-2')).id)
    await vi.waitFor(() => expectReady(caller, later.id, 2), { timeout: 60_000, interval: 50 })
    await second?.stop()
    const last = await newVisit(caller, (await newPatient(caller, 'look-3')).id)
    expect([(await read(caller, last.id)).status, payer.countFor('look-3')]).toEqual(['PENDING', 0])
    expect([payer.countFor('look-1'), payer.countFor('look-2')]).toEqual([1, 1])
  })
})

describe('an organization whose payer never answers', () => {
  it('delays no visit of another organization that becomes due meanwhile', async () => {
    const [hostile, other] = [await newClinic(), await newClinic()]
    let asked = 0
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    for (let index = 0; index < 10; index++) {
      const patient = await newPatient(hostile, `silent-${index}`)
      await newVisit(hostile, patient.id)
      payer.answers.set(`silent-${index}`, async () => {
        asked++
        await released
        return ACTIVE
      })
    }
    const run = verifyAppointments(service.deps, { log: silent })
    try {
      await vi.waitUntil(() => asked >= 6, { timeout: 60_000 })
      const visit = await newVisit(other, (await newPatient(other, 'beside-silence')).id)
      await vi.waitUntil(async () => (await read(other, visit.id)).status === 'READY', {
        timeout: 60_000,
        interval: 200,
      })
      expect(asked).toBe(6)
    } finally {
      release()
      await run
    }
    expect(asked).toBe(10)
  })
})
