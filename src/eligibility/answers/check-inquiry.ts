// A check as it is asked: what a caller says of it, and the inquiry that it becomes. Source: rules.md 13.
import type { Inquiry } from '../../x12/model.ts'
import { fitInquiry, type InquiryFault } from './fit-inquiry.ts'

/** A check with its defaults filled in: what two checks must share to be the same one (rules.md 13.5). */
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

/** What the payer and the asking clinic are called, where it is known: an inquiry names both. */
export interface InquiryNames {
  payer?: string
  /** Of the organization that asks, for a provider whose name is not given. */
  receiver?: string
}

/** What keeps an inquiry from being asked; none when it can be. */
export function findInquiryFaults(request: CheckRequest): InquiryFault[] {
  return fitInquiry(toInquiry(request, '')).faults
}

/** The inquiry of a check; its trace number is the check's id, which the payer echoes. */
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
