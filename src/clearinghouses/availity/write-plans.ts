import { isActiveRow, isPlanRow, textsOf } from '../../x12/benefit-row.ts'
import { benefitNames, NON_COVERED } from '../../x12/codes/benefits.ts'
import { insuranceTypeNames } from '../../x12/codes/insurance-types.ts'
import { PLAN_NUMBER, referenceName } from '../../x12/codes/references.ts'
import { PLAN_SERVICE, serviceTypeNames } from '../../x12/codes/service-types.ts'
import { datesOfLevels } from '../../x12/coverage-dates.ts'
import type { BenefitRow, PatientResponse } from '../../x12/model.ts'
import type { JsonObject } from '../json-values.ts'
import { isStatus } from './coverage-keys.ts'
import { addTo, present } from './coverage-values.ts'
import { writeDetails } from './write-details.ts'
import { writeContact, writePayers } from './write-parties.ts'
import { writePeriods, writeReferences } from './write-periods-and-references.ts'

/**
 * The plans of an answer: rows with the same insurance type (EB04) form one plan, and rows without one belong to the first plan. Our
 * choice: X12 has no plan as such, and payers that describe several plans (Medicare A and B) distinguish them by insurance type, or a former and
 * a current one by name and dates.
 */
export function writePlans(patient: PatientResponse, day: string): JsonObject[] {
  // An R row describes another payer's plan.
  const typeOf = ({ code, insuranceType }: BenefitRow) => (code === 'R' ? undefined : insuranceType)
  const first = patient.benefits.map(typeOf).find((type) => type !== undefined)
  const byType = new Map<string | undefined, BenefitRow[]>([[first, []]])
  for (const row of patient.benefits) addTo(byType, typeOf(row) ?? first, row)
  const ofMember = describeMember(patient, day)
  const nameOfMember = planNameIn(patient.dependent) ?? planNameIn(patient.subscriber)
  return [...byType].flatMap(([type, rows]) =>
    plansOf(rows).map((ofPlan) => writePlan(type, ofPlan, { day, ofMember, nameOfMember })),
  )
}

/** The rows of each plan that has a status of its own. The others belong to the one that they name, else to the first active one. */
function plansOf(rows: readonly BenefitRow[]): BenefitRow[][] {
  const heads = rows.filter(isPlanStatus)
  const plans = new Map<string, BenefitRow[]>()
  const byHead = new Map<BenefitRow, BenefitRow[]>()
  const byName = new Map<string | undefined, BenefitRow[]>()
  for (const head of heads) {
    const { planDescription: name, dates } = head
    const key = JSON.stringify([name, dates])
    const plan = plans.get(key) ?? []
    plans.set(key, plan)
    byHead.set(head, plan)
    if (name !== undefined && !byName.has(name)) byName.set(name, plan)
  }
  if (plans.size < 2) return [[...rows]]
  const main = byHead.get(heads.find(isActiveRow) ?? heads[0]!)!
  for (const row of rows) {
    const plan = byHead.get(row) ?? byName.get(row.planDescription) ?? main
    plan.push(row)
  }
  return [...plans.values()]
}

/** The references and periods that the levels of the patient and the subscriber state for every plan. */
function describeMember(patient: PatientResponse, day: string): JsonObject {
  const { references } = patient.dependent ?? patient.subscriber
  return {
    ...writeReferences([...references, ...patient.subscriber.references]),
    ...writePeriods(datesOfLevels(patient), day),
  }
}

function writePlan(
  insuranceType: string | undefined,
  rows: BenefitRow[],
  { day, ofMember, nameOfMember }: { day: string; ofMember: JsonObject; nameOfMember: string | undefined },
): JsonObject {
  // A service that ended does not determine the status of the plan.
  const status = rows.find(isPlanStatus) ?? rows.find(isActiveRow) ?? rows.find(isStatus)
  const [caregiver, ...others] = rows.flatMap((row) =>
    row.code === 'L' ? row.entities.map((party) => writeContact(party, row)) : [],
  )
  return present({
    status: status && benefitNames[status.code],
    statusCode: status?.code,
    ...writeReferences(status?.references ?? []),
    ...writePeriods(status?.dates ?? [], day),
    ...ofMember,
    planName: status?.planDescription ?? planNameIn(status) ?? nameOfMember,
    insuranceType: insuranceType && insuranceTypeNames[insuranceType],
    insuranceTypeCode: insuranceType,
    primaryCareProvider: caregiver,
    contacts: others,
    additionalPayers: rows.filter(({ code }) => code === 'R').flatMap(writePayers),
    benefits: writeBenefits(rows),
  })
}

/** REF*18 with a name, which Availity has only as the name of the plan. */
const planNameIn = (of: PatientResponse['dependent'] | BenefitRow) => referenceName(of, PLAN_NUMBER)

const isPlanStatus = (row: BenefitRow) => isStatus(row) && isPlanRow(row) && !row.procedure

/** One benefit per service type or procedure, in the order in which the payer lists them. */
function writeBenefits(rows: BenefitRow[]): JsonObject[] {
  const byService = new Map<string, BenefitRow[]>()
  for (const row of rows) {
    if (row.code === 'R' || (row.code === 'L' && row.entities.length > 0)) continue
    for (const service of subjectsOf(row)) addTo(byService, service, row)
  }
  return [...byService].map(([service, rowsOfService]) => writeBenefit(service, rowsOfService))
}

/** The services of a row; without one its procedure, else the plan. */
function subjectsOf({ serviceTypeCodes, procedure }: BenefitRow): string[] {
  return serviceTypeCodes.length > 0 ? serviceTypeCodes : [procedure?.[1] ?? PLAN_SERVICE]
}

function writeBenefit(service: string, rows: BenefitRow[]): JsonObject {
  const status = rows.find(isStatus) ?? rows.find(isPlainExclusion)
  // The status has no dates, level, network, procedure or place; details with the same status have them. Its plan has the dates of the plan's own status.
  const isInDetail = ({ coverageLevel, deliveries, quantity, ...row }: BenefitRow) => {
    const { dates, networkIndicator, procedure, additionalInformation } = row
    return (
      coverageLevel !== undefined ||
      quantity !== undefined ||
      deliveries.length > 0 ||
      (procedure !== undefined && service !== procedure[1]) ||
      networkIndicator === 'N' ||
      additionalInformation.some(({ code }) => code !== undefined) ||
      (dates.length > 0 && service !== PLAN_SERVICE)
    )
  }
  const isDetailed = rows.some((row) => isStatus(row) && isInDetail(row))
  const others = rows.filter((row) => row !== status || isDetailed)
  return present({
    name: serviceTypeNames[service] ?? service,
    type: service,
    status: status && benefitNames[status.code],
    statusCode: status?.code,
    payerNotes: isDetailed || !status ? undefined : textsOf(status).map((message) => ({ message })),
    ...writeDetails(others),
    contacts: rows.flatMap(({ entities }) => entities.map((party) => writeContact(party))),
  })
}

/** `not covered` without restrictions is the benefit's status; a row with more information is a detail. */
function isPlainExclusion(row: BenefitRow): boolean {
  const { code, networkIndicator, amount, quantity, coverageLevel, dates, additionalInformation } = row
  if (code !== NON_COVERED || dates.length > 0 || additionalInformation.length > 0) return false
  return [networkIndicator, amount, quantity, coverageLevel].every((value) => value === undefined)
}
