import { componentsOf, elementOf, repetitionsOf } from './elements.ts'
import type { BenefitRow, Delimiters, Segment, ServiceDelivery } from './model.ts'
import { readDatePeriod, readReference } from './party.ts'

/** An EB row before any of its qualifying segments has been read. Source: 005010X279A1 2110C EB. */
export function readBenefitRow(segment: Segment, delimiters: Delimiters): BenefitRow {
  return {
    code: elementOf(segment, 1) ?? '',
    coverageLevel: elementOf(segment, 2),
    serviceTypeCodes: readServiceTypes(repetitionsOf(segment, 3, delimiters)),
    insuranceType: elementOf(segment, 4),
    planDescription: elementOf(segment, 5),
    timeQualifier: elementOf(segment, 6),
    amount: elementOf(segment, 7),
    percent: elementOf(segment, 8),
    quantityQualifier: elementOf(segment, 9),
    quantity: elementOf(segment, 10),
    authorizationIndicator: elementOf(segment, 11),
    networkIndicator: elementOf(segment, 12),
    procedure: componentsOf(segment, 13, delimiters),
    diagnosisPointers: componentsOf(segment, 14, delimiters),
    deliveries: [],
    references: [],
    dates: [],
    messages: [],
    additionalInformation: [],
    entities: [],
    rejections: [],
  }
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
    case 'MSG': {
      const message = elementOf(segment, 1)
      if (message !== undefined) row.messages.push(message)
      return true
    }
    case 'III':
      row.additionalInformation.push({
        qualifier: elementOf(segment, 1),
        code: elementOf(segment, 2),
        category: elementOf(segment, 3),
        text: elementOf(segment, 4),
      })
      return true
  }
  return false
}

function readServiceDelivery(segment: Segment): ServiceDelivery {
  return {
    quantityQualifier: elementOf(segment, 1),
    quantity: elementOf(segment, 2),
    frequencyUnit: elementOf(segment, 3),
    modulus: elementOf(segment, 4),
    periodQualifier: elementOf(segment, 5),
    periodCount: elementOf(segment, 6),
    pattern: elementOf(segment, 7),
    timePattern: elementOf(segment, 8),
  }
}

/**
 * EB03. Our choice: codes of one to three characters between `>`, `|`, `:`, `;` or commas are repetitions as well, because payers declare one
 * separator in ISA11 and send another. Source: x12-271.md 1.
 */
function readServiceTypes(repetitions: string[]): string[] {
  if (!repetitions.some((code) => code.length > 3 && SEPARATED.test(code))) return repetitions
  return repetitions.flatMap((code) => (SEPARATED.test(code) ? code.split(SEPARATOR) : [code]))
}

const SEPARATED = /^\w{1,3}(?: *[>|:;,] *\w{1,3})+$/
const SEPARATOR = / *[>|:;,] */
