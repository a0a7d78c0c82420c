// Words by which payers state, beside an active row, that the coverage is suspended, ended, unpaid or used up. rules.md 17; decisions/0073.
import { phrases } from './phrase-group.ts'

const LINKS =
  '(?: (?:IS|ARE|HAS|HAVE|BEEN|WAS|WERE|NOW|CURRENTLY|TEMPORARILY|RETRO(?:ACTIVELY)?|STATUS|AN?|PLACED))*[ :-]+'
const COVERAGE =
  '(?:COVERAGE|BENEFITS?|ELIGIBILITY|POLICY|MEMBERSHIP|CONTRACT|ENROLLMENT|MEDICAID|PLAN|INSURANCE|GROUP|REINSTATEMENT|ELECTION)'
const PERSON = '(?:MEMBER|PATIENT|RECIPIENT|BENEFICIARY|SUBSCRIBER|INSURED)'
const ENDED =
  'SUSPENDED|TERMINATED|TERMED|CANCELL?ED|LAPSED|VOIDED|RESCINDED|INACTIVE|NOT ACTIVE|NOT IN FORCE|NOT (?:YET )?EFFECTIVE|DENIED(?! FOR\\b)|ON HOLD|PENDING(?! CLAIMS?\\b)'
/** What a person does not have: coverage as a whole, not "coverage for infertility". */
const HAVING =
  '(?:ACTIVE |MEDICAL |HEALTH |CURRENT )*(?:COVERAGE|BENEFITS|ELIGIBILITY|INSURANCE)\\b(?! (?:FOR|OF|UNDER)\\b)'

/** A condition, something else, or a denial that was withdrawn. */
export const OTHER_SUBJECT_OF_DENIAL =
  /\b(?:IF|WHEN|WHENEVER|UNLESS|UNTIL|MAY|COULD|PRIOR|PREVIOUS(?:LY)?|FORMER|OTHER|OLD|DEPENDENTS?|SPOUSE|REINSTATED|CANNOT|NEVER|DENTAL|VISION|PHARMACY|MEDICARE|COBRA(?! (?:ELECTION|PENDING)\b)|OUT[ -]OF[ -]NETWORK)\b/
const unless = [OTHER_SUBJECT_OF_DENIAL]

const ENDED_COVERAGE = phrases({
  meaning: 'the coverage as a whole is suspended, ended, declined or not yet in force',
  source: 'Aetna, UHC, BCBS and Medicaid answers; 005010X279A1 has no code for it beside EB01 1',
  says: [
    new RegExp(`\\b${COVERAGE}${LINKS}(?:${ENDED}|EXHAUSTED)\\b`),
    // A text, or a part of a plan's name, that is nothing but this status.
    /^\W*(?:(?:MEMBER|COVERAGE|PLAN)? ?STATUS[ :-]+)?(?:RETRO(?:ACTIVELY)? )?(?:TERMINATED|TERMED|CANCELL?ED|SUSPENDED|LAPSED|INACTIVE|VOIDED|RESCINDED|NOT IN FORCE|NOT EFFECTIVE)\W*$/,
    /\bCOBRA(?: ELECTION)? PENDING\b/,
    /\b(?:EMPLOYEE|MEMBER|SUBSCRIBER|INSURED) (?:HAS )?(?:WAIVED|DECLINED|OPTED OUT OF)(?: (?:THE|MEDICAL|HEALTH))* (?:COVERAGE|INSURANCE|BENEFITS)\b/,
  ],
  unless,
  examples: [
    'COVERAGE SUSPENDED DUE TO INCARCERATION',
    'POLICY LAPSED FOR NON-PAYMENT',
    'PIP BENEFITS EXHAUSTED',
    'ELIGIBILITY IS ON HOLD',
    'REINSTATEMENT PENDING',
    'STATUS: TERMINATED',
    'COBRA ELECTION PENDING',
    'EMPLOYEE WAIVED COVERAGE',
    'COVERAGE DENIED',
  ],
  counterexamples: [
    'COVERAGE CANCELLED IF PREMIUM NOT PAID',
    'DEPENDENT COVERAGE TERMINATED AT AGE 26',
    'OTHER INSURANCE TERMINATED 01/01/2026',
    'COVERAGE REINSTATED, POLICY WAS TERMINATED 01/31/2026',
    'BENEFITS DENIED FOR COSMETIC SURGERY',
    'PLAN PENDING CLAIMS',
    'COVERAGE MAY BE RETROACTIVELY TERMINATED',
  ],
})

const NOT_COVERED = phrases({
  meaning: 'the person is not covered, not found, imprisoned or dead',
  source: 'Medicaid of NY, TX, OH; HETS (imprisonment); BCBS plans',
  says: [
    new RegExp(
      `\\b${PERSON}${LINKS}(?:${ENDED}|DISENROLLED|INELIGIBLE|NOT (?:ELIGIBLE|COVERED|ENROLLED|FOUND|ON FILE)|INCARCERATED|INMATE|DECEASED)\\b(?! (?:FOR(?! (?:THE |THIS )?DATE)|IN)\\b)`,
    ),
    /^\W*(?:NOT (?:ELIGIBLE|COVERED|ACTIVE)|INELIGIBLE)\b(?! (?:FOR|IN|WITH|OUTSIDE|BY|UNDER|EXCEPT)\b)/,
    /^\W*NO (?:ACTIVE |MEDICAL )?(?:COVERAGE|BENEFITS|ELIGIBILITY)(?: (?:FOUND|ON FILE|AVAILABLE|(?:ON|FOR|AS OF)(?: THE| THIS)? DATE\b.*))?\W*$/,
    /\bNO LONGER (?:COVERED|ELIGIBLE|ACTIVE|ENROLLED|INSURED|A MEMBER|EFFECTIVE|IN FORCE)\b(?! FOR\b)/,
    new RegExp(`\\b(?:DOES NOT|DID NOT|DOESN'T) HAVE (?:ANY )?${HAVING}`),
    new RegExp(`\\b${PERSON} (?:HAS|HAD|WITHOUT) (?:NO )?(?<=NO |WITHOUT )${HAVING}`),
  ],
  unless,
  examples: [
    'PATIENT IS NOT ELIGIBLE ON DATE OF SERVICE',
    'MEMBER TERMED',
    'RECIPIENT IS AN INMATE',
    'NOT COVERED',
    'NO ACTIVE COVERAGE FOUND',
    'MEMBER IS NO LONGER ENROLLED',
    'SUBSCRIBER DOES NOT HAVE ACTIVE COVERAGE',
    'MEMBER HAS NO COVERAGE',
  ],
  counterexamples: [
    'MEMBER NOT ELIGIBLE FOR DISEASE MANAGEMENT',
    'NOT COVERED OUTSIDE THE UNITED STATES',
    'NO COVERAGE FOR COSMETIC SURGERY',
    'SPOUSE IS NOT COVERED',
    'NO LONGER ELIGIBLE FOR PEDIATRIC DENTAL',
    'MEMBER HAS NO COVERAGE FOR INFERTILITY',
  ],
})

const UNPAID = phrases({
  meaning: 'a premium is not paid, or the coverage is in its grace period, so that claims are held',
  source: 'Ambetter, Oscar and other exchange plans (45 CFR 156.270, grace period of members with APTC)',
  says: [
    new RegExp(`\\b(?:${PERSON}|${COVERAGE})${LINKS}(?:IN |ON )?SUSPENSE\\b`),
    /\bPREMIUMS?(?: PAYMENT)?(?: (?:IS|ARE))?[ :-]+(?:PAST DUE|DELINQUENT|OVERDUE|UNPAID|NOT PAID)\b/,
    /(?<!\bNOT (?:CURRENTLY )?)\b(?:IN|WITHIN|ENTERED)(?: THE| A| AN| ITS| THEIR)?(?: [A-Z0-9-]+){0,5} GRACE PERIOD\b/,
    /\bGRACE PERIOD(?: STATUS)?[ :-]+(?:MONTH|SECOND|THIRD|2|3|YES|Y\b|ACTIVE|ENDS)/,
    /^\W*(?:ALL |ANY )?CLAIMS (?:WILL BE|ARE BEING|ARE) (?:(?:PENDED|HELD|SUSPENDED)\b|DENIED\W*$)/,
  ],
  unless,
  examples: [
    'MEMBER IN SUSPENSE',
    'PREMIUM PAST DUE',
    'MEMBER IS IN SECOND MONTH OF APTC GRACE PERIOD',
    'GRACE PERIOD: MONTH 2',
    'CLAIMS WILL BE PENDED',
  ],
  counterexamples: [
    'NOT IN GRACE PERIOD',
    'PREMIUM PAID THROUGH 03/31/2026',
    'CLAIMS WILL BE DENIED IF NOT FILED WITHIN 90 DAYS',
  ],
})

const DENIED_IN_SPANISH = phrases({
  meaning: 'the coverage is cancelled or inactive, or the person not eligible, in Spanish',
  source: 'Triple-S, MMM and Plan Vital (Puerto Rico)',
  says: [
    /^\W*(?:NO ELEGIBLE|SIN (?:CUBIERTA|COBERTURA))\b/,
    /\b(?:CUBIERTA|COBERTURA|POLIZA|PLAN|ELEGIBILIDAD|ASEGURAD[OA]|BENEFICIARI[OA]|MIEMBRO|PACIENTE|SUSCRIPTOR)(?: (?:ESTA|FUE|HA SIDO|ES|DE|DEL|LA|EL|MEDIC[OA]))*[ :-]+(?:CANCELAD[OA]|INACTIV[OA]|TERMINAD[OA]|SUSPENDID[OA]|VENCID[OA]|NO (?:ES |ESTA )?(?:ELEGIBLE|ACTIV[OA]|CUBIERT[OA]|ENCONTRAD[OA])|SIN (?:CUBIERTA|COBERTURA))\b/,
  ],
  unless,
  examples: ['CUBIERTA CANCELADA', 'POLIZA INACTIVA', 'ASEGURADO NO ELEGIBLE', 'SIN COBERTURA'],
  counterexamples: ['ASEGURADO ELEGIBLE - SERVICIOS CUBIERTOS', 'PLAN DE SALUD'],
})

/** Groups that state a denial with their words alone. A date in the same clause decides from when. */
export const DENIALS = [ENDED_COVERAGE, NOT_COVERED, UNPAID, DENIED_IN_SPANISH] as const

/** Coverage of something else. */
const OTHER_COVERAGE = /\b(?:DENTAL|VISION|PHARMACY)\b/

export const UNPAID_UNTIL = phrases({
  meaning:
    'nothing is paid until a premium is, or until a form is received: a condition, and yet a statement about the coverage',
  source: 'Ambetter, Molina and Florida Blue exchange plans; COB questionnaires of BCBS plans',
  says: [
    {
      at: /\b(?:UNTIL|UNLESS|BEFORE)\b/,
      before: [/\b(?:NOT|NO)\b/],
      after: [/\b(?:PREMIUMS?|PAYMENT) (?:IS|ARE|HAS BEEN|HAVE BEEN|RECEIVED|PAID)\b/],
    },
    { at: /\b(?:UNTIL|UNLESS|BEFORE)\b/, before: [/\bMUST PAY\b/, /\bPREMIUMS?\b/], after: [] },
    {
      at: /\b(?:UNTIL|UNLESS|BEFORE)\b/,
      before: [/\bCLAIMS?\b/, /\b(?:PEND(?:ED)?|HELD|NOT (?:BE )?PAID)\b/],
      after: [/\b(?:COB|COORDINATION OF BENEFITS|OTHER INSURANCE|PREMIUMS?)\b/],
    },
  ],
  unless: [OTHER_COVERAGE],
  examples: [
    'CLAIMS ARE NOT PAYABLE UNTIL PREMIUM IS PAID',
    'MEMBER MUST PAY PREMIUM BEFORE SERVICES ARE COVERED',
    'CLAIMS WILL PEND UNTIL COB INFORMATION IS RECEIVED FROM MEMBER',
  ],
  counterexamples: [
    'DENTAL CLAIMS ARE NOT PAYABLE UNTIL PREMIUM IS PAID',
    'REFERRAL IS REQUIRED BEFORE THE VISIT',
    'CLAIMS MUST BE FILED BEFORE 12/31/2026',
  ],
})

export const EXHAUSTED = phrases({
  meaning: 'a maximum of the coverage, not of what the patient pays, is used up',
  source: 'Delta Dental, UMR, Meritain and other TPAs; limits of visits',
  says: [
    /^\W*(?:(?:THE|THIS|MEMBER(?:'S)?|PATIENT(?:'S)?|INDIVIDUAL|MEDICAL|HAS|HAVE)\W+)*(?:LIFETIME|ANNUAL|YEARLY|PLAN|POLICY|BENEFIT|CALENDAR YEAR|OVERALL|VISIT)(?: [A-Z]+){0,2} (?:MAXIMUMS?|MAX|LIMITS?)(?: (?:BENEFITS?|AMOUNT|HAS|HAVE|IS|ARE|BEEN|WAS|FULLY|ALREADY))*[ :-]+(?:REACHED|MET|EXHAUSTED|EXCEEDED|SATISFIED|USED)\b/,
  ],
  unless: [
    /\b(?:IF|WHEN|ONCE|UNTIL|UNLESS|AFTER|BEFORE|NOT|OUT[ -]OF[ -]POCKET|OOP|MOOP|DEDUCTIBLES?|CO-?PAY\w*|COINSURANCE)\b/,
  ],
  examples: [
    'LIFETIME MAXIMUM HAS BEEN REACHED',
    'ANNUAL MAXIMUM BENEFIT HAS BEEN MET',
    'VISIT LIMIT EXHAUSTED',
    'CALENDAR YEAR MAXIMUM MET',
  ],
  counterexamples: [
    'OUT OF POCKET MAXIMUM HAS BEEN MET',
    'AFTER THE ANNUAL MAXIMUM BENEFIT IS REACHED THE MEMBER PAYS ALL COSTS',
    'ORTHODONTIC LIFETIME MAXIMUM REACHED',
  ],
})
