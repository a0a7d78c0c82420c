// Words that mean the patient or the inquired coverage in some answers, and another person or coverage in all others.
import { cachedByName } from './known-names.ts'

/** Who answered, and about whom. */
export interface OwnNames {
  /** The patient is a dependent, so that "dependent" may be the patient. */
  isDependent: boolean
  /** Birth date of a patient who is not one year old: "newborn" is the patient. YYYY-MM-DD. */
  infantBorn?: string | undefined
  /** The patient is a dependent and not known to be a child, so that "spouse" may be the patient. */
  maybeSpouse: boolean
  /** Medicare itself answered, so that "Medicare" and "Part B" are the inquired coverage. */
  isMedicare: boolean
  /** A Medicaid program answered, so that "enrolled in a plan" is about managed care. */
  isMedicaid: boolean
  /** The VA pays for care by others, of which nothing is paid without its referral. */
  isOfVeterans: () => boolean
  /** Of the provider of the visit: what is restricted to this one is not restricted. */
  providerNpi?: string | undefined
  /** The payer by its name after WITH, BY, OF and the like (`payerNamed`); undefined if it has none. */
  payer?: RegExp | undefined
}

/** First words of payers' names that other organizations have as well. */
const COMMON =
  /^(?:AMERICAN|BENEFITS?|BLUE|CARE|COMMUNITY|DENTAL|FIRST|GROUP|HEALTH\w*|MEDICAID|MEDICARE|NATIONAL|PLAN|STATE|UNITED|VISION)$/

/** Not the beginning of another name: "with Texas Health Steps" in an answer of Texas Medicaid. */
const ALONE = '(?=\\W*$|\\W+(?:\\d|MEMBER\\W*$|EFF|AS OF|ON|SINCE|FOR|AT|DUE|ANY))'

/** NM103 has at most 60 characters. */
const LONGEST_NAME = 60

/** "With Humana" for payers named HUMANA INC: their names, and the first words of these. */
export function payerNamed(names: readonly (string | undefined)[]): RegExp | undefined {
  return patternOf(JSON.stringify(names))
}

/** By the names in JSON, because a pattern takes longer to make than to search for. */
const patternOf = cachedByName((json) => {
  const known = (JSON.parse(json) as (string | null)[]).flatMap((name) => {
    const words =
      name
        ?.slice(0, LONGEST_NAME)
        .toUpperCase()
        .match(/[A-Z0-9&']+/g) ?? []
    const [first = ''] = words
    return [words.join(' '), first.length > 4 && !COMMON.test(first) ? `${first}${ALONE}` : ''].filter(Boolean)
  })
  if (known.length === 0) return undefined
  return new RegExp(
    `\\b(?<=(?:WITH|BY|UNDER|THROUGH|OF|TO|NOT AN?(?: ACTIVE| CURRENT)?) )(?:${known.join('|')})\\b`,
    'g',
  )
})

const STATED =
  '(?:IS|WAS|HAS|HAVE|NOT|COVERED|ELIGIBLE|ENROLLED|NO LONGER|AGED|INELIGIBLE|TERMINATED|INACTIVE|CANCELLED|(?:REMOVED|DELETED|DROPPED|TAKEN OFF)(?! (?:COB|OHI|OTHER|PCP)\\b)|DISENROLLED|SUSPENDED|PENDED|PENDING)'
const COVERAGE = '(?:COVERAGE|ENTITLEMENT|ELIGIBILITY|ENROLLMENT|BENEFITS)'
/** One dependent, of whom something is stated; not coverage for dependents in general, which ends at an age. */
const DEPENDENT = new RegExp(
  `\\b(?:THIS |THE )?(?:DEPENDENT(?: CHILD)?|CHILD|NEWBORN(?: CHILD)?|BABY|INFANT)(?='?S?(?: ${COVERAGE})? (?:${STATED}|ENDED|ENDS|TERM)\\b)(?!.*\\bAGE\\b)`,
  'g',
)
/** A spouse of whom something is stated, also one who is none any more. */
const SPOUSE = new RegExp(
  `\\b(?:THIS |THE )?(?:(?:EX|FORMER)[ -])?(?:SPOUSE|HUSBAND|WIFE|DOMESTIC PARTNER)(?='?S?(?: ${COVERAGE})? (?:${STATED}|ENDED|ENDS|TERM)\\b)`,
  'g',
)
/** The same of a dependent who is too old for the policy. */
const TOO_OLD =
  /(?<!\bDISABLED )(?:\b(?:THIS |THE )?(?:DEPENDENT(?: CHILD)?|CHILD) |^\W*)(?:(?:HAS|IS) )?(?:REACHED|ATTAINED|EXCEEDED|EXCEEDS|PAST|OVER)(?: THE)?(?: (?:LIMITING|MAXIMUM|MAX|DEPENDENT))* AGE(?: LIMIT)?(?=\W*$|[ :-]+(?:ON |AS OF |EFFECTIVE |OF )?\d| AND\b)/g
/** "Turned 26", of one dependent. */
const TURNED =
  /\b(?:THIS |THE )?(?:DEPENDENT(?: CHILD)?|CHILD|SON|DAUGHTER) (?:HAS )?TURNED (?:AGE )?(?:19|2\d)(?=\W*$|[ ,:-]+(?:ON |AS OF |EFFECTIVE )?\d| AND\b)/g
const NO_DEPENDENT = /\bNO LONGER (?:AN? )?(?:(?:ELIGIBLE|COVERED|QUALIFIED|QUALIFYING) )*DEPENDENT\b/g
/** Without proof that a child is a student or disabled, the coverage ends at an age: "overage dependent - certification not received". */
const UNPROVEN =
  /\b(?:OVER[ -]?AGED?|(?:FULL[ -]TIME )?STUDENT|DISABLED|DISABILITY|HANDICAPPED|DEPENDENT)(?:[ :-]+(?:OVER[ -]?AGED?|(?:FULL[ -]TIME )?STUDENT|DISABLED|DISABILITY|HANDICAPPED|DEPENDENT|CHILD|STATUS|ELIGIBILITY))*[ :-]+(?:(?:CERTIFICATIONS?|CERTIFICATE|VERIFICATION|RECERTIFICATION|PROOF|DOCUMENTS|DOCUMENTATION|AUDIT)\b(?:[ -]+(?:AUDIT|AND|OF|STATUS|REQUIRED|HAS|HAVE|IS|WAS|BEEN|FORM|DOCUMENTS))*[ -]+|(?<=\bSTUDENT STATUS )(?:(?:IS|WAS|HAS|BEEN) )*)(?:NOT (?:YET )?(?:BEEN )?(?:RECEIVED|ON FILE|VERIFIED|RETURNED|COMPLETED|PROVIDED|SUBMITTED)|MISSING|EXPIRED|OVERDUE|LAPSED)\b(?: FOR(?: (?:THE|THIS|CURRENT|SPRING|SUMMER|FALL|WINTER|20\d\d))* (?:TERM|SEMESTER|QUARTER|(?:SCHOOL |ACADEMIC )?YEAR|20\d\d|SPRING|SUMMER|FALL|WINTER)\b)?/g
/** Part A alone pays for no office visit, so that its end decides nothing. */
const MEDICARE = new RegExp(
  `\\bMEDICARE(?= ${COVERAGE}\\b)|\\b(?:MEDICARE )?PART B(?= (?:${COVERAGE}|${STATED}|ENDED|ENDS|TERM)\\b)|(?<=\\b(?:ENTITLED TO|ELIGIBLE FOR|ENROLLED IN|NO) )(?:(?:MEDICARE )?PART )?B\\b`,
  'g',
)

/** Plans that pay instead of Medicare. */
const ADVANTAGE = /\b(?:MEDICARE )?(?:HMO|PPO|ADVANTAGE|MA(?= PLAN\b)|MA-?PD)\b/g

const MANAGED_CARE = /\bENROLLED (?:IN|WITH)(?: AN?| ANY| THE)? (?:(?:HEALTH )?PLAN|HMO|MC[OP]|CMO|CCO)\b/g

/** The time for which a program has found the person eligible; not of a service, as "home health certification period". */
const CERTIFICATION = /^\W*(?:RE)?CERTIFICATION(?: PERIOD)?(?=[ :-]+(?:FROM )?\d)/

/** "Medicaid: N". */
const MEDICAID_LABEL = /\b(?:MEDICAID|CHIP)(?= ?[:=])/g

/** "Not covered by Medicaid." */
const BY_MEDICAID = /(?<=\b(?:BY|UNDER) )MEDICAID(?=\W*$)/

/** A sentence in capitals with the words for the patient and the inquired coverage that are read in every answer. */
export function inOwnWords(
  sentence: string,
  { isDependent, infantBorn, maybeSpouse, isMedicare, isMedicaid, payer }: OwnNames,
): string {
  const ofPayer = payer ? sentence.replace(payer, 'THIS PLAN') : sentence
  const named = isMedicaid
    ? ofPayer
        .replace(MANAGED_CARE, 'ENROLLED IN MANAGED CARE')
        .replace(MEDICAID_LABEL, 'COVERAGE')
        .replace(BY_MEDICAID, 'THIS PLAN')
        .replace(CERTIFICATION, 'COVERAGE')
    : ofPayer
  const ofDependent = isDependent || infantBorn !== undefined ? ofOneDependent(named) : named
  const ofPatient = maybeSpouse ? ofDependent.replace(SPOUSE, 'MEMBER') : ofDependent
  return isMedicare ? ofPatient.replace(ADVANTAGE, 'OTHER').replace(MEDICARE, 'COVERAGE') : ofPatient
}

function ofOneDependent(sentence: string): string {
  return sentence
    .replace(UNPROVEN, 'MEMBER NOT VERIFIED')
    .replace(TOO_OLD, 'MEMBER AGED OUT')
    .replace(TURNED, 'MEMBER AGED OUT')
    .replace(NO_DEPENDENT, 'INELIGIBLE')
    .replace(DEPENDENT, 'MEMBER')
}
