import { Type } from 'typebox'
import { CoverageId } from '../../contract/common.schema.ts'
import { notFound } from '../../contract/errors.ts'
import { isUuid } from '../../contract/formats.ts'
import { defineRecord, type RuleContext } from '../../records/record.ts'
import { patientId } from '../../resources/example-people.ts'
import { PostEligibilityRecommendationRequest, Vote, withRequiredKeys } from './eligibility-recommendation.schema.ts'

/**
 * A recommendation of an eligibility check, with the users' votes on it: derived from the answer by the system, or sent by a client.
 * Source: rules.md 13.8.
 */
export const eligibilityRecommendation = defineRecord({
  name: 'eligibility_recommendation',
  label: 'Eligibility recommendation',
  mutable: PostEligibilityRecommendationRequest,
  example: {
    eligibility_check_id: '0197a2c7-6e5f-7a80-9b1c-3d4e5f6a7b8c',
    patient: {
      id: patientId,
      mrn: '2603020001',
      last_name: 'Marlowe',
      first_name: 'Iris',
      date_of_birth: '1984-02-29',
      member_id: 'NW-100200',
    },
    recommendation: {
      type: 'COPAY_ESTIMATION',
      payload: {
        structured_response: 2500,
        exposition:
          'The payer states an in-network copay of $25 for an office visit, by its row EB*B*IND*98 (Professional (Physician) Visit - Office, Individual).',
      },
    },
  },
  // The update is a vote.
  pathVersions: { update: 'next' },
  patients: [{ patient: 'patient.id' }],
  adds: { coverage_id: Type.Optional(CoverageId), votes: Type.Optional(Type.Array(Vote)) },
  prepare: async (body, context) => ({
    ...body,
    eligibility_check_id: await requireCheck(body, context),
    recommendation: withRequiredKeys(body.recommendation),
  }),
})

const checkStatement = {
  name: 'eligibility_check_id',
  text: 'select id from eligibility_check where organization_id = $1 and id = $2',
}

/**
 * The stored id of the check. Our choice: an unknown check is a 404 like any unknown reference, because the interface declares no error.
 * @throws NotFoundError.
 */
async function requireCheck(body: PostEligibilityRecommendationRequest, { actor, deps }: RuleContext): Promise<string> {
  const { eligibility_check_id: id } = body
  const row = isUuid(id) ? await deps.database.rowByKey(checkStatement, [actor.organizationId, id]) : undefined
  if (!row?.[0]) throw notFound('Eligibility check')
  return row[0]
}
