import { textsOf } from '../../x12/benefit-row.ts'
import { benefitNames, COINSURANCE, COPAYMENT } from '../../x12/codes/benefits.ts'
import { coverageLevelNames } from '../../x12/codes/coverage-levels.ts'
import { insuranceTypeNames } from '../../x12/codes/insurance-types.ts'
import { placeOfServiceNames } from '../../x12/codes/places-of-service.ts'
import { quantityQualifierNames } from '../../x12/codes/quantity-qualifiers.ts'
import { isRemainder, timeQualifierNames } from '../../x12/codes/time-qualifiers.ts'
import type { BenefitRow, ServiceDelivery } from '../../x12/model.ts'
import type { JsonObject } from '../json-values.ts'
import { amountCodes, deliveryKeys, detailCodes, isStatus, networkCodes } from './coverage-keys.ts'
import { addTo, present } from './coverage-values.ts'
import { writeCoordination, writePeriods, writeReferences } from './write-periods-and-references.ts'

type Lists = Record<string, Record<string, JsonObject[]>>

/**
 * The rows of one service other than its status, under Availity's keys: by kind, then by network. A remainder joins the first total that it
 * belongs to and that has none yet.
 */
export function writeDetails(rows: readonly BenefitRow[]): JsonObject {
  const amounts: Lists = {}
  const details: Lists = {}
  const open = new Map<string, JsonObject[]>()
  for (const row of rows) {
    const { isAmount, key, network, entry, about } = writtenOf(row)
    const total = entry.remaining === undefined ? undefined : open.get(about)?.shift()
    if (total) {
      Object.assign(total, remainderOf(entry))
      continue
    }
    const own = { ...entry }
    listOf(isAmount ? amounts : details, key, network).push(own)
    if (entry.total !== undefined) addTo(open, about, own)
  }
  return present({ amounts, ...details })
}

/** A row under Availity's keys. `about`: what a total and its remainder have in common. */
interface Written {
  isAmount: boolean
  key: string
  network: string
  entry: JsonObject
  about: string
}

/** A row with hundreds of services is listed under each of them. */
const written = new WeakMap<BenefitRow, Written>()

/** Does most of the work on these rows ahead, so that it can be divided. */
export function prepareDetails(rows: readonly BenefitRow[]): void {
  for (const row of rows) writtenOf(row)
}

function writtenOf(row: BenefitRow): Written {
  const known = written.get(row)
  if (known) return known
  const amountKey = keyOf(amountCodes, row.code)
  const key = amountKey ?? detailKey(row)
  const network = networkKey(row)
  const entry = writeEntry(row)
  const about = JSON.stringify([key, network, ...SHARED.map((name) => entry[name])])
  const made = { isAmount: amountKey !== undefined, key, network, entry, about }
  written.set(row, made)
  return made
}

/** Beside the kind and the network: the level, the kind of plan, the place and the notes. */
const SHARED = [
  'units',
  'levelCode',
  'planName',
  'insuranceTypeCode',
  'placeOfServiceCode',
  'description',
  'payerNotes',
] as const

function listOf(lists: Lists, key: string, network: string): JsonObject[] {
  lists[key] ??= {}
  lists[key][network] ??= []
  return lists[key][network]
}

function keyOf(codes: Readonly<Record<string, string>>, code: string): string | undefined {
  return Object.entries(codes).find(([, each]) => each === code)?.[0]
}

/** The key for a further status of the service; rows without a key in Availity's form become descriptions. */
function detailKey(row: BenefitRow): string {
  return isStatus(row) ? 'statusDetails' : (keyOf(detailCodes, row.code) ?? 'benefitDescriptions')
}

function networkKey({ networkIndicator }: BenefitRow): string {
  const key = Object.entries(networkCodes).find(([, code]) => code === networkIndicator)?.[0]
  return key ?? 'noNetwork'
}

/** EB01 of the rows whose key in Availity's form names them. */
const NAMED: ReadonlySet<string> = new Set([...Object.values(amountCodes), ...Object.values(detailCodes)])

const isRemaining = ({ timeQualifier }: BenefitRow) => isRemainder(timeQualifier)

function writeEntry(row: BenefitRow): JsonObject {
  const place = row.additionalInformation.find(({ qualifier }) => qualifier === 'ZZ')?.code
  const isNamed = NAMED.has(row.code)
  return present({
    ...(!isNamed && { status: benefitNames[row.code], statusCode: row.code }),
    ...writeValue(row),
    level: row.coverageLevel && coverageLevelNames[row.coverageLevel],
    levelCode: row.coverageLevel,
    planName: row.planDescription,
    insuranceType: row.insuranceType && insuranceTypeNames[row.insuranceType],
    insuranceTypeCode: row.insuranceType,
    quantity: row.quantity,
    quantityQualifier: row.quantityQualifier && quantityQualifierNames[row.quantityQualifier],
    quantityQualifierCode: row.quantityQualifier,
    // A procedure without a service is a benefit of its own.
    description:
      row.procedure && row.serviceTypeCodes.length > 0
        ? ['Procedure', ...row.procedure].filter(Boolean).join(' ')
        : undefined,
    authorizationRequired: { Y: true, N: false }[row.authorizationIndicator ?? ''],
    authorizationRequiredUnknown: row.authorizationIndicator === 'U' || undefined,
    placeOfService: place && placeOfServiceNames[place],
    placeOfServiceCode: place,
    deliveryInformation: row.deliveries.map(writeDelivery),
    ...writeReferences(row.references),
    ...writeCoordination(row),
    ...writePeriods(row.dates),
    payerNotes: textsOf(row),
  })
}

/** Deductibles and limits are totals with a remainder; a patient's share of the cost is an amount. */
function writeValue(row: BenefitRow): JsonObject {
  const value = row.amount ?? row.percent
  const units = row.percent !== undefined && row.amount === undefined ? 'Percent' : 'Dollars'
  const period = row.timeQualifier
  const isShare = row.code === COINSURANCE || row.code === COPAYMENT
  // In Availity's form a quantity shares the period of the amount.
  const name =
    isRemaining(row) && value !== undefined ? 'remaining' : isShare || value === undefined ? 'amount' : 'total'
  return present({
    [name]: value,
    units: value && units,
    [`${name}TimePeriod`]: period && timeQualifierNames[period],
    [`${name}TimePeriodCode`]: period,
  })
}

function remainderOf({ remaining, remainingTimePeriod, remainingTimePeriodCode }: JsonObject): JsonObject {
  return present({ remaining, remainingTimePeriod, remainingTimePeriodCode })
}

/** HSD. */
export function writeDelivery(delivery: ServiceDelivery): JsonObject {
  const entries = Object.entries(deliveryKeys).map(([key, availityKey]) => [
    availityKey,
    delivery[key as keyof ServiceDelivery],
  ])
  return present(Object.fromEntries(entries))
}
