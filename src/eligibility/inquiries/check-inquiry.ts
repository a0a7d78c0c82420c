// A check request and its conversion to an inquiry. Source: rules.md 13.
import type { Inquiry } from '../../x12/model.ts'
import { fitInquiry, type InquiryFault } from './fit-inquiry.ts'

/** A check with its defaults filled in. Two checks with equal requests are the same check (rules.md 13.5). */
export interface CheckRequest {
  payerId: string
  provider: Inquiry['provider']
  subscriber: CheckMember
  dependent?: CheckMember
  /** YYYY-MM-DD. */
  dateOfService: string
  /** X12 1365 codes, at least one. */
  serviceTypeCodes: string[]
}

export interface CheckMember {
  memberId?: string
  firstName: string
  lastName: string
  /** YYYY-MM-DD. */
  dateOfBirth?: string
}

/** The names of the payer and of the inquiring clinic, if known: an inquiry contains both. */
export interface InquiryNames {
  payer?: string
  /** Name of the inquiring organization, for a provider without a name. */
  receiver?: string
}

/** The faults that prevent an inquiry from being sent; empty when there are none. */
export function findInquiryFaults(request: CheckRequest): InquiryFault[] {
  return fitInquiry(toInquiry(request, '')).faults
}

/** The inquiry of a check. Its trace number is the check's id, which the payer echoes. */
export function toInquiry(request: CheckRequest, checkId: string, names: InquiryNames = {}): Inquiry {
  const reference = checkId.replaceAll('-', '').toUpperCase()
  const { provider } = request
  const isNamed = [provider.organizationName, provider.lastName].some((name) => name?.trim())
  return {
    reference,
    traceNumber: reference,
    payer: { id: request.payerId, ...(names.payer && { name: names.payer }) },
    provider: isNamed ? provider : { npi: provider.npi, ...(names.receiver && { organizationName: names.receiver }) },
    subscriber: request.subscriber,
    ...(request.dependent && { dependent: request.dependent }),
    dateOfService: request.dateOfService,
    serviceTypeCodes: request.serviceTypeCodes,
  }
}
