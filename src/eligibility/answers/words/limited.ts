// Words by which payers limit active coverage: EB has no code for "family planning only". x12-271.md 5, rule 7; decisions/0073.
import { phrases } from './phrase-group.ts'
import { PROGRAMS } from './programs.ts'

const PROGRAM = `(?:${PROGRAMS.flatMap(({ words }) => words ?? []).join('|')})\\b`
const LINKS =
  'MEDICAL|MEDICAID|MEDICARE|RELATED|SERVICES?|CARE|BENEFITS?|COVERAGE|PLAN|PROGRAM|WAIVER|TREATMENT|FACILITIES|HOSPITALS?|CLINICS?|ARRANGEMENT|WORK|THIS|FOR|OF|THE|AND|OR|IS|ARE'
const LINK = `(?:[ ,/&:-]+(?:${LINKS}|${PROGRAM}))*`

/** Words of a sentence that is not about what is covered: "referral required for inpatient only". */
const OTHER_SUBJECT =
  /\b(?:NOT|REFERRALS?|AUTHORI[SZ]ATIONS?|PRE-?CERT\w*|CO-?PAY\w*|COINSURANCE|DEDUCTIBLES?|REQUIRE[DS]?|APPL(?:Y|IES)|WAIVED|NETWORK|CARD|OUT[ -]OF[ -](?:AREA|STATE|COUNTRY)|OUTSIDE|ABROAD)\b|^\W*(?:SUBSTANCE ABUSE|(?:MENTAL|BEHAVIORAL) HEALTH|DENTAL|VISION|PHARMACY|HOSPICE|TRANSPLANTS?|THERAP\w+)\b.*\b(?:LIMITED|RESTRICTED) TO\b/

const PROGRAM_ONLY = new RegExp(
  `\\b${PROGRAM}${LINK}[ ,:-]+ONLY\\b(?! (?:THROUGH|UPON|VIA|FROM|EVERY|IF|WHEN|AFTER)\\b)`,
)

/** Patterns in the order in which they are searched: the words of the first one decide which services are left. */
export const LIMITED_TO = phrases({
  meaning: 'the coverage is limited to one or more programs (programs.ts), or in its scope',
  source: 'Medicaid of CA, NY, TX, FL, OH; Puerto Rico; limited and indemnity policies',
  says: [
    PROGRAM_ONLY,
    new RegExp(`\\b(?:ONLY|SOLELY)(?: COVERS| COVERED| PAYS| ELIGIBLE)?${LINK}[ ,/&:-]+${PROGRAM}`),
    new RegExp(`\\b(?:LIMITED|RESTRICTED)(?: ONLY)? TO${LINK}[ ,/&:-]+${PROGRAM}`),
    /\b(?:LIMITED|RESTRICTED)(?: (?:MEDICAL|MEDICAID|SCOPE))?[ -](?:BENEFITS?|COVERAGE|SCOPE|MEDICAID|ELIGIBILITY)\b/,
    new RegExp(
      `\\b(?:MEDI-?CAL|MEDICAID) ELIGIBLE FOR${LINK}[ ,/&:-]+(?:EMERGENCY|FAMILY PLANNING|PREGNANCY|PRENATAL)\\b`,
    ),
    /\bELIGIBLE FOR (?:EMERGENCY|MINOR CONSENT)(?: [A-Z]+)? SERVICES\b/,
    new RegExp(
      `\\bNO (?:MEDICAID |OTHER )?(?:COVERAGE|BENEFITS)(?: EXCEPT| OTHER THAN)(?: FOR)?${LINK}[ ,/&:-]+${PROGRAM}`,
    ),
    /\b(?:SOLO|SOLAMENTE|UNICAMENTE)\b.*\b(?:EMERGENCIAS?|PLANIFICACION FAMILIAR|MATERNIDAD|EMBARAZO|FARMACIA|DENTAL|VISION)\b/,
    /\bEMERGENCY\b.*\b(?:NON-?CITIZENS?|ALIENS?|UNDOCUMENTED)\b/,
  ],
  unless: [OTHER_SUBJECT],
  examples: [
    'LIMITED BENEFITS',
    'RESTRICTED SCOPE MEDI-CAL',
    'MEDI-CAL ELIGIBLE FOR EMERGENCY AND PREGNANCY RELATED SERVICES',
    'ELIGIBLE FOR MINOR CONSENT SERVICES',
    'NO COVERAGE EXCEPT FAMILY PLANNING',
    'SOLO SERVICIOS DE EMERGENCIA',
    'EMERGENCY MEDICAL FOR NONCITIZENS',
    ...PROGRAMS.flatMap(({ texts = [] }) => texts),
  ],
  counterexamples: [
    'REFERRAL REQUIRED FOR INPATIENT ONLY',
    'INCLUDING BUT NOT LIMITED TO EMERGENCY SERVICES',
    'SUBSTANCE ABUSE LIMITED TO INPATIENT',
    'URGENT CARE AND EMERGENCY CARE ONLY OUTSIDE SERVICE AREA',
    'MEMBER IS ELIGIBLE FOR TRANSPORTATION AND HOSPICE SERVICES',
    'EMERGENCY CARE ONLY AFTER $50 COPAY',
  ],
})

export const ONLY = phrases({
  meaning: 'the name of a plan, or a short text of its active row, that states what alone is covered',
  source: 'Programs that no list names: PREVENTIVE SERVICES ONLY, KIDNEY DIALYSIS ONLY, TELEHEALTH ONLY',
  says: [/^\W*(?:[A-Z0-9'/&-]+[ ,]+){1,6}ONLY(?: (?:PLAN|COVERAGE|PROGRAM|POLICY|BENEFITS?|SERVICES?|CARE|\d+))?\W*$/],
  unless: [
    // Who is covered and where, and the care that an office visit is.
    /\b(?:EMPLOYEES?|SUBSCRIBERS?|MEMBERS?|SELF|INDIVIDUALS?|SPOUSE|CHILD(?:REN)?|FAMILY|DEPENDENTS?|SINGLE|MEDICAL|OUTPATIENT|AMBULATORY|PHYSICIANS?|PROFESSIONAL|PRIMARY|PCP|PPO|HMO|EPO|POS|PARTICIPATING|PROVIDERS?|PART B|GENERICS?|ONLINE|BILLING|INFORMATION)\b/,
    OTHER_SUBJECT,
    // A program that the list names (LIMITED_TO).
    PROGRAM_ONLY,
  ],
  examples: ['PREVENTIVE SERVICES ONLY', 'TELEHEALTH ONLY PLAN', 'KIDNEY DIALYSIS ONLY', 'MEC PREVENTIVE ONLY'],
  counterexamples: ['EMPLOYEE ONLY', 'PPO ONLY', 'OUTPATIENT ONLY', 'IN NETWORK BENEFITS ONLY', 'PART B ONLY'],
})

export const NO_INSURANCE = phrases({
  meaning: 'the program is not insurance, whatever else the sentence is about',
  source: 'Discount cards and network rentals, whose laws require the sentence',
  says: [
    /\bNOT (?:(?:HEALTH |MEDICAL )?INSURANCE|A (?:HEALTH|MEDICAL|HEALTHCARE) (?:INSURANCE|PLAN|COVERAGE|POLICY)|AN INSURER|THE (?:INSURER|PAY[EO]R))\b/,
    /^\W*(?:THIS IS (?:ONLY )?A (?:[A-Z]+ )?|(?:MEDICAL|HEALTH|HEALTHCARE) )DISCOUNT (?:PLAN|CARD|PROGRAM)\b/,
    /\bNETWORK (?:ACCESS|RENTAL|LEASING)(?: [A-Z]+)? ONLY\b/,
    /\bNO (?:HEALTH|MEDICAL) (?:COVERAGE|POLICY|PLAN)\W*$/,
    /\b(?:DOES|DO) NOT (?:INSURE|PROVIDE (?:HEALTH |MEDICAL )?INSURANCE)\b|\bNO PAYMENTS? (?:ARE|IS|WILL BE) MADE TO (?:ANY |THE )?PROVIDERS\W*$/,
  ],
  examples: [
    'THIS IS NOT INSURANCE',
    'THIS IS A MEDICAL DISCOUNT PLAN',
    'NETWORK ACCESS ONLY - NOT INSURANCE',
    'MEMBERSHIP FEES ARE NOT A HEALTH PLAN',
    'MEDICAL DISCOUNT PROGRAM',
    'REPRICING AND NETWORK ACCESS ONLY',
    'WE ARE NOT THE PAYER',
    'LIFE AND DISABILITY POLICY, NO HEALTH COVERAGE',
    'THIS ORGANIZATION DOES NOT INSURE THE PATIENT',
  ],
  counterexamples: [
    'NOT AN INSURANCE CARD',
    'THIS PLAN INCLUDES A DISCOUNT PROGRAM',
    'NO OTHER INSURANCE',
    'NO MEDICAL POLICY APPLIES TO THIS PROCEDURE',
    'NO PAYMENTS ARE MADE TO PROVIDERS WITHOUT A CLAIM',
  ],
})
