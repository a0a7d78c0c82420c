// A 271 in Stedi's form since 2026-06-01: benefits grouped by plan, codes spelled out. Content without a field in the published form is
// left out here as it is there; `x12` holds the whole 271.

import type { JsonObject } from '../../../clearinghouses/json-values.ts'
import {
  authorizationWords,
  benefitLists,
  benefitReferenceWords,
  deliveryQuantityWords,
  frequencyWords,
  insuranceTypeWords,
  levelWords,
  locationWords,
  networkWords,
  patternWords,
  periodWords,
  procedureSystems,
  quantityWords,
  SERVICE_TYPE_SYSTEM,
  scheduleWords,
  statusWords,
  traceWords,
} from '../../../clearinghouses/stedi/plan-names.ts'
import {
  classifyRejection,
  describeFollowUp,
  describeHandling,
  describeReason,
} from '../../../eligibility/answers/rejections/rejections.ts'
import { isActiveRow, isInactiveRow, isPlanRow, textsOf } from '../../../x12/benefit-row.ts'
import { placeOfServiceNames } from '../../../x12/codes/places-of-service.ts'
import { serviceTypeName } from '../../../x12/codes/service-types.ts'
import type { BenefitRow, Party, PatientResponse, Rejection, Response, ServiceDelivery } from '../../../x12/model.ts'
import {
  present,
  writeDates,
  writeEntity,
  writeMember,
  writePayer,
  writeProvider,
  writeReferences,
} from './write-plan-parties.ts'

/** The body of an answer to `POST /2026-06-01/eligibility-check`. */
export function writePlans(
  response: Response,
  patient: PatientResponse,
  { raw, id, eligibilitySearchId }: { raw: string; id: string; eligibilitySearchId: string },
): JsonObject {
  const { payer, provider, subscriber, dependent, rejections, benefits } = patient
  const { traces } = dependent ?? subscriber
  return present({
    id,
    eligibilitySearchId,
    meta: present({
      traceId: response.reference,
      outboundTraceId: response.reference,
      subscriberTraceNumbers: traces.map(writeTrace),
    }),
    payerId: payer?.id,
    payer: payer && writePayer(payer),
    provider: provider && writeProvider(provider),
    subscriber: writeMember(subscriber),
    dependent: dependent && writeMember(dependent),
    plans: writePlanList(benefits, dependent ?? subscriber),
    errors: rejections.map(writeError),
    x12: raw,
  })
}

/** One entry for each name of an active or inactive plan; a row with no such name belongs to the first active plan, else to the first. */
function writePlanList(rows: readonly BenefitRow[], patient: Party): JsonObject[] {
  if (rows.length === 0) return []
  const stated = rows.filter((row) => isPlanRow(row) && (isActiveRow(row) || isInactiveRow(row)))
  const names = [...new Set(stated.map(({ planDescription }) => planDescription))]
  const first = (stated.find(isActiveRow) ?? stated[0])?.planDescription
  const planOf = ({ planDescription }: BenefitRow) => (names.includes(planDescription) ? planDescription : first)
  const plans = names.length === 0 ? [undefined] : names
  return plans.map((name) =>
    present({
      name,
      benefits: writeBenefits(
        rows.filter((row) => planOf(row) === name),
        patient,
      ),
    }),
  )
}

/** The lists whose entries must have a figure, and which one; an entry without it is listed as invalid. */
const FIGURES: Readonly<Record<string, 'amount' | 'percent'>> = {
  A: 'percent',
  B: 'amount',
  C: 'amount',
  G: 'amount',
  J: 'amount',
  Y: 'amount',
}
const MISSING = {
  amount: { code: 'MISSING_AMOUNT', description: 'Required amount is missing.' },
  percent: { code: 'MISSING_PERCENT', description: 'Required percent is missing.' },
}
/** The lists whose entries have a period, and those that also have a quantity. */
const WITH_PERIOD = new Set(['A', 'B', 'C', 'F', 'G', 'J', 'Y'])
const WITH_QUANTITY = new Set(['B', 'C', 'F', 'G', 'J', 'Y'])

function writeBenefits(rows: readonly BenefitRow[], patient: Party): JsonObject {
  const benefits: Record<string, JsonObject[]> = {}
  const invalidEntries: Record<string, JsonObject[]> = {}
  for (const row of rows) {
    const list = statusWords[row.code] ? 'statuses' : benefitLists[row.code]
    if (list === undefined) continue
    const figure = FIGURES[row.code]
    const isInvalid = figure !== undefined && row[figure] === undefined
    for (const entry of writeEntries(row, patient)) {
      const target = isInvalid ? invalidEntries : benefits
      target[list] = [...(target[list] ?? []), isInvalid ? { ...entry, invalidReasons: [MISSING[figure]] } : entry]
    }
  }
  return present({ ...benefits, invalidEntries: Object.keys(invalidEntries).length > 0 ? invalidEntries : undefined })
}

/** An entry describes one service: a row with several services becomes several entries. */
function writeEntries(row: BenefitRow, patient: Party): JsonObject[] {
  const services = row.serviceTypeCodes.map((value) => ({
    value,
    definition: serviceTypeName(value),
    system: SERVICE_TYPE_SYSTEM,
  }))
  const service = writeProcedure(row)
  const common = writeEntry(row, patient)
  const all = services.length > 0 ? services.map(present) : [service]
  return all.map((each) => present({ ...common, service: each }))
}

function writeEntry(row: BenefitRow, patient: Party): JsonObject {
  const network = row.references.find(({ qualifier }) => qualifier === 'N6')
  const indicator = row.networkIndicator && networkWords[row.networkIndicator]
  return present({
    status: statusWords[row.code],
    // The published form requires one.
    coverageLevel: (row.coverageLevel && levelWords[row.coverageLevel]) ?? levelWords.IND,
    insuranceType: row.insuranceType && insuranceTypeWords[row.insuranceType],
    network: orNothing({ indicator, id: network?.value, description: network?.description }),
    priorAuthIndicator: row.authorizationIndicator && authorizationWords[row.authorizationIndicator],
    messages: textsOf(row),
    serviceLimits: writeLimits(row),
    dates: writeDates(row.dates),
    relatedEntities: row.entities.map(writeEntity),
    placesOfService: row.additionalInformation.flatMap(({ code }) =>
      code === undefined ? [] : [present({ code, name: placeOfServiceNames[code] })],
    ),
    additionalInformation: orNothing(writeReferences(row.references, benefitReferenceWords)),
    planCoverageDescription: row.planDescription,
    diagnosis: writeDiagnosis(row, patient),
    timePeriod: WITH_PERIOD.has(row.code) && row.timeQualifier ? periodWords[row.timeQualifier] : undefined,
    amount: row.amount,
    percent: row.percent?.startsWith('.') ? `0${row.percent}` : row.percent,
    quantity: writeQuantity(row),
  })
}

function writeProcedure({ procedure }: BenefitRow): JsonObject | undefined {
  if (!procedure) return undefined
  const [qualifier = '', code = ''] = procedure
  const end = procedure[7]
  const system = procedureSystems[qualifier]
  if (end) return present({ system, range: { start: { value: code }, end: { value: end } } })
  return present({ value: code, system })
}

const AGES: Readonly<Record<string, string>> = { S7: 'ageMaximum', S8: 'ageMinimum' }

function writeQuantity({ code, quantity, quantityQualifier = '' }: BenefitRow): JsonObject | undefined {
  if (!WITH_QUANTITY.has(code) || quantity === undefined || AGES[quantityQualifier]) return undefined
  return present({ value: quantity, qualifier: quantityWords[quantityQualifier] })
}

function writeLimits({ deliveries, quantity, quantityQualifier = '' }: BenefitRow): JsonObject[] {
  const age = AGES[quantityQualifier]
  return [
    ...(age === undefined || quantity === undefined ? [] : [{ [age]: Number(quantity) }]),
    ...deliveries.map((delivery) => ({ delivery: writeDelivery(delivery) })),
  ]
}

function writeDelivery(delivery: ServiceDelivery): JsonObject {
  const { quantity, quantityQualifier = '', modulus, frequencyUnit = '', periodCount, periodQualifier = '' } = delivery
  const { pattern = '', timePattern = '' } = delivery
  return present({
    quantity: orNothing({ value: quantity, qualifier: deliveryQuantityWords[quantityQualifier] }),
    period: orNothing({
      value: periodCount === undefined ? undefined : Number(periodCount),
      qualifier: periodWords[periodQualifier],
    }),
    frequency: orNothing({ value: modulus, qualifier: frequencyWords[frequencyUnit] }),
    delivery: orNothing({ schedule: scheduleWords[pattern], pattern: patternWords[timePattern] }),
  })
}

function writeDiagnosis({ diagnosisPointers = [] }: BenefitRow, { diagnoses = [] }: Party): JsonObject | undefined {
  const codes = diagnosisPointers.flatMap((pointer) => diagnoses[Number(pointer) - 1]?.code ?? [])
  return codes.length > 0 ? { codeSystem: 'ICD-10-CM', codes: codes.map((value) => ({ value })) } : undefined
}

function writeError(rejection: Rejection): JsonObject {
  const { reasonCode = '', loop } = rejection
  return {
    code: reasonCode,
    description: describeReason(rejection) ?? reasonCode,
    followupAction: describeFollowUp(rejection) ?? '',
    location: locationWords[loop] ?? locationWords[loop.replace('2000', '2100')] ?? loop,
    possibleResolutions: describeHandling(classifyRejection(rejection)),
  }
}

function writeTrace({ type, number, originator, subdivision }: Party['traces'][number]): JsonObject {
  return present({
    type: traceWords[type],
    referenceIdentification: number,
    originatingCompanyIdentifier: originator,
    secondaryReferenceIdentification: subdivision,
  })
}

function orNothing(members: JsonObject): JsonObject | undefined {
  const content = present(members)
  return Object.keys(content).length > 0 ? content : undefined
}
