// Verifies a visit again on a user's request, such as after a coverage was corrected. decisions/0055-verification-on-request.md
import type { Actor } from '../../contract/actor.ts'
import { badRequest, notFound } from '../../contract/errors.ts'
import { isUuid } from '../../contract/formats.ts'
import { keepLeases, withFault } from '../../platform/database/leases/leases.ts'
import { appointment } from '../../resources/appointments/appointment.ts'
import { type Claim, claimVisit, visitLeases } from './claim-visits.ts'
import type { VerificationNeeds } from './determine-finding.ts'
import { type VerifiedVisit, verifyVisit } from './verify-visit.ts'
import { readVisit, type Visit } from './visit.ts'

/** A verification in progress. */
interface BegunVerification {
  work: Promise<VerifiedVisit>
  /** Lets another process continue it. */
  handOver(): Promise<void>
}

/** The patient has not arrived. */
const EXPECTED: ReadonlySet<string> = new Set(['PENDING', 'NOT_READY', 'READY'])

/**
 * Starts to verify a visit, even if a user has set its status; undefined while it is being verified already. The visit's current version is
 * the one that may be replaced. @throws NotFoundError, BadRequestError for a visit that has begun or did not take place.
 */
export async function beginVerification(
  deps: VerificationNeeds,
  actor: Actor,
  appointmentId: string,
  onFailure: (error: Error) => void,
): Promise<BegunVerification | undefined> {
  const visit = isUuid(appointmentId) ? await readVisit(deps, actor.organizationId, appointmentId) : undefined
  if (!visit || visit.isDeactivated) throw notFound(appointment.label)
  requireExpected(visit)
  const claim = await claimVisit(deps, visit)
  if (!claim) return undefined
  const handOver = () => visitLeases.release(deps, [claim], { delayMs: 0 })
  return { work: verifyClaimed(deps, claim, actor, onFailure), handOver }
}

function requireExpected({ body: { status = 'PENDING' } }: Visit): void {
  if (EXPECTED.has(status)) return
  throw badRequest(`status is ${status}: only visits that are ${[...EXPECTED].join(' or ')} can be verified`)
}

/** A failed verification is taken up by a worker, if the organization has verification enabled. */
async function verifyClaimed(
  deps: VerificationNeeds,
  claim: Claim,
  actor: Actor,
  onFailure: (error: Error) => void,
): Promise<VerifiedVisit> {
  const stopRenewing = keepLeases(visitLeases, deps, { held: () => [claim], onFailure })
  try {
    return await verifyVisit(deps, claim, actor)
  } catch (error) {
    const next = { delayMs: 0, faults: withFault(claim, error) }
    await visitLeases.release(deps, [claim], next).catch(onFailure)
    throw error
  } finally {
    stopRenewing()
  }
}
