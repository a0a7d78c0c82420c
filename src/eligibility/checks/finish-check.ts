// Stores everything that follows from a check's answer together with it, or nothing. Source: rules.md 10.3, 13.8.
import type { Deps } from '../../deps.ts'
import { findPayerIds } from '../../payers/payer-ids.ts'
import { type DerivedRecommendation, namedPayers, withPayerIds } from '../answers/corrections/recommendations.ts'
import type { CheckOutcome } from '../answers/outcome.ts'
import type { EligibilityRecommendationPatientInfo } from '../recommendations/eligibility-recommendation.schema.ts'
import { type RecommendationSubject, storeRecommendations } from '../recommendations/store-recommendations.ts'
import { type Answered, type OpenCheck, storeAnswers } from './check-store.ts'
import { updateCoverage } from './update-coverage.ts'

type Needs = Pick<Deps, 'config' | 'database' | 'clearinghouses' | 'vault' | 'payers' | 'now' | 'newId'>

/** Stores the answer and what follows from it; false when another holder has taken over the check, which is then unchanged. */
export async function finishCheck(deps: Needs, check: OpenCheck, outcome: CheckOutcome): Promise<boolean> {
  return (await finishChecks(deps, check.organizationId, [{ check, outcome }])).length === 1
}

/** Stores several answers of one organization in one transaction; returns those whose checks were still held. */
export async function finishChecks(deps: Needs, organizationId: string, answers: Answered[]): Promise<Answered[]> {
  const derived = await deriveAll(deps, organizationId, answers)
  const isAlone = answers.every((each) => each.check.coverageId === undefined && derived.get(each)?.length === 0)
  // Without consequences to store, one statement needs no transaction.
  if (isAlone) return storeAnswers(deps, organizationId, answers)
  return deps.database.transaction(async (database) => {
    const inTransaction = { ...deps, database }
    // Checks, then coverages, then change clocks (decisions/0021-lock-order.md): no lock on a coverage is awaited while a clock is held.
    const stored = await storeAnswers(inTransaction, organizationId, answers)
    await holdCoverages(inTransaction, organizationId, stored)
    const found = []
    for (const each of stored) {
      const { check, outcome } = each
      const { coverageId } = check
      if (coverageId !== undefined) await updateCoverage(inTransaction, { ...check, coverageId }, outcome)
      const recommendations = derived.get(each) ?? []
      if (recommendations.length > 0) {
        found.push({ about: await subjectOf(inTransaction, check), derived: recommendations })
      }
    }
    await storeRecommendations(inTransaction, organizationId, found)
    return stored
  })
}

const holdStatement = {
  name: 'check_coverages_hold',
  text: 'select 1 from coverage where organization_id = $1 and id = any($2::uuid[]) order by id for update',
}

async function holdCoverages(deps: Needs, organizationId: string, answers: Answered[]): Promise<void> {
  const ids = new Set(answers.flatMap(({ check: { coverageId } }) => (coverageId === undefined ? [] : [coverageId])))
  if (ids.size > 1) await deps.database.rows(holdStatement, [organizationId, [...ids]])
}

/** The recommendations of each answer, with the directory's ids of the payers named. */
async function deriveAll(
  deps: Needs,
  organizationId: string,
  answers: Answered[],
): Promise<Map<Answered, DerivedRecommendation[]>> {
  const derived = answers.map(({ outcome: { status, recommendations = [] } }) => {
    return status === 'COMPLETED' ? recommendations : []
  })
  const findPayerId = await findPayerIds(deps, organizationId, namedPayers(derived.flat()))
  return new Map(answers.map((each, place) => [each, withPayerIds(derived[place] ?? [], findPayerId)]))
}

async function subjectOf(deps: Needs, check: OpenCheck): Promise<RecommendationSubject> {
  const { id: checkId, coverageId } = check
  const patient = patientAsked(check)
  if (coverageId === undefined) return { checkId, patient }
  return { checkId, coverageId, patient: { ...patient, ...(await readPatient(deps, check)) } }
}

/** The patient of the inquiry: the dependent, if there is one. */
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
  text: `select p.id, p.mrn from coverage c
      join patient p on p.organization_id = $1 and p.id = c.patient::uuid
    where c.organization_id = $1 and c.id = $2`,
}

async function readPatient(deps: Needs, check: OpenCheck): Promise<EligibilityRecommendationPatientInfo> {
  const row = await deps.database.row(patientStatement, [check.organizationId, check.coverageId])
  return row ? { id: row[0] as string, mrn: row[1] as string } : {}
}
