// The only access to answers that are shown unchanged: discovery, coordination of benefits, Availity's coverages. Social security numbers
// are masked in answers and failures. The inquiries may contain numbers, which an answer may repeat in words.
// decisions/0027-stedi-eligibility-check.md explains why the masking is here and not in each resource.
import {
  type Clearinghouse,
  ClearinghouseError,
  type CobInquiry,
  type DiscoveryInquiry,
  type StediJson,
} from '../../clearinghouses/clearinghouse.ts'
import { type InquiryNumbers, maskTexts } from '../answers/social-security.ts'

interface Options {
  signal?: AbortSignal
}

/** The result of a discovery. @throws ClearinghouseError, masked as well. */
export function askDiscovery(
  discoverInsurance: NonNullable<Clearinghouse['discoverInsurance']>,
  inquiry: DiscoveryInquiry,
  options: Options,
): Promise<StediJson> {
  return masked(() => discoverInsurance(inquiry, options), { inquiry })
}

/** The result of a coverage registry. @throws ClearinghouseError, masked as well. */
export function askRegistry(
  coordinateBenefits: NonNullable<Clearinghouse['coordinateBenefits']>,
  inquiry: CobInquiry,
  options: Options,
): Promise<StediJson> {
  const { subscriber } = inquiry
  return masked(() => coordinateBenefits(inquiry, options), { subscriber, inquiry })
}

/** A coverage in Availity's form. @throws ClearinghouseError, masked as well. */
export function askCoverage(
  fetchCoverage: NonNullable<Clearinghouse['fetchCoverage']>,
  parameters: Record<string, string | string[]>,
  options: Options,
): Promise<unknown> {
  const { memberId } = parameters
  const subscriber = typeof memberId === 'string' ? { memberId } : {}
  return masked(() => fetchCoverage(parameters, options), { subscriber, inquiry: parameters })
}

/** The failure without the numbers of the inquiry and of the answer. */
function maskFailure(error: ClearinghouseError, inquiryNumbers: InquiryNumbers): ClearinghouseError {
  const { message, detail, rawResponse } = error
  return error.with(maskTexts({ message, detail, rawResponse }, inquiryNumbers))
}

async function masked<Answer>(fetchAnswer: () => Promise<Answer>, inquiryNumbers: InquiryNumbers): Promise<Answer> {
  try {
    return maskTexts(await fetchAnswer(), inquiryNumbers)
  } catch (error) {
    throw error instanceof ClearinghouseError ? maskFailure(error, inquiryNumbers) : error
  }
}
