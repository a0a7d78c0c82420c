import { v5 as uuidv5 } from 'uuid'
import { systemUser } from '../../auth/system-user.ts'
import type { Deps } from '../../deps.ts'
import type { DerivedRecommendation } from '../../eligibility/recommendations.ts'
import { createMissing } from '../../records/bulk.ts'
import { type EligibilityRecommendationPatientInfo, SEARCHED_TEXT_MAX } from './eligibility-recommendation.schema.ts'
import { eligibilityRecommendation } from './eligibility-recommendation.ts'

/** The check that recommendations follow from, and whom they are about. */
export interface RecommendationSubject {
  checkId: string
  coverageId?: string
  patient: EligibilityRecommendationPatientInfo
}

const holdStatement = {
  name: 'eligibility_recommendation_hold_check',
  text: 'select id from eligibility_check where organization_id = $1 and id = $2 for no key update',
}

/**
 * Stores what a check's answer suggests, as the system's, in one statement; what is stored of this check and type already stays as
 * it is, with its votes. `deps.database` is the transaction that finishes the check: it holds the check meanwhile, and the
 * organization's other writers of recommendations wait for its end, so this comes last in it. Source: rules.md 13.8.
 */
export async function storeRecommendations(
  deps: Pick<Deps, 'database' | 'newId'>,
  organizationId: string,
  about: RecommendationSubject,
  derived: DerivedRecommendation[],
): Promise<void> {
  if (derived.length === 0) return
  const { checkId, coverageId } = about
  await deps.database.rows(holdStatement, [organizationId, checkId])
  const patient = { organization_id: organizationId, ...searchable(about.patient) }
  const records = derived.map((recommendation) => ({
    // The id follows from the check and the type: a run that is repeated finds what the first one stored.
    id: uuidv5(recommendation.type, checkId),
    body: storable({
      eligibility_check_id: checkId,
      recommendation,
      ...(coverageId !== undefined && { coverage_id: coverageId }),
      patient,
    }),
    events: [],
  }))
  await createMissing(deps, eligibilityRecommendation, { organizationId, userId: systemUser.id }, records)
}

/** What is too long to be searched by is left out: nobody has such a name, and it must not keep a check from being finished. */
function searchable(patient: EligibilityRecommendationPatientInfo): EligibilityRecommendationPatientInfo {
  return Object.fromEntries(
    Object.entries(patient).filter(([, text]) => text !== undefined && text.length <= SEARCHED_TEXT_MAX),
  )
}

/** Payers send what jsonb cannot hold: NUL characters, and halves of surrogate pairs. */
function storable(body: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(body), (_, value: unknown) => {
    return typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value
  })
}
