import { dateNames } from '../x12/codes/dates.ts'
import { placeOfServiceNames } from '../x12/codes/places-of-service.ts'
import { quantityQualifierNames } from '../x12/codes/quantity-qualifiers.ts'
import { serviceDeliveryUnitNames } from '../x12/codes/service-delivery.ts'
import { timeQualifierNames } from '../x12/codes/time-qualifiers.ts'
import type { BenefitRow, DatePeriod, ServiceDelivery } from '../x12/model.ts'
import type { BenefitFigure } from './benefit-figures.ts'
import { isoDate } from './iso-date.ts'

/** How a note begins that a reader of the answer must not miss. The interface has no other place for one. */
const CAUTION = 'ATTENTION: '

export function toCaution(text: string): string {
  return `${CAUTION}${text}`
}

export function isCaution(note: string): boolean {
  return note.startsWith(CAUTION)
}

/**
 * What a number applies to, in words: its period where the type does not tell it, what is counted and how it is spread.
 * Undefined when there is nothing to say.
 */
export function describeFigure(figure: BenefitFigure): string | undefined {
  const { counted, delivery, period } = figure
  if (counted === undefined && !delivery) return period === undefined ? undefined : nameOf(timeQualifierNames, period)
  const parts = delivery ? describeDelivery(delivery) : []
  if (counted !== undefined) parts.unshift(nameOf(quantityQualifierNames, counted))
  if (period !== undefined && delivery?.periodQualifier === undefined) parts.push(nameOf(timeQualifierNames, period))
  return parts.length > 0 ? parts.join(', ') : undefined
}

/**
 * More texts under one EB than any guide allows (MSG 10, III 10, DTP 20); the bound keeps hostile input from
 * multiplying.
 */
const MAX_TEXTS = 32

/** Everything that qualifies a row beside its number: places, procedures, dates and messages. */
export function describeRow(row: BenefitRow, options: { namesPlan: boolean; namesPartA: boolean }): string[] {
  const parts: string[] = []
  if (options.namesPlan && row.planDescription !== undefined) parts.push(row.planDescription)
  if (options.namesPartA && row.insuranceType === 'MA') parts.push('Medicare Part A')
  if (row.procedure) parts.push(describeProcedure(row.procedure))
  for (const { qualifier, code, text } of firstTexts(row.additionalInformation)) {
    if (code !== undefined) parts.push(qualifier === 'ZZ' ? describePlace(code) : code)
    if (text !== undefined) parts.push(text)
  }
  if (row.authorizationIndicator === 'Y') parts.push('Authorization or certification required')
  for (const date of firstTexts(row.dates)) parts.push(describeDate(date))
  for (const message of firstTexts(row.messages)) parts.push(message)
  return parts
}

function firstTexts<Item>(items: readonly Item[]): readonly Item[] {
  return items.length > MAX_TEXTS ? items.slice(0, MAX_TEXTS) : items
}

/** A date with its name, e.g. `planEnd 2026-12-31`; one that is no calendar date as sent. */
export function describeDate(date: DatePeriod): string {
  const start = isoDate(date.start)
  const end = isoDate(date.end)
  const value = start === undefined ? date.raw : end === undefined ? start : `${start} to ${end}`
  return `${nameOf(dateNames, date.qualifier)} ${value}`
}

/** HSD in words, e.g. `per 2 Service Year` for `HSD*VS*6***22*2`. */
function describeDelivery(delivery: ServiceDelivery): string[] {
  const parts: string[] = []
  const { frequencyUnit, modulus, periodQualifier, periodCount } = delivery
  if (frequencyUnit !== undefined) {
    const unit = nameOf(serviceDeliveryUnitNames, frequencyUnit)
    parts.push(`per ${modulus === undefined ? '' : `${modulus} `}${unit}`)
  }
  if (periodQualifier !== undefined) {
    const period = nameOf(timeQualifierNames, periodQualifier)
    parts.push(periodCount === undefined ? period : `per ${periodCount} ${period}`)
  }
  return parts
}

function describeProcedure([qualifier, code, ...rest]: readonly string[]): string {
  const modifiers = rest.slice(0, 4).filter((modifier) => modifier !== '')
  return ['Procedure', qualifier, code, ...modifiers].filter((part) => part !== undefined && part !== '').join(' ')
}

function describePlace(code: string): string {
  return `Place of service: ${nameOf(placeOfServiceNames, code)}`
}

function nameOf(names: Readonly<Record<string, string>>, code: string): string {
  return names[code] ?? code
}
