import { v5 as uuidv5 } from 'uuid'
import type { Deps } from '../../deps.ts'
import { systemUser } from '../../platform/auth/system-user.ts'
import { createMissing, type NewRecord } from '../../records/bulk.ts'
import { storable } from '../../records/storable.ts'
import type { DerivedRecommendation } from '../answers/corrections/recommendations.ts'
import { type EligibilityRecommendationPatientInfo, SEARCHED_TEXT_MAX } from './eligibility-recommendation.schema.ts'
import { eligibilityRecommendation } from './eligibility-recommendation.ts'

/** The check that recommendations follow from, and the patient. */
export interface RecommendationSubject {
  checkId: string
  coverageId?: string
  patient: EligibilityRecommendationPatientInfo
}

/**
 * Stores the recommendations of checks on behalf of the system user, in one statement. A stored recommendation of the same check and type
 * is unchanged and keeps its votes. `deps.database` is the transaction that has written the answers of these checks, which locks them: two
 * writers of one check's recommendations run one after the other. The organization's other writers of recommendations wait for its end, so
 * this statement comes last in it. Source: rules.md 13.8.
 */
export async function storeRecommendations(
  deps: Pick<Deps, 'database' | 'newId'>,
  organizationId: string,
  found: { about: RecommendationSubject; derived: DerivedRecommendation[] }[],
): Promise<void> {
  const records = found.flatMap(({ about, derived }) =>
    derived.map((recommendation) => toRecord(organizationId, about, recommendation)),
  )
  if (records.length === 0) return
  await createMissing(deps, eligibilityRecommendation, { organizationId, userId: systemUser.id }, records)
}

function toRecord(
  organizationId: string,
  { checkId, coverageId, patient }: RecommendationSubject,
  recommendation: DerivedRecommendation,
): NewRecord {
  return {
    // The id is derived from the check and the type, so that a repeated run finds the stored record.
    id: uuidv5(recommendation.type, checkId),
    body: storable({
      eligibility_check_id: checkId,
      recommendation,
      ...(coverageId !== undefined && { coverage_id: coverageId }),
      patient: { organization_id: organizationId, ...searchable(patient) },
    }),
    events: [],
  }
}

/** Leaves out values too long to search by: no real name is that long, and it must not prevent a check from being finished. */
function searchable(patient: EligibilityRecommendationPatientInfo): EligibilityRecommendationPatientInfo {
  return Object.fromEntries(
    Object.entries(patient).filter(([, text]) => text !== undefined && text.length <= SEARCHED_TEXT_MAX),
  )
}
