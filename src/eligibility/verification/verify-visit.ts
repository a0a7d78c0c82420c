// Verifies one appointment, from its coverages to its new version. decisions/0010-verification.md

import type { Actor } from '../../contract/actor.ts'
import { isVersionConflict } from '../../contract/errors.ts'
import { updateRecord } from '../../records/store.ts'
import type { MutableAppointment } from '../../resources/appointments/appointment.schema.ts'
import { appointment } from '../../resources/appointments/appointment.ts'
import { applyStatusRules } from '../../resources/appointments/status-rules.ts'
import { nextAttemptInMs } from './back-off.ts'
import { holdBasis, readCheckKeys, restsOnSame } from './basis.ts'
import { findConversion, findCopayCents, readRecommendations } from './check-recommendations.ts'
import type { Claim } from './claim-visits.ts'
import { type CoverageFinding, type Decision, decide, type Facts, isFinal } from './decide.ts'
import { determineFinding, type VerificationNeeds } from './determine-finding.ts'
import { isContradicted } from './later-checks.ts'
import { holdClaim, settleClaim } from './verification-store.ts'
import { hoursToVisit, READINESS_FIELDS, readVisit, systemActor, type Visit, withoutEstimate } from './visit.ts'

/** The result of a verification. Ids, codes and amounts only: nothing identifies the patient. */
export interface VerifiedVisit {
  organization_id: string
  appointment_id: string
  start_timestamp?: string
  /** Of the primary coverage and the secondary one. */
  coverages: CoverageFinding[]
  /**
   * The status that was written; WAITING: none yet, because a payer may still answer; LEFT: a user or another worker has taken over the
   * appointment; FAILED: it broke off and is taken up again.
   */
  outcome: Decision['status'] | 'WAITING' | 'LEFT' | 'FAILED'
  decision?: Decision
}

/** How often a concurrent change by a user is accepted before the appointment is left to the user. */
const ROUNDS = 5
const LEFT_ALONE_MS = 60_000

/**
 * Checks the coverages of a leased appointment and writes the result: one new version, or none. A concurrent change by a user is kept:
 * the decision is then made again from the stored data, as long as the verification may still decide. The inquiries are made on behalf of
 * `asker`: the user who requested this verification, or the system user.
 */
export async function verifyVisit(
  deps: VerificationNeeds,
  taken: Claim,
  asker: Actor = systemActor(taken.organizationId),
): Promise<VerifiedVisit> {
  const about = { organization_id: taken.organizationId, appointment_id: taken.id }
  let claim = taken
  let visit: Visit | undefined
  for (let round = 0; round < ROUNDS; round++) {
    visit = await readVisit(deps, taken.organizationId, taken.id)
    if (!visit || !isOurs(visit, claim)) break
    const findings = await findAll(deps, claim, visit, asker)
    const decision = decide(await gatherFacts(deps, claim, visit, findings))
    // Known findings are not determined again in the next round.
    claim = { ...claim, answers: findings }
    const written = await writeDecision(deps, claim, visit, decision)
    if (written === 'overtaken') continue
    const start_timestamp = visit.body.start_timestamp
    if (written === 'lost') return { ...about, start_timestamp, coverages: findings, outcome: 'LEFT' }
    const outcome = decision?.status ?? 'WAITING'
    return { ...about, start_timestamp, coverages: findings, outcome, ...(decision && { decision }) }
  }
  await settleClaim(deps, claim, { findings: claim.answers, againInMs: LEFT_ALONE_MS, copayCents: claim.copayCents })
  const seen = visit && { start_timestamp: visit.body.start_timestamp }
  return { ...about, ...seen, coverages: claim.answers, outcome: 'LEFT' }
}

/** True while no user has changed the appointment's status or its day since the verification began. */
function isOurs({ isDeactivated, isAsDecided, dateOfService, body }: Visit, claim: Claim): boolean {
  if (isDeactivated || dateOfService !== claim.dateOfService) return false
  return body.status === 'PENDING' || isAsDecided
}

async function findAll(deps: VerificationNeeds, claim: Claim, visit: Visit, asker: Actor): Promise<CoverageFinding[]> {
  const keys = await readCheckKeys(
    deps,
    claim.organizationId,
    claim.answers.flatMap(({ check_id }) => check_id ?? []),
  )
  return Promise.all(visit.coverages.map((coverage) => determineFinding(deps, { claim, visit, asker, keys }, coverage)))
}

/** The facts for the decision about a visit, with the recommendations of the answers. */
async function gatherFacts(
  deps: VerificationNeeds,
  claim: Claim,
  visit: Visit,
  findings: CoverageFinding[],
): Promise<Facts> {
  const checkIds = findings.flatMap(({ check_id }) => (check_id === undefined ? [] : [check_id]))
  const byCheck = await readRecommendations(deps, visit.organizationId, checkIds)
  const recommended = findings.map(({ check_id = '' }) => byCheck.get(check_id) ?? [])
  return {
    findings: findings.map(({ finding }) => finding),
    conversion: findConversion(recommended.flat(), visit.coverages),
    copayCents: findCopayCents(recommended[0] ?? []),
    knownCopayCents: withoutEstimate(visit.body, claim.copayCents).estimated_copay_cents,
    hoursToVisit: hoursToVisit(deps, visit.body.start_timestamp),
    hasEarlierVisit: visit.hasEarlierVisit,
  }
}

/**
 * Writes the appointment and the verification's state together or not at all: `lost` when another worker holds it by now, `overtaken` when
 * the appointment, or the basis of the decision, was written since it was read.
 */
async function writeDecision(
  deps: VerificationNeeds,
  claim: Claim,
  visit: Visit,
  decision: Decision | undefined,
): Promise<'settled' | 'lost' | 'overtaken'> {
  const againInMs = nextAttemptInMs(claim, hoursToVisit(deps, visit.body.start_timestamp))
  try {
    return await deps.database.transaction(async (database) => {
      const inTransaction = { ...deps, database }
      if (!(await holdClaim(inTransaction, claim))) return 'lost'
      await holdBasis(inTransaction, visit)
      const now = await readVisit(inTransaction, visit.organizationId, visit.appointmentId)
      if (!now || now.version !== visit.version || !restsOnSame(now, visit)) return 'overtaken'
      if (await isAnyContradicted(inTransaction, now, claim.answers)) return 'overtaken'
      const copayCents = decision ? decision.estimated_copay_cents : claim.copayCents
      const body = withoutEstimate(visit.body, claim.copayCents)
      const writtenVersion = decision && (await writeVersion(inTransaction, visit, withDecision(body, decision)))
      // Without a decision the visit keeps the earlier one and its basis.
      const basis = decision && { version: writtenVersion ?? now.version, otherVersions: now.otherVersions }
      await settleClaim(inTransaction, claim, { findings: claim.answers, writtenVersion, againInMs, basis, copayCents })
      return 'settled'
    })
  } catch (error) {
    if (isVersionConflict(error)) return 'overtaken'
    throw error
  }
}

/** True when the payer contradicted a final finding while another coverage was being checked. */
async function isAnyContradicted(
  deps: Pick<VerificationNeeds, 'database'>,
  visit: Visit,
  findings: readonly CoverageFinding[],
): Promise<boolean> {
  for (const [place, coverage] of visit.coverages.entries()) {
    const found = findings[place]
    if (found && isFinal(found.finding) && (await isContradicted(deps, visit, coverage, found))) return true
  }
  return false
}

/** Writes the next version if the body differs. @throws VersionConflictError when the visit's version is not the latest. */
async function writeVersion(
  deps: VerificationNeeds,
  visit: Visit,
  body: MutableAppointment,
): Promise<number | undefined> {
  if (isSame(body, visit.body)) return undefined
  const target = { id: visit.appointmentId, expectedVersion: visit.version, body }
  await updateRecord(deps, appointment, systemActor(visit.organizationId), target)
  return visit.version + 1
}

/** The fields that a decision may set or clear. */
const DECIDED = [...READINESS_FIELDS, 'automated_eligibility_check_complete', 'estimated_copay_cents'] as const

function withDecision(body: MutableAppointment, decision: Decision): MutableAppointment {
  const { status: _, not_ready_reason: _reason, ready_source: _source, work_queue: _queue, ...rest } = body
  return applyStatusRules({ ...rest, ...decision })
}

function isSame(one: MutableAppointment, other: MutableAppointment): boolean {
  return DECIDED.every((field) => one[field] === other[field])
}
