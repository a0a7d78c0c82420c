import { emptyRow } from '../../x12/benefit-row.ts'
import { BENEFITS_MAX, isBeyondWritten } from '../../x12/bounds.ts'
import {
  BENEFIT_DESCRIPTION,
  benefitNames,
  COINSURANCE,
  isActiveCode,
  isInactiveCode,
  RESTRICTED_TO_PROVIDER,
  UNKNOWN_STATUS,
} from '../../x12/codes/benefits.ts'
import { coverageLevelNames } from '../../x12/codes/coverage-levels.ts'
import { insuranceTypeNames } from '../../x12/codes/insurance-types.ts'
import { placeOfServiceNames } from '../../x12/codes/places-of-service.ts'
import { quantityQualifierNames } from '../../x12/codes/quantity-qualifiers.ts'
import { PLAN_SERVICE } from '../../x12/codes/service-types.ts'
import { isOfLifetime, LIFETIME_REMAINING, REMAINING, timeQualifierNames } from '../../x12/codes/time-qualifiers.ts'
import type { BenefitRow, DatePeriod, Reference } from '../../x12/model.ts'
import { countListed, type JsonObject, objectOf, objectsOf, textOf } from '../json-values.ts'
import { amountCodes, detailCodes, networkCodes, statusCodeOf } from './coverage-keys.ts'
import {
  codeReader,
  notesOf,
  procedureOfBenefit,
  procedureOfDetail,
  readPeriods,
  serviceOf,
} from './coverage-values.ts'
import {
  authorizationOf,
  readContacts,
  readCoordination,
  readDelivery,
  readPayers,
  readReferences,
} from './read-others.ts'
import { readBenefitContacts } from './read-parties.ts'

interface ReadPlans {
  benefits: BenefitRow[]
  /** The references and dates at the patient's level of a 271. */
  references: Reference[]
  dates: DatePeriod[]
}

/**
 * Whether there are too many rows to read, or they repeat too much: every row is an entry of a list, a benefit or one of its figures in a network, which has
 * the name of its plan and the notes of its benefit.
 */
export function isBeyondPlans(plans: unknown): boolean {
  if (countListed(plans) > BENEFITS_MAX) return true
  const repeated = objectsOf(plans).flatMap(({ planName, description, benefits }) =>
    objectsOf(benefits).map(({ payerNotes, statusDetails }) => {
      return [{ planName, description, payerNotes }, 1 + countListed(statusDetails)] as const
    }),
  )
  return isBeyondWritten(repeated)
}

/**
 * The EB rows of all plans in their order. The dates of a single plan are the patient's; with several plans, each row has its plan's dates.
 */
export function readPlans(plans: JsonObject[]): ReadPlans {
  const [first = {}, ...others] = plans
  const isSole = others.length === 0
  return {
    benefits: plans.flatMap((plan) => readPlan(plan, isSole ? [] : readPeriods(plan))),
    references: readReferences(first),
    dates: isSole ? readPeriods(first) : [],
  }
}

function readPlan(plan: JsonObject, dates: DatePeriod[]): BenefitRow[] {
  const benefits = objectsOf(plan.benefits)
  const status = readPlanStatus(plan, benefits)
  const statusRows =
    status === undefined ? noteRows(plan, [PLAN_SERVICE]) : [statusRow(plan, { plan, dates }, PLAN_SERVICE, status)]
  return [
    ...statusRows,
    ...benefits.flatMap((benefit) => readBenefit(benefit, { plan, dates })),
    ...readDetails(plan, detailCodes, [PLAN_SERVICE]),
    ...readPayers(plan.additionalPayers, [PLAN_SERVICE]),
    ...readContacts([{ ...objectOf(plan.primaryCareProvider), categoryCode: 'P3' }], [], dates),
    ...readContacts(plan.contacts, [], dates),
  ]
}

/**
 * The plan's own status counts only when no benefit states the status of service type 30. When it is active only because single services
 * are active, it is not a statement about the plan as a whole.
 */
function readPlanStatus(plan: JsonObject, benefits: JsonObject[]): string | undefined {
  const stated = benefits.filter((benefit) => statusOf(benefit) !== undefined)
  const status = statusOf(plan)
  const ofPlan = stated.filter((benefit) => serviceOf(benefit) === PLAN_SERVICE)
  // An inactive plan whose service 30 is active contradicts itself, which is for a person to find out.
  const isContradicted =
    isInactiveCode(status ?? '') && ofPlan.every((benefit) => !isInactiveCode(statusOf(benefit) ?? ''))
  if (ofPlan.length > 0) return isContradicted ? status : undefined
  return stated.length === 0 || isInactiveCode(status ?? '') ? status : undefined
}

const statusOf = (json: JsonObject) => statusCodeOf(textOf(json.statusCode), textOf(json.status))

const levelOf = codeReader('level', coverageLevelNames)
const insuranceTypeOf = codeReader('insuranceType', insuranceTypeNames)
const placeOf = codeReader('placeOfService', placeOfServiceNames)
const quantityQualifierOf = codeReader('quantityQualifier', quantityQualifierNames)
const amountPeriodOf = codeReader('amountTimePeriod', timeQualifierNames)
const totalPeriodOf = codeReader('totalTimePeriod', timeQualifierNames)
const remainingPeriodOf = codeReader('remainingTimePeriod', timeQualifierNames)

interface OfPlan {
  plan: JsonObject
  dates: DatePeriod[]
}

function readBenefit(benefit: JsonObject, ofPlan: OfPlan): BenefitRow[] {
  const service = serviceOf(benefit)
  // Rows without a service type would be read as rows about the whole plan.
  if (service === undefined) return []
  const services = [service]
  const contacts = readContacts(benefit.contacts, services, service === PLAN_SERVICE ? ofPlan.dates : [])
  const rows = [
    ...readStatuses(benefit, ofPlan, service),
    ...readDetails(objectOf(benefit.amounts), amountCodes, services),
    ...withProviders(readDetails(benefit, detailCodes, services), contacts),
    ...readPayers(benefit.additionalPayers, services),
    ...contacts,
  ]
  const procedure = procedureOfBenefit(benefit)
  if (procedure === undefined) return rows
  const isAlone = procedure[1]?.toUpperCase() === service.toUpperCase()
  return rows.map((row) => ({ ...row, procedure, ...(isAlone && { serviceTypeCodes: [] }) }))
}

/** A restriction to a provider has that provider among the contacts of its benefit alone. */
function withProviders(rows: BenefitRow[], contacts: readonly BenefitRow[]): BenefitRow[] {
  return rows.map((row) =>
    row.code === RESTRICTED_TO_PROVIDER ? { ...row, entities: contacts.flatMap(({ entities }) => entities) } : row,
  )
}

/**
 * The status of a service, which has no dates and no level itself. Details with the same status, or without one (`statusDetails`), have them, and
 * are then the statement: a service that ended by the dates of its details alone is not active.
 */
function readStatuses(benefit: JsonObject, ofPlan: OfPlan, service: string): BenefitRow[] {
  const status = statusOf(benefit)
  const codeOf = (json: JsonObject) => statedCodeOf(json) ?? status ?? BENEFIT_DESCRIPTION
  const details = readNetworks(objectOf(benefit.statusDetails), codeOf, [service])
  if (statedCodeOf(benefit) === '') {
    return [{ ...emptyRow('', [service]), messages: [...unknownStatusOf(benefit), ...notesOf(benefit)] }, ...details]
  }
  if (status === undefined) return [...noteRows(benefit, [service]), ...details]
  const stated = statusRow(benefit, ofPlan, service, status)
  const isStated = details.some(({ code }) => code === status)
  if (!isStated) return [stated, ...details]
  return details.map((detail) => {
    if (detail.code !== status) return detail
    const { insuranceType = stated.insuranceType, planDescription = stated.planDescription } = detail
    return {
      ...detail,
      insuranceType,
      planDescription,
      dates: [...stated.dates, ...detail.dates],
      messages: [...stated.messages, ...detail.messages],
    }
  })
}

function statusRow(json: JsonObject, { plan, dates }: OfPlan, service: string, code: string): BenefitRow {
  return {
    ...emptyRow(code, [service]),
    insuranceType: insuranceTypeOf(plan),
    planDescription: textOf(plan.planName) ?? textOf(plan.description),
    dates: service === PLAN_SERVICE ? dates : [],
    messages: notesOf(json),
  }
}

/** Notes without a status that they belong to. */
function noteRows(json: JsonObject, services: string[]): BenefitRow[] {
  const messages = notesOf(json)
  return messages.length === 0 ? [] : [{ ...emptyRow(BENEFIT_DESCRIPTION, services), messages }]
}

/** EB01 by its code or name; empty for a status that is none of X12, such as "Suspended", and that is therefore not coverage. */
function statedCodeOf(json: JsonObject): string | undefined {
  const [code, name] = [textOf(json.statusCode)?.trim(), textOf(json.status)?.trim().toLowerCase()]
  if (code) return benefitNames[code] === undefined ? '' : code
  if (name === undefined || name === '') return undefined
  return statusOf(json) ?? benefitCodes.get(name) ?? ''
}

const benefitCodes = new Map(Object.entries(benefitNames).map(([code, name]) => [name.toLowerCase(), code]))

const unknownStatusOf = ({ statusCode, status }: JsonObject): string[] =>
  [textOf(status) ?? textOf(statusCode)].flatMap((word) => (word === undefined ? [] : [`${UNKNOWN_STATUS}${word}`]))

function readDetails(json: JsonObject, codes: Readonly<Record<string, string>>, services: string[]): BenefitRow[] {
  return Object.entries(codes).flatMap(([key, code]) => {
    return readNetworks(objectOf(json[key]), (row) => otherCodeOf(row) ?? code, services)
  })
}

/** EB01 of a detail without a list of its own (spend-down, restriction to a provider), which stands as a status in another list. */
function otherCodeOf({ statusCode, status }: JsonObject): string | undefined {
  const code = textOf(statusCode) ?? otherCodes.get(textOf(status)?.trim().toLowerCase() ?? '')
  return code !== undefined && otherNames.has(code) ? code : undefined
}

const listed: ReadonlySet<string> = new Set([...Object.values(amountCodes), ...Object.values(detailCodes)])
const otherNames = new Map(
  Object.entries(benefitNames).filter(([code]) => !listed.has(code) && !isActiveCode(code) && !isInactiveCode(code)),
)
const otherCodes = new Map([...otherNames].map(([code, name]) => [name.toLowerCase(), code]))

function readNetworks(
  detail: JsonObject,
  codeOf: (row: JsonObject) => string | undefined,
  services: string[],
): BenefitRow[] {
  return Object.entries(networkCodes).flatMap(([list, networkIndicator]) =>
    objectsOf(detail[list]).flatMap((json) => {
      const code = codeOf(json)
      if (code === undefined) return []
      const row = readDetail(json, code, services)
      row.networkIndicator = networkIndicator
      return readAmounts(json, row)
    }),
  )
}

function readDetail(json: JsonObject, code: string, services: string[]): BenefitRow {
  const place = placeOf(json)
  const description = textOf(json.description)
  const procedure = procedureOfDetail(json)
  const row = emptyRow(code, services)
  row.coverageLevel = levelOf(json)
  row.insuranceType = insuranceTypeOf(json)
  row.planDescription = textOf(json.planName)
  row.authorizationIndicator = authorizationOf(json)
  row.quantityQualifier = quantityQualifierOf(json)
  row.quantity = textOf(json.quantity)
  row.procedure = procedure
  row.deliveries = objectsOf(json.deliveryInformation).map(readDelivery)
  row.references = readReferences(json)
  row.dates = [...readCoordination(json), ...readPeriods(json)]
  row.entities = readBenefitContacts(json.contacts)
  if (code === '') row.messages.push(...unknownStatusOf(json))
  if (description !== undefined && !procedure) row.messages.push(description)
  row.messages.push(...notesOf(json))
  if (place !== undefined) row.additionalInformation.push({ qualifier: 'ZZ', code: place })
  return row
}

/** The units of a count: a limit of 20 visits is none of 20 dollars. */
const countedUnits = new Map(Object.entries(quantityQualifierNames).map(([code, name]) => [name.toLowerCase(), code]))

/** `amount`, `total` and `remaining` of one detail are separate rows, with the values as sent; a detail without any of them is one row. */
function readAmounts(json: JsonObject, row: BenefitRow): BenefitRow[] {
  const units = textOf(json.units) ?? ''
  const counted = countedUnits.get(units.trim().toLowerCase())
  const inPercent = /percent|%/i.test(units) || (row.code === COINSURANCE && !/dollar|\$/i.test(units))
  const valued = (value: string, timeQualifier: string | undefined): BenefitRow => {
    const copy = { ...row, timeQualifier }
    if (counted) Object.assign(copy, { quantityQualifier: counted, quantity: value })
    else if (inPercent) copy.percent = value
    else copy.amount = value
    return copy
  }
  const amount = textOf(json.amount)
  const total = textOf(json.total)
  const remaining = textOf(json.remaining)
  const rows: BenefitRow[] = []
  if (amount !== undefined) rows.push(valued(amount, amountPeriodOf(json)))
  if (total !== undefined) rows.push(valued(total, totalPeriodOf(json)))
  if (remaining !== undefined) {
    // Availity may state the period that the remainder belongs to; the row must mark the amount as remaining.
    const isOfLife = isOfLifetime(remainingPeriodOf(json))
    rows.push(valued(remaining, isOfLife ? LIFETIME_REMAINING : REMAINING))
  }
  return rows.length > 0 ? rows : [{ ...row, timeQualifier: amountPeriodOf(json) }]
}
