import { isInactiveRow, isPlanRow } from '../../../x12/benefit-row.ts'
import {
  benefitNames,
  COINSURANCE,
  COPAYMENT,
  DEDUCTIBLE,
  EXCLUSIONS,
  LIMITATIONS,
  NON_COVERED,
  OUT_OF_POCKET,
} from '../../../x12/codes/benefits.ts'
import { codeTable } from '../../../x12/codes/code-table.ts'
import { coverageLevelNames } from '../../../x12/codes/coverage-levels.ts'
import { dateNames } from '../../../x12/codes/dates.ts'
import { insuranceTypeNames } from '../../../x12/codes/insurance-types.ts'
import { placeOfServiceNames } from '../../../x12/codes/places-of-service.ts'
import { quantityQualifierNames } from '../../../x12/codes/quantity-qualifiers.ts'
import {
  deliveryPatternNames,
  deliveryTimeNames,
  serviceDeliveryUnitNames,
} from '../../../x12/codes/service-delivery.ts'
import { serviceTypeName } from '../../../x12/codes/service-types.ts'
import { timeQualifierNames } from '../../../x12/codes/time-qualifiers.ts'
import { readPercent } from '../../../x12/decimals.ts'
import { isoDate } from '../../../x12/iso-date.ts'
import { joinServices } from '../../../x12/join-services.ts'
import type { BenefitRow, DatePeriod, ServiceDelivery } from '../../../x12/model.ts'
import { type BenefitFigure, isSpan, YEARS } from './benefit-figures.ts'
import { describeParty, nameProvider } from './related-entities.ts'
import { providersOf } from './row-labels.ts'

/**
 * The meaning of a number in words: its period if the type does not imply it, its unit and its distribution. Undefined when there is
 * nothing to add.
 */
export function describeFigure(figure: BenefitFigure, row?: BenefitRow): string | undefined {
  const { counted, delivery, period } = figure
  if (row?.code === LIMITATIONS && figure.unit !== 'COUNT' && row.quantity !== undefined)
    return describeSpan(row, period)
  if (counted === undefined && !delivery) return period === undefined ? undefined : nameOf(timeQualifierNames, period)
  const parts = delivery ? describeDelivery(delivery) : []
  if (counted !== undefined) parts.unshift(nameOf(quantityQualifierNames, counted))
  if (period !== undefined && delivery?.periodQualifier === undefined) parts.push(nameOf(timeQualifierNames, period))
  return parts.length > 0 ? parts.join(', ') : undefined
}

/** An amount with a quantity beside it is one fact: `per 3 Years` for `EB*F*IND*71***21*2500**YY*3`, `20 Visits, Calendar Year`. */
function describeSpan({ quantity, quantityQualifier = '' }: BenefitRow, period: string | undefined): string {
  const counted = [quantity, nameOf(quantityQualifierNames, quantityQualifier)].filter(Boolean).join(' ')
  const ofSpan = isSpan(quantityQualifier) ? `per ${counted}` : counted
  const isImplied = period === undefined || (isSpan(quantityQualifier) && period === YEARS)
  return isImplied ? ofSpan : `${nameOf(timeQualifierNames, period)}, ${ofSpan}`
}

/** More texts than any guide allows under one EB (MSG 10, III 10, DTP 20); the bound keeps hostile input from multiplying. */
const MAX_TEXTS = 32

export interface RowOptions {
  /** The plan of the structured slots; a row of another plan, or with a label in EB05, is noted as such. */
  plan: string | undefined
  namesPartA: boolean
  /** The owner of the figures, when they are not those of the patient's plan. */
  label?: string | undefined
  /** The names of plans that are not active. */
  ended?: ReadonlySet<string>
}

/** Everything that qualifies a row except its number: plan, places, procedures, deliveries, dates, references and messages. */
function describeRow(row: BenefitRow, { plan, namesPartA, label, ended }: RowOptions): string[] {
  const parts: string[] = []
  if (label !== undefined) parts.push(label)
  const name = row.planDescription?.trim()
  if (name !== undefined && name.toUpperCase() !== plan) {
    const isOfEnded = !isInactiveRow(row) && ended?.has(name.toUpperCase())
    parts.push(isOfEnded ? `${name} (inactive plan)` : name)
  }
  if (namesPartA && row.insuranceType === 'MA') parts.push('Medicare Part A')
  if (row.procedure) parts.push(describeProcedure(row.procedure))
  // The quantities of a limitation are listed as its figures.
  if (row.code !== LIMITATIONS && row.code !== '' && (row.quantity !== undefined || row.deliveries.length > 0)) {
    parts.push(...describeQuantities(row))
  }
  for (const { qualifier, code, text } of firstTexts(row.additionalInformation)) {
    if (code !== undefined) parts.push(qualifier === 'ZZ' ? describePlace(code) : code)
    if (text !== undefined) parts.push(text)
  }
  if (row.authorizationIndicator === 'Y') parts.push('Authorization or certification required')
  if (row.authorizationIndicator === 'U') parts.push('Authorization or certification: unknown')
  for (const date of firstTexts(row.dates)) parts.push(describeDate(date))
  if (row.references.length > 0) parts.push(...describeReferences(row))
  for (const message of firstTexts(row.messages)) parts.push(message)
  return parts
}

/** What qualifies the figures of a row: for whom, by which provider, what is owed beside them, and everything below the row. */
export function describeConditions(row: BenefitRow, options: RowOptions): string[] {
  const { coverageLevel = '', amount, percent, code } = row
  const beside = amount === undefined || percent === undefined ? undefined : BESIDE[code]
  const isForOthers = UNEXPRESSED_LEVELS.has(coverageLevel)
  // Most rows have none of these.
  if (beside === undefined && row.entities.length === 0 && !isForOthers) return describeRow(row, options)
  const parts = [
    beside === 'amount'
      ? `and ${describeAmount(amount!)}`
      : beside === 'share'
        ? `and ${describeShare(percent!)}`
        : undefined,
    ...firstTexts(providersOf(row)).map(nameProvider),
    ...describeRow(row, options),
    isForOthers ? nameOf(coverageLevelNames, coverageLevel) : undefined,
  ]
  return parts.flatMap((part) => (part === undefined || part === '' ? [] : [part]))
}

/** EB02 of levels that the interface does not have. */
const UNEXPRESSED_LEVELS: ReadonlySet<string> = new Set(['CHD', 'DEP', 'SPC', 'SPO'])

/** EB07 and EB08 in one row, by EB01: which of the two is not the figure. */
const BESIDE: Readonly<Record<string, 'amount' | 'share'>> = {
  [COINSURANCE]: 'amount',
  [COPAYMENT]: 'share',
  [DEDUCTIBLE]: 'share',
  [OUT_OF_POCKET]: 'share',
  [NON_COVERED]: 'share',
  [EXCLUSIONS]: 'share',
}

/** The quantity of EB09 and EB10, and of each HSD, in words: `30 Days, per 1 Admission`. */
function describeQuantities(row: BenefitRow): string[] {
  const { quantity, quantityQualifier, deliveries } = row
  const first =
    quantity === undefined ? [] : [[quantity, quantityQualifier && nameOf(quantityQualifierNames, quantityQualifier)]]
  const others = firstTexts(deliveries).map((delivery) => {
    const { quantity: value, quantityQualifier: unit, pattern, timePattern } = delivery
    const spread = describeDelivery(delivery).join(', ')
    return [
      value,
      unit && nameOf(quantityQualifierNames, unit),
      spread,
      pattern && nameOf(deliveryPatternNames, pattern),
      timePattern && nameOf(deliveryTimeNames, timePattern),
    ]
  })
  return [...first, ...others].map((parts) => parts.filter((part) => part).join(' ')).filter((text) => text !== '')
}

/** A row in words: its benefit, services and network, and everything below it. */
export function describeInWords(row: BenefitRow, options: RowOptions): string {
  const what = nameOf(benefitNames, row.code) || 'Benefit'
  const services = isOfProcedureAlone(row)
    ? 'one procedure'
    : isPlanRow(row)
      ? 'the plan'
      : row.serviceTypeCodes.map((code) => serviceTypeName(code) ?? code).join(', ')
  const { amount, percent, timeQualifier, coverageLevel, insuranceType, networkIndicator } = row
  const details = [
    coverageLevel && nameOf(coverageLevelNames, coverageLevel),
    insuranceType && nameOf(insuranceTypeNames, insuranceType),
    amount && describeAmount(amount),
    percent && describeShare(percent),
    timeQualifier && nameOf(timeQualifierNames, timeQualifier),
    networkIndicator === 'Y' ? 'In network' : networkIndicator === 'N' ? 'Out of network' : undefined,
    ...(row.code === LIMITATIONS || row.code === '' ? describeQuantities(row) : []),
    ...firstTexts(row.entities).map(describeParty),
    ...describeRow(row, { ...options, namesPartA: false, label: undefined }),
  ]
  return [`${what}: ${services}`, ...details.filter((part) => part)].join('; ')
}

/**
 * Merges rows that state the same about different services, so that an answer with one row per service (as Availity sends) reads like one
 * with joint rows.
 */
export function mergeEqualRows(rows: readonly BenefitRow[]): BenefitRow[] {
  return joinServices(rows, (row) =>
    isPlanRow(row)
      ? undefined
      : describeInWords({ ...row, serviceTypeCodes: [] }, { plan: undefined, namesPartA: false }),
  )
}

/** EB08. Payers send it as `.2`, `20` and `1`. */
function describeShare(percent: string): string {
  const share = readPercent(percent)
  return share === undefined ? `share ${percent}` : `share ${share} %`
}

/** EB07. Some payers send the currency with it. */
const describeAmount = (amount: string): string => (/\$|USD|DOLLAR/i.test(amount) ? amount : `$${amount}`)

/** EB13 in place of EB03: about one procedure and not about the plan. Source: 005010X279A1 2110C EB13. */
export function isOfProcedureAlone({ procedure, serviceTypeCodes }: BenefitRow): boolean {
  return procedure !== undefined && serviceTypeCodes.length === 0
}

/** The numbers that a user may have to quote, in the same order for every connector. */
function describeReferences({ references }: BenefitRow): string[] {
  const known = firstTexts(references).filter(({ qualifier }) => referenceWords[qualifier] !== undefined)
  const texts = known.map(({ qualifier, value, description }) => {
    return [referenceWords[qualifier], value, description].filter((part) => part).join(' ')
  })
  return texts.length > 1 ? [...new Set(texts)].sort() : texts
}

/** REF01 in words. */
const referenceWords = codeTable({
  18: 'plan number',
  '1L': 'policy number',
  '1W': 'member ID',
  '49': 'family unit',
  '6P': 'group number',
  '9F': 'referral number',
  ALS: 'alternative list',
  CLI: 'coverage list',
  F6: 'Medicare number',
  FO: 'formulary',
  G1: 'authorization number',
  IG: 'policy number',
  M7: 'medical assistance category',
  N6: 'plan network',
  NQ: 'Medicaid ID',
})

function firstTexts<Item>(items: readonly Item[]): readonly Item[] {
  return items.length > MAX_TEXTS ? items.slice(0, MAX_TEXTS) : items
}

/** A date with its name, e.g. `planEnd 2026-12-31`; text that is not a calendar date is shown as sent. */
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
    parts.push(modulus === undefined ? `per ${unit.replace(/s$/, '')}` : `per ${modulus} ${unit}`)
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
