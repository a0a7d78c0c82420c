// Automated verification before visits. Source: rules.md 17; decisions/0010-verification.md.
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { keepLeases, withFault } from '../../platform/database/leases.ts'
import { createFailureLog, type LogFailure } from '../../platform/failure-log.ts'
import { createFairShare, firstCome, leavingSome } from '../../platform/fair-share.ts'
import { FAULTS_MAX } from '../checks/retry.ts'
import { faultDelayMs } from './back-off.ts'
import type { VerificationNeeds } from './determine-finding.ts'
import { type Claim, claimVisits, type Scope, visitLeases } from './verification-store.ts'
import { type VerifiedVisit, verifyVisit } from './verify-visit.ts'
import { withdrawDecisions } from './withdraw-decisions.ts'

export interface Run extends Scope {
  log: FastifyBaseLogger
  /** Called for every appointment as soon as it is done. */
  onVisit?(visit: VerifiedVisit): void
  /** How many appointments are processed concurrently. */
  concurrency?: number
  /** Ends the run after the visits in progress. */
  signal?: AbortSignal
}

/** Each sends at most two inquiries; the connectors have their own limits. */
const CONCURRENCY = 8
/** While payers are slow: how soon another appointment that has become due is taken up. */
const LOOK_AGAIN_MS = 2000
/** Stands for an organization without visits in progress. */
const NO_ORGANIZATION = ''

/**
 * Verifies every due appointment once, with any number of concurrent processes: a leased appointment is invisible to the others, and an
 * expired lease does not permit a write. When it runs for all organizations, none of them takes all places (decisions/0019-fairness.md).
 * Returns the number of appointments done.
 */
export async function verifyAppointments(deps: VerificationNeeds, run: Run): Promise<number> {
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

  /** Takes visits of organizations that may begin another one: those waiting here use their whole share. */
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

  /** Waits until one is done, or for a while, because others may become due. */
  async function waitForPlace(): Promise<void> {
    tick ??= delay(LOOK_AGAIN_MS, undefined, { ref: false }).then(() => {
      tick = undefined
    })
    await Promise.race([...inFlight.keys(), tick])
  }

  try {
    await withdrawDecisions(deps, { organizationId: run.organizationId, logFailure, signal })
    while (!signal?.aborted) {
      begin()
      if (places.hasRoomFor(NO_ORGANIZATION) && (await take()) > 0) continue
      if (inFlight.size === 0) break
      await waitForPlace()
    }
    await Promise.all(inFlight.keys())
    // Unstarted visits are released for other processes.
    await visitLeases.release(deps, waiting, { delayMs: 0 })
    return done
  } finally {
    // If the queue could not be read, the visits in progress are still held by this run.
    void Promise.allSettled(inFlight.keys()).finally(stopRenewing)
  }
}

async function verify(deps: VerificationNeeds, claim: Claim, logFailure: LogFailure): Promise<VerifiedVisit> {
  try {
    // Every earlier holder was lost with its process: the visit is postponed before the next attempt.
    if (claim.faults >= FAULTS_MAX) await putOff(deps, claim, FAULTS_MAX)
    else return await verifyVisit(deps, claim)
  } catch (error) {
    logFailure('a visit could not be verified', error, { appointmentId: claim.id })
    // A visit that cannot be postponed is taken over when its lease expires.
    await putOff(deps, claim, withFault(claim, error)).catch(() => {})
  }
  return { organization_id: claim.organizationId, appointment_id: claim.id, coverages: [], outcome: 'FAILED' }
}

function putOff(deps: VerificationNeeds, claim: Claim, faults: number): Promise<void> {
  const next = { delayMs: faultDelayMs(faults), faults: Math.min(faults, FAULTS_MAX - 1) }
  return visitLeases.release(deps, [claim], next)
}
