import type { BenefitRow, DatePeriod, Party, Reference, ServiceDelivery } from '../../x12/model.ts'
import { emptyParty } from '../../x12/party.ts'
import { type JsonObject, objectOf, objectsOf, textOf, textsOf } from '../json-values.ts'
import {
  amountCodes,
  contactKeys,
  deliveryKeys,
  detailCodes,
  networkCodes,
  payerRanks,
  referenceCodes,
  referenceDescriptions,
  statusCodeOf,
} from './coverage-keys.ts'
import { compactDay, identified, readPeriods, serviceOf, toPeriod } from './coverage-values.ts'

const PLAN_SERVICE = '30'

/** EB06 of the remainder of a lifetime maximum, and of any other remainder. */
const LIFETIME_REMAINING = '33'
const REMAINING = '29'
const LIFETIMES = new Set(['32', LIFETIME_REMAINING])

export interface ReadPlans {
  benefits: BenefitRow[]
  /** The references and dates at the patient's level of a 271. */
  references: Reference[]
  dates: DatePeriod[]
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
  const statusRows = status === undefined ? [] : [statusRow(plan, { plan, dates }, PLAN_SERVICE, status)]
  return [
    ...statusRows,
    ...benefits.flatMap((benefit) => readBenefit(benefit, { plan, dates })),
    ...readDetails(plan, detailCodes, [PLAN_SERVICE]),
    ...readPayers(plan.additionalPayers, [PLAN_SERVICE]),
    ...readContacts([{ ...objectOf(plan.primaryCareProvider), categoryCode: 'P3' }], []),
    ...readContacts(plan.contacts, []),
  ]
}

/**
 * The plan's own status counts only when no benefit states the status of service type 30. When it is active only because single services
 * are active, it is not a statement about the plan as a whole.
 */
function readPlanStatus(plan: JsonObject, benefits: JsonObject[]): string | undefined {
  const stated = benefits.filter((benefit) => statusOf(benefit) !== undefined)
  if (stated.some((benefit) => serviceOf(benefit) === PLAN_SERVICE)) return undefined
  const status = statusOf(plan)
  return stated.length === 0 || /^[678]$/.test(status ?? '') ? status : undefined
}

const statusOf = (json: JsonObject) => statusCodeOf(textOf(json.statusCode), textOf(json.status))

interface OfPlan {
  plan: JsonObject
  dates: DatePeriod[]
}

function readBenefit(benefit: JsonObject, ofPlan: OfPlan): BenefitRow[] {
  const service = serviceOf(benefit)
  // Rows without a service type would be read as rows about the whole plan.
  if (service === undefined) return []
  const services = [service]
  const status = statusOf(benefit)
  return [
    ...(status === undefined ? [] : [statusRow(benefit, ofPlan, service, status)]),
    ...readNetworks(objectOf(benefit.statusDetails), statusOf, services),
    ...readDetails(objectOf(benefit.amounts), amountCodes, services),
    ...readDetails(benefit, detailCodes, services),
    ...readPayers(benefit.additionalPayers, services),
    ...readContacts(benefit.contacts, services),
  ]
}

function statusRow(json: JsonObject, { plan, dates }: OfPlan, service: string, code: string): BenefitRow {
  return {
    ...emptyRow(code, [service]),
    insuranceType: textOf(plan.insuranceTypeCode),
    planDescription: textOf(plan.planName) ?? textOf(plan.description),
    dates: service === PLAN_SERVICE ? dates : [],
    messages: objectsOf(json.payerNotes).flatMap(({ message }) => textOf(message) ?? []),
  }
}

function readDetails(json: JsonObject, codes: Readonly<Record<string, string>>, services: string[]): BenefitRow[] {
  return Object.entries(codes).flatMap(([key, code]) => readNetworks(objectOf(json[key]), () => code, services))
}

function readNetworks(
  detail: JsonObject,
  codeOf: (row: JsonObject) => string | undefined,
  services: string[],
): BenefitRow[] {
  return Object.entries(networkCodes).flatMap(([list, networkIndicator]) =>
    objectsOf(detail[list]).flatMap((json) => {
      const code = codeOf(json)
      return code === undefined ? [] : readAmounts(json, { ...readDetail(json, code, services), networkIndicator })
    }),
  )
}

function readDetail(json: JsonObject, code: string, services: string[]): BenefitRow {
  const place = textOf(json.placeOfServiceCode)
  const description = textOf(json.description)
  return {
    ...emptyRow(code, services),
    coverageLevel: textOf(json.levelCode),
    insuranceType: textOf(json.insuranceTypeCode),
    planDescription: textOf(json.planName),
    authorizationIndicator: authorizationOf(json),
    quantityQualifier: textOf(json.quantityQualifierCode),
    quantity: textOf(json.quantity),
    deliveries: objectsOf(json.deliveryInformation).map(readDelivery),
    references: readReferences(json),
    dates: readPeriods(json),
    messages: [...(description === undefined ? [] : [description]), ...textsOf(json.payerNotes)],
    additionalInformation: place === undefined ? [] : [{ qualifier: 'ZZ', code: place }],
  }
}

function authorizationOf({ authorizationRequired, authorizationRequiredUnknown }: JsonObject): string | undefined {
  if (authorizationRequiredUnknown === true) return 'U'
  return typeof authorizationRequired === 'boolean' ? (authorizationRequired ? 'Y' : 'N') : undefined
}

/** `amount`, `total` and `remaining` of one detail are separate rows, with the values as sent; a detail without any of them is one row. */
function readAmounts(json: JsonObject, row: BenefitRow): BenefitRow[] {
  const units = textOf(json.units) ?? ''
  const inPercent = /percent|%/i.test(units) || (row.code === 'A' && !/dollar|\$/i.test(units))
  const valued = (value: string, timeQualifier: string | undefined): BenefitRow => ({
    ...row,
    timeQualifier,
    ...(inPercent ? { percent: value } : { amount: value }),
  })
  const amount = textOf(json.amount)
  const total = textOf(json.total)
  const remaining = textOf(json.remaining)
  const rows: BenefitRow[] = []
  if (amount !== undefined) rows.push(valued(amount, textOf(json.amountTimePeriodCode)))
  if (total !== undefined) rows.push(valued(total, textOf(json.totalTimePeriodCode)))
  if (remaining !== undefined) {
    // Availity may state the period that the remainder belongs to; the row must mark the amount as remaining.
    const isOfLife = LIFETIMES.has(textOf(json.remainingTimePeriodCode) ?? '')
    rows.push(valued(remaining, isOfLife ? LIFETIME_REMAINING : REMAINING))
  }
  return rows.length > 0 ? rows : [{ ...row, timeQualifier: textOf(json.amountTimePeriodCode) }]
}

function readPayers(list: unknown, services: string[]): BenefitRow[] {
  return objectsOf(list).map((json) => {
    const rank = Object.entries(payerRanks).find(([key]) => json[key] === true)
    const party: Party = {
      ...emptyParty(),
      entityCode: rank?.[1] ?? 'PR',
      entityType: '2',
      lastName: textOf(json.responseName) ?? textOf(json.name),
      contacts: readNumbers(json.contactInformation),
      ...identified('PI', textOf(json.responsePayerId) ?? textOf(json.payerId)),
    }
    const memberId = textOf(json.insuredMemberId)
    const service = textOf(json.serviceTypeCode)
    return {
      ...emptyRow('R', service === undefined ? services : [service]),
      insuranceType: textOf(json.typeCode),
      planDescription: textOf(json.planName),
      references: [...readReferences(json), ...(memberId === undefined ? [] : [{ qualifier: '1W', value: memberId }])],
      dates: [...readCoordination(json), ...readPeriods(json)],
      messages: textsOf(json.payerNotes),
      entities: [...readInsured(json), party],
    }
  })
}

function readInsured(json: JsonObject): Party[] {
  const lastName = textOf(json.insuredLastName)
  const names = { lastName, firstName: textOf(json.insuredFirstName), middleName: textOf(json.insuredMiddleName) }
  return lastName === undefined ? [] : [{ ...emptyParty(), entityCode: 'IL', entityType: '1', ...names }]
}

/** EB01 of a row that only names an entity, by NM101: the primary care provider, a managed care organization, any other. */
const contactCodes: Readonly<Record<string, string>> = { P3: 'L', Y2: 'MC' }

function readContacts(list: unknown, services: string[]): BenefitRow[] {
  return objectsOf(list).flatMap((json) => {
    const lastName = textOf(json.lastName) ?? textOf(json.name)
    if (lastName === undefined) return []
    const firstName = textOf(json.firstName)
    const entityCode = textOf(json.categoryCode)
    const party: Party = {
      ...emptyParty(),
      entityCode,
      entityType: firstName === undefined ? '2' : '1',
      lastName,
      firstName,
      contacts: readNumbers(json.contactInformation),
      ...identified('XX', textOf(json.npi)),
    }
    return [{ ...emptyRow(contactCodes[entityCode ?? ''] ?? 'U', services), entities: [party] }]
  })
}

function readNumbers(list: unknown): Party['contacts'] {
  return objectsOf(list).flatMap((json) => {
    const numbers = Object.entries(contactKeys).flatMap(([qualifier, key]) => {
      const value = textOf(json[key])
      return value === undefined ? [] : [{ qualifier, value }]
    })
    return numbers.length === 0 ? [] : [{ name: textOf(json.name), numbers }]
  })
}

function readCoordination(json: JsonObject): DatePeriod[] {
  const start = compactDay(json.coordinationOfBenefitsBeginDate) ?? compactDay(json.coordinationOfBenefitsDate)
  const end = compactDay(json.coordinationOfBenefitsEndDate)
  return start === undefined ? [] : [toPeriod('290', start, end)]
}

function readReferences(json: JsonObject): Reference[] {
  return Object.entries(referenceCodes).flatMap(([key, qualifier]) => {
    const value = textOf(json[key])
    const describing = Object.entries(referenceDescriptions).find(([, described]) => described === qualifier)?.[0]
    const description = describing === undefined ? undefined : textOf(json[describing])
    return value === undefined && description === undefined ? [] : [{ qualifier, value, description }]
  })
}

function readDelivery(json: JsonObject): ServiceDelivery {
  const entries = Object.entries(deliveryKeys).map(([key, availityKey]) => [key, textOf(json[availityKey])])
  return Object.fromEntries(entries) as ServiceDelivery
}

function emptyRow(code: string, serviceTypeCodes: string[]): BenefitRow {
  return {
    code,
    serviceTypeCodes,
    deliveries: [],
    references: [],
    dates: [],
    messages: [],
    additionalInformation: [],
    entities: [],
    rejections: [],
  }
}
