import { isActiveRow, isInactiveRow, isPlanRow } from '../../../x12/benefit-row.ts'
import type { BenefitRow } from '../../../x12/model.ts'
import type { RowOptions } from '../benefits/benefit-notes.ts'
import { isLimitedByName } from './coverage-names.ts'

/**
 * A row of many services and numbers is listed once for each combination, so hostile input could grow a thousandfold. Real answers have
 * hundreds of rows, most of them about one service.
 */
const FIGURES_MAX = 10_000
/** Its texts are listed with each of its figures: as many characters as a whole answer may have. */
const FIGURE_CHARACTERS_MAX = 1_500_000

/** The plan of the structured slots when the payer answers about several. */
export interface Plans {
  chosen: string | undefined
  /** True when active plan rows have different names (EB05): then only rows of the chosen plan may fill slots. */
  several: boolean
  inactive: ReadonlySet<string>
  /** Names of plans for single services (dental, drugs), whose figures are not those of the plan even if they are stated for it. */
  ofServices: ReadonlySet<string>
  /** Figures without the name of a plan that stand below a plan for single services. */
  ofBlocks: ReadonlySet<BenefitRow>
  /** Medicare answers with Part A and Part B rows for the same slots; Part B covers professional services. */
  hasPartB: boolean
  /** The owner of the figures, when they are not the patient's: then they fill no slots. */
  label?: string | undefined
  /** How rows are described relative to the plan of the slots. */
  options: RowOptions
  /** How many more numbers the lists accept. */
  figuresLeft: number
  /** How many more characters of notes they accept. */
  charactersLeft: number
}

/**
 * The plans of an answer. `row` is the one that decided the status, whose plan fills the slots; with a `label` the figures are of somebody
 * else. The caller counts `figuresLeft` and `charactersLeft` down.
 */
export function readPlans(rows: readonly BenefitRow[], row: BenefitRow | undefined, label?: string): Plans {
  const active = new Set<string>()
  const inactive = new Set<string>()
  const ofServices = new Set<string>()
  let hasPartB = false
  for (const each of rows) {
    if (each.insuranceType === 'MB') hasPartB = true
    const name = planNameOf(each)
    if (name === undefined) continue
    if (!isPlanRow(each)) {
      if (isActiveRow(each)) ofServices.add(name)
      continue
    }
    if (isActiveRow(each)) active.add(name)
    if (isInactiveRow(each)) inactive.add(name)
  }
  const several = active.size > 1
  const chosen = row && planNameOf(row)
  const ended = new Set([...inactive].filter((name) => !active.has(name)))
  const options = { plan: chosen, namesPartA: hasPartB, label, ended }
  return {
    chosen,
    several,
    inactive,
    ofServices,
    ofBlocks: chosen === undefined || active.size < 2 ? NO_ROWS : rowsOfOtherBlocks(rows),
    hasPartB,
    label,
    options,
    figuresLeft: FIGURES_MAX,
    charactersLeft: FIGURE_CHARACTERS_MAX,
  }
}

const NO_ROWS: ReadonlySet<BenefitRow> = new Set()

/**
 * The figures of the plan that follow the row of a vision plan and the like, where the figures of medical coverage follow the row of their own plan:
 * such a payer (UHC) states one plan after the other. Where all plans come first, the figures are of any.
 */
function rowsOfOtherBlocks(rows: readonly BenefitRow[]): ReadonlySet<BenefitRow> {
  const ofOthers = new Set<BenefitRow>()
  let isOfOther: boolean | undefined
  let hasOwn = false
  for (const row of rows) {
    if (!isPlanRow(row)) continue
    if (isActiveRow(row)) isOfOther = isLimitedByName(row, [])
    else if (!AMOUNTS.has(row.code) || row.planDescription !== undefined) continue
    else if (isOfOther) ofOthers.add(row)
    else if (isOfOther === false) hasOwn = true
  }
  return hasOwn ? ofOthers : NO_ROWS
}

/** EB01: coinsurance, copay, deductible, out-of-pocket maximum. */
const AMOUNTS: ReadonlySet<string | undefined> = new Set(['A', 'B', 'C', 'G'])

/** EB05 in capitals; undefined when it is blank. */
export function planNameOf(row: BenefitRow): string | undefined {
  return row.planDescription?.trim().toUpperCase() || undefined
}

/**
 * True for a named plan that is not the chosen one, while several are active or that one is inactive. A row without a name is of every
 * plan, unless it stands below another one.
 */
export function isOfAnotherPlan(row: BenefitRow, plans: Plans): boolean {
  const name = planNameOf(row)
  if (name === undefined) return plans.ofBlocks.has(row)
  if (name === plans.chosen) return false
  return plans.several || plans.inactive.has(name) || (isPlanRow(row) && plans.ofServices.has(name))
}
