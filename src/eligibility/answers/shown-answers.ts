// The one way to the answers that are shown as the other side wrote them: discovery, coordination of benefits, Availity's coverages.
// Social security numbers are masked in what comes back, answer or failure. The inquiries may hold numbers of their own, which an
// answer may repeat in words. decisions/0027-stedi-eligibility-check.md has why the mask stands here and not in each resource.
import {
  type Clearinghouse,
  ClearinghouseError,
  type CobInquiry,
  type DiscoveryInquiry,
  type StediJson,
} from '../../clearinghouses/clearinghouse.ts'
import { type AskedWith, maskTexts } from './social-security.ts'

interface Options {
  signal?: AbortSignal
}

/** What a search found. @throws ClearinghouseError, masked as well. */
export function askDiscovery(
  discoverInsurance: NonNullable<Clearinghouse['discoverInsurance']>,
  inquiry: DiscoveryInquiry,
  options: Options,
): Promise<StediJson> {
  return masked(() => discoverInsurance(inquiry, options), { inquiry })
}

/** What a registry of coverages knows. @throws ClearinghouseError, masked as well. */
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

/** The same failure without the numbers of the inquiry and of the answer. */
function maskFailure(error: ClearinghouseError, asked: AskedWith): ClearinghouseError {
  const { message, detail, rawResponse } = error
  return error.with(maskTexts({ message, detail, rawResponse }, asked))
}

async function masked<Answer>(ask: () => Promise<Answer>, asked: AskedWith): Promise<Answer> {
  try {
    return maskTexts(await ask(), asked)
  } catch (error) {
    throw error instanceof ClearinghouseError ? maskFailure(error, asked) : error
  }
}
