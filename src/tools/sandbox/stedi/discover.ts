import { randomUUID } from 'node:crypto'
import { type JsonObject, objectOf, objectsOf, textOf, textsOf } from '../../../clearinghouses/json-values.ts'
import { withHyphens } from '../../../contract/formats.ts'
import { isObject } from '../../../contract/is-object.ts'
import { isNicknamePair } from '../../../eligibility/answers/people/nicknames.ts'
import { compareTexts } from '../../../eligibility/answers/people/person.ts'
import { isActiveCode } from '../../../x12/codes/benefits.ts'
import { PLAN_SERVICE } from '../../../x12/codes/service-types.ts'
import type { Inquiry } from '../../../x12/model.ts'
import type { Answered } from '../answer-core.ts'
import { comparable } from '../find-member.ts'
import type { Roster, RosterAnswer, RosterDependent, RosterMember } from '../roster.ts'
import { answerInJson, misbehave } from './answer-eligibility.ts'
import { checkDiscoveryInput } from './check-input.ts'
import { replyWithFaults, replyWithJson, replyWithMessage } from './json-replies.ts'

/** A search, and the time from which its result is available. */
interface Search {
  readyAt: number
  result: JsonObject
}

/** Beyond this number, the oldest searches are removed. */
const MAX_SEARCHES = 1000

interface Discovery {
  start(body: JsonObject, at: Date): Answered
  find(id: string, at: Date): Answered
}

/** Searches the roster for a person without a payer. Slow members are PENDING at first. Source: clearinghouse.md A7. */
export function createDiscovery(roster: Roster): Discovery {
  const searches = new Map<string, Search>()

  return {
    start(body, at) {
      const faults = checkDiscoveryInput(body)
      if (faults.length > 0) return { outcome: 'input faults', reply: replyWithFaults(faults) }
      const matches = findMatches(roster, body)
      const answer: RosterAnswer = matches.find(({ member }) => member.answer)?.member.answer ?? {}
      const items = matches.flatMap((match) => describeMatch(roster, match, body, at))
      const id = randomUUID()
      const result = describe(id, { status: 'COMPLETE', items, coveragesFound: items.length })
      const { instead } = answer
      if (instead && instead !== 'nothing') return { outcome: instead, reply: misbehave(instead, result, '') }
      const readyAt = instead ? Number.POSITIVE_INFINITY : at.getTime() + (answer.afterMs ?? 0)
      searches.set(id, { readyAt, result })
      for (const oldest of searches.keys()) if (searches.size > MAX_SEARCHES) searches.delete(oldest)
      return this.find(id, at)
    },

    find(id, at) {
      const search = searches.get(id)
      if (!search)
        return { outcome: 'unknown discovery', reply: replyWithMessage(404, 'NotFound', 'No such discovery') }
      const isReady = search.readyAt <= at.getTime()
      const fields = isReady ? search.result : describe(id, { status: 'PENDING', items: [] })
      return { outcome: isReady ? 'answered' : 'pending', reply: replyWithJson(200, fields) }
    },
  }
}

function describe(discoveryId: string, fields: JsonObject): JsonObject {
  return { discoveryId, errors: [], meta: { applicationMode: 'test', traceId: discoveryId }, ...fields }
}

interface Match {
  member: RosterMember
  dependent?: RosterDependent
  confidence: { level: 'HIGH' | 'REVIEW_NEEDED'; reason: string }
}

/** Members and dependents with matching names, unless other known values contradict the match. */
function findMatches(roster: Roster, body: JsonObject): Match[] {
  const requested = isObject(body.dependent) ? body.dependent : objectOf(body.subscriber)
  return roster.members.flatMap((member): Match[] => {
    if (member.answer?.reject) return []
    return [member, ...(member.dependents ?? [])].flatMap((person) => {
      const confidence = compare(person, requested)
      if (!confidence) return []
      return person === member
        ? [{ member, confidence }]
        : [{ member, dependent: person as RosterDependent, confidence }]
    })
  })
}

function compare(person: RosterMember | RosterDependent, requested: JsonObject): Match['confidence'] | undefined {
  const [last, first] = [textOf(requested.lastName) ?? '', textOf(requested.firstName) ?? '']
  if (compareTexts(person.lastName, last) !== 'same') return undefined
  const isNickname = compareTexts(person.firstName, first) !== 'same'
  if (isNickname && !isNicknamePair(comparable(person.firstName), comparable(first))) return undefined
  const born = withHyphens(textOf(requested.dateOfBirth))
  const ssn = textOf(requested.ssn)?.replaceAll('-', '')
  const known = 'ssn' in person ? person.ssn : undefined
  const ssnMatches = ssn !== undefined && known?.endsWith(ssn) === true
  if (born === person.birthDate && isNickname) {
    return { level: 'REVIEW_NEEDED', reason: 'A nickname; last name and date of birth match' }
  }
  if (born === person.birthDate && (ssnMatches || ssn === undefined || known === undefined))
    return { level: 'HIGH', reason: 'Name and date of birth match' }
  if (born === person.birthDate)
    return { level: 'REVIEW_NEEDED', reason: 'The SSN differs; name and date of birth match' }
  if (ssnMatches)
    return { level: 'REVIEW_NEEDED', reason: 'The date of birth differs or is missing; name and SSN match' }
  return undefined
}

const ITEM_KEYS = ['provider', 'subscriber', 'payer', 'planInformation', 'planDateInformation', 'benefitsInformation']

/** Only medical coverage in force is returned; dental-only plans are not. Source: rules.md 13.10. */
function describeMatch(roster: Roster, match: Match, body: JsonObject, at: Date): JsonObject[] {
  const answered = answerInJson(roster, inquiryAbout(match, body, at), at)
  if (answered.kind !== 'answered') return []
  const { json } = answered
  const isActive = objectsOf(json.planStatus).some(
    ({ statusCode, serviceTypeCodes }) =>
      isActiveCode(textOf(statusCode) ?? '') && textsOf(serviceTypeCodes).includes(PLAN_SERVICE),
  )
  if (!isActive) return []
  const fields = Object.fromEntries(ITEM_KEYS.filter((key) => json[key] !== undefined).map((key) => [key, json[key]]))
  const [dependent] = objectsOf(json.dependents)
  return [{ ...fields, ...(dependent && { dependent }), confidence: match.confidence }]
}

function inquiryAbout({ member, dependent }: Match, body: JsonObject, at: Date): Inquiry {
  const encounter = objectOf(body.encounter)
  const day = textOf(encounter.dateOfService) ?? textOf(encounter.beginningDateOfService)
  const person = ({ firstName, lastName, birthDate }: RosterMember | RosterDependent) => ({
    firstName,
    lastName,
    dateOfBirth: birthDate,
  })
  return {
    reference: 'DISCOVERY',
    traceNumber: 'DISCOVERY',
    payer: { id: member.payer },
    provider: { npi: textOf(objectOf(body.provider).npi) ?? '' },
    subscriber: { memberId: member.memberId, ...person(member) },
    ...(dependent && { dependent: person(dependent) }),
    dateOfService: withHyphens(day) ?? at.toISOString().slice(0, 10),
    serviceTypeCodes: [PLAN_SERVICE],
  }
}
