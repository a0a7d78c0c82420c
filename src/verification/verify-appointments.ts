// Automated verification before visits. Source: rules.md 17; decisions/0010-verification.md.
import type { FastifyBaseLogger } from 'fastify'
import type { Deps } from '../deps.ts'
import { type Claim, claimVisits, type Scope, settleClaim } from './verification-store.ts'
import { type VerifiedVisit, verifyVisit } from './verify-visit.ts'

export interface Run extends Scope {
  log: FastifyBaseLogger
  /** Hears of every appointment as soon as it is done. */
  tell?(visit: VerifiedVisit): void
  /** How many appointments are worked on at a time. */
  concurrency?: number
  /** Ends the run after what is in flight. */
  signal?: AbortSignal
}

/** Each asks about two coverages at most; the connectors have limits of their own. */
const CONCURRENCY = 8
/** Beyond the time that a question may take: reading, waiting for its turn, writing. */
const LEASE_MARGIN_MS = 60_000

/**
 * Verifies every appointment that is due, each once however many processes do so at the same time: what one has taken the others do
 * not see while its lease runs, and a lease that has run out gives no right to write. Returns how many were done.
 */
export async function verifyAppointments(deps: Deps, run: Run): Promise<number> {
  const { log, tell = () => {}, concurrency = CONCURRENCY, signal } = run
  // A taken appointment may wait for one question of its predecessor.
  const leaseMs = 2 * deps.config.CLEARINGHOUSE_TIMEOUT_MS + LEASE_MARGIN_MS
  const waiting: Claim[] = []
  let filling: Promise<void> | undefined
  let done = 0

  async function fill(): Promise<void> {
    waiting.push(...(await claimVisits(deps, run, { limit: concurrency, leaseMs })))
  }

  async function next(): Promise<Claim | undefined> {
    if (waiting.length === 0 && !signal?.aborted) {
      filling ??= fill().finally(() => {
        filling = undefined
      })
      await filling
    }
    return signal?.aborted ? undefined : waiting.shift()
  }

  async function work(): Promise<void> {
    for (let claim = await next(); claim; claim = await next()) {
      tell(await verify(deps, claim, log))
      done += 1
    }
  }

  await Promise.all(Array.from({ length: concurrency }, work))
  // What was taken and not begun, another process may have at once.
  for (const claim of waiting) await settleClaim(deps, claim, { findings: claim.answers, againInMs: 0 })
  return done
}

async function verify(deps: Deps, claim: Claim, log: FastifyBaseLogger): Promise<VerifiedVisit> {
  const { organizationId: organization_id, appointmentId: appointment_id } = claim
  try {
    return await verifyVisit(deps, claim)
  } catch (error) {
    // Its lease runs out and somebody takes it up again.
    log.error({ type: (error as Error).name, appointmentId: appointment_id }, 'a visit could not be verified')
    return { organization_id, appointment_id, coverages: [], outcome: 'FAILED' }
  }
}
