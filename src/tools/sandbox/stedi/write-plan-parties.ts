// The parties of a 271 in Stedi's form since 2026-06-01.

import type { JsonObject } from '../../../clearinghouses/json-values.ts'
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
} from '../../../clearinghouses/stedi/plan-names.ts'
import { withHyphens } from '../../../contract/formats.ts'
import { INSURED } from '../../../x12/codes/entities.ts'
import { isoDate } from '../../../x12/iso-date.ts'
import type { Contact, DatePeriod, Party, Reference } from '../../../x12/model.ts'
import { announcesChange } from '../../../x12/party.ts'

type Words = Readonly<Record<string, string>>

export function writePayer(party: Party): JsonObject {
  return present({ ...writeNamed(party), ...writeId(party, payerIdWords), contacts: party.contacts.map(writeContact) })
}

export function writeProvider(party: Party): JsonObject {
  const license = party.references.find(({ qualifier }) => qualifier === '0B')
  const more = present({
    stateLicense: license && present({ number: license.value, state: license.description }),
    ...writeReferences(party.references, providerReferenceWords),
  })
  return present({
    ...writeNamed(party),
    ...writeId(party, providerIdWords),
    address: writeAddress(party),
    provider: writeSpecialty(party),
    additionalInformation: Object.keys(more).length > 0 ? more : undefined,
  })
}

/** A subscriber or a dependent. A dependent has no separate member id in this form. */
export function writeMember(party: Party): JsonObject {
  const { type: _, ...named } = writeNamed(party)
  const { gender, birthDate, relationshipCode, entityCode } = party
  const isSubscriber = entityCode === INSURED
  const isChanged = announcesChange(party)
  const more = writeReferences(party.references, memberReferenceWords)
  return present({
    ...named,
    memberId: isSubscriber ? party.id : undefined,
    dateOfBirth: withHyphens(birthDate),
    gender: gender && genderWords[gender],
    relationToSubscriber: isSubscriber || !relationshipCode ? undefined : relationshipWords[relationshipCode],
    birthSequenceNumber: party.birthSequence === undefined ? undefined : Number(party.birthSequence),
    maintenance: party.maintenanceTypeCode && { indicator: isChanged ? 'PAYER_INDICATED' : 'NONE' },
    address: writeAddress(party),
    provider: writeSpecialty(party),
    dates: writeDates(party.dates),
    additionalInformation: Object.keys(more).length > 0 ? more : undefined,
  })
}

export function writeEntity(party: Party): JsonObject {
  return present({
    ...writeNamed(party),
    ...writeId(party, entityIdWords),
    relationship: party.relationship && entityRelationshipWords[party.relationship],
    address: writeAddress(party),
    provider: writeSpecialty(party),
    contacts: party.contacts.map(writeContact),
  })
}

/** Each REF that has a name in this form; the others are left out. */
export function writeReferences(references: readonly Reference[], words: Words): JsonObject {
  const written: JsonObject = {}
  for (const { qualifier, value, description } of references) {
    const named = namedReferenceWords[qualifier]
    if (named !== undefined) written[named] = present({ number: value, name: description })
    else if (words[qualifier] !== undefined) written[words[qualifier]] = value
  }
  return written
}

/** Undefined when no date has a name in this form. */
export function writeDates(dates: readonly DatePeriod[]): JsonObject | undefined {
  const periods: Record<string, JsonObject> = {}
  for (const date of dates) {
    const { qualifier } = date
    const { start, end } = asSent(date)
    for (const [name, { begin, end: last, range }] of dateWords) {
      const days = periods[name] ?? {}
      if (qualifier === begin || qualifier === range)
        periods[name] = present({ ...days, start: withHyphens(start), end: withHyphens(end) ?? days.end })
      if (qualifier === last) periods[name] = present({ ...days, end: withHyphens(end ?? start) })
    }
  }
  return Object.keys(periods).length > 0 ? periods : undefined
}

/** The two days of a DTP; text that is not a date as sent. */
function asSent({ raw, start, end }: DatePeriod): Pick<DatePeriod, 'start' | 'end'> {
  if (start === undefined && end === undefined) return { start: raw, end: undefined }
  if (start === undefined || end !== undefined || isoDate(raw) !== undefined) return { start, end }
  return { start, end: /-(.+)$/.exec(raw)?.[1] }
}

/** The object without missing values and empty lists. */
export function present(members: JsonObject): JsonObject {
  const isThere = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0)
  return Object.fromEntries(Object.entries(members).filter(([, value]) => isThere(value)))
}

function writeNamed({ entityCode = '', entityType, lastName, firstName, middleName, suffix }: Party): JsonObject {
  const person = present({ firstName, lastName, middleName, suffix })
  const isNamed = Object.keys(person).length > 0
  const name = entityType === '2' ? { organization: lastName } : { person }
  return present({ type: entityWords[entityCode], name: isNamed ? name : undefined })
}

function writeId({ idQualifier = '', id }: Party, words: Words): JsonObject {
  const key = words[idQualifier]
  return key === undefined || id === undefined ? {} : { [key]: id }
}

function writeAddress({ address }: Party): JsonObject | undefined {
  return (
    address &&
    present({
      addressLine1: address.line1,
      addressLine2: address.line2,
      city: address.city,
      state: address.state,
      postalCode: address.postalCode,
      country: address.countryCode,
      countrySubdivision: address.countrySubdivision,
    })
  )
}

function writeSpecialty({ providerCode, taxonomy }: Party): JsonObject | undefined {
  if (providerCode === undefined && taxonomy === undefined) return undefined
  return present({ code: providerCode && providerWords[providerCode], reference: taxonomy })
}

function writeContact({ name, numbers }: Contact): JsonObject {
  const lists = Object.entries(contactLists).map(([qualifier, list]) => {
    return [list, numbers.filter((each) => each.qualifier === qualifier).map(({ value }) => value)]
  })
  return present({ name, ...Object.fromEntries(lists) })
}
