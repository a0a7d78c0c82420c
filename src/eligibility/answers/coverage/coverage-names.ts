// Names of plans and payers that are not medical coverage, or only a supplement to one: many of them answer service type 30. Source:
// x12-271.md 5, rule 7; rules.md 17; decisions/0073-coverage-that-is-no-medical-coverage.md.
import type { BenefitRow } from '../../../x12/model.ts'

/** Names of limited programs, each with the program in the words of limited-coverage.ts. */
const PROGRAM_NAMES: readonly (readonly [name: RegExp, program: string])[] = [
  [/\bFAMILY PLANNING\b|\bFAMILY PACT\b|^PLAN FIRST$|\bHEALTHY TEXAS WOMEN\b/, 'FAMILY PLANNING'],
  [
    /\bPLANNING FOR HEALTHY BABIES\b|^(?:P4HB|TAKE CHARGE(?: PLUS)?|BE SMART|SOONERPLAN)$|\bWOMEN'?S HEALTH (?:WAIVER|PROGRAM)\b/,
    'FAMILY PLANNING',
  ],
  [/\bMINOR CONSENT\b/, 'MINOR CONSENT'],
  [/\bTUBERCULOSIS\b/, 'TUBERCULOSIS'],
  [/\bCOVID(?:-?19)?\b/, 'COVID'],
  [/\bEMERGENCY (?:MEDICAID|MEDICAL|SERVICES|MEDI-?CAL)\b/, 'EMERGENCY'],
  [/\bPRENATAL\b|\bCHIP PERINATAL\b|\bPRESUMPTIVE(?: [A-Z]+){0,3} PREGNAN/, 'PREGNANCY'],
  [/^(?:SLMB|QI-?1?|QDWI)(?: (?:ONLY|PROGRAM))?$/, 'PREMIUM'],
  [/^(?:(?:QUALIFYING|QUALIFIED)(?: DISABLED)?(?: WORKING)? INDIVIDUALS?\b|SPECIFIED LOW[ -]INCOME)/, 'PREMIUM'],
  [/^(?:MEDICARE SAVINGS|PART B BUY-?IN)\b/, 'PREMIUM'],
  [/\bTRANSPORTATION (?:BROKER|SERVICES|PROGRAM|ONLY)\b|^NEMT\b/, 'TRANSPORTATION'],
  [/\bADAP\b|\bDRUG ASSISTANCE\b/, 'PHARMACY'],
  [
    /^(?:HEARING(?: AIDS?)?|TRAVEL(?:ERS?)?|STOP[ -]LOSS)(?: (?:BENEFITS?|PLAN|INSURANCE|POLICY|COVERAGE))*$/,
    'INDEMNITY',
  ],
  [/^ACCIDENT MEDICAL\b/, 'ACCIDENT'],
  [/(?<!\b(?:AND|&) )\bACCIDENT (?:INSURANCE|PLAN|POLICY|PROGRAM|COVERAGE|BENEFITS?)\b/, 'ACCIDENT'],
  [/^(?:FSA|HSA|HEALTH SAVINGS(?: ACCOUNT)?|(?:HEALTH(?:CARE)? )?FLEXIBLE SPENDING(?: ACCOUNT)?)$/, 'HRA'],
  [/\b(?:HOSPITAL|FIXED|ACCIDENT)(?: CONFINEMENT)? INDEMNITY\b/, 'INDEMNITY'],
  [
    /^(?:GROUP |INDIVIDUAL )?(?:CRITICAL ILLNESS|CANCER|ACCIDENT)(?: (?:POLICY|PLAN|INSURANCE|COVERAGE|ONLY))*$/,
    'ACCIDENT',
  ],
  [/\bDISCOUNT (?:\w+ )?(?:CARD|PLAN|PROGRAM)\b/, 'DISCOUNT'],
  [/^(?:ICHRA|QSEHRA|HRA|INDIVIDUAL COVERAGE HRA|HEALTH REIMBURSEMENT)\b/, 'HRA'],
  [/^(?:TRICARE )?DIRECT CARE\b/, 'DIRECT CARE'],
  [/\b(?:SHORT|LONG)[ -]TERM DISABILITY\b|^(?:TERM |GROUP |WHOLE )?LIFE(?: (?:INSURANCE|POLICY))?$/, 'INDEMNITY'],
  [/^(?:EMPLOYEE ASSISTANCE|EAP)\b/, 'BEHAVIORAL HEALTH'],
  [/^(?:\w+ ){0,2}BEHAVIORAL HEALTH\b/, 'BEHAVIORAL HEALTH'],
  [/^(?:CVS )?CAREMARK\b|^OPTUM ?RX\b|^EXPRESS SCRIPTS\b|^MEDIMPACT\b|^PRIME THERAPEUTICS\b|^NAVITUS\b/, 'PHARMACY'],
  [/^(?:MEDICARE )?(?:PART D|PDP|PRESCRIPTION DRUGS?|PHARMACY|RX)\b(?!.*\b(?:MEDICAL|HEALTH|HOSPITAL)\b)/, 'PHARMACY'],
]

const KINDS: readonly (readonly [word: RegExp, program: string])[] = [
  [/^(?:DENTAL|DENTIST|DPPO|DHMO|DENTAQUEST)$/, 'DENTAL'],
  [/^(?:VISION|VSP|EYEMED|EYECARE|OPTICAL|SPECTERA)$/, 'VISION'],
]
/** A name of dental or vision coverage states so at its beginning; a medical plan appends it: GOLD HMO WITH DENTAL. */
const FIRST_WORDS = 3
const MORE_THAN_ONE_KIND =
  /\b(?:MEDICAL|HEALTH\w*|HOSPITALS?|MAJOR|COMPREHENSIVE|WITH|W|INCL\w*|PEDIATRIC|CHILD|EMBEDDED|EPO|POS|HDHP|HSA|GOLD|SILVER|BRONZE|PLATINUM|MEDICA(?:ID|RE))\b/

const MEDICAL_FIRST = /\b(?:HMO|PPO)\b.+\b(?:DENTAL|VISION)\b/

/** The program that the name of a plan or payer stands for; undefined for any name of medical coverage. */
export function programOfName(text: string): string | undefined {
  const name = text.toUpperCase().trim()
  const stated = PROGRAM_NAMES.find(([pattern]) => pattern.test(name))
  if (stated) return stated[1]
  if (MORE_THAN_ONE_KIND.test(name)) return undefined
  if (MEDICAL_FIRST.test(name)) return undefined
  const words = name.split(/[^A-Z]+/).slice(0, FIRST_WORDS)
  return KINDS.find(([word]) => words.some((each) => word.test(each)))?.[1]
}

/**
 * EB04 of coverage that pays for no ordinary visit: liability and no-fault insurance, workers' compensation, disability, long-term care,
 * life and property insurance, a litigation, cash, Medicaid that pays a premium of Medicare, and supplements to another plan. Source: X12 1336.
 */
const NOT_MEDICAL: ReadonlySet<string | undefined> = new Set([
  ...['14', '15', '47', 'AP', 'D', 'DB', 'FF', 'HS', 'LC', 'LD', 'LI', 'LT', 'PE', 'PL', 'PP', 'RP', 'SP', 'WC'],
])

/** True for a row about a plan whose type is not medical coverage. */
export function isNotMedical({ insuranceType }: BenefitRow): boolean {
  return NOT_MEDICAL.has(insuranceType)
}

/** EB04 of coverage that pays after Medicare: Medigap, "Medicare Primary", and Medicaid for the cost sharing of Medicare. */
const SUPPLEMENTS: ReadonlySet<string | undefined> = new Set(['MH', 'MI', 'MP', 'QM'])
const SUPPLEMENT_NAME =
  /\bMEDIGAP\b|\bMEDICARE SUPP?L?(?:EMENT(?:AL)?)?\b|\bSUPPLEMENT(?:S|AL)? TO MEDICARE\b|^QMB(?: (?:ONLY|PROGRAM))?$|\bTRICARE FOR LIFE\b|^TFL\b|\bMEDICARE (?:CO-?INSURANCE|COST[- ]SHARING|DEDUCTIBLES?)\b.*\bONLY\b/

/** True for an active row about a plan that pays only after Medicare, by its own name or its payer's, so that Medicare is primary. */
export function supplementsMedicare({ insuranceType, planDescription = '' }: BenefitRow, payerName = ''): boolean {
  const names = [planDescription, payerName].map((name) => name.toUpperCase().trim())
  return SUPPLEMENTS.has(insuranceType) || names.some((name) => SUPPLEMENT_NAME.test(name))
}
