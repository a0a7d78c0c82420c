// Automated verification before visits. Source: rules.md 17; decisions/0010-verification.md.
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { keepLeases, withFault } from '../../platform/database/leases/leases.ts'
import { failuresOf, type NoteFailure } from '../../platform/each-organization.ts'
import { createFailureLog, type LogFailure } from '../../platform/failure-log.ts'
import { createFairShare, type FairShare, firstCome, leavingSome } from '../../platform/fair-share.ts'
import { FAULTS_MAX } from '../checks/retry.ts'
import { faultDelayMs } from './back-off.ts'
import { type Claim, claimVisits, visitLeases } from './claim-visits.ts'
import type { VerificationNeeds } from './determine-finding.ts'
import type { Scope } from './due-visits.ts'
import { type VerifiedVisit, verifyVisit } from './verify-visit.ts'
import { withdrawDecisions } from './withdraw-decisions.ts'

export interface Run extends Scope {
  log: FastifyBaseLogger
  /** Called for every appointment as soon as it is done. */
  onVisit?(visit: VerifiedVisit): void
  /** Called for every organization whose visits could not be read: it is left out of the rest of the run, which does not fail. */
  onUnreadable?(organizationId: string): void
  /** How many appointments are processed concurrently. */
  concurrency?: number
  /** Ends the run after the visits in progress. */
  signal?: AbortSignal
}

/** Each sends at most two inquiries; the connectors have their own limits. */
const CONCURRENCY = 8
/** While payers are slow: how soon another appointment that has become due is taken up. */
const LOOK_AGAIN_MS = 2000
const UNREADABLE = 'the visits of an organization could not be read'
/** Stands for an organization without visits in progress. */
const NO_ORGANIZATION = ''

/**
 * Verifies every due appointment once, with any number of concurrent processes: a leased appointment is invisible to the others, and an
 * expired lease does not permit a write. When it runs for all organizations, none of them takes all places (decisions/0019-fairness.md).
 * Returns the number of appointments done.
 */
export const verifyAppointments = (deps: VerificationNeeds, run: Run): Promise<number> =>
  new VerificationRun(deps, run).complete()

class VerificationRun {
  readonly #deps: VerificationNeeds
  readonly #run: Run
  readonly #concurrency: number
  readonly #places: FairShare
  readonly #logFailure: LogFailure
  /** Organizations whose visits cannot be read: left out of the rest of this run. */
  readonly #unreadable = new Set<string>()
  readonly #noteFailure: NoteFailure
  /** Claimed here, and not begun. */
  readonly #waiting: Claim[] = []
  readonly #inFlight = new Map<Promise<void>, Claim>()
  #tick: Promise<void> | undefined
  #done = 0

  constructor(deps: VerificationNeeds, run: Run) {
    this.#deps = deps
    this.#run = run
    this.#concurrency = run.concurrency ?? CONCURRENCY
    const rule = run.organizationId ? firstCome : leavingSome
    this.#places = createFairShare({ places: this.#concurrency, rule })
    this.#logFailure = createFailureLog(run.log)
    const note = failuresOf({ work: 'verification', failure: UNREADABLE }, { ...deps, log: run.log })
    this.#noteFailure = (error, organizationId) => {
      note(error, organizationId)
      this.#unreadable.add(organizationId)
      run.onUnreadable?.(organizationId)
    }
  }

  async complete(): Promise<number> {
    const { organizationId, signal } = this.#run
    const stopRenewing = keepLeases(visitLeases, this.#deps, {
      held: () => [...this.#inFlight.values(), ...this.#waiting],
      onFailure: (error) => this.#logFailure('the leases of visits could not be renewed', error),
    })
    try {
      await withdrawDecisions(this.#deps, {
        organizationId,
        logFailure: this.#logFailure,
        onFailure: this.#noteFailure,
        signal,
      })
      while (!signal?.aborted) {
        this.#begin()
        if (this.#places.hasRoomFor(NO_ORGANIZATION) && (await this.#take()) > 0) continue
        if (this.#inFlight.size === 0) break
        await this.#waitForPlace()
      }
      await Promise.all(this.#inFlight.keys())
      // Unstarted visits are released for other processes.
      await visitLeases.release(this.#deps, this.#waiting, { delayMs: 0 })
      return this.#done
    } finally {
      // If the queue could not be read, the visits in progress are still held by this run.
      void Promise.allSettled(this.#inFlight.keys()).finally(stopRenewing)
    }
  }

  /** Takes visits of organizations that may begin another one: those waiting here use their whole share. */
  async #take(): Promise<number> {
    const inWork = [...this.#inFlight.values()].map(({ organizationId }) => organizationId)
    const present = inWork.filter((organizationId) => !this.#places.hasRoomFor(organizationId))
    const waiting = this.#waiting.map(({ organizationId }) => organizationId)
    const except = [...new Set([...present, ...waiting, ...this.#unreadable])]
    const options = { limit: Math.ceil(this.#concurrency / 2), except, onFailure: this.#noteFailure }
    const taken = await claimVisits(this.#deps, this.#run, options)
    this.#waiting.push(...taken)
    return taken.length
  }

  #begin(): void {
    for (const claim of this.#waiting.splice(0)) {
      const { organizationId } = claim
      if (!this.#places.tryEnter(organizationId)) {
        this.#waiting.push(claim)
        continue
      }
      const work = verify(this.#deps, claim, this.#logFailure).then((visit) => {
        this.#places.leave(organizationId)
        this.#inFlight.delete(work)
        this.#done += 1
        this.#run.onVisit?.(visit)
      })
      this.#inFlight.set(work, claim)
    }
  }

  /** Waits until one is done, or for a while, because others may become due. */
  async #waitForPlace(): Promise<void> {
    this.#tick ??= delay(LOOK_AGAIN_MS, undefined, { ref: false }).then(() => {
      this.#tick = undefined
    })
    await Promise.race([...this.#inFlight.keys(), this.#tick])
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
