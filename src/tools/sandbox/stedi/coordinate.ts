import { randomUUID } from 'node:crypto'
import { type JsonObject, objectOf, objectsOf, textOf, textsOf } from '../../../clearinghouses/json-values.ts'
import { isObject } from '../../../contract/is-object.ts'
import { withoutUndefined } from '../../../contract/without-undefined.ts'
import { errorDetails } from '../../../eligibility/answers/rejections/rejections.ts'
import { isActiveCode } from '../../../x12/codes/benefits.ts'
import { PLAN_SERVICE, serviceTypeName } from '../../../x12/codes/service-types.ts'
import type { Answered } from '../answer-core.ts'
import { comparable, findPayer } from '../find-member.ts'
import type { OtherCoverage, Roster, RosterDependent, RosterMember, RosterPayer } from '../roster.ts'
import { answerInJson, misbehave } from './answer-eligibility.ts'
import { checkCoordinationInput } from './check-input.ts'
import { classify, type Overlap } from './classify.ts'
import { replyWithFaults, replyWithJson } from './json-replies.ts'

/** Answers as a registry of coverages: the members it has, and which payer pays first. Source: clearinghouse.md A8. */
export function coordinate(roster: Roster, body: JsonObject, at: Date): Answered {
  const faults = checkCoordinationInput(body, at)
  if (faults.length > 0) return { outcome: 'input faults', reply: replyWithFaults(faults) }
  const payer = findPayer(roster, textOf(body.tradingPartnerServiceId) ?? '')
  const member = payer && findMember(roster, payer, body)
  const { reject, instead, afterMs } = member?.answer ?? {}
  const dependent = member && findDependent(member, body)
  const isFound = member && payer && !reject && isCoordinatable(roster, payer, member) && dependent !== 'unknown'
  const json = isFound
    ? describeFound({ roster, payer, member, dependent }, body, at)
    : describeUnknown(body, payer, reject ?? '75')
  const reply = instead ? misbehave(instead, json, '') : replyWithJson(200, json)
  return { outcome: instead ?? (isFound ? 'answered' : 'not found'), ...(afterMs && { afterMs }), reply }
}

interface Found {
  roster: Roster
  payer: RosterPayer
  member: RosterMember
  dependent: RosterDependent | undefined
}

/** By member id, else by SSN; names and birth date must equal the payer's own. Source: rules.md 13.11. */
function findMember(roster: Roster, payer: RosterPayer, body: JsonObject): RosterMember | undefined {
  const subscriber = objectOf(body.subscriber)
  const memberId = textOf(subscriber.memberId)
  return roster.members.find((member) => {
    const isMeant =
      memberId === undefined
        ? member.ssn !== undefined && member.ssn === textOf(subscriber.ssn)
        : comparable(member.memberId) === comparable(memberId)
    return member.payer === payer.id && isMeant && isPerson(member, subscriber)
  })
}

function findDependent(member: RosterMember, body: JsonObject): RosterDependent | undefined | 'unknown' {
  const { dependent: requested } = body
  if (!isObject(requested)) return undefined
  return member.dependents?.find((known) => isPerson(known, requested)) ?? 'unknown'
}

function isPerson(known: RosterMember | RosterDependent, requested: JsonObject): boolean {
  const isSame = (is: string, sent: unknown) => comparable(is) === comparable(textOf(sent) ?? '')
  return (
    isSame(known.lastName, requested.lastName) &&
    isSame(known.firstName, requested.firstName) &&
    known.birthDate === requested.dateOfBirth
  )
}

/** Neither Medicare nor Medicare Advantage (EB04 HN) is in the registry. Source: rules.md 13.11. */
function isCoordinatable(roster: Roster, payer: RosterPayer, member: RosterMember): boolean {
  return !payer.programs?.includes('MEDICARE') && roster.plans[member.plan]?.insuranceType !== 'HN'
}

function describeUnknown(body: JsonObject, payer: RosterPayer | undefined, reasonCode: string): JsonObject {
  const error = errorDetails({ validRequest: 'N', reasonCode, followUpCode: 'C', loop: '2100C' })
  const { firstName, lastName, memberId, dateOfBirth } = objectOf(body.subscriber)
  return {
    meta: meta(),
    provider: describeProvider(objectOf(body.provider)),
    payer: describePayer(body, payer),
    subscriber: { firstName, lastName, memberId, dateOfBirth, aaaErrors: [error] },
    errors: [error],
  }
}

function describeFound({ roster, payer, member, dependent }: Found, body: JsonObject, at: Date): JsonObject {
  const { from, to } = readPeriod(objectOf(body.encounter), at)
  const active = activeServices(roster, member, from, at)
  const overlap = findOverlap({ roster, payer, member, dependent }, active, { from, to }, at)
  return {
    meta: meta(),
    provider: describeProvider(objectOf(body.provider)),
    subscriber: describePerson(member, { memberId: member.memberId, groupNumber: member.group?.number }),
    ...(dependent && { dependent: describePerson(dependent, relationship(dependent)) }),
    payer: describePayer(body, payer),
    planDateInformation: { planBegin: member.from, ...(member.to && { planEnd: member.to }) },
    benefitsInformation: [...describeOwn(member, active), ...describeOther(roster, member, overlap)],
    coordinationOfBenefits: classify(overlap),
    errors: [],
  }
}

function readPeriod(encounter: JsonObject, at: Date): Period {
  const single = textOf(encounter.dateOfService) ?? at.toISOString().slice(0, 10)
  return {
    from: textOf(encounter.beginningDateOfService) ?? single,
    to: textOf(encounter.endDateOfService) ?? single,
  }
}

/** The services that the plan itself covers on the day; none when it is not in force. */
function activeServices(roster: Roster, member: RosterMember, dateOfService: string, at: Date): string[] {
  const { memberId, firstName, lastName, birthDate } = member
  const inquiry = {
    reference: 'COB',
    traceNumber: 'COB',
    payer: { id: member.payer },
    provider: { npi: '1999999984' },
    subscriber: { memberId, firstName, lastName, dateOfBirth: birthDate },
    dateOfService,
    serviceTypeCodes: [PLAN_SERVICE, '35'],
  }
  const answered = answerInJson(roster, inquiry, at)
  if (answered.kind !== 'answered') return []
  const rows = objectsOf(answered.json.planStatus).filter(({ statusCode }) => isActiveCode(textOf(statusCode) ?? ''))
  return [...new Set(rows.flatMap(({ serviceTypeCodes }) => textsOf(serviceTypeCodes)))].filter(
    (code) => code !== PLAN_SERVICE,
  )
}

interface Period {
  from: string
  to: string
}

/** The overlap that the member's own record declares, or that the other payer's record of this person declares. */
function findOverlap(found: Found, active: string[], period: Period, at: Date): Overlap | undefined {
  const { roster, member, dependent } = found
  if (active.length === 0) return undefined
  if (member.otherCoverage) return overlapOf(member.otherCoverage, active, period)
  const there = findDeclaring(roster, member, dependent ?? member)
  if (!there || !isWithin(member, period)) return undefined
  const activeThere = activeServices(roster, there, period.from, at)
  if (activeThere.length === 0) return undefined
  const { services } = overlapOf(there.otherCoverage, activeThere, period) ?? {}
  return services && { other: seenFromOtherSide(member, there, activeThere), services }
}

function overlapOf(other: OtherCoverage, active: string[], period: Period): Overlap | undefined {
  if (!isWithin(other, period)) return undefined
  return { other, services: other.services.filter((code) => active.includes(code)) }
}

const isWithin = ({ from, to }: { from: string; to?: string }, period: Period) =>
  from <= period.to && (to === undefined || to >= period.from)

/** The member who insures this person elsewhere and declares this member's coverage as the other one. */
function findDeclaring(roster: Roster, member: RosterMember, person: RosterMember | RosterDependent) {
  const insured = { firstName: person.firstName, lastName: person.lastName, dateOfBirth: person.birthDate }
  return roster.members.find((there): there is RosterMember & { otherCoverage: OtherCoverage } => {
    const { otherCoverage: other } = there
    const isThisOne = other?.payer === member.payer && comparable(other.memberId) === comparable(member.memberId)
    return isThisOne && [there, ...(there.dependents ?? [])].some((known) => isPerson(known, insured))
  })
}

const OPPOSITE = { here: 'there', there: 'here' } as const

/**
 * The coverage that `there` declares of `member`, from the point of view of `member`'s payer: the same facts with the two sides exchanged.
 */
function seenFromOtherSide(
  member: RosterMember,
  there: RosterMember & { otherCoverage: OtherCoverage },
  services: string[],
): OtherCoverage {
  const { primary, isCoordinated } = there.otherCoverage
  const { firstName, lastName } = there
  return {
    payer: there.payer,
    memberId: there.memberId,
    ...(firstName !== member.firstName && { insured: { firstName, lastName } }),
    from: there.from,
    ...(there.to !== undefined && { to: there.to }),
    services,
    ...(primary && { primary: OPPOSITE[primary] }),
    ...(isCoordinated !== undefined && { isCoordinated }),
  }
}

function describeOwn(member: RosterMember, active: string[]): JsonObject[] {
  const benefitsDateInformation = { benefitBegin: member.from, ...(member.to && { benefitEnd: member.to }) }
  const subscriber = { dateOfBirth: member.birthDate }
  if (active.length === 0) return [{ code: '6', name: 'Inactive', benefitsDateInformation, subscriber }]
  return active.map((code) => ({
    code: '1',
    name: 'Active Coverage',
    ...describeServices([code]),
    benefitsDateInformation,
    subscriber,
  }))
}

function describeOther(roster: Roster, member: RosterMember, overlap: Overlap | undefined): JsonObject[] {
  if (!overlap) return []
  const { other, services } = overlap
  const { instanceExists } = classify(overlap)
  const payer = roster.payers.find(({ id }) => id === other.payer)
  const roles = { here: 'Secondary Payer', there: 'Primary Payer', unknown: 'Payer' }
  const insured = other.insured ?? member
  return [
    {
      code: 'R',
      name: 'Other or Additional Payor',
      ...describeServices(services.length > 0 ? services : other.services),
      benefitsDateInformation: instanceExists
        ? { coordinationOfBenefits: other.from }
        : { periodStart: other.from, ...(other.to && { periodEnd: other.to }) },
      benefitsRelatedEntities: [
        {
          entityIdentifier: instanceExists ? roles[other.primary ?? 'unknown'] : 'Payer',
          entityName: payer?.name,
          entityIdentification: 'PI',
          entityIdentificationValue: other.payer,
        },
        {
          entityIdentifier: 'Insured or Subscriber',
          entityLastname: insured.lastName.toUpperCase(),
          entityFirstname: insured.firstName.toUpperCase(),
          entityIdentification: 'MI',
          entityIdentificationValue: other.memberId,
        },
      ],
      subscriber: { dateOfBirth: member.birthDate },
    },
  ]
}

function describeServices(codes: string[]): JsonObject {
  return { serviceTypeCodes: codes, serviceTypes: codes.map((code) => serviceTypeName(code) ?? code) }
}

function describePerson(person: RosterMember | RosterDependent, more: JsonObject): JsonObject {
  const address = 'address' in person && person.address
  return {
    ...withoutUndefined(more),
    firstName: person.firstName.toUpperCase(),
    lastName: person.lastName.toUpperCase(),
    ...(person.middleName && { middleName: person.middleName.toUpperCase() }),
    gender: person.gender,
    dateOfBirth: person.birthDate,
    ...(address && {
      address: { address1: address.line1, city: address.city, state: address.state, postalCode: address.postalCode },
    }),
  }
}

const RELATIONSHIPS = { spouse: ['01', 'Spouse'], child: ['19', 'Child'], other: ['34', 'Other Adult'] } as const

function relationship({ relationship }: RosterDependent): JsonObject {
  const [relationToSubscriberCode, relationToSubscriber] = RELATIONSHIPS[relationship]
  return { relationToSubscriberCode, relationToSubscriber }
}

function describeProvider({ npi, organizationName, firstName, lastName }: JsonObject): JsonObject {
  return organizationName === undefined
    ? { npi, providerName: lastName, providerFirstName: firstName }
    : { npi, providerOrgName: organizationName }
}

function describePayer(body: JsonObject, payer: RosterPayer | undefined): JsonObject {
  return { ...(payer && { name: payer.name }), payerIdentification: body.tradingPartnerServiceId }
}

function meta(): JsonObject {
  const traceId = randomUUID()
  return { applicationMode: 'test', traceId, outboundTraceId: traceId }
}
