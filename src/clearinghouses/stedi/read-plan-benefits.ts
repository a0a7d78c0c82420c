// The plans of Stedi's eligibility check of 2026-06-01 as the EB rows of a 271: an entry is a row, the list that it stands in its EB01.
import { serviceTypeNames } from '../../x12/codes/service-types.ts'
import { joinServices } from '../../x12/join-services.ts'
import type { BenefitRow, Party, ServiceDelivery } from '../../x12/model.ts'
import { isObject, type JsonObject, objectOf, objectsOf, textOf, textsOf } from '../json-values.ts'
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
import { codesByName } from './read-parties.ts'
import { codeReader, readPlanDates, readPlanEntity, readPlanReferences, reference } from './read-plan-parties.ts'

/** Those of the patient's HI by code, with the place at which an EB14 finds each, counted from 1. */
type Diagnoses = Map<string, number>

/** The rows of all plans, and the diagnoses that they point at. */
export function readPlanRows(json: JsonObject): {
  benefits: BenefitRow[]
  diagnoses: NonNullable<Party['diagnoses']>
} {
  const diagnoses: Diagnoses = new Map()
  const plans = objectsOf(json.plans)
  const benefits = plans.flatMap((plan) => readPlan(plan, { diagnoses, isOneOfSeveral: plans.length > 1 }))
  return { benefits, diagnoses: [...diagnoses.keys()].map((code) => ({ qualifier: DIAGNOSIS_QUALIFIER, code })) }
}

/** How many rows there are to read: an entry is one, and each of its limits may become another. */
export function countPlanBenefits(json: JsonObject): number {
  const lists = objectsOf(json.plans).flatMap(({ benefits }) => {
    const { invalidEntries, ...stated } = objectOf(benefits)
    return [...Object.values(stated), ...Object.values(objectOf(invalidEntries))]
  })
  const limits = lists.flatMap(objectsOf).map(({ serviceLimits }) => objectsOf(serviceLimits).length)
  return limits.reduce((sum, count) => sum + 1 + count, 0)
}

interface PlanContext {
  diagnoses: Diagnoses
  isOneOfSeveral: boolean
}

interface EntryContext {
  code: string
  diagnoses: Diagnoses
  /** EB05 of a row that has none of its own. */
  plan: string | undefined
}

function readPlan(json: JsonObject, { diagnoses, isOneOfSeveral }: PlanContext): BenefitRow[] {
  const benefits = objectOf(json.benefits)
  const statuses = objectsOf(benefits.statuses)
  const name =
    textOf(json.name) ?? textOf(statuses.map(({ planCoverageDescription }) => planCoverageDescription).find(textOf))
  // Which plan a figure is of is told by the grouping alone: beside other plans each row says it, as EB05 does in X12.
  const plan = isOneOfSeveral ? name : undefined
  const invalid = objectOf(benefits.invalidEntries)
  return [
    ...statuses.flatMap((entry) =>
      readEntry(entry, { code: readStatus(entry), diagnoses, plan: plan ?? textOf(json.name) }),
    ),
    ...Object.entries(benefitLists).flatMap(([code, list]) => {
      // What Stedi finds contradictory is what the payer said all the same.
      const entries = [...objectsOf(benefits[list]), ...objectsOf(invalid[list])]
      return joinServices(
        entries.flatMap((entry) => readEntry(entry, { code, diagnoses, plan })),
        keyOfStatement,
      )
    }),
  ]
}

const statusCodes = codesByName(statusWords)

/** A status that we do not know is no coverage, whatever it may mean. */
function readStatus({ status }: JsonObject): string {
  return statusCodes.get(textOf(status) ?? '') ?? ''
}

const readLevel = codeReader(levelWords)
const readInsuranceType = codeReader(insuranceTypeWords)
const readPeriod = codeReader(periodWords)
const readQuantity = codeReader(quantityWords)
const readAuthorization = codeReader(authorizationWords)
const readNetwork = codeReader(networkWords)

/** One row; one more for each further age limit, of which an EB holds one. */
function readEntry(json: JsonObject, { code, diagnoses, plan }: EntryContext): BenefitRow[] {
  const { indicator, id, description } = objectOf(json.network)
  const limits = objectsOf(json.serviceLimits)
  const [firstAge, ...furtherAges] = limits.flatMap(readAge)
  const { value, qualifier } = objectOf(json.quantity)
  const stated = { quantityQualifier: readQuantity(qualifier), quantity: textOf(value) }
  const hasQuantity = stated.quantity !== undefined
  const row: BenefitRow = {
    code,
    coverageLevel: readCoverageLevel(code, json.coverageLevel),
    ...readService(json.service),
    insuranceType: readInsuranceType(json.insuranceType),
    planDescription: textOf(json.planCoverageDescription) ?? plan,
    timeQualifier: readPeriod(json.timePeriod),
    amount: textOf(json.amount),
    percent: textOf(json.percent),
    ...(hasQuantity ? stated : (firstAge ?? stated)),
    authorizationIndicator: readAuthorization(json.priorAuthIndicator),
    networkIndicator: readNetwork(indicator),
    diagnosisPointers: readDiagnoses(json.diagnosis, diagnoses),
    deliveries: limits.flatMap(({ delivery }) => (isObject(delivery) ? [readDelivery(delivery)] : [])),
    references: [
      ...readPlanReferences(objectOf(json.additionalInformation), benefitReferenceWords),
      ...reference('N6', id, description),
    ],
    dates: readPlanDates(json.dates, 'benefit'),
    messages: [...textsOf(json.messages), ...readUnknownStatus(code, json.status)],
    additionalInformation: objectsOf(json.placesOfService).map(readPlace),
    entities: objectsOf(json.relatedEntities).map(readPlanEntity),
    rejections: [],
  }
  const ages = hasQuantity && firstAge ? [firstAge, ...furtherAges] : furtherAges
  return [row, ...ages.map((age) => ({ ...row, ...age }))]
}

function readUnknownStatus(code: string, status: unknown): string[] {
  const word = textOf(status)
  return code === '' && word !== undefined ? [`STATUS ${word}`] : []
}

/** The lists whose entries are figures, of somebody's. */
const WITH_FIGURES: ReadonlySet<string> = new Set(['A', 'B', 'C', 'F', 'G', 'J', 'Y'])
const INDIVIDUAL = 'IND'

/** The form demands a level and says INDIVIDUAL where the payer says none: of a statement without a figure it tells nothing. */
function readCoverageLevel(code: string, word: unknown): string | undefined {
  const level = readLevel(word)
  return level === INDIVIDUAL && !WITH_FIGURES.has(code) ? undefined : level
}

/** An entry speaks of one service: statements that differ in it alone were one row of the payer's. Figures and the plan stay apart. */
function keyOfStatement(row: BenefitRow): string | undefined {
  const { serviceTypeCodes, ...rest } = row
  const isJoinable = !WITH_FIGURES.has(row.code) && serviceTypeCodes.length > 0 && !isPlanWide(row)
  return isJoinable ? JSON.stringify(rest) : undefined
}

const PLAN_SERVICE = '30'
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
/** EB03 of a service that the entry speaks of without saying which: no code that means anything, so no coverage of the plan. */
const UNNAMED_SERVICE = '?'
/** EB13 components: qualifier, code, four modifiers, description, end of the code range. */
const RANGE_END = 7

/** EB03 or EB13. Only an entry without any service speaks of the plan as a whole. */
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
