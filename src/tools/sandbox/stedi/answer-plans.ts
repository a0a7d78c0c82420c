// Stedi's eligibility check of 2026-06-01: the same answers as its older one, grouped by plan.

import { randomUUID } from 'node:crypto'
import { type JsonObject, objectOf, objectsOf, textOf } from '../../../clearinghouses/json-values.ts'
import { isObject } from '../../../contract/is-object.ts'
import { withoutUndefined } from '../../../contract/without-undefined.ts'
import { PLAN_SERVICE } from '../../../x12/codes/service-types.ts'
import type { Inquiry, InquiryMember } from '../../../x12/model.ts'
import type { Answered } from '../answer-core.ts'
import type { Reply } from '../replies.ts'
import type { Roster, RosterAnswer } from '../roster.ts'
import { answerInX12, misbehave } from './answer-eligibility.ts'
import { checkPlansInput } from './check-input.ts'
import { replyWithErrors, replyWithJson } from './json-replies.ts'
import { writePlans } from './write-plans.ts'

/** Answers one real-time check. */
export function answerPlans(roster: Roster, body: JsonObject, at: Date): Answered {
  const faults = checkPlansInput(body)
  if (faults.length > 0) return { outcome: 'input faults', reply: replyWithErrors(faults) }
  const written = answerInX12(roster, toInquiry(body, at), at)
  if (!written) {
    const fault = { path: '/payerId', message: 'The payer ID is not configured. Check it against the payer list.' }
    return { outcome: 'unknown payer', reply: replyWithErrors([fault]) }
  }
  const { raw, response, patient, behavior, ids } = written
  const { instead, afterMs } = behavior
  const json = writePlans(response, patient, { raw, ...ids })
  const reply = instead ? misbehaveWithPlans(instead, json, raw) : replyWithJson(200, json)
  return { outcome: instead ?? 'answered', ...(afterMs && { afterMs }), reply }
}

/** The faulty answers whose form is specific to this operation. */
function misbehaveWithPlans(
  instead: NonNullable<RosterAnswer['instead']>,
  json: JsonObject,
  x12: string,
): Reply | undefined {
  if (instead === 'error-code') {
    return replyWithErrors([{ path: '/encounter', message: 'The request was refused' }])
  }
  if (instead === 'soap-fault') return replyWithJson(500, { message: 'The payer gateway is not available' })
  return misbehave(instead, json, x12)
}

/** The inquiry in a request's body. */
function toInquiry(body: JsonObject, at: Date): Inquiry {
  const [provider, encounter] = [objectOf(body.provider), objectOf(body.encounter)]
  const name = objectOf(provider.name)
  const { firstName, lastName } = objectOf(name.person)
  const trace = randomUUID().replaceAll('-', '').toUpperCase()
  const services = objectsOf(encounter.services).flatMap(({ value }) => textOf(value) ?? [])
  return {
    reference: trace,
    traceNumber: trace,
    payer: { id: textOf(body.payerId) ?? '' },
    provider: {
      npi: textOf(provider.npi) ?? '',
      ...withoutUndefined({
        organizationName: textOf(name.organization),
        firstName: textOf(firstName),
        lastName: textOf(lastName),
      }),
    },
    subscriber: toMember(objectOf(body.subscriber)),
    ...(isObject(body.dependent) && { dependent: toMember(body.dependent) }),
    dateOfService: textOf(objectOf(objectOf(encounter.dates).service).start) ?? at.toISOString().slice(0, 10),
    serviceTypeCodes: services.length > 0 ? services : [PLAN_SERVICE],
  }
}

function toMember(person: JsonObject): InquiryMember {
  const { firstName, lastName, middleName } = objectOf(objectOf(person.name).person)
  return withoutUndefined({
    memberId: textOf(person.memberId),
    firstName: textOf(firstName),
    lastName: textOf(lastName),
    middleName: textOf(middleName),
    dateOfBirth: textOf(person.dateOfBirth),
    ssn: textOf(objectOf(person.additionalInformation).ssn),
  })
}
