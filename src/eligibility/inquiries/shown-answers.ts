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
import { takeTurn } from '../../platform/event-loop.ts'
import { type InquiryNumbers, maskInTurns, maskTexts } from '../answers/social-security.ts'

interface Options {
  organizationId: string
  signal?: AbortSignal
}

/** The result of a discovery. @throws ClearinghouseError, masked as well. */
export function askDiscovery(
  discoverInsurance: NonNullable<Clearinghouse['discoverInsurance']>,
  inquiry: DiscoveryInquiry,
  options: Options,
): Promise<StediJson> {
  return masked(() => discoverInsurance(inquiry, options), { inquiry }, options)
}

/** The result of a coverage registry. @throws ClearinghouseError, masked as well. */
export function askRegistry(
  coordinateBenefits: NonNullable<Clearinghouse['coordinateBenefits']>,
  inquiry: CobInquiry,
  options: Options,
): Promise<StediJson> {
  const { subscriber } = inquiry
  return masked(() => coordinateBenefits(inquiry, options), { subscriber, inquiry }, options)
}

/** A coverage in Availity's form. @throws ClearinghouseError, masked as well. */
export function askCoverage(
  fetchCoverage: NonNullable<Clearinghouse['fetchCoverage']>,
  parameters: Record<string, string | string[]>,
  options: Options,
): Promise<unknown> {
  const { memberId } = parameters
  const subscriber = typeof memberId === 'string' ? { memberId } : {}
  return masked(() => fetchCoverage(parameters, options), { subscriber, inquiry: parameters }, options)
}

/** The failure without the numbers of the inquiry and of the answer. */
function maskFailure(error: ClearinghouseError, inquiryNumbers: InquiryNumbers): ClearinghouseError {
  const { message, detail, rawResponse } = error
  return error.with(maskTexts({ message, detail, rawResponse }, inquiryNumbers))
}

async function masked<Answer>(
  fetchAnswer: () => Promise<Answer>,
  inquiryNumbers: InquiryNumbers,
  { organizationId }: Options,
): Promise<Answer> {
  try {
    return await maskInTurns(await fetchAnswer(), inquiryNumbers, () => takeTurn(organizationId))
  } catch (error) {
    throw error instanceof ClearinghouseError ? maskFailure(error, inquiryNumbers) : error
  }
}
