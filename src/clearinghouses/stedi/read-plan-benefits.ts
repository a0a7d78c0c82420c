// The plans of Stedi's eligibility check of 2026-06-01 as the EB rows of a 271: each entry is a row, and its list determines EB01.

import { isObject } from '../../contract/is-object.ts'
import { emptyRow } from '../../x12/benefit-row.ts'
import { BENEFITS_MAX, isBeyondWritten } from '../../x12/bounds.ts'
import { UNKNOWN_STATUS } from '../../x12/codes/benefits.ts'
import { INDIVIDUAL } from '../../x12/codes/coverage-levels.ts'
import { PLAN_SERVICE, serviceTypeNames } from '../../x12/codes/service-types.ts'
import { joinServices } from '../../x12/join-services.ts'
import type { BenefitRow, Party, ServiceDelivery } from '../../x12/model.ts'
import { readReference } from '../json-segments.ts'
import { type JsonObject, objectOf, objectsOf, textOf, wordsOf } from '../json-values.ts'
import {
  authorizationWords,
  benefitLists,
  benefitReferenceWords,
  deliveryQuantityWords,
  frequencyWords,
  insuranceTypeWords,
  levelWords,
  networkWords,
  patternWords,
  periodWords,
  procedureSystems,
  quantityWords,
  SERVICE_TYPE_SYSTEM,
  scheduleWords,
  statusWords,
} from './plan-names.ts'
import { codeReader, codesByName } from './read-parties.ts'
import { planReferenceReader, readPlanDates, readPlanEntity } from './read-plan-parties.ts'

/** The patient's diagnoses (HI) by code, with the position that EB14 refers to, counted from 1. */
type Diagnoses = Map<string, number>

/** The rows of all plans, and the diagnoses that they refer to. */
export function readPlanRows(json: JsonObject): {
  benefits: BenefitRow[]
  diagnoses: NonNullable<Party['diagnoses']>
} {
  const diagnoses: Diagnoses = new Map()
  const plans = objectsOf(json.plans)
  const benefits = plans.flatMap((plan) => readPlan(plan, { diagnoses, isOneOfSeveral: plans.length > 1 }))
  return { benefits, diagnoses: [...diagnoses.keys()].map((code) => ({ qualifier: DIAGNOSIS_QUALIFIER, code })) }
}

/**
 * Whether there are too many rows to read, or they repeat too much: an entry is a row, and possibly one more for each of its limits, and each row has the
 * name of its plan.
 */
export function isBeyondPlans(json: JsonObject): boolean {
  const entries = objectsOf(json.plans).flatMap((plan) => {
    const { invalidEntries, ...stated } = objectOf(plan.benefits)
    const name = nameOf(plan)
    const lists = [...Object.values(stated), ...Object.values(objectOf(invalidEntries))]
    return lists
      .flatMap(objectsOf)
      .map((entry) => [{ name, entry }, 1 + objectsOf(entry.serviceLimits).length] as const)
  })
  return entries.reduce((sum, [, rows]) => sum + rows, 0) > BENEFITS_MAX || isBeyondWritten(entries)
}

interface PlanContext {
  diagnoses: Diagnoses
  isOneOfSeveral: boolean
}

interface EntryContext {
  code: string
  diagnoses: Diagnoses
  /** EB05 of a row that has none itself. */
  plan: string | undefined
}

function nameOf({ name, benefits }: JsonObject): string | undefined {
  const descriptions = objectsOf(objectOf(benefits).statuses).map((status) => textOf(status.planCoverageDescription))
  return textOf(name) ?? descriptions.find((description) => description !== undefined)
}

function readPlan(json: JsonObject, { diagnoses, isOneOfSeveral }: PlanContext): BenefitRow[] {
  const benefits = objectOf(json.benefits)
  const statuses = objectsOf(benefits.statuses)
  const name = nameOf(json)
  // Only the grouping assigns a figure to its plan: with several plans, each row gets the plan's name as EB05, as in X12.
  const plan = isOneOfSeveral ? name : undefined
  const invalid = objectOf(benefits.invalidEntries)
  return [
    ...statuses.flatMap((entry) =>
      readEntry(entry, { code: readStatus(entry), diagnoses, plan: plan ?? textOf(json.name) }),
    ),
    ...Object.entries(benefitLists).flatMap(([code, list]) => {
      // Entries that Stedi considers contradictory still come from the payer.
      const entries = [...objectsOf(benefits[list]), ...objectsOf(invalid[list])]
      return joinServices(
        entries.flatMap((entry) => readEntry(entry, { code, diagnoses, plan })),
        keyOfStatement,
      )
    }),
  ]
}

const statusCodes = codesByName(statusWords)

/** An unknown status is not coverage. */
function readStatus({ status }: JsonObject): string {
  return statusCodes.get(textOf(status) ?? '') ?? ''
}

const readLevel = codeReader(levelWords)
const readInsuranceType = codeReader(insuranceTypeWords)
const readPeriod = codeReader(periodWords)
const readQuantity = codeReader(quantityWords)
const readAuthorization = codeReader(authorizationWords)
const readNetwork = codeReader(networkWords)

/** One row, and one more for each further age limit, because an EB holds one quantity. */
function readEntry(json: JsonObject, { code, diagnoses, plan }: EntryContext): BenefitRow[] {
  const { indicator, id, description } = objectOf(json.network)
  const limits = objectsOf(json.serviceLimits)
  const [firstAge, ...furtherAges] = limits.flatMap(readAge)
  const { value, qualifier } = objectOf(json.quantity)
  const stated = { quantityQualifier: readQuantity(qualifier), quantity: textOf(value) }
  const hasQuantity = stated.quantity !== undefined
  const { serviceTypeCodes, procedure } = readService(json.service)
  const row = emptyRow(code, serviceTypeCodes)
  row.coverageLevel = readCoverageLevel(code, json.coverageLevel)
  row.procedure = procedure
  row.insuranceType = readInsuranceType(json.insuranceType)
  row.planDescription = textOf(json.planCoverageDescription) ?? plan
  row.timeQualifier = readPeriod(json.timePeriod)
  row.amount = textOf(json.amount)
  row.percent = textOf(json.percent)
  Object.assign(row, hasQuantity ? stated : (firstAge ?? stated))
  row.authorizationIndicator = readAuthorization(json.priorAuthIndicator)
  row.networkIndicator = readNetwork(indicator)
  row.diagnosisPointers = readDiagnoses(json.diagnosis, diagnoses)
  row.deliveries = limits.flatMap(({ delivery }) => (isObject(delivery) ? [readDelivery(delivery)] : []))
  row.references = [
    ...readBenefitReferences(objectOf(json.additionalInformation)),
    ...readReference('N6', id, description),
  ]
  row.dates = readPlanDates(json.dates, 'benefit')
  row.messages = [...wordsOf(json.messages, []), ...readUnknownStatus(code, json.status)]
  row.additionalInformation = objectsOf(json.placesOfService).map(readPlace)
  row.entities = objectsOf(json.relatedEntities).map(readPlanEntity)
  const ages = hasQuantity && firstAge ? [firstAge, ...furtherAges] : furtherAges
  return [row, ...ages.map((age) => ({ ...row, ...age }))]
}

const readBenefitReferences = planReferenceReader(benefitReferenceWords)

function readUnknownStatus(code: string, status: unknown): string[] {
  const word = textOf(status)
  return code === '' && word !== undefined ? [`${UNKNOWN_STATUS}${word}`] : []
}

/** The lists whose entries are figures for a coverage level. */
const WITH_FIGURES: ReadonlySet<string> = new Set(['A', 'B', 'C', 'F', 'G', 'J', 'Y'])

/** The form requires a level and has INDIVIDUAL where the payer stated none: for a statement without a figure it means nothing. */
function readCoverageLevel(code: string, word: unknown): string | undefined {
  const level = readLevel(word)
  return level === INDIVIDUAL && !WITH_FIGURES.has(code) ? undefined : level
}

/**
 * An entry describes one service: statements that differ only in the service were one row of the payer. Figures and statements about the
 * plan stay separate.
 */
function keyOfStatement(row: BenefitRow): string | undefined {
  const { serviceTypeCodes, ...rest } = row
  const isJoinable = !WITH_FIGURES.has(row.code) && serviceTypeCodes.length > 0 && !isPlanWide(row)
  return isJoinable ? JSON.stringify(rest) : undefined
}

const isPlanWide = ({ serviceTypeCodes }: BenefitRow) => serviceTypeCodes.includes(PLAN_SERVICE)

type Age = Required<Pick<BenefitRow, 'quantityQualifier' | 'quantity'>>

/** EB09 S7 and S8. */
function readAge({ ageMaximum, ageMinimum }: JsonObject): Age[] {
  const [high, low] = [textOf(ageMaximum), textOf(ageMinimum)]
  return [
    ...(high === undefined ? [] : [{ quantityQualifier: 'S7', quantity: high }]),
    ...(low === undefined ? [] : [{ quantityQualifier: 'S8', quantity: low }]),
  ]
}

const procedureQualifiers = codesByName(procedureSystems)
const serviceTypeCodes = codesByName(serviceTypeNames)
/** EB03 of an entry with an unnamed service: not a valid code, so that the row is not read as coverage of the plan. */
const UNNAMED_SERVICE = '?'
/** EB13 components: qualifier, code, four modifiers, description, end of the code range. */
const RANGE_END = 7

/** EB03 or EB13. Only an entry without any service describes the plan as a whole. */
function readService(value: unknown): Pick<BenefitRow, 'serviceTypeCodes' | 'procedure'> {
  if (value === undefined || value === null) return { serviceTypeCodes: [] }
  const service = isObject(value) ? value : { value }
  const range = objectOf(service.range)
  const [from, to] = [textOf(objectOf(range.start).value), textOf(objectOf(range.end).value)]
  const system = textOf(service.system)
  const code = textOf(service.value) ?? from
  if (system !== undefined && system !== SERVICE_TYPE_SYSTEM) {
    const components = [procedureQualifiers.get(system) ?? system, code ?? '']
    if (to !== undefined) components.push(...Array(RANGE_END - components.length).fill(''), to)
    return { serviceTypeCodes: [], procedure: components }
  }
  const definition = textOf(service.definition)
  const named = definition === undefined ? undefined : serviceTypeCodes.get(definition)
  const codes = [code ?? named ?? definition ?? UNNAMED_SERVICE, ...(to === undefined ? [] : [to])]
  return { serviceTypeCodes: codes }
}

/** EB14. */
function readDiagnoses(value: unknown, known: Diagnoses): string[] | undefined {
  const codes = objectsOf(objectOf(value).codes).flatMap((code) => textOf(code.value) ?? [])
  for (const code of codes) if (!known.has(code)) known.set(code, known.size + 1)
  return codes.length > 0 ? codes.map((code) => String(known.get(code))) : undefined
}

/** HI01-1 of ICD-10-CM. */
const DIAGNOSIS_QUALIFIER = 'ABF'

const readDeliveryQuantity = codeReader(deliveryQuantityWords)
const readFrequency = codeReader(frequencyWords)
const readSchedule = codeReader(scheduleWords)
const readPattern = codeReader(patternWords)

/** HSD. */
function readDelivery(json: JsonObject): ServiceDelivery {
  const [quantity, period, frequency] = [objectOf(json.quantity), objectOf(json.period), objectOf(json.frequency)]
  const { schedule, pattern } = objectOf(json.delivery)
  return {
    quantityQualifier: readDeliveryQuantity(quantity.qualifier),
    quantity: textOf(quantity.value),
    frequencyUnit: readFrequency(frequency.qualifier),
    modulus: textOf(frequency.value),
    periodQualifier: readPeriod(period.qualifier),
    periodCount: textOf(period.value),
    pattern: readSchedule(schedule),
    timePattern: readPattern(pattern),
  }
}

/** III. */
function readPlace({ code, name }: JsonObject): BenefitRow['additionalInformation'][number] {
  const place = textOf(code)
  return place === undefined ? { text: textOf(name) } : { qualifier: 'ZZ', code: place }
}
