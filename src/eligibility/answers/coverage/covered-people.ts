// Whom a policy covers: EB02 of an active row may name only people other than the patient.

import { isActiveRow, isPlanRow } from '../../../x12/benefit-row.ts'
import { COVERAGE_BASIS } from '../../../x12/codes/benefits.ts'
import { CHILD, SELF } from '../../../x12/codes/relationships.ts'
import { isoDate } from '../../../x12/iso-date.ts'
import type { BenefitRow, PatientResponse } from '../../../x12/model.ts'
import { sentencesOfAll } from '../payer-text.ts'
import { states } from '../words/phrase-group.ts'
import { DEPENDENTS_ONLY, SUBSCRIBER_ONLY } from '../words/programs/limited.ts'
import { explainOutOfForce } from './in-force.ts'

/** EB02 without the subscriber: children, dependents, spouse, spouse and children. */
const WITHOUT_SUBSCRIBER: ReadonlySet<string | undefined> = new Set(['CHD', 'DEP', 'SPO', 'SPC'])
/** EB02 without dependents: employee only. */
const EMPLOYEE_ONLY = 'EMP'
/** EB02 that names children and no spouse, or a spouse and no children, with or without the employee. */
const CHILDREN: readonly string[] = ['CHD', 'ECH']
const SPOUSES: readonly string[] = ['SPO', 'ESP']
/** INS02: spouse, life partner; child. */
const WITHOUT_DEPENDENT: ReadonlyMap<string | undefined, ReadonlySet<string | undefined>> = new Map([
  ['01', new Set([EMPLOYEE_ONLY, ...CHILDREN])],
  ['53', new Set([EMPLOYEE_ONLY, ...CHILDREN])],
  ['19', new Set([EMPLOYEE_ONLY, ...SPOUSES])],
])
const SPOUSES_ALONE: ReadonlySet<string | undefined> = new Set(['SPO'])
const WITHOUT_DEPENDENTS: ReadonlySet<string | undefined> = new Set([EMPLOYEE_ONLY])
/** A child's own policy names children as well. Source: 42 USC 300gg-14, the age up to which a child is covered as a dependent. */
const ADULT_YEARS = 26

/**
 * The active rows about the plan, if each of them is for people other than the patient: a parent whose policy is for the children only, a
 * dependent of a policy for the employee only, a child of one for the spouse, by EB02 or in words. Source: 005010X279A1 2110C EB02.
 */
export function findOthersOnly(patient: PatientResponse, day: string): BenefitRow[] {
  const { subscriber, benefits } = patient
  const isOfOther = isDependent(patient)
  if (!isOfOther && !isAdult(subscriber.birthDate, day)) return []
  const others = levelsWithout(patient)
  const active = benefits.filter((row) => isActiveRow(row) && isPlanRow(row) && !explainOutOfForce(row.dates, day))
  const inWords = isOfOther ? SUBSCRIBER_ONLY : DEPENDENTS_ONLY
  const isForOthers = ({ coverageLevel, messages }: BenefitRow) =>
    others.has(coverageLevel) || sentencesOfAll(messages).some((text) => states(inWords, text))
  if (active.every(isForOthers)) return active
  const basis = benefits.filter(
    (row) => row.code === COVERAGE_BASIS && isPlanRow(row) && row.coverageLevel !== undefined,
  )
  return basis.every(({ coverageLevel }) => others.has(coverageLevel)) ? basis : []
}

/** The levels (EB02) whose figures are not the patient's: the children's, for a parent; the employee's, for a dependent. */
export function levelsOfOthers(patient: PatientResponse, day: string | undefined): ReadonlySet<string | undefined> {
  const { birthDate } = patient.subscriber
  // A child may have a policy of its own.
  const isChild = day !== undefined && isoDate(birthDate) !== undefined && !isAdult(birthDate, day)
  return isChild && !isDependent(patient) ? SPOUSES_ALONE : levelsWithout(patient)
}

/** EB02 that leaves the patient out: of an adult subscriber, or of a dependent. */
function levelsWithout(patient: PatientResponse): ReadonlySet<string | undefined> {
  const { subscriber, dependent } = patient
  if (!isDependent(patient)) return WITHOUT_SUBSCRIBER
  return WITHOUT_DEPENDENT.get((dependent ?? subscriber).relationshipCode) ?? WITHOUT_DEPENDENTS
}

/** True for a patient at the dependent's level, and for one with an own member id whom INS02 calls a spouse, child or the like. */
export function isDependent({ subscriber, dependent }: PatientResponse): boolean {
  return dependent !== undefined || (subscriber.relationshipCode ?? SELF) !== SELF
}

/** True for a dependent whom INS02 does not call a child. */
export function maybeSpouse(patient: PatientResponse): boolean {
  return isDependent(patient) && (patient.dependent ?? patient.subscriber).relationshipCode !== CHILD
}

const isAdult = (birthDate: string | undefined, day: string) => (ageOn(birthDate, day) ?? 0) >= ADULT_YEARS

/** Completed years of life on a day; undefined without a birth date. */
export function ageOn(birthDate: string | undefined, day: string): number | undefined {
  const born = isoDate(birthDate)
  if (born === undefined) return undefined
  const years = Number(day.slice(0, 4)) - Number(born.slice(0, 4))
  return born.slice(4) <= day.slice(4) ? years : years - 1
}
