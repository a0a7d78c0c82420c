import { isPlanRow } from '../../../x12/benefit-row.ts'
import { COINSURANCE, COPAYMENT, DEDUCTIBLE, LIMITATIONS, OUT_OF_POCKET } from '../../../x12/codes/benefits.ts'
import { LIFETIME_REMAINING, REMAINING } from '../../../x12/codes/time-qualifiers.ts'
import { readDecimal, readPercent } from '../../../x12/decimals.ts'
import type { BenefitRow, ServiceDelivery } from '../../../x12/model.ts'
import { onceForTexts } from '../once-for-texts.ts'
import { partsOf } from '../payer-text.ts'
import type { BenefitType, CoverageValueUnit, PlanSlot, ServiceSlot } from '../wire.ts'
import { MOST_OWED, OTHER_AMOUNT, PART_OF_COSTS, UP_TO_DAYS } from '../words/figures/figure-labels.ts'
import { SOME_DAYS } from '../words/figures/figures.ts'
import { USAGE, usageNamed } from '../words/figures/usage.ts'
import { LONGEST_LABEL, type Phrases, states } from '../words/phrase-group.ts'
import { isNotOfPatient } from './stated-share.ts'
import { isRateInWords, isRateOf, VISITS } from './visit-rates.ts'

/** A number of the answer in the unit of the wire: dollars, percent 0..100, or a count. */
interface Figure {
  unit: CoverageValueUnit
  value: number
}

/** One number of an EB row: its type in the flat list and its structured slot, if the interface has one. */
export interface BenefitFigure extends Figure {
  type: BenefitType
  slot: PlanSlot | ServiceSlot | undefined
  /** True for one of several parts, such as the price of days 1 to 6 of a stay or of the first three visits: it fills no slot, nor does another part alone. */
  isPart: boolean
  /** EB06, or HSD05 for a number of an HSD; undefined when `type` already implies the period. */
  period: string | undefined
  /** EB09 or HSD01: the unit of a COUNT. */
  counted: string | undefined
  /** The HSD that the number came from. */
  delivery: ServiceDelivery | undefined
}

/** X12 615 time period qualifiers. Source: x12-271.md 4. */
const PERIOD = { visit: '27', remaining: REMAINING, lifetimeRemaining: LIFETIME_REMAINING } as const
const LIFETIME = '32'

/** Periods of a plan's ordinary figures: years, service year, calendar year, month. */
const BASE_PERIODS: ReadonlySet<string | undefined> = new Set([undefined, '21', '22', '23', '34'])

/** Of visits, those of a month are a rate, and not the number of visits that a patient has. */
const VISIT_PERIODS: ReadonlySet<string | undefined> = new Set([undefined, '21', '22', '23'])

/** EB06: years. */
export const YEARS = '21'
/** EB09: years, months. Beside an amount they are the time for which it holds. */
export const isSpan = (quantityQualifier: string | undefined): boolean =>
  quantityQualifier === 'YY' || quantityQualifier === 'MN'

/** Periods that measure usage so far, so that their amount is not the price of a visit. */
const USAGE_PERIODS: ReadonlySet<string | undefined> = new Set(['24', REMAINING, '30', '31', LIFETIME_REMAINING])

/** Periods of a stay: hour, day, 24 hours, episode, outlier, lifetime, week, admission. */
const STAY_PERIODS: ReadonlySet<string | undefined> = new Set(['6', '7', '13', '26', '28', '32', '35', '36'])

/** True for a share that is owed per day or per stay, and so is not the price of a visit. */
export function isOwedByStay({ code, timeQualifier }: BenefitRow): boolean {
  return (code === COINSURANCE || code === COPAYMENT) && STAY_PERIODS.has(timeQualifier)
}

interface Accumulator {
  type: BenefitType
  slot: PlanSlot
  /** By EB06: figures with a type and a slot specific to the period. */
  byPeriod: ReadonlyMap<string | undefined, { type: BenefitType; slot: PlanSlot }>
}

const deductible: Accumulator = {
  type: 'DEDUCTIBLE',
  slot: 'deductible',
  byPeriod: new Map([
    ['24', { type: 'DEDUCTIBLE_YEAR_TO_DATE', slot: 'deductible_year_to_date' }],
    ['25', { type: 'DEDUCTIBLE_CONTRACT', slot: 'deductible_contract' }],
    [REMAINING, { type: 'DEDUCTIBLE_REMAINING', slot: 'deductible_remaining' }],
  ]),
}

const outOfPocket: Accumulator = {
  type: 'OOP_MAX',
  slot: 'oop_max',
  byPeriod: new Map([
    ['24', { type: 'OOP_MAX_YEAR_TO_DATE', slot: 'oop_max_year_to_date' }],
    ['25', { type: 'OOP_MAX_CONTRACT', slot: 'oop_max_contract' }],
    [REMAINING, { type: 'OOP_MAX_REMAINING', slot: 'oop_max_remaining' }],
  ]),
}

/** HSD repeats at most nine times. Each is listed for every service of the row, so the bound matters. Source: 005010X279A1 2110C HSD. */
const MAX_DELIVERIES = 9

const NONE: readonly BenefitFigure[] = []

/** The numbers of a C, G, A, B or F row; none for other rows and for a row without a usable number. Source: x12-271.md 7. */
export function readBenefitFigures(row: BenefitRow): readonly BenefitFigure[] {
  switch (row.code) {
    case DEDUCTIBLE:
      return readAccumulator(row, deductible)
    case OUT_OF_POCKET:
      return readAccumulator(row, outOfPocket)
    case COPAYMENT:
      return readShare(row, 'COPAY', readAmount(row) ?? readShareOfCost(row))
    case COINSURANCE:
      return readShare(row, 'COINSURANCE', readShareOfCost(row) ?? readAmount(row))
    case LIMITATIONS:
      return readLimits(row)
    default:
      return NONE
  }
}

/**
 * The number of a non-covered row. Its `value` is required, but such rows seldom carry a number. Our choice: COUNT 0, because none of it is
 * covered; 0 dollars or 100 percent would look like a price.
 */
export function readNonCovered(row: BenefitRow): Figure {
  return readAmount(row) ?? readShareOfCost(row) ?? readQuantity(row) ?? { unit: 'COUNT', value: 0 }
}

function readAccumulator(row: BenefitRow, accumulator: Accumulator): readonly BenefitFigure[] {
  const figure = readAmount(row) ?? readShareOfCost(row)
  if (!figure) return NONE
  const period = row.timeQualifier
  // A slot holds dollars; a percentage would be misread.
  const fits = figure.unit === 'CURRENCY' && !hasBoth(row) && !(isBase(period) && isUsage(row)) && !isOfOtherKind(row)
  const specific = accumulator.byPeriod.get(period === PERIOD.lifetimeRemaining ? PERIOD.remaining : period)
  if (!specific) {
    return [toFigure(figure, accumulator.type, { period, slot: fits && isBase(period) ? accumulator.slot : undefined })]
  }
  const isUsed = period === PERIOD.remaining && figure.value > 0 && saysUsed(row)
  // The remainder of a lifetime maximum is not a figure of the year.
  if (period === PERIOD.lifetimeRemaining) return [toFigure(figure, specific.type, { period })]
  return [toFigure(figure, specific.type, { slot: fits && !isUsed ? specific.slot : undefined })]
}

/**
 * True for a row of a base period whose label states that its number is the used or remaining part: `EB*C*IND*30**DEDUCTIBLE MET*23*350`, VISITS
 * REMAINING. "Has been met" is a statement about the whole amount. Source: x12-271.md 4, EB05.
 */
const isUsage = (row: BenefitRow): boolean => isLabelled(row, USAGE)

/** True for a row whose label states that its number is the used part, whatever its period states: "amount met to date" below what remains. */
function saysUsed({ planDescription = '', messages }: BenefitRow): boolean {
  return [planDescription, ...messages].some((text) => USED_WORD.test(text) && usageNamed(text) === 'used')
}

const USED_WORD = /\b(?:MET|USED|TAKEN|UTILIZED|APPLIED|SATISFIED|ACCUMULATED|CREDITED|PAID|SPENT)\b/i

/** True for the maximum of coinsurance or copays alone, and for a penalty, a credit or what is carried over. */
const isOfOtherKind = (row: BenefitRow): boolean =>
  isLabelled(row, OTHER_AMOUNT) || (row.code === OUT_OF_POCKET && isLabelled(row, PART_OF_COSTS))

/** True when EB05 or a text below the row is one of these labels. */
function isLabelled({ planDescription, messages }: BenefitRow, labels: Phrases): boolean {
  // As most rows.
  if (planDescription === undefined && messages.length === 0) return false
  const isOne = (text: string) => text.length <= LONGEST_LABEL && states(labels, text)
  return messages.some(isOne) || (planDescription !== undefined && isOne(planDescription))
}

function readShare(
  row: BenefitRow,
  type: 'COPAY' | 'COINSURANCE',
  figure: Figure | undefined,
): readonly BenefitFigure[] {
  if (!figure) return NONE
  const slot = type === 'COPAY' ? 'copay' : 'coinsurance'
  const unit = type === 'COPAY' ? 'CURRENCY' : 'PERCENT'
  // Our choice: Medicare's daily hospital share on a plan row is not the plan's copay. On a hospital's own row it is, unless the payer
  // states the days it applies to, because figure and days belong together.
  const misleads =
    USAGE_PERIODS.has(row.timeQualifier) || (isPlanRow(row) && isOwedByStay(row)) || isNoShare(row, figure)
  const fits = figure.unit === unit && !misleads
  // A patient's share is per visit by default; only another period is worth a note.
  const period = row.timeQualifier === PERIOD.visit ? undefined : row.timeQualifier
  const isPart = hasQuantity(row) || hasBoth(row) || isOfSomeDays(row, period)
  return [toFigure(figure, type, { period, slot: fits ? slot : undefined, isPart })]
}

const isOfSomeDays = ({ messages }: BenefitRow, period: string | undefined): boolean =>
  saySomeDays(messages) || (DAILY.has(period) && sayUpToDays(messages))

const saySomeDays = onceForTexts((texts) =>
  texts.some((text) => states(SOME_DAYS, text) || (A_DAY.test(text) && states(UP_TO_DAYS, text))),
)
const sayUpToDays = onceForTexts((texts) => texts.some((text) => states(UP_TO_DAYS, text)))
const A_DAY = /\b(?:PER|A|EACH) (?:DAY|DIEM)\b|\bDAILY\b/i

/** EB06: day, 24 hours. */
const DAILY: ReadonlySet<string | undefined> = new Set(['7', '13'])

/**
 * True when a text of the payer makes the amount the most that is owed or a penalty, or the percentage the plan's share or another than the
 * patient's.
 */
function isNoShare({ code, timeQualifier, messages }: BenefitRow, { unit, value }: Figure): boolean {
  if (code === COPAYMENT && timeQualifier === LIFETIME) return true
  if (messages.length === 0) return false
  if (unit === 'PERCENT')
    return messages.some((text) => {
      return partsOf(text).some((part) => isNotOfPatient(part, value, text.length <= LONGEST_LABEL))
    })
  return sayNoShare(messages)
}

const sayNoShare = onceForTexts((texts) =>
  texts.some((text) => text.length <= LONGEST_LABEL && (states(MOST_OWED, text) || states(OTHER_AMOUNT, text))),
)

/** An amount and a share together are the price. */
const hasBoth = ({ amount, percent }: BenefitRow) => amount !== undefined && percent !== undefined

function hasQuantity({ quantity, deliveries }: BenefitRow): boolean {
  return quantity !== undefined || deliveries.some((delivery) => delivery.quantity !== undefined)
}

/** Every number of a limitation: dollars, percent, the quantity of EB10 and one per HSD. */
function readLimits(row: BenefitRow): readonly BenefitFigure[] {
  const limits: BenefitFigure[] = []
  const period = row.timeQualifier
  const amount = readAmount(row)
  if (amount) limits.push(toFigure(amount, 'LIMITATION', { period }))
  const share = readShareOfCost(row)
  if (share) limits.push(toFigure(share, 'LIMITATION', { period }))
  const quantity = readQuantity(row)
  const isBeside = isSpan(row.quantityQualifier) && limits.length > 0
  if (quantity && !isBeside) {
    const isRate = row.deliveries.some(
      (delivery) => isRateOf(delivery) && readDecimal(delivery.quantity) === quantity.value,
    )
    const slot = row.quantityQualifier === VISITS && !isRate ? visitSlot(period, row, quantity.value) : undefined
    limits.push(toFigure(quantity, 'LIMITATION', { period, slot, counted: row.quantityQualifier }))
  }
  for (const delivery of row.deliveries.slice(0, MAX_DELIVERIES)) {
    const value = readDecimal(delivery.quantity)
    if (value !== undefined) limits.push(readDelivery(delivery, value, row))
  }
  return limits
}

function readDelivery(delivery: ServiceDelivery, value: number, row: BenefitRow): BenefitFigure {
  const period = delivery.periodQualifier ?? row.timeQualifier
  const isCount = delivery.quantityQualifier === VISITS && !isRateOf(delivery)
  const slot = isCount ? visitSlot(period, row, value) : undefined
  const counted = delivery.quantityQualifier
  return toFigure({ unit: 'COUNT', value }, 'LIMITATION', { period, slot, counted, delivery })
}

function visitSlot(period: string | undefined, whole: BenefitRow, count: number): ServiceSlot | undefined {
  if (isRateInWords(whole, count)) return undefined
  // "Out of pocket maximum met" says nothing of visits, and "copay visits used" does.
  const row = { ...whole, messages: whole.messages.filter((text) => !OF_MONEY.test(text) || OF_COUNT.test(text)) }
  if (period === PERIOD.remaining) return count > 0 && saysUsed(row) ? undefined : 'visits_remaining'
  return VISIT_PERIODS.has(period) && !isUsage(row) ? 'visits' : undefined
}

const OF_MONEY = /\b(?:OOP|OUT[ -]OF[ -]POCKET|MOOP|DEDUCTIBLE|CO-?PAY\w*|CO-?INS\w*)\b/i
const OF_COUNT = /\b(?:VISITS?|DAYS?|UNITS?|SESSIONS?|HOURS?|TREATMENTS?|EXAMS?)\b/i

function isBase(period: string | undefined): boolean {
  return BASE_PERIODS.has(period)
}

/** Every figure has every key: objects of one shape keep the loop over rows fast. */
function toFigure(
  { unit, value }: Figure,
  type: BenefitType,
  { slot, isPart = false, period, counted, delivery }: Partial<Omit<BenefitFigure, keyof Figure | 'type'>>,
): BenefitFigure {
  return { unit, value, type, slot, isPart, period, counted, delivery }
}

function readAmount(row: BenefitRow): Figure | undefined {
  const value = readDecimal(row.amount)
  return value === undefined ? undefined : { unit: 'CURRENCY', value }
}

function readShareOfCost(row: BenefitRow): Figure | undefined {
  const value = readPercent(row.percent)
  return value === undefined ? undefined : { unit: 'PERCENT', value }
}

function readQuantity(row: BenefitRow): Figure | undefined {
  const value = readDecimal(row.quantity)
  return value === undefined ? undefined : { unit: 'COUNT', value }
}
