// The parties of Stedi's eligibility check of 2026-06-01 as the parties of a 271. A value without a code in our tables is passed on
// unchanged.

import { isObject } from '../../contract/is-object.ts'
import { MEMBER_ID, PAYER_ID } from '../../x12/codes/identification.ts'
import type { Contact, DatePeriod, Party, PostalAddress, Reference } from '../../x12/model.ts'
import { ANNOUNCED_CHANGE, emptyParty } from '../../x12/party.ts'
import { type ReferenceKeys, readId, readPeriodText, readReference, referenceReader } from '../json-segments.ts'
import { type JsonObject, objectOf, objectsOf, textOf, textsOf } from '../json-values.ts'
import {
  contactLists,
  dateWords,
  entityIdWords,
  entityRelationshipWords,
  entityWords,
  genderWords,
  memberReferenceWords,
  namedReferenceWords,
  payerIdWords,
  providerIdWords,
  providerReferenceWords,
  providerWords,
  relationshipWords,
} from './plan-names.ts'
import { codeReader } from './read-parties.ts'

const readEntityCode = codeReader(entityWords)
const readEntityRelationship = codeReader(entityRelationshipWords)
const readRelationship = codeReader(relationshipWords)
const readGender = codeReader(genderWords)
const readProviderCode = codeReader(providerWords)

/** 2100A. `payerId` is used as the payer's id when the payer itself states none. */
export function readPlanPayer(json: JsonObject, payerId: string | undefined): Party {
  const ids = readId(json, payerIdWords)
  return {
    ...readNamed(json),
    ...(ids.id === undefined && payerId !== undefined ? { idQualifier: PAYER_ID, id: payerId } : ids),
    contacts: readContacts(json.contacts),
  }
}

/** 2100B. */
export function readPlanProvider(json: JsonObject): Party {
  const more = objectOf(json.additionalInformation)
  const license = objectOf(more.stateLicense)
  const number = textOf(license.number)
  return {
    ...readNamed(json),
    ...readId(json, providerIdWords),
    ...readSpecialty(json.provider),
    address: readPlanAddress(json.address),
    references: [
      ...(number === undefined ? [] : [{ qualifier: '0B', value: number, description: textOf(license.state) }]),
      ...readProviderReferences(more),
    ],
  }
}

/** 2100C or 2100D. */
export function readPlanMember(json: JsonObject): Party {
  const memberId = textOf(json.memberId)
  const isChanged = textOf(objectOf(json.maintenance).indicator) === 'PAYER_INDICATED'
  return {
    ...readNamed(json),
    ...(memberId !== undefined && { idQualifier: MEMBER_ID, id: memberId }),
    birthDate: textOf(json.dateOfBirth)?.replaceAll('-', ''),
    gender: readGender(json.gender),
    relationshipCode: readRelationship(json.relationToSubscriber),
    birthSequence: textOf(json.birthSequenceNumber),
    // INS03 and INS04: the payer's records differ from the identity that was sent.
    ...(isChanged && ANNOUNCED_CHANGE),
    references: readMemberReferences(objectOf(json.additionalInformation)),
    dates: readPlanDates(json.dates, 'member'),
    ...readSpecialty(json.provider),
    address: readPlanAddress(json.address),
  }
}

/** 2120. */
export function readPlanEntity(json: JsonObject): Party {
  return {
    ...readNamed(json),
    ...readId(json, entityIdWords),
    relationship: readEntityRelationship(json.relationship),
    ...readSpecialty(json.provider),
    address: readPlanAddress(json.address),
    contacts: readContacts(json.contacts),
  }
}

/** A function that reads REF segments: those with a name first, in the order of the tables. */
export function planReferenceReader(words: Readonly<Record<string, string>>): (json: JsonObject) => Reference[] {
  const readOthers = referenceReader(keysOf(words))
  return (json) => {
    const references: Reference[] = []
    for (const [qualifier, key] of NAMED_REFERENCES) {
      if (json[key] === undefined) continue
      const { number, name } = objectOf(json[key])
      references.push(...readReference(qualifier, number, name))
    }
    references.push(...readOthers(json))
    return references
  }
}

const NAMED_REFERENCES = Object.entries(namedReferenceWords)
const keysOf = (words: Readonly<Record<string, string>>): ReferenceKeys =>
  new Map(Object.entries(words).map(([qualifier, key]) => [qualifier, [key]]))
const readProviderReferences = planReferenceReader(providerReferenceWords)
const readMemberReferences = planReferenceReader(memberReferenceWords)

/**
 * DTP segments; unknown names are left out. A member's plan has a first and a last day (346, 347), a benefit has one period (291): these
 * are the codes that the guide allows in each place. Source: 005010X279A1 2100C, 2110C DTP01.
 */
export function readPlanDates(value: unknown, place: 'member' | 'benefit'): DatePeriod[] {
  return Object.entries(objectOf(value)).flatMap(([name, stated]) => {
    const word = dateWords.get(name)
    const days = objectOf(stated)
    const [start, end] = [compact(days.start), compact(days.end)]
    if (word === undefined || (start === undefined && end === undefined)) return []
    const single = word.end === undefined ? word.begin : word.range
    // A range of a single day is usually the payer's echo of the inquired date.
    const isPeriod = word.end === undefined || start === end || (place === 'benefit' && start !== undefined)
    // A single day counts regardless of whether the beginning or the end states it.
    if (single !== undefined && isPeriod) return [period(single, start ?? end, start === undefined ? undefined : end)]
    const last = word.end ?? word.begin
    return [
      ...(start === undefined ? [] : [period(word.begin, start)]),
      ...(end === undefined ? [] : [period(last, end)]),
    ]
  })
}

/** CCYYMMDD of a day in ISO or US notation; other text is returned unchanged. */
function compact(value: unknown): string | undefined {
  const text = textOf(value)?.trim()
  const [, y, m, d] = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:T.*)?$/.exec(text ?? '') ?? []
  const [, month = m, day = d, year = y] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text ?? '') ?? []
  return year === undefined || month === undefined || day === undefined
    ? text
    : year + month.padStart(2, '0') + day.padStart(2, '0')
}

/** Each half is read separately: an invalid one does not affect the other. */
function period(qualifier: string, from: string | undefined, to?: string): DatePeriod {
  const read = (half: string | undefined) => half && readPeriodText(qualifier, half).start
  const raw = [from, to].filter((half) => half !== undefined).join('-')
  return { qualifier, format: to === undefined ? 'D8' : 'RD8', raw, start: read(from), end: read(to) }
}

/** The name is a person's or an organization's; a payer or a subscriber may be either. */
function readNamed(json: JsonObject): Party {
  const { person, organization } = objectOf(json.name)
  const organizationName = textOf(organization) ?? textOf(json.name)
  const names = objectOf(person)
  return {
    ...emptyParty(),
    entityCode: readEntityCode(json.type),
    entityType: isObject(person) ? '1' : organizationName === undefined ? undefined : '2',
    lastName: textOf(names.lastName) ?? organizationName,
    firstName: textOf(names.firstName),
    middleName: textOf(names.middleName),
    suffix: textOf(names.suffix),
  }
}

function readSpecialty(value: unknown): Pick<Party, 'providerCode' | 'taxonomy'> {
  const { code, reference } = objectOf(value)
  return { providerCode: readProviderCode(code), taxonomy: textOf(reference) }
}

function readPlanAddress(value: unknown): PostalAddress | undefined {
  if (!isObject(value)) return undefined
  return {
    line1: textOf(value.addressLine1),
    line2: textOf(value.addressLine2),
    city: textOf(value.city),
    state: textOf(value.state),
    postalCode: textOf(value.postalCode),
    countryCode: textOf(value.country),
    countrySubdivision: textOf(value.countrySubdivision),
  }
}

function readContacts(value: unknown): Contact[] {
  return objectsOf(value).map((json) => ({
    name: textOf(json.name),
    numbers: Object.entries(contactLists).flatMap(([qualifier, list]) =>
      textsOf(json[list]).map((number) => ({ qualifier, value: number })),
    ),
  }))
}
