// Finds a person's Medicare Beneficiary Identifier (MBI) by name, birth date and social security number. The result is an eligibility
// response of Medicare and is verified like every other, because another person's number in a coverage is worse than none. Nothing of it is
// stored. decisions/0027-stedi-eligibility-check.md

import type { Clearinghouse } from '../../clearinghouses/clearinghouse.ts'
import { MEDICARE_PAYER_ID } from '../../payers/medicare.ts'
import { PLAN_SERVICE } from '../../x12/codes/service-types.ts'
import type { Inquiry, Party } from '../../x12/model.ts'
import { findMemberId } from '../answers/benefits/plan-metadata.ts'
import type { CheckError } from '../answers/outcome.ts'
import { wireErrorDetails } from '../answers/rejections/rejections.ts'
import { maskTexts } from '../answers/social-security.ts'
import type { EligibilityStatus, RequestCorrection } from '../answers/wire.ts'
import { runCheck } from './run-check.ts'

interface LookUpInquiry {
  provider: Inquiry['provider']
  person: { firstName: string; lastName: string; dateOfBirth: string; ssn: string }
  /** YYYY-MM-DD. */
  dateOfService: string
}

interface LookUpResult {
  memberId?: string
  status?: EligibilityStatus
  /** Differences between Medicare's records and the inquiry, which a user confirms before the number is used. */
  corrections: RequestCorrection[]
  errors: CheckError[]
}

/** Eleven letters and digits; the first is a digit other than 0. Source: CMS, MBI format. */
const NUMBER = /^[1-9][A-Z0-9]{10}$/

/** Uses a connector that offers the lookup. Never throws for faults of the clearinghouse or payer. */
export async function lookUpMedicareNumber(
  findMedicareNumber: NonNullable<Clearinghouse['findMedicareNumber']>,
  { provider, person, dateOfService }: LookUpInquiry,
  options: { organizationId: string; checkId: string; controlNumber: number; at: Date; signal?: AbortSignal },
): Promise<LookUpResult> {
  const { ssn, ...subscriber } = person
  const asking: Clearinghouse = {
    name: 'look-up',
    checkEligibility: (inquiry, sent) =>
      findMedicareNumber({ ...inquiry, subscriber: { ...inquiry.subscriber, ssn } }, sent),
  }
  const request = { payerId: MEDICARE_PAYER_ID, provider, subscriber, dateOfService, serviceTypeCodes: [PLAN_SERVICE] }
  const {
    subscriber: found,
    parsedResponse,
    requestCorrections = [],
    errors,
  } = await runCheck(asking, request, options)
  // The number is the subscriber's: Medicare has no dependents.
  const memberId = found && errors.length === 0 ? numberOf(found) : undefined
  const result: LookUpResult = {
    ...(memberId !== undefined && { memberId }),
    ...(parsedResponse && { status: parsedResponse.eligibility_status }),
    corrections: requestCorrections,
    errors: memberId === undefined && errors.length === 0 ? [withoutNumber] : errors,
  }
  return maskTexts(result, { inquiry: person })
}

const withoutNumber: CheckError = {
  source: 'CANDID',
  errorDetails: wireErrorDetails({ code: 'NOT_FOUND', description: 'Medicare answered without a Medicare number' }),
}

/** NM109 of the subscriber, else REF*F6. */
function numberOf(subscriber: Party): string | undefined {
  const reference = subscriber.references.find(({ qualifier }) => qualifier === 'F6')?.value
  const stated = [findMemberId(subscriber), reference].map((id) => id?.replaceAll(/[\s-]/g, '').toUpperCase())
  return stated.find((id) => id !== undefined && NUMBER.test(id))
}
