import { isActiveCode, isInactiveCode } from './codes/benefits.ts'
import { PLAN_SERVICE } from './codes/service-types.ts'
import { codeOf, componentsOf, elementOf, hasSmallLetter, repetitionsOf, textFrom } from './elements.ts'
import type { BenefitRow, Delimiters, Segment, ServiceDelivery } from './model.ts'
import { readDatePeriod, readReference } from './party.ts'

/** An EB row before any of its qualifying segments has been read. Source: 005010X279A1 2110C EB. */
export function readBenefitRow(segment: Segment, delimiters: Delimiters): BenefitRow {
  const row = emptyRow(codeOf(segment, 1) ?? '', readServiceTypes(repetitionsOf(segment, 3, delimiters)))
  row.coverageLevel = codeOf(segment, 2)
  row.insuranceType = codeOf(segment, 4)
  row.planDescription = elementOf(segment, 5)
  row.timeQualifier = elementOf(segment, 6)
  row.amount = elementOf(segment, 7)
  row.percent = elementOf(segment, 8)
  row.quantityQualifier = codeOf(segment, 9)
  row.quantity = elementOf(segment, 10)
  row.authorizationIndicator = codeOf(segment, 11)
  row.networkIndicator = codeOf(segment, 12)
  row.procedure = componentsOf(segment, 13, delimiters)
  row.diagnosisPointers = componentsOf(segment, 14, delimiters)
  return row
}

/**
 * A row of this EB01 for these services (EB03), with nothing below it. It has every key, so that the rows of all doors are objects of one shape: a
 * key that is added behind a spread costs V8 more than the reading of the row. decisions/0227-rows-of-one-shape.md
 */
export function emptyRow(code: string, serviceTypeCodes: string[]): BenefitRow {
  return {
    code,
    coverageLevel: undefined,
    serviceTypeCodes,
    insuranceType: undefined,
    planDescription: undefined,
    timeQualifier: undefined,
    amount: undefined,
    percent: undefined,
    quantityQualifier: undefined,
    quantity: undefined,
    authorizationIndicator: undefined,
    networkIndicator: undefined,
    procedure: undefined,
    diagnosisPointers: undefined,
    deliveries: [],
    references: [],
    dates: [],
    messages: [],
    additionalInformation: [],
    entities: [],
    rejections: [],
    hasLoopHeader: undefined,
  }
}

/** True for a row that states active coverage. */
export const isActiveRow = ({ code }: BenefitRow): boolean => isActiveCode(code)

/** True for a row that states that the coverage is inactive. */
export const isInactiveRow = ({ code }: BenefitRow): boolean => isInactiveCode(code)

/** The texts of MSG and of III (2110C MSG01, 2115C III04), in this order. */
export function textsOf({ messages, additionalInformation }: BenefitRow): string[] {
  if (additionalInformation.length === 0) return messages
  return [...messages, ...additionalInformation.flatMap(({ text }) => text ?? [])]
}

/** True for a row about the plan rather than one of its services: EB03 contains 30 or is empty (4010, HETS). */
export function isPlanRow({ serviceTypeCodes }: BenefitRow): boolean {
  return serviceTypeCodes.length === 0 || serviceTypeCodes.includes(PLAN_SERVICE)
}

/** Adds a segment that qualifies an EB to its row; returns false when the segment describes something else. */
export function takeQualifier(row: BenefitRow, segment: Segment): boolean {
  switch (segment.id) {
    case 'HSD':
      row.deliveries.push(readServiceDelivery(segment))
      return true
    case 'REF':
      row.references.push(readReference(segment))
      return true
    case 'DTP':
      row.dates.push(readDatePeriod(segment))
      return true
    case 'MSG':
    case 'NTE':
    case 'K3': {
      const message = textFrom(segment, firstOfText(segment.id))
      if (message !== undefined) row.messages.push(message)
      return true
    }
    case 'III':
      row.additionalInformation.push(readAdditional(segment))
      return true
  }
  return false
}

/** Segments of free text: MSG of the guide, and NTE and K3, which payers send in its place. */
export const isText = ({ id }: Segment): boolean => id === 'MSG' || id === 'NTE' || id === 'K3'

/** The first element of the text: NTE01 is a code. */
const firstOfText = (id: string) => (id === 'NTE' ? 2 : 1)

/** III03: the nature of injury or illness, in words. Source: 005010X279A1 2115C III03. */
const IN_WORDS = '44'

/** III. Without III01 there is no code, so that `III**44*text` is the category and its text, an element too early. */
function readAdditional(segment: Segment): BenefitRow['additionalInformation'][number] {
  const [qualifier, code, category, text] = [1, 2, 3, 4].map((place) => elementOf(segment, place))
  if (qualifier === undefined && code === IN_WORDS && text === undefined) return { category: code, text: category }
  return { qualifier, code, category, text }
}

function readServiceDelivery(segment: Segment): ServiceDelivery {
  return {
    quantityQualifier: codeOf(segment, 1),
    quantity: elementOf(segment, 2),
    frequencyUnit: codeOf(segment, 3),
    modulus: elementOf(segment, 4),
    periodQualifier: elementOf(segment, 5),
    periodCount: elementOf(segment, 6),
    pattern: elementOf(segment, 7),
    timePattern: elementOf(segment, 8),
  }
}

/**
 * EB03. Our choice: codes of one to three characters between other characters are repetitions as well, because payers declare one separator in
 * ISA11 and send another. Source: x12-271.md 1.
 */
function readServiceTypes(repetitions: string[]): string[] {
  if (!repetitions.some(isUnusual)) return repetitions
  return repetitions.flatMap((code) => {
    const codes = SEPARATED.test(code) ? code.split(SEPARATOR) : [code]
    return codes.map((each) => (each.length > MOST_OF_CODE ? each : each.toUpperCase()))
  })
}

/** X12 1365 has three characters at most. */
const MOST_OF_CODE = 3
const isUnusual = (code: string) => code.length > MOST_OF_CODE || hasSmallLetter(code)
/** A hyphen may stand for a range of codes. */
const SEPARATED = /^\w{1,3}(?:[^\w-]+\w{1,3})+$/
const SEPARATOR = /[^\w-]+/
