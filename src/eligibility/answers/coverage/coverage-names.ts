// Names of plans and payers that are not medical coverage, or only a supplement to one: many of them answer service type 30. Source:
// x12-271.md 5, rule 7; rules.md 17; decisions/0073-coverage-that-is-no-medical-coverage.md.
import { MEDICARE_PRIMARY } from '../../../x12/codes/insurance-types.ts'
import { DENTAL_CARE, MENTAL_HEALTH, PHARMACY, VISION } from '../../../x12/codes/service-types.ts'
import type { BenefitRow } from '../../../x12/model.ts'
import { onceForTexts } from '../once-for-texts.ts'
import { LONGEST_TEXT, sentencesOfAll } from '../payer-text.ts'
import { cachedByName } from '../words/names/known-names.ts'
import { ADVANTAGE_NAME, SUPPLEMENT_NAME, SUPPLEMENT_TEXT } from '../words/names/payer-names.ts'
import { states } from '../words/phrase-group.ts'
import { EMPLOYER, EMPLOYER_GROUP, MORE_THAN_ONE_KIND } from '../words/programs/kinds-of-coverage.ts'
import type { Program } from '../words/programs/program.ts'
import { PROGRAMS } from '../words/programs/programs.ts'
import { programInFull } from '../words/sentences/abbreviations.ts'

const FIRST_WORDS = 3

interface Named {
  program: Program
  /** The name from the word that stands for the program. */
  from: string
}

/** The program that the name of a payer stands for; undefined for any name of medical coverage. */
export function programOfName(text: string): Program | undefined {
  return findProgram(text)?.program
}

/** The same of a plan, which may be named after its employer: "National Vision Inc PPO". */
export function programOfPlan(text: string): Program | undefined {
  const found = findProgram(text)
  if (!found || EMPLOYER.test(found.from)) return undefined
  return found.program.services.includes(MENTAL_HEALTH) && EMPLOYER_GROUP.test(found.from) ? undefined : found.program
}

const findProgram = cachedByName((text): Named | undefined => {
  const name = text.slice(0, LONGEST_TEXT).toUpperCase().trim()
  for (const program of PROGRAMS) {
    for (const pattern of program.names ?? []) {
      const found = pattern.exec(name)
      if (found) return { program, from: name.slice(found.index) }
    }
  }
  const joined = joinedPrograms(name)
  if (joined) return { program: joined, from: name }
  if (MORE_THAN_ONE_KIND.test(name)) return undefined
  const words = name.split(/[^A-Z]+/).slice(0, FIRST_WORDS)
  for (const program of PROGRAMS) {
    const word = words.find((each) => program.firstWords?.test(each))
    if (word !== undefined) return { program, from: name.slice(name.indexOf(word)) }
  }
  return undefined
})

/** Several kinds of coverage, none of them medical: "accident and critical illness", "life and dental". */
function joinedPrograms(name: string): Program | undefined {
  const parts = name.split(JOINED)
  if (parts.length < 2 || parts.length > MOST_JOINED) return undefined
  const programs = parts.flatMap((part) => findProgram(part.trim())?.program ?? [])
  const [first] = programs
  if (first === undefined || programs.length < parts.length) return undefined
  return { ...first, services: programs.flatMap(({ services }) => services) }
}

const JOINED = / AND | ?[&/+,] ?/
const MOST_JOINED = 4

/**
 * EB04 of coverage that pays for no ordinary visit: liability and no-fault insurance, workers' compensation, disability, long-term care,
 * life and property insurance, a litigation, cash, Medicaid that pays a premium of Medicare, and supplements to another plan. Source: X12 1336.
 */
const NOT_MEDICAL: ReadonlySet<string | undefined> = new Set([
  ...['14', '15', '47', 'AP', 'D', 'DB', 'FF', 'HS', 'LC', 'LD', 'LI', 'LT', 'PE', 'PL', 'PP', 'RP', 'SP', 'WC', 'WU'],
])
/** EB04 of coverage of teeth, of eyes and of drugs, and what it covers. Source: X12 1336. */
const OF_ONE_KIND: ReadonlyMap<string | undefined, string> = new Map([
  ['17', DENTAL_CARE],
  ['18', VISION],
  ['19', PHARMACY],
  ['MD', PHARMACY],
])

/** True for a row about a plan whose type covers none of the services. */
export function isLimitedByType({ insuranceType }: BenefitRow, services: readonly string[]): boolean {
  const covered = OF_ONE_KIND.get(insuranceType)
  return covered === undefined ? NOT_MEDICAL.has(insuranceType) : !services.includes(covered)
}

/** True for a row about a plan that, by its type or name, covers none of the services: vision, transportation, a liability policy. */
export function isLimitedByName(row: BenefitRow, services: readonly string[]): boolean {
  if (isLimitedByType(row, services)) return true
  const name = row.planDescription?.slice(0, LONGEST_TEXT).toUpperCase().trim()
  const program = name === undefined ? undefined : programOfPlan(programInFull(name))
  return program !== undefined && !program.services.some((code) => services.includes(code))
}

/** EB04 of coverage that pays after Medicare: Medigap, "Medicare (Conditionally) Primary", and Medicaid for the cost sharing of Medicare. */
const SUPPLEMENTS: ReadonlySet<string | undefined> = new Set(['MH', 'MI', MEDICARE_PRIMARY, 'CP', 'QM'])

/** True for an active row about a plan that pays only after Medicare, by its own name, its text or its payer's name, so that Medicare is primary. */
export function supplementsMedicare(row: BenefitRow, payerName = ''): boolean {
  const { insuranceType, planDescription = '', messages } = row
  const names = [planDescription, payerName].map((name) => name.toUpperCase().trim())
  // Relays also mark a Medicare Advantage plan so: DUAL COMPLETE HMOPOS.
  const isAdvantage = insuranceType === MEDICARE_PRIMARY && states(ADVANTAGE_NAME, planDescription)
  if ((SUPPLEMENTS.has(insuranceType) && !isAdvantage) || names.some((name) => states(SUPPLEMENT_NAME, name)))
    return true
  return saysSupplement(messages)
}

/** True when a text says that the coverage supplements Medicare. */
export const saysSupplement = onceForTexts((texts) =>
  sentencesOfAll(texts).some((sentence) => states(SUPPLEMENT_TEXT, sentence)),
)
