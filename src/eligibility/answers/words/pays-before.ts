// Words by which payers state what pays before or instead of a program of last resort: a managed care plan, other insurance, Medicare. rules.md 17;
// x12-271.md 10; decisions/0073.
import { DATE } from '../payer-text.ts'
import { classesOf, pattern } from './denial-classes.ts'
import { phrases } from './phrase-group.ts'
import { CONDITIONAL } from './primacy.ts'

const unless = [CONDITIONAL]

const PLANS =
  '(?:MC[OP]|CMO|CCO|MANAGED CARE|HEALTH PLAN)(?: (?:PLAN|PROVIDER|ORGANIZATION|ENROLLMENT|ASSIGNMENT|NAME))*'
const NAME = "([A-Z][A-Z0-9&'-]*(?: [A-Z0-9&'-]+){0,3})"
const IN_PLAN = new RegExp(
  `(?:\\b(?:ENROLLED (?:IN|WITH)|ASSIGNED TO|MEMBER OF) |^\\W*${PLANS}[ :-]+)${NAME}\\W*$|\\b(?:CONTACT|CALL) ${NAME} FOR (?:BENEFITS|ELIGIBILITY|COVERAGE)\\W*$`,
)
/** Programs and doctors. */
const NO_PLAN =
  /^(?:US|MAIL|TRIBE|EPSDT|WIC|SNAP|TANF|SSI|DR|MD|HEAD START|HEALTHY STEPS|REGION|COUNTY|DISTRICT|GROUP|TIER|LEVEL|CATEGORY)\b/

/** True for a person in a plan that the text names, by words that are in no list: "enrolled in Caresource". */
function isInNamedPlan(text: string): boolean {
  const name = IN_PLAN.exec(text)?.slice(1).find(Boolean)
  return name !== undefined && !NO_PLAN.test(name) && PROPER_NAME.test(classesOf(name))
}

const PROPER_NAME = pattern('^ unknown+ (filler|coverage|unknown)* $')

export const MANAGED_CARE_ENROLLMENT = phrases({
  meaning: 'a managed care plan pays instead of Medicaid, or instead of Medicare (Medicare Advantage, PACE)',
  source:
    'Medi-Cal (HEALTH PLAN MEMBER), Medicaid of NY, OH, PA, NC, OR (CCO), PACE; relays of Medicare; x12-271.md 10',
  says: [
    {
      at: /\b(?:ENROLL(?:ED|MENT|EE)|ASSIGNED|MEMBER)\b/,
      before: [],
      after: [
        /\b(?:MCO|CMO|CCO|PACE|MANAGED CARE|HMO|(?<!DEDUCTIBLE )HEALTH ?PLAN|MMA PLAN|MEDICARE ADVANTAGE|MA PLAN(?=:? [HRE]\d{4})|MA-?PD|PART C)\b/,
      ],
    },
    /\bHEALTH PLAN MEMBER ?: ?[A-Z]|\b(?:MC[OP]|CMO|CCO|PACE|MANAGED CARE|HMO|HEALTH PLAN|MEDICARE ADVANTAGE)(?: PLAN| PROVIDER| ORGANIZATION)?(?: NAME)?(?: ?: ?|(?<= NAME) )(?!N(?:O|ONE|\/A)?\b|MEDICAID\b|FFS\b|FEE\b)[A-Z]/,
    /\b(?:BILL|CONTACT|CALL|CLAIMS TO|(?:COVERED|PROVIDED|PAID) (?:BY|THROUGH)|IS IN)(?: TO)?(?: THE| AN?| THEIR)? (?:MC[OP]|CMO|CCO|MANAGED CARE (?:PLAN|ORGANIZATION))\b/,
    /\bENROLLED (?:WITH|IN) [A-Z]{1,20}(?: [A-Z]{1,20}){0,3} FOR (?:MEDICAL|PHYSICAL HEALTH|HEALTH CARE|ALL) SERVICES\b/,
    /^\W*PACE\W*$|\bPACE (?:PARTICIPANT|ENROLLEE|MEMBER)\b|\b(?:HAS|BILL)(?: TO)?(?: A| THE)? (?:MEDICARE ADVANTAGE|MEDICARE HMO|MA-?PD)\b/,
  ],
  holds: isInNamedPlan,
  unless: [
    ...unless,
    /\b(?:DENTAL|VISION|TRANSPORTATION|PHARMACY|(?:BEHAVIORAL|MENTAL) HEALTH|EXEMPT|EXCLUDED|OPTED OUT|DISENROLLED|PART D|PRIOR|PREVIOUS(?:LY)?|FORMER(?:LY)?)\b/,
  ],
  examples: [
    'RECIPIENT IS ENROLLED IN A MANAGED CARE PLAN',
    'HEALTH PLAN MEMBER: PHP-LA CARE',
    'MCO: BUCKEYE',
    'ASSIGNED TO PACE',
    'BENEFICIARY IS ENROLLED IN A PACE ORGANIZATION',
    'PACE PARTICIPANT',
    'MEMBER IS ENROLLED WITH MOLINA FOR MEDICAL SERVICES',
    'ENROLLED IN A MEDICARE ADVANTAGE PLAN',
    'BENE ENROLLED IN MA PLAN H5521-012',
    'MEDICARE ADVANTAGE PLAN: GOLD PLUS',
    'MCP: CARESOURCE',
    'MCO NAME CARESOURCE',
    'BILL THE MCO',
    'MEMBER IS IN A CMO',
    'MANAGED CARE - AMERIGROUP',
    'CONTACT AMERIGROUP FOR BENEFITS',
    'SERVICES COVERED BY MANAGED CARE PLAN',
    'ENROLLED IN CARESOURCE',
    'RECIPIENT IS ASSIGNED TO MOLINA HEALTHCARE',
  ],
  counterexamples: [
    'MCO: NONE',
    'RECIPIENT IS NOT ENROLLED IN MANAGED CARE',
    'MEMBER IS EXEMPT FROM MANAGED CARE',
    'MEMBER IS IN A HIGH DEDUCTIBLE HEALTH PLAN',
    'PREVIOUSLY ENROLLED IN A MEDICARE ADVANTAGE PLAN',
    'MEDICARE ADVANTAGE: NONE',
    'ENROLLED IN MA PLAN OF PENNSYLVANIA',
    'ENROLLED IN EPSDT',
    'ENROLLED IN CASE MANAGEMENT',
    'RECIPIENT IS ASSIGNED TO DR SMITH',
    'HEALTH PLAN: MEDICAID FEE FOR SERVICE',
    'CONTACT MEMBER SERVICES FOR BENEFITS',
    'TRANSPORTATION IS COVERED BY MCO',
  ],
})

/** Part B of Medicare, which pays for visits. */
const PART_B = '(?:PARTS? )?(?:A ?(?:AND|&|/)? ?B|B)\\b'

export const OTHER_INSURANCE = phrases({
  meaning: 'other insurance pays before Medicaid, TRICARE or CHAMPVA',
  source: '42 CFR 433.139; 32 CFR 199.8; Medi-Cal (COV UNDER CODE), Medicaid of TX, GA, IL (TPL)',
  says: [
    /\bHAS (?:ACTIVE )?TPL\b|\b(?:WHICH|THAT) MUST BE BILLED FIRST\b/,
    new RegExp(
      `\\b(?:HAS|HAVE|WITH|ENTITLED TO|ENROLLED IN) (?:ACTIVE )?MEDICARE(?: ${PART_B}| (?:COVERAGE|PRIMARY)\\b|\\W*$)|\\bELIGIBLE FOR MEDICARE ${PART_B}`,
    ),
    new RegExp(
      `^\\W*MEDICARE[ :-]+${PART_B}(?: ?[:-])?(?: ?(?:YES|Y|ACTIVE|EFF\\w*|BEGIN\\w*|START\\w*)\\b| ?${DATE}|\\W*$)`,
    ),
    new RegExp(
      `\\bMEDICARE B ?[:-] ?${DATE}|\\bMEDICARE A ?(?:AND|&|/) ?B\\W*$|^\\W*MEDICARE[ :-]+(?:YES|Y|ENROLLED|ACTIVE)\\W*$|\\bDUAL(?:LY)?[ -]ELIGIB(?:LE|ILITY)\\b(?! ?[:-] ?N)`,
    ),
    /\b(?:OHI|(?:OTHER|COMMERCIAL|PRIVATE|THIRD[ -]PARTY) (?:HEALTH |MEDICAL )?(?:INSURANCE|COVERAGE|PAY[EO]R|CARRIER))(?: (?:INDICATOR|COMPANY|NAME|PAYER))*[ ]?[:-]+ ?(?!N(?:O|ONE|\/A)?\b|UNKNOWN|PLEASE|REPORT|CALL|CONTACT|SEE|VERIFY|INFORMATION|REQUIRED)[A-Z]/,
    /\bOTHER (?:HEALTH )?(?:INSURANCE|COVERAGE)(?: COV(?:ERAGE)?)? (?:UNDER|CODE|CARRIER)\b|\b(?:OTHER|COMMERCIAL|PRIVATE) (?:HEALTH )?(?:INSURANCE|COVERAGE)(?: (?:IS|INDICATOR))?[ :-]+(?:YES|Y\b|ON FILE|ACTIVE)|\b(?:HAS|HAVE|WITH) (?:OTHER|PRIVATE|COMMERCIAL|THIRD[ -]PARTY) (?:HEALTH )?(?:INSURANCE|COVERAGE|LIABILITY)\b|^\W*(?:TPL|THIRD[ -]PARTY LIABILITY)(?: CARRIER)?[ :-]+(?!N(?:O|ONE|\/A)?\b)[A-Z]/,
  ],
  unless,
  examples: [
    'OTHER HEALTH INSURANCE COV UNDER CODE K - KAISER',
    'PATIENT HAS PRIVATE INSURANCE',
    'OTHER HEALTH INSURANCE: YES',
    'TPL CARRIER: BLUE CROSS',
    'CLIENT HAS MEDICARE PART B',
    'RECIPIENT HAS MEDICARE',
    'RECIPIENT HAS TPL',
    'COVERAGE THROUGH BLUE CROSS WHICH MUST BE BILLED FIRST',
    'OHI: AETNA',
    'OTHER INSURANCE COMPANY: AETNA',
    'COMMERCIAL INSURANCE: AETNA',
    'PRIVATE INSURANCE ON FILE',
    'OTHER PAYER: AETNA',
    'RECIPIENT HAS MEDICARE A AND B',
    'MEDICARE PART A AND B: ACTIVE',
    'MEDICARE: A/B',
    'MEDICARE PART B EFFECTIVE 01/01/2020',
    'MEDICARE A: 01/01/2020 MEDICARE B: 01/01/2020',
    'RECIPIENT IS DUAL ELIGIBLE',
  ],
  counterexamples: [
    'TPL: NONE',
    'HAS NO OTHER INSURANCE',
    'OTHER HEALTH INSURANCE: NO',
    'OHI: NONE',
    'RECIPIENT DOES NOT HAVE MEDICARE',
    'MEMBER WITH MEDICARE PART D',
    'MEDICARE PART B: N',
    'MEDICARE PART B DRUGS REQUIRE AUTHORIZATION',
    'DUAL ELIGIBLE: N',
    'REPORT OTHER INSURANCE TO THE CASEWORKER',
  ],
})
