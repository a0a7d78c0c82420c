import type { Inquiry, InquiryMember } from '../../x12/model.ts'
import type { JsonObject } from '../json-values.ts'
import { genderWords, SERVICE_TYPE_SYSTEM } from './plan-names.ts'
import { isTodayEverywhere, named, peopleToSend, type RequestContext, stediPayerId } from './write-request.ts'

/**
 * An inquiry as the body of `POST /2026-06-01/eligibility-check`, which has no field for a control number or a portal account. Source: the
 * published description of the operation.
 */
export function writePlanRequest(inquiry: Inquiry, context: Pick<RequestContext, 'at' | 'payerIds'>): JsonObject {
  const { payer, dateOfService, serviceTypeCodes } = inquiry
  const { subscriber, dependent } = peopleToSend(inquiry)
  return {
    payerId: stediPayerId(payer.id, context.payerIds),
    ...named('payerName', payer.name),
    provider: writeProvider(inquiry.provider),
    subscriber: { ...writePerson(subscriber), ...named('memberId', subscriber.memberId) },
    ...(dependent && {
      dependent: {
        ...writePerson(dependent),
        ...named('relationToSubscriber', dependent.relationshipCode && RELATIONSHIPS[dependent.relationshipCode]),
      },
    }),
    encounter: {
      services: serviceTypeCodes.map((value) => ({ value, system: SERVICE_TYPE_SYSTEM })),
      ...(isTodayEverywhere(dateOfService, context.at) ? {} : { dates: { service: { start: dateOfService } } }),
    },
  }
}

const RELATIONSHIPS = { '01': 'SPOUSE', '19': 'CHILD', '34': 'OTHER_ADULT' } as const

function writeProvider({ npi, organizationName, firstName, lastName }: Inquiry['provider']): JsonObject {
  const person = { ...named('firstName', firstName), ...named('lastName', lastName) }
  if (organizationName !== undefined) return { name: { organization: organizationName }, npi }
  return { ...(Object.keys(person).length > 0 && { name: { person } }), npi }
}

function writePerson(person: InquiryMember): JsonObject {
  const { firstName, lastName, middleName, suffix, dateOfBirth, gender, ssn, groupNumber } = person
  const name = {
    ...named('firstName', firstName),
    ...named('lastName', lastName),
    ...named('middleName', middleName),
    ...named('suffix', suffix),
  }
  const more = { ...named('ssn', ssn), ...named('groupNumber', groupNumber) }
  return {
    ...(Object.keys(name).length > 0 && { name: { person: name } }),
    ...named('dateOfBirth', dateOfBirth),
    ...named('gender', gender && genderWords[gender]),
    ...(Object.keys(more).length > 0 && { additionalInformation: more }),
  }
}
