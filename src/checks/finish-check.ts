// What follows from a check's answer, with the answer or not at all. Source: rules.md 10.3, 13.8.
import type { Deps } from '../deps.ts'
import type { CheckOutcome } from '../eligibility/check.ts'
import { type DerivedRecommendation, deriveRecommendations } from '../eligibility/recommendations.ts'
import type { EligibilityRecommendationPatientInfo } from '../resources/eligibility-recommendations/eligibility-recommendation.schema.ts'
import { storeRecommendations } from '../resources/eligibility-recommendations/store-recommendations.ts'
import { type OpenCheck, storeAnswer } from './check-store.ts'
import { updateCoverage } from './update-coverage.ts'

/** Stores the answer and what follows from it; false when the check was taken from this holder meanwhile, who changes nothing. */
export async function finishCheck(deps: Deps, check: OpenCheck, outcome: CheckOutcome): Promise<boolean> {
  const { coverageId } = check
  const derived = derive(outcome)
  // Nothing follows from many checks: one statement needs no transaction.
  if (coverageId === undefined && derived.length === 0) return storeAnswer(deps, check, outcome)
  return deps.database.transaction(async (database) => {
    const inTransaction = { ...deps, database }
    // The check is held first, then the coverage, then change clocks: every transaction that takes several keeps to this order.
    if (!(await storeAnswer(inTransaction, check, outcome))) return false
    if (coverageId !== undefined) await updateCoverage(inTransaction, { ...check, coverageId }, outcome)
    if (derived.length > 0) await recommend(inTransaction, check, derived)
    return true
  })
}

function derive({ status, finding }: CheckOutcome): DerivedRecommendation[] {
  if (status !== 'COMPLETED' || !finding) return []
  return deriveRecommendations(finding)
}

async function recommend(deps: Deps, check: OpenCheck, derived: DerivedRecommendation[]): Promise<void> {
  const { organizationId, id: checkId, coverageId } = check
  const patient = { ...patientAsked(check), ...(coverageId !== undefined && (await readPatient(deps, check))) }
  const about = { checkId, patient, ...(coverageId !== undefined && { coverageId }) }
  await storeRecommendations(deps, organizationId, about, derived)
}

/** Who was asked about: the dependent, where there is one. */
function patientAsked({ asked }: OpenCheck): EligibilityRecommendationPatientInfo {
  const { firstName, lastName, dateOfBirth } = asked.dependent ?? asked.subscriber
  const memberId = asked.dependent?.memberId ?? asked.subscriber.memberId
  return {
    first_name: firstName,
    last_name: lastName,
    ...(dateOfBirth !== undefined && { date_of_birth: dateOfBirth }),
    ...(memberId !== undefined && { member_id: memberId }),
  }
}

const patientStatement = {
  name: 'check_patient',
  text: `select p.id, p.body ->> 'mrn' from coverage c
      join patient p on p.organization_id = c.organization_id and p.id = (c.body ->> 'patient')::uuid
    where c.organization_id = $1 and c.id = $2`,
}

async function readPatient(deps: Deps, check: OpenCheck): Promise<EligibilityRecommendationPatientInfo> {
  const row = await deps.database.row(patientStatement, [check.organizationId, check.coverageId])
  return row ? { id: row[0] as string, mrn: row[1] as string } : {}
}
