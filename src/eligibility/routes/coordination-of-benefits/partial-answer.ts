// Without a registry of coverages, only the payer itself can be checked: its answer names other payers in EB*R rows. Source: x12-271.md 10,
// last sentence.

import type { Clearinghouse, CobInquiry } from '../../../clearinghouses/clearinghouse.ts'
import { objectsOf } from '../../../clearinghouses/json-values.ts'
import { readEligibility } from '../../../clearinghouses/stedi/read-eligibility.ts'
import { isObject } from '../../../contract/is-object.ts'
import type { Deps } from '../../../deps.ts'
import { PLAN_SERVICE } from '../../../x12/codes/service-types.ts'
import { recognizePayer } from '../../answers/coverage/other-coverage.ts'
import { findOtherPayers } from '../../answers/coverage/other-payers.ts'
import { bareError, withoutSource } from '../../answers/rejections/bare-errors.ts'
import type { ParsedResponse } from '../../answers/wire.ts'
import { nextControlNumber } from '../../checks/control-number.ts'
import { findInquiryNames } from '../../checks/inquiry-names.ts'
import type { CheckRequest } from '../../inquiries/check-inquiry.ts'
import { runCheck } from '../../inquiries/run-check.ts'
import { toWire } from './cob-answer.ts'
import type { Cob, CoordinationOfBenefitsResponse } from './coordination-of-benefits.schema.ts'

type Needs = Pick<Deps, 'config' | 'database' | 'payers' | 'now' | 'newId'>

/** Active, inactive, other payer, cannot process: the rows of a registry's answer. Source: clearinghouse.md A8. */
const COB_ROWS: ReadonlySet<unknown> = new Set(['1', '6', 'R', 'V'])

/** What a real-time check states about other coverages; if it states nothing, `errors` explains why. */
export async function answerFromCheck(
  deps: Needs,
  organizationId: string,
  clearinghouse: Clearinghouse,
  inquiry: CobInquiry,
  signal: AbortSignal,
): Promise<CoordinationOfBenefitsResponse> {
  const request = toCheckRequest(inquiry)
  const controlNumber = await nextControlNumber(deps.database)
  const names = await findInquiryNames(deps, { organizationId, clearinghouse, payerId: request.payerId })
  const options = { names, organizationId, checkId: deps.newId(), controlNumber, at: deps.now(), signal }
  const { response, parsedResponse, errors } = await runCheck(clearinghouse, request, options)
  const details = withoutSource(errors)
  if (!isObject(response) || !parsedResponse) return { errors: details }

  const rows = objectsOf(response.benefitsInformation).filter(({ code }) => COB_ROWS.has(code))
  const [dependent] = objectsOf(response.dependents)
  const { start_date: planBegin, end_date: planEnd } = parsedResponse.plan_metadata ?? {}
  const answer = toWire({
    ...response,
    dependent,
    planDateInformation: { planBegin, planEnd },
    benefitsInformation: rows,
    errors: details,
  })
  if (parsedResponse.eligibility_status !== 'UNKNOWN')
    return { ...answer, coordination_of_benefits: classify(request, response, parsedResponse) }
  return details.length > 0 ? answer : { ...answer, errors: [silent] }
}

const silent = bareError({
  code: 'UNDETERMINED',
  description:
    'The clearinghouse has no registry of coverages, and the payer does not state whether the member is covered',
})

function toCheckRequest({
  tradingPartnerServiceId,
  provider,
  subscriber,
  dependent,
  encounter,
}: CobInquiry): CheckRequest {
  return {
    payerId: tradingPartnerServiceId,
    provider,
    subscriber,
    ...(dependent && { dependent }),
    dateOfService: encounter.dateOfService ?? encounter.beginningDateOfService ?? '',
    serviceTypeCodes: [PLAN_SERVICE],
  }
}

/** Only rows in force on the day count; the flags follow from the classification. Source: rules.md 13.11. */
function classify(request: CheckRequest, response: Record<string, unknown>, parsed: ParsedResponse): Cob {
  const [patient] = readEligibility(response).patients
  const { payerId, dateOfService } = request
  const others = patient && findOtherPayers(recognizePayer({ patient, payer: { id: payerId }, dateOfService, parsed }))
  const exists = others !== undefined
  const isDetermined = exists && others.primacy !== 'UNDETERMINED'
  const word = isDetermined ? 'CobInstanceExistsPrimacyDetermined' : 'CobInstanceExistsPrimacyUndetermined'
  return {
    classification: exists ? word : 'MemberFoundNoCob',
    instance_exists: exists,
    primacy_determined: isDetermined,
    coverage_overlap: exists,
    benefit_overlap: exists,
  }
}
