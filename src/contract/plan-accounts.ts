// Deductibles and out-of-pocket maxima as people read them, and the names of figures and levels: the printed table and the console have the same.
import type { Static } from 'typebox'
import type { BenefitType, CoverageLevel, CoverageValue, PlanCoverageDetails } from './benefits.schema.ts'
import { isUnlimited } from './unlimited.ts'

/** Whose a figure is, by its key in the structured values. */
export type Level = keyof Static<typeof CoverageValue>

/** In the order in which they are shown. */
export const levelNames: Readonly<Record<Level, string>> = {
  individual: 'individual',
  family: 'family',
  employeeAndSpouse: 'employee and spouse',
  employeeAndChildren: 'employee and children',
}

/** The flat list's names of the same levels. */
export const levelOf: Readonly<Record<Static<typeof CoverageLevel>, Level>> = {
  INDIVIDUAL: 'individual',
  EMPLOYEE_ONLY: 'individual',
  FAMILY: 'family',
  EMPLOYEE_AND_SPOUSE: 'employeeAndSpouse',
  EMPLOYEE_AND_CHILDREN: 'employeeAndChildren',
}

/** The same in words. */
export const coverageLevelNames: Readonly<Record<Static<typeof CoverageLevel>, string>> = {
  INDIVIDUAL: levelNames.individual,
  EMPLOYEE_ONLY: 'employee only',
  FAMILY: levelNames.family,
  EMPLOYEE_AND_SPOUSE: levelNames.employeeAndSpouse,
  EMPLOYEE_AND_CHILDREN: levelNames.employeeAndChildren,
}

/** ` (family)` behind a figure; nothing for a person's own. */
export const whoseFigure = (level: Static<typeof CoverageLevel>): string =>
  level === 'INDIVIDUAL' ? '' : ` (${coverageLevelNames[level]})`

/** Figures of the flat list in words. */
export const figureNames: Partial<Record<Static<typeof BenefitType>, string>> = {
  COPAY: 'copay',
  COINSURANCE: 'coinsurance',
  NON_COVERED: 'not covered',
  DEDUCTIBLE: 'deductible',
  DEDUCTIBLE_CONTRACT: 'deductible of the contract year',
  DEDUCTIBLE_REMAINING: 'deductible remaining',
  DEDUCTIBLE_YEAR_TO_DATE: 'deductible met',
  OOP_MAX: 'out-of-pocket maximum',
  OOP_MAX_CONTRACT: 'out-of-pocket maximum of the contract year',
  OOP_MAX_REMAINING: 'out-of-pocket remaining',
  OOP_MAX_YEAR_TO_DATE: 'out-of-pocket met',
}

/** Dollars. */
export interface Amounts {
  total?: number | undefined
  met?: number | undefined
  remaining?: number | undefined
  /** The one of the three that the payer did not state and that follows from the other two. */
  computed?: 'total' | 'met' | 'remaining'
}

interface PlanAccount extends Amounts {
  kind: 'deductible' | 'oop_max'
  /** `Deductible`, `Out-of-pocket maximum of the contract year`. */
  name: string
  isOfContractYear: boolean
  level: Level
}

const KINDS = [
  ['deductible', 'Deductible'],
  ['oop_max', 'Out-of-pocket maximum'],
] as const

/** The accounts of a plan in one network that have an amount, by kind and level. */
export function accountsOf(details: Static<typeof PlanCoverageDetails> = {}): PlanAccount[] {
  return KINDS.flatMap(([kind, name]) =>
    (Object.keys(levelNames) as Level[]).flatMap((level) => {
      const stated: Amounts = {
        total: details[kind]?.[level],
        met: details[`${kind}_year_to_date`]?.[level],
        remaining: details[`${kind}_remaining`]?.[level],
      }
      const [ofYear, ofContract] = withContract(stated, details[`${kind}_contract`]?.[level])
      return [
        ...complete({ kind, name, isOfContractYear: false, level }, ofYear),
        ...complete({ kind, name: `${name} of the contract year`, isOfContractYear: true, level }, ofContract),
      ]
    }),
  )
}

/**
 * EB06 24 and 29 do not state of which period they are the used and the remaining part: of the contract year (25) if it has the only total, or
 * the one that they add up to.
 */
function withContract(stated: Amounts, contract: number | undefined): [Amounts, Amounts] {
  const { total, met, remaining } = stated
  if (contract === undefined) return [stated, {}]
  const sum = met !== undefined && remaining !== undefined ? inCents(met + remaining) : (met ?? remaining)
  const fits = sum !== undefined && (sum === contract || (total === undefined && sum <= contract))
  if (!fits || sum === total) return [stated, { total: contract }]
  return [{ total }, { total: contract, met, remaining }]
}

/** Fills in the one of the three that follows from the other two, in whole cents and never below zero; nothing follows from "no limit". */
function complete(account: Omit<PlanAccount, keyof Amounts>, stated: Amounts): PlanAccount[] {
  const { total, met, remaining } = stated
  const base = { ...account, total, met, remaining }
  if ((total ?? met ?? remaining) === undefined) return []
  if ([total, met, remaining].some((amount) => amount !== undefined && (amount < 0 || isUnlimited(amount))))
    return [base]
  if (total !== undefined && met === undefined && remaining !== undefined && remaining <= total)
    return [{ ...base, met: inCents(total - remaining), computed: 'met' }]
  if (total !== undefined && met !== undefined && remaining === undefined && met <= total)
    return [{ ...base, remaining: inCents(total - met), computed: 'remaining' }]
  if (total === undefined && met !== undefined && remaining !== undefined)
    return [{ ...base, total: inCents(met + remaining), computed: 'total' }]
  return [base]
}

const inCents = (dollars: number): number => Math.round(dollars * 100) / 100

/** The period of a plan's figures unless they name another. Source: X12 615, 23. */
export const USUAL_PERIOD = 'Calendar Year'
