import { NPI } from './codes/identification.ts'
import { respellDate, splitRange } from './date-spellings.ts'
import { codeOf, componentsOf, elementOf } from './elements.ts'
import { isoDate } from './iso-date.ts'
import type { Contact, DatePeriod, Delimiters, Party, Reference, Rejection, Segment } from './model.ts'

/** A party about which nothing has been read yet. It has every key, as a row has (benefit-row.ts). */
export function emptyParty(): Party {
  return {
    entityCode: undefined,
    entityType: undefined,
    lastName: undefined,
    firstName: undefined,
    middleName: undefined,
    suffix: undefined,
    idQualifier: undefined,
    id: undefined,
    relationship: undefined,
    address: undefined,
    birthDate: undefined,
    gender: undefined,
    relationshipCode: undefined,
    insuredIndicator: undefined,
    maintenanceTypeCode: undefined,
    maintenanceReasonCode: undefined,
    birthSequence: undefined,
    references: [],
    dates: [],
    contacts: [],
    traces: [],
    providerCode: undefined,
    taxonomy: undefined,
    diagnoses: undefined,
    military: undefined,
    rejections: [],
  }
}

/** INS03 and INS04: the payer has identifying data of the member other than those of the inquiry. Source: 005010X279A1 2100C INS. */
export const ANNOUNCED_CHANGE = { maintenanceTypeCode: '001', maintenanceReasonCode: '25' } as const

export const announcesChange = ({ maintenanceTypeCode, maintenanceReasonCode }: Party): boolean =>
  maintenanceTypeCode === ANNOUNCED_CHANGE.maintenanceTypeCode &&
  maintenanceReasonCode === ANNOUNCED_CHANGE.maintenanceReasonCode

/** INS03: the membership was cancelled or ended; the guide has only 001 here. Source: X12 875. */
const ENDED_MEMBERSHIP = '024'

export const endsMembership = ({ maintenanceTypeCode }: Party): boolean => maintenanceTypeCode === ENDED_MEMBERSHIP

export const npiOf = ({ idQualifier, id }: Party): string | undefined => (idQualifier === NPI ? id : undefined)

/** Adds an NM1 to the party. Source: 005010X279A1 NM1. */
export function takeName(party: Party, segment: Segment): void {
  party.entityCode = codeOf(segment, 1)
  party.entityType = elementOf(segment, 2)
  party.lastName = elementOf(segment, 3)
  party.firstName = elementOf(segment, 4)
  party.middleName = elementOf(segment, 5)
  party.suffix = elementOf(segment, 7)
  party.idQualifier = codeOf(segment, 8)
  party.id = elementOf(segment, 9)
  party.relationship = elementOf(segment, 10)
}

/** Adds a segment that describes a party to it; returns false when the segment describes something else. */
export function takeDetail(party: Party, segment: Segment, delimiters: Delimiters): boolean {
  switch (segment.id) {
    case 'N3':
      party.address ??= {}
      party.address.line1 = elementOf(segment, 1)
      party.address.line2 = elementOf(segment, 2)
      return true
    case 'N4':
      party.address ??= {}
      party.address.city = elementOf(segment, 1)
      party.address.state = elementOf(segment, 2)
      party.address.postalCode = elementOf(segment, 3)
      party.address.countryCode = elementOf(segment, 4)
      party.address.countrySubdivision = elementOf(segment, 7)
      return true
    case 'PER':
      party.contacts.push(readContact(segment))
      return true
    case 'PRV':
      party.providerCode = elementOf(segment, 1)
      party.taxonomy = elementOf(segment, 3)
      return true
    case 'REF':
      party.references.push(readReference(segment))
      return true
    case 'DTP':
      party.dates.push(readDatePeriod(segment))
      return true
    case 'TRN':
      party.traces.push(readTrace(segment))
      return true
  }
  return takePersonalDetail(party, segment, delimiters)
}

/** Segments that only a subscriber or dependent has. */
function takePersonalDetail(party: Party, segment: Segment, delimiters: Delimiters): boolean {
  switch (segment.id) {
    case 'DMG':
      party.birthDate = elementOf(segment, 2)
      party.gender = codeOf(segment, 3)
      return true
    case 'INS':
      party.insuredIndicator = codeOf(segment, 1)
      party.relationshipCode = codeOf(segment, 2)
      party.maintenanceTypeCode = elementOf(segment, 3)
      party.maintenanceReasonCode = elementOf(segment, 4)
      party.birthSequence = elementOf(segment, 17)
      return true
    case 'HI':
      party.diagnoses = takeDiagnoses(party.diagnoses ?? [], segment, delimiters)
      return true
    case 'MPI':
      party.military = segment.elements.slice(1)
      return true
  }
  return false
}

/** A TRN. */
export function readTrace(segment: Segment): Party['traces'][number] {
  return {
    type: elementOf(segment, 1) ?? '',
    number: elementOf(segment, 2) ?? '',
    originator: elementOf(segment, 3),
    subdivision: elementOf(segment, 4),
  }
}

/** A REF. */
export function readReference(segment: Segment): Reference {
  return {
    qualifier: codeOf(segment, 1) ?? '',
    value: elementOf(segment, 2),
    description: elementOf(segment, 3),
  }
}

function readContact(segment: Segment): Contact {
  const numbers: Contact['numbers'] = []
  for (let position = 3; position < segment.elements.length; position += 2) {
    const value = elementOf(segment, position + 1)
    if (value !== undefined) numbers.push({ qualifier: elementOf(segment, position) ?? '', value })
  }
  return { name: elementOf(segment, 2), numbers }
}

type Diagnoses = NonNullable<Party['diagnoses']>

function takeDiagnoses(diagnoses: Diagnoses, segment: Segment, delimiters: Delimiters): Diagnoses {
  for (let position = 1; position < segment.elements.length; position += 1) {
    const components = componentsOf(segment, position, delimiters)
    if (components !== undefined) diagnoses.push({ qualifier: components[0] ?? '', code: components[1] })
  }
  return diagnoses
}

/** An AAA; `loop` is where it occurs: `2100C`. */
export function readRejection(segment: Segment, loop: string): Rejection {
  return {
    validRequest: codeOf(segment, 1),
    reasonCode: codeOf(segment, 3),
    followUpCode: codeOf(segment, 4),
    loop,
  }
}

/**
 * A DTP. The format qualifier (DTP02) is only a hint: eight digits are a date, and two dates joined by a hyphen are a range, regardless of
 * DTP02. Our choice: dates with hyphens or slashes, and ranges with another separator, are read too, because an end that is not understood would leave ended coverage active. A
 * range is passed on as sent even when it ends before it begins, because payers write coverage that was cancelled from its first day that
 * way. Text that is not a date is kept in `raw` only.
 */
export function readDatePeriod(segment: Segment): DatePeriod {
  const format = elementOf(segment, 2) ?? ''
  // A date in place of its format (DTP*347*20260228) may be the end of the coverage.
  const raw = elementOf(segment, 3) ?? (/^\d{6}/.test(format) ? format : '')
  const [start = '', end] = datesOf(raw)
  return {
    qualifier: elementOf(segment, 1) ?? '',
    format,
    raw,
    start: readDate(start),
    end: end === undefined ? undefined : readDate(end),
  }
}

function datesOf(raw: string): string[] {
  const hyphen = raw.indexOf('-')
  // CCYYMMDD-CCYYMMDD, as most ranges are.
  if (hyphen === 8 && raw.length === 17) return [raw.slice(0, 8), raw.slice(9)]
  if (hyphen < 0) return (raw.length > 12 && splitRange(raw)) || [raw]
  if (respellDate(raw) !== undefined) return [raw]
  return splitRange(raw) ?? [raw.slice(0, hyphen), raw.slice(hyphen + 1)]
}

const datePattern = /^\d{4}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])/
/** CCYYMMDD alone or followed by a time of day, as in format DT. */
const dateLengths = new Set([8, 12, 14])

function readDate(text: string): string | undefined {
  if (isoDate(text) !== undefined && text.length === 8) return text
  const trimmed = text.trim()
  const date = respellDate(trimmed) ?? trimmed
  return dateLengths.has(date.length) && datePattern.test(date) ? date.slice(0, 8) : undefined
}
