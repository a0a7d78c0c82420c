// Words by which payers limit active coverage: EB has no code for "family planning only". x12-271.md 5, rule 7; decisions/0073.
import { serviceTypeNames } from '../../../x12/codes/service-types.ts'
import { listed, NO_SERVICE } from './denial-lexicon.ts'
import { phrases } from './phrase-group.ts'
import { PROGRAMS } from './programs.ts'

const PROGRAM = `(?:${PROGRAMS.flatMap(({ words }) => words ?? []).join('|')})\\b`
const LINKS =
  'MEMBERS?|CARD|CONDITIONS?|MEDICAL|MEDICAID|MEDICARE|RELATED|SERVICES?|CARE|BENEFITS?|COVERAGE|PLAN|PROGRAM|WAIVER|TREATMENT|ELIGIBLE|FACILITIES|HOSPITALS?|CLINICS?|ARRANGEMENT|WORK|THIS|THOSE|TO|FOR|OF|THE|AND|OR|IS|ARE'
const LINK = `(?:[ ,/&:-]+(?:${LINKS}|${PROGRAM}))*`

/** Programs that are the whole coverage of a person; of others, "limited" is about the service: DENTAL LIMITED. */
const BROAD = 'EMERGENCY|FAMILY PLANNING|PREGNANCY|PRENATAL'

/** Words of a sentence that is not about what is covered: "referral required for inpatient only". */
const OTHER_SUBJECT =
  /\b(?:NOT|REFERRALS?|AUTHORI[SZ]ATIONS?|PRE-?CERT\w*|CO-?PAY\w*|COINSURANCE|DEDUCTIBLES?|REQUIRE[DS]?|APPL(?:Y|IES)|WAIVED|NETWORK|(?<!\b(?:RX|DRUGS?|PRESCRIPTIONS?|PHARMACY|DISCOUNT) )CARD|GENERICS?|BRANDS?|(?:NON-?)?PREFERRED|FORMULARY|OUT[ -]OF[ -](?:AREA|STATE|COUNTRY)|OUTSIDE|ABROAD)\b|^\W*(?:SUBSTANCE ABUSE|(?:MENTAL|BEHAVIORAL) HEALTH|DENTAL|VISION|PHARMACY|HOSPICE|TRANSPLANTS?|THERAP\w+)\b.*\b(?:LIMITED|RESTRICTED) TO\b/
/** A kind of drugs, and care of teeth after an accident: each is one benefit of a plan. */
const ONE_BENEFIT =
  /\b(?:PREVENTIVE|SPECIALTY|MAINTENANCE|INJECTABLE|ORAL|SELF[ -]ADMINISTERED|CHEMO\w*|FERTILITY|CONTROLLED|COMPOUND\w*|ACUTE|MAIL[ -]ORDER|RETAIL|INFUSED) (?:PRESCRIPTION )?(?:DRUGS?|MEDICATIONS?|RX|PRESCRIPTIONS?)\b|\bDENTAL (?:ACCIDENTS?|INJUR(?:Y|IES)|TRAUMA)\b|\bACCIDENT(?:AL)? (?:DENTAL|INJUR(?:Y|IES) TO)\b/

const PROGRAM_ONLY = new RegExp(
  `\\b${PROGRAM}${LINK}[ ,:-]+ONLY\\b(?! (?:THROUGH|UPON|VIA|FROM|WITH|EVERY|IF|WHEN|AFTER|AT|DIAL|CALL|USE)\\b)`,
)

/** Patterns in the order in which they are searched: the words of the first one decide which services are left. */
export const LIMITED_TO = phrases({
  meaning: 'the coverage is limited to one or more programs (programs.ts), or in its scope',
  source: 'Medicaid of CA, NY, TX, FL, OH; Puerto Rico; limited and indemnity policies',
  says: [
    PROGRAM_ONLY,
    new RegExp(`\\b(?:ONLY|SOLELY)(?: COVERS| COVERED| PAYS| HAS| ELIGIBLE)?${LINK}[ ,/&:-]+${PROGRAM}`),
    new RegExp(`\\b(?:LIMITED|RESTRICTED)(?: ONLY)? TO${LINK}[ ,/&:-]+${PROGRAM}`),
    /\b(?:LIMITED|RESTRICTED)(?: (?:MEDICAL|MEDICAID|SCOPE))?[ -](?:BENEFITS?|COVERAGE|SCOPE|MEDICAID|ELIGIBILITY)\b/,
    new RegExp(
      `\\b(?:MEDI-?CAL|MEDICAID) ELIGIBLE FOR${LINK}[ ,/&:-]+(?:EMERGENCY|FAMILY PLANNING|PREGNANCY|PRENATAL)\\b`,
    ),
    new RegExp(`^\\W*(?:MEDICAID )?(?:${BROAD})(?:[ -](?:${LINKS}))*[ -]+LIMITED\\W*$`),
    new RegExp(`^\\W*(?:MEDICAID |MEDI-?CAL )?LIMITED[ :-]+(?:${BROAD})(?:[ -](?:${LINKS}))*\\W*$`),
    new RegExp(`^\\W*(?:THIS IS A )?STAND[ -]?ALONE${LINK}[ ,/&:-]+${PROGRAM}`),
    /\bELIGIBLE FOR (?:EMERGENCY|MINOR CONSENT)(?: [A-Z]+)? SERVICES\b/,
    new RegExp(
      `\\bNO (?:MEDICAID |OTHER |COVERED )?(?:COVERAGE|BENEFITS|SERVICES)(?: COVERED)?(?: EXCEPT| OTHER THAN)(?: FOR)?${LINK}[ ,/&:-]+${PROGRAM}`,
    ),
    /\b(?:SOLO|SOLAMENTE|UNICAMENTE|LIMITAD[OA]S? A)\b.*\b(?:EMERGENCIAS?|PLANIFICACION FAMILIAR|MATERNIDAD|EMBARAZO|FARMACIA|DENTAL|VISION)\b/,
    /\bPRESUMPTIVE(?:LY)? ELIGIB(?:LE|ILITY)\b.*\b(?:PRENATAL|PREGNAN\w*|LONG[ -]TERM|HOSPICE)\b/,
    /^\W*FAMILY PLANNING BENEFIT(?: PROGRAM)?(?: AND NO [A-Z]+)?\W*$/,
    /\bEMERGENCY\b.*\b(?:NON-?CITIZENS?|ALIENS?|UNDOCUMENTED)\b|\bALIENS? EMERGENCY\b/,
  ],
  unless: [OTHER_SUBJECT, ONE_BENEFIT],
  examples: [
    'LIMITED BENEFITS',
    'DRUG CARD ONLY',
    'EMERGENCY MEDICAL CONDITIONS ONLY',
    'LABOR/DELIVERY ONLY',
    'FAMILY PLANNING LIMITED',
    'LIMITED - FAMILY PLANNING',
    'MEDICAID LIMITED PREGNANCY RELATED',
    'RESTRICTED SCOPE MEDI-CAL',
    'MEDI-CAL ELIGIBLE FOR EMERGENCY AND PREGNANCY RELATED SERVICES',
    'ELIGIBLE FOR MINOR CONSENT SERVICES',
    'NO COVERAGE EXCEPT FAMILY PLANNING',
    'NO COVERED SERVICES EXCEPT EMERGENCY',
    'SOLO SERVICIOS DE EMERGENCIA',
    'EMERGENCY MEDICAL FOR NONCITIZENS',
    'ALIEN EMERGENCY MEDICAL',
    'PRESUMPTIVE ELIGIBILITY LONG TERM/HOSPICE',
    'FAMILY PLANNING BENEFIT AND NO TRANSPORTATION',
    'CUBIERTA LIMITADA A PLANIFICACION FAMILIAR',
    'STAND ALONE DENTAL',
    'PLAN COVERS ONLY PREVENTIVE SERVICES',
    'MEMBER ONLY HAS PHARMACY COVERAGE',
    ...PROGRAMS.flatMap(({ texts = [] }) => texts),
  ],
  counterexamples: [
    'REFERRAL REQUIRED FOR INPATIENT ONLY',
    'INCLUDING BUT NOT LIMITED TO EMERGENCY SERVICES',
    'SUBSTANCE ABUSE LIMITED TO INPATIENT',
    'URGENT CARE AND EMERGENCY CARE ONLY OUTSIDE SERVICE AREA',
    'MEMBER IS ELIGIBLE FOR TRANSPORTATION AND HOSPICE SERVICES',
    'EMERGENCY CARE ONLY AFTER $50 COPAY',
    'FOR EMERGENCY ONLY DIAL 911',
    'FAMILY PLANNING SERVICES LIMITED TO AGE 55',
    'DENTAL LIMITED',
    'GENERIC DRUGS ONLY',
    'PREVENTIVE DRUGS ONLY',
    'ID CARD ONLY',
    'PART A AND B ONLY',
  ],
})

export const ONLY = phrases({
  meaning: 'the name of a plan, or a short text of its active row, that states what alone is covered',
  source: 'Programs that no list names: WELLNESS SERVICES ONLY, KIDNEY DIALYSIS ONLY, TELEHEALTH ONLY',
  says: [/^\W*(?:[A-Z0-9'/&-]+[ ,]+){1,6}ONLY(?: (?:PLAN|COVERAGE|PROGRAM|POLICY|BENEFITS?|SERVICES?|CARE|\d+))?\W*$/],
  unless: [
    // Who is covered and where, and the care that an office visit is.
    /\b(?:EMPLOYEES?|SUBSCRIBERS?|MEMBERS?|SECONDARY|TERTIARY|SELF|INDIVIDUALS?|SPOUSE|CHILD(?:REN)?|FAMILY|DEPENDENTS?|SINGLE|MEDICAL|OUTPATIENT|AMBULATORY|PHYSICIANS?|PROFESSIONAL|PRIMARY|PCP|PPO|HMO|EPO|POS|PARTICIPATING|PROVIDERS?|PART B|PARTS? A (?:AND|&) B|ONLINE|BILLING|INFORMATION|USE)\b/,
    // What one visit or claim is for, or whom or where a rule concerns.
    /\b(?:EXAMS?|EVALUATIONS?|CHARGES?|FEES?|LENS(?:ES)?|GLASSES|FRAMES|PRIVATE ROOM|SUPPLIES|CENTERS?|CLINICS?|MANIPULATIONS?|TEETH|THROUGH|FIRST|INITIAL|ADULTS|DIABETICS|AT|BY|FROM|VIA|WITH|AFTER|IN STATE)\b/,
    OTHER_SUBJECT,
    ONE_BENEFIT,
    // A program that the list names (LIMITED_TO).
    PROGRAM_ONLY,
  ],
  examples: ['WELLNESS SERVICES ONLY', 'TELEHEALTH ONLY PLAN', 'KIDNEY DIALYSIS ONLY'],
  counterexamples: [
    'EMPLOYEE ONLY',
    'PPO ONLY',
    'OUTPATIENT ONLY',
    'IN NETWORK BENEFITS ONLY',
    'PART B ONLY',
    'LAB SERVICES: USE LABCORP ONLY',
    'LAB SERVICES COVERED AT QUEST ONLY',
    'FORMULARY ONLY',
    'EXAM ONLY',
    'FIRST VISIT ONLY',
    'FACILITY CHARGES ONLY',
    'FACILITY CHARGE ONLY',
    'DENTAL ACCIDENT ONLY',
    'SPECIALTY MEDICATIONS ONLY',
    'IN STATE ONLY',
  ],
})

/** Words of service types that are about one visit, supply or place. */
const NO_CARE = new Set(
  [NO_SERVICE, 'HOME, OFFICE, PHYSICIAN, PROVIDER, SUPPLIES, SUPPLY, VISIT, VISITS'].flatMap(listed),
)
const MORE_CARE =
  'ACCOUNT, DISABILITY, FITNESS, FSA, HEARING, HRA, HSA, LIFE, MEC, PART, PREMIUM, REPRICING, RX, SUPPLEMENTAL, TELEHEALTH, TELEMEDICINE, VIRTUAL, WELLNESS'
const CARE = new Set([
  ...Object.values(serviceTypeNames).flatMap((name) => name.toUpperCase().match(/[A-Z]{4,}/g) ?? []),
  ...listed(MORE_CARE),
])

/** True when a text names a kind of care or coverage, by the words of the service types: not "retail only", "Labcorp only". */
export function namesCare(text: string): boolean {
  return (text.match(/[A-Z]+/g) ?? []).some((word) => CARE.has(word) && !NO_CARE.has(word))
}

export const SUBSCRIBER_ONLY = phrases({
  meaning: 'the policy is for the subscriber and for no dependent',
  source: 'Employers with EMPLOYEE ONLY coverage that answer about dependents as well',
  says: [
    /^\W*(?:(?:THIS|POLICY|COVERAGE|PLAN|IS|COVERS|FOR|THE) )*(?:SUBSCRIBER|EMPLOYEE|POLICY ?HOLDER|SELF|SINGLE)(?: COVERAGE)? ONLY(?: (?:COVERAGE|PLAN|POLICY))?\W*$/,
    /\bNO DEPENDENT COVERAGE\b|\bDEPENDENTS? (?:(?:IS|ARE) )?NOT (?:COVERED|ELIGIBLE|ENROLLED)\W*$/,
  ],
  examples: ['COVERAGE FOR SUBSCRIBER ONLY', 'EMPLOYEE ONLY', 'NO DEPENDENT COVERAGE'],
  counterexamples: ['EMPLOYEE ONLY PAYS $20', 'DEPENDENTS NOT COVERED OUT OF NETWORK'],
})

export const NO_INSURANCE = phrases({
  meaning: 'the program is not insurance, whatever else the sentence is about',
  source: 'Discount cards and network rentals, whose laws require the sentence',
  says: [
    /\bNOT (?:(?:AN |HEALTH |MEDICAL )?INSURANCE(?! CARD)|A (?:HEALTH|MEDICAL|HEALTHCARE) (?:INSURANCE|PLAN|COVERAGE|POLICY)|AN INSURER|THE (?:INSURER|PAY[EO]R))\b/,
    /^\W*(?:THIS IS (?:ONLY )?A (?:[A-Z]+ )?|(?:MEDICAL|HEALTH|HEALTHCARE) )DISCOUNT (?:PLAN|CARD|PROGRAM)\b/,
    /\bNETWORK (?:ACCESS|RENTAL|LEASING|DISCOUNTS?)(?: [A-Z]+)? ONLY\b/,
    /\bNO (?:HEALTH|MEDICAL) (?:COVERAGE|POLICY|PLAN)\W*$/,
    /^\W*MEDICAL (?:BENEFITS|COVERAGE|INSURANCE) (?:(?:IS|ARE) )?NOT (?:INCLUDED|PROVIDED|PART OF)\b/,
    /\b(?:DOES|DO) NOT (?:INCLUDE|HAVE|PROVIDE) (?:ANY )?MEDICAL (?:COVERAGE|BENEFITS|INSURANCE)\b/,
    /\b(?:DOES|DO) NOT (?:INSURE|PROVIDE (?:HEALTH |MEDICAL )?INSURANCE)\b|\bDOES NOT PAY CLAIMS\W*$|\b(?:NO ONE|NOBODY) IS (?:OBLIGATED|REQUIRED) TO PAY\b|\bNO ES (?:UN )?SEGURO\b|\bNO PAYMENTS? (?:ARE|IS|WILL BE) MADE TO (?:ANY |THE )?PROVIDERS\W*$/,
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
    'HEALTH CARE SHARING MINISTRY, NOT AN INSURANCE COMPANY',
    'DIRECT PRIMARY CARE MEMBERSHIP, DOES NOT PAY CLAIMS',
    'NO ONE IS OBLIGATED TO PAY YOUR BILLS',
    'NO ES UN SEGURO MEDICO',
    'YOUR PLAN DOES NOT INCLUDE MEDICAL COVERAGE',
    'MEDICAL BENEFITS ARE NOT INCLUDED IN THIS POLICY',
  ],
  counterexamples: [
    'NOT AN INSURANCE CARD',
    'THIS PLAN INCLUDES A DISCOUNT PROGRAM',
    'NO OTHER INSURANCE',
    'NO MEDICAL POLICY APPLIES TO THIS PROCEDURE',
    'NO PAYMENTS ARE MADE TO PROVIDERS WITHOUT A CLAIM',
  ],
})
