// Automated verification before visits. Source: rules.md 17; decisions/0010-verification.md.
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Deps } from '../../deps.ts'
import { keepLeases, withFault } from '../../platform/database/leases.ts'
import { createFailureLog, type LogFailure } from '../../platform/failure-log.ts'
import { createFairShare, firstCome, leavingSome } from '../../platform/fair-share.ts'
import { FAULTS_MAX } from '../checks/retry.ts'
import { faultDelayMs } from './back-off.ts'
import { type Claim, claimVisits, type Scope, visitLeases } from './verification-store.ts'
import { type VerifiedVisit, verifyVisit } from './verify-visit.ts'

type Needs = Pick<
  Deps,
  'config' | 'database' | 'systemDatabase' | 'clearinghouses' | 'breaker' | 'vault' | 'payers' | 'now' | 'newId'
>

export interface Run extends Scope {
  log: FastifyBaseLogger
  /** Hears of every appointment as soon as it is done. */
  onVisit?(visit: VerifiedVisit): void
  /** How many appointments are worked on at a time. */
  concurrency?: number
  /** Ends the run after what is in flight. */
  signal?: AbortSignal
}

/** Each asks about two coverages at most; the connectors have limits of their own. */
const CONCURRENCY = 8
/** While payers take their time: how soon somebody else's appointment that has become due is taken up. */
const LOOK_AGAIN_MS = 2000
/** An organization of which nothing is in flight. */
const NOBODY = ''

/**
 * Verifies every appointment that is due, each once however many processes do so at the same time: what one has taken the others do
 * not see while its lease runs, and a lease that has run out gives no right to write. Where it works for all organizations none of them
 * takes all places (decisions/0019-fairness.md). Returns how many were done.
 */
export async function verifyAppointments(deps: Needs, run: Run): Promise<number> {
  const { log, onVisit = () => {}, concurrency = CONCURRENCY, signal } = run
  const places = createFairShare({ places: concurrency, rule: run.organizationId ? firstCome : leavingSome })
  const logFailure = createFailureLog(log)
  const waiting: Claim[] = []
  const inFlight = new Map<Promise<void>, Claim>()
  const stopRenewing = keepLeases(visitLeases, deps, {
    held: () => [...inFlight.values(), ...waiting],
    onFailure: (error) => logFailure('the leases of visits could not be renewed', error),
  })
  let tick: Promise<void> | undefined
  let done = 0

  /** Of those that may begin: who waits here has all the places that its organization may have. */
  async function take(): Promise<number> {
    const inWork = [...inFlight.values()].map(({ organizationId }) => organizationId)
    const present = inWork.filter((organizationId) => !places.hasRoomFor(organizationId))
    const except = [...new Set([...present, ...waiting.map(({ organizationId }) => organizationId)])]
    const taken = await claimVisits(deps, run, { limit: Math.ceil(concurrency / 2), except })
    waiting.push(...taken)
    return taken.length
  }

  function begin(): void {
    for (const claim of waiting.splice(0)) {
      const { organizationId } = claim
      if (!places.tryEnter(organizationId)) {
        waiting.push(claim)
        continue
      }
      const work = verify(deps, claim, logFailure).then((visit) => {
        places.leave(organizationId)
        inFlight.delete(work)
        done += 1
        onVisit(visit)
      })
      inFlight.set(work, claim)
    }
  }

  /** Until one is done; or for a while, as others may have something by then. */
  async function waitForPlace(): Promise<void> {
    tick ??= delay(LOOK_AGAIN_MS, undefined, { ref: false }).then(() => {
      tick = undefined
    })
    await Promise.race([...inFlight.keys(), tick])
  }

  try {
    while (!signal?.aborted) {
      begin()
      if (places.hasRoomFor(NOBODY) && (await take()) > 0) continue
      if (inFlight.size === 0) break
      await waitForPlace()
    }
    await Promise.all(inFlight.keys())
    // What was taken and not begun, another process may have at once.
    await visitLeases.release(deps, waiting, { delayMs: 0 })
    return done
  } finally {
    // Where the queue could not be read, what is in flight is still this run's.
    void Promise.allSettled(inFlight.keys()).finally(stopRenewing)
  }
}

async function verify(deps: Needs, claim: Claim, logFailure: LogFailure): Promise<VerifiedVisit> {
  try {
    // Every holder before was lost with its process: it is left alone for a while before the next one tries.
    if (claim.faults >= FAULTS_MAX) await putOff(deps, claim, FAULTS_MAX)
    else return await verifyVisit(deps, claim)
  } catch (error) {
    logFailure('a visit could not be verified', error as Error, { appointmentId: claim.id })
    // One that cannot be put off is somebody else's when its lease is over.
    await putOff(deps, claim, withFault(claim, error as Error)).catch(() => {})
  }
  return { organization_id: claim.organizationId, appointment_id: claim.id, coverages: [], outcome: 'FAILED' }
}

function putOff(deps: Needs, claim: Claim, faults: number): Promise<void> {
  const next = { delayMs: faultDelayMs(faults), faults: Math.min(faults, FAULTS_MAX - 1) }
  return visitLeases.release(deps, [claim], next)
}
