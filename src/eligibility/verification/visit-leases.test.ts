// Leases of visits, and visits whose holder fails or is killed (decisions/0034-leases.md).
import { describe, expect, it, vi } from 'vitest'
import { clinicsOf } from '../../../test/support/clinic.ts'
import { ACTIVE, scriptedPayer } from '../../../test/support/scripted-payer.ts'
import { type Caller, testService } from '../../../test/support/service.ts'
import type { Deps } from '../../deps.ts'
import { LEASE_MS } from '../../platform/database/leases/leases.ts'
import { FAULTS_MAX } from '../checks/retry.ts'
import { claimVisits, visitLeases } from './claim-visits.ts'

const payer = scriptedPayer()
const service = testService(() => ({
  clearinghouses: payer.clearinghouses,
  now: () => new Date('2026-03-08T12:00:00.000Z'),
}))
const { newClinic, newPatient, newVisit, read, verify, makeDue } = clinicsOf(service)

const MINUTE_MS = 60_000

async function dueInMs({ organizationId }: Caller): Promise<number> {
  const due =
    'select extract(epoch from due_at - now()) * 1000 from appointment_verification where organization_id = $1'
  return Number((await service.database.row(due, [organizationId]))?.[0])
}

async function dueAt({ organizationId }: Caller): Promise<string> {
  const due = 'select due_at::text from appointment_verification where organization_id = $1'
  return (await service.database.row(due, [organizationId]))?.[0] ?? ''
}

const claim = ({ organizationId }: Caller) => claimVisits(service.deps, { organizationId }, { limit: 5 })

describe('a visit', () => {
  it('whose worker was killed is taken over after the same short lease as a check', async () => {
    const caller = await newClinic()
    await newVisit(caller, (await newPatient(caller, 'lease-1')).id)
    expect(await claim(caller)).toHaveLength(1)
    expect(await dueInMs(caller)).toBeLessThanOrEqual(LEASE_MS)
    await makeDue(caller)
    expect(await claim(caller)).toHaveLength(1)
    expect(await dueInMs(caller)).toBeLessThanOrEqual(LEASE_MS)
  })

  it('stays with the worker whose payer takes longer than the lease', async () => {
    const caller = await newClinic()
    await newVisit(caller, (await newPatient(caller, 'lease-2')).id)
    payer.answers.set('lease-2', async () => {
      const due = await dueAt(caller)
      await vi.waitUntil(async () => (await dueAt(caller)) > due, { timeout: 60_000, interval: 100 })
      return ACTIVE
    })
    expect(await verify(caller)).toMatchObject([{ outcome: 'READY' }])
  })

  it('that was released or postponed is not renewed by its former holder', async () => {
    const caller = await newClinic()
    await newVisit(caller, (await newPatient(caller, 'lease-3')).id)
    const former = await claim(caller)
    await makeDue(caller)
    const current = await claim(caller)
    await visitLeases.release(service.deps, former, { delayMs: 60 * MINUTE_MS })
    expect(await dueInMs(caller)).toBeLessThanOrEqual(LEASE_MS)
    await visitLeases.release(service.deps, current, { delayMs: 60 * MINUTE_MS })
    await visitLeases.renew(service.deps, current)
    expect(await dueInMs(caller)).toBeGreaterThan(59 * MINUTE_MS)
  })

  it('that cannot be written is retried after increasing pauses', async () => {
    const caller = await newClinic()
    const visit = await newVisit(caller, (await newPatient(caller, 'lease-4')).id)
    const transaction = async () => {
      throw new TypeError('an unexpected error')
    }
    const broken: Deps = { ...service.deps, database: { ...service.deps.database, transaction } }
    const pauses: number[] = []
    for (let attempt = 0; attempt < 3; attempt++) {
      expect(await verify(caller, {}, broken)).toMatchObject([{ outcome: 'FAILED' }])
      pauses.push(await dueInMs(caller))
      await makeDue(caller)
    }
    // Doubling, less up to half by chance.
    const least = [MINUTE_MS / 2, MINUTE_MS, 2 * MINUTE_MS]
    expect(pauses.map((pause, index) => pause > least[index]! - 5_000)).toEqual([true, true, true])
    await verify(caller)
    expect(await read(caller, visit.id)).toMatchObject({ status: 'READY' })
  })

  it('that repeatedly kills its process is postponed, and retried later', async () => {
    const caller = await newClinic()
    const visit = await newVisit(caller, (await newPatient(caller, 'lease-5')).id)
    for (let lost = 0; lost <= FAULTS_MAX; lost++) {
      expect(await claim(caller)).toHaveLength(1)
      await makeDue(caller)
    }
    expect(await verify(caller)).toMatchObject([{ outcome: 'FAILED' }])
    expect(payer.countFor('lease-5')).toBe(0)
    expect(await dueInMs(caller)).toBeGreaterThan(7 * MINUTE_MS)
    await makeDue(caller)
    await verify(caller)
    expect(await read(caller, visit.id)).toMatchObject({ status: 'READY' })
  })
})
