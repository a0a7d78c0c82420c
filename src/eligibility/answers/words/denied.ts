// Denials that are lists: grace periods, lock-ins, institutions, conditions of payment, maxima. rules.md 17; decisions/0073, 0100.
import { phrases } from './phrase-group.ts'

const PERSON = '(?:MEMBER|PATIENT|RECIPIENT|BENEFICIARY|SUBSCRIBER|INSURED|CLIENT|ENROLLEE|PARTICIPANT)'

/** A condition, something else, or a denial that was withdrawn. */
export const OTHER_SUBJECT_OF_DENIAL =
  /\b(?:IF|WHEN|WHENEVER|UNLESS|UNTIL|MAY|COULD|PRIOR|PREVIOUS(?:LY)?|FORMER|OTHER|OLD|DEPENDENTS?|SPOUSE|REINSTATED|CANNOT|NEVER|DENTAL|VISION|PHARMACY|MEDICARE|COBRA(?! (?:ELECTION|PENDING|TERM\w*|END\w*|EXPIRED|CANCEL\w*)\b)|OUT[ -]OF[ -]NETWORK|FSA|PROVIDER CONTRACT|(?:HRA|HSA)(?= (?:ACCOUNT|BENEFITS?|FUNDS?|BALANCE)))\b|(?<!\bMEDICAL (?:AND|&) )\b(?:RX|PRESCRIPTIONS?|DRUG|LIFE|DISABILITY|HEARING|CHIROPRACTIC|ACUPUNCTURE|WELLNESS|(?:IN)?FERTILITY|SKILLED NURSING|SNF|(?:MENTAL|BEHAVIORAL|HOME) HEALTH|SUBSTANCE ABUSE|THERAPY|MATERNITY|TRANSPLANT|DME|ORTHO\w*|TELEHEALTH|LONG[ -]TERM CARE) (?:CARE |VISIT )?(?:COVERAGE|BENEFITS?|PLAN|INSURANCE|POLICY|PROGRAM)\b/
const unless = [OTHER_SUBJECT_OF_DENIAL]

const CONDITION =
  /\b(?:IF|WHEN|WHENEVER|UNLESS|PRIOR|PREVIOUS(?:LY)?|FORMER|OTHER|OLD|REINSTATED|NEVER|DENTAL|VISION)\b/

export const GRACE_PERIOD = phrases({
  meaning: 'the coverage is in its grace period, so that claims are held',
  source: 'Ambetter, Oscar and other exchange plans (45 CFR 156.270, grace period of members with APTC); Puerto Rico',
  says: [
    /(?<!\bNOT (?:CURRENTLY )?)\b(?:IN|WITHIN|ENTERED)(?: THE| A| AN| ITS| THEIR)?(?: [A-Z0-9-]+){0,7} GRACE PERIOD\b/,
    /\bGRACE PERIOD(?: (?:STATUS|INDICATOR|FLAG))?[ :-]+(?:MONTH|MO \d|SECOND|THIRD|2\b|3\b|YES|Y\b|ACTIVE|ENDS|BEG[AI]NS?\b|STARTS?\b|STARTED\b)/,
    /\b(?:SECOND|THIRD|2ND|3RD) MONTH OF(?: [A-Z]+)? GRACE PERIOD\b/,
    /\bGRACE (?:MONTH [23]\b|PERIOD (?:HAS )?(?:EXPIRED|ENDED|EXHAUSTED))/,
    /\bEN (?:EL |UN )?PERIODO DE GRACIA\b|^\W*(?:(?:MEMBER|POLICY|COVERAGE|ACCOUNT) )?(?:IS )?IN GRACE\W*$/,
    /\bGRACE(?: PER(?:IOD)?)?[ :-]+MO(?:NTH)?S?[ :-]*[1-3]\b|\b(?:1ST|2ND|3RD|FIRST|SECOND|THIRD) MO(?:NTH)?(?: OF)?(?: (?:THE|APTC|PREMIUM))* GRACE\b/,
    /^\W*(?:(?:MEMBER|POLICY|COVERAGE|ACCOUNT|STATUS|APTC|HIX|HCR|QHP|ACA|EXCHANGE|MARKETPLACE|PREMIUM|IS|IN)[ :-]+)*GRACE(?: PERIOD)?\W*$/,
  ],
  unless: [CONDITION],
  examples: [
    'GRACE PERIOD MO 3: CLAIMS PENDING',
    'MEMBER IS IN SECOND MONTH OF APTC GRACE PERIOD',
    'GRACE PERIOD: MONTH 2',
    'MEMBER IS IN MONTH 2 OF THE 90 DAY GRACE PERIOD',
    'MEMBER IS IN GRACE PERIOD UNTIL 03/31/2026',
    'GRACE PERIOD INDICATOR: Y',
    'APTC GRACE PERIOD BEGIN DATE 02/01/2026',
    'SECOND OR THIRD MONTH OF GRACE PERIOD',
    'EN PERIODO DE GRACIA',
    'MEMBER IS IN GRACE',
    'APTC GRACE MO 2',
    'GRACE PER MONTH 3',
    '2ND MO GRACE',
    'APTC GRACE PERIOD',
    'HIX GRACE PERIOD',
  ],
  counterexamples: [
    'GRACE PERIOD 31 DAYS',
    'NOT IN GRACE PERIOD',
    'GRACE PERIOD INDICATOR: N',
    'GRACE PERIOD IS 31 DAYS',
  ],
})

const RESTRICTED = phrases({
  meaning: 'the person is restricted to one provider of medical care (lock-in), and not to one pharmacy',
  source: '42 CFR 431.54(e); Medicaid of TX, GA and OH, which send it as a text instead of EB01 N',
  says: [
    new RegExp(
      `\\b(?:(?:${PERSON}|PATIENT)(?: (?:IS|HAS BEEN))* (?:LOCK(?:ED)?[ -]?IN(?:TO)?|RESTRICTED)|LOCK[ -]?IN)(?: TO)?[ :-]+(?:(?:LIMITED|RESTRICTED) TO )?(?:ONE |A |THE )?(?:PRIMARY |PRIMARY CARE )?(?:PHYSICIAN|DOCTOR|DR|PROVIDER|CLINIC|PCP)\\b`,
    ),
    /\bRESTRICTED RECIPIENT\b(?!.*\bPHARMACY\b)/,
  ],
  unless,
  examples: [
    'RECIPIENT LOCKED IN TO PHYSICIAN: JOHN SMITH MD',
    'RESTRICTED RECIPIENT - ASSIGNED PROVIDER ONLY',
    'MEMBER IS RESTRICTED TO ONE PROVIDER',
    'CLIENT IS LOCKED IN TO DR SMITH',
    'MEMBER LOCKED INTO PROVIDER DR SMITH',
    'LOCK-IN PROVIDER: X',
    'LOCK-IN: LIMITED TO PRIMARY CARE PROVIDER X',
  ],
  counterexamples: [
    'RECIPIENT LOCKED IN TO ONE PHARMACY: WALGREENS',
    'BENEFITS ARE RESTRICTED TO PARTICIPATING PROVIDERS',
  ],
})

const IMPRISONED = phrases({
  meaning: 'the person is in a public institution',
  source: 'HETS (imprisonment); 42 CFR 435.1009, 435.1010; Medicaid of TX, OH',
  says: [
    /(?<!\b(?:NOT|NO LONGER) (?:AN )?)\b(?:INMATE OF|IN) (?:A |AN )?(?:PUBLIC INSTITUTION|INSTITUTION FOR MENTAL DISEASES?|IMD|CORRECTIONAL (?:FACILITY|INSTITUTION)|JAIL|PRISON|CUSTODY OF (?:THE )?(?:DOC\b|DEPARTMENT OF CORRECTIONS|SHERIFF))\b/,
  ],
  unless,
  examples: [
    'MEMBER IN A CORRECTIONAL FACILITY',
    'INMATE OF A PRISON',
    'IN A JAIL',
    'IN CUSTODY OF DOC',
    'CLIENT IS IN AN INSTITUTION FOR MENTAL DISEASE',
  ],
  counterexamples: ['MEMBER IS NO LONGER IN A CORRECTIONAL FACILITY'],
})

const STATED_OF = '(?:(?:THIS|PATIENT|MEMBER|COVERAGE|ENROLLMENT|STATUS|PERSON|IS|WAS|AN?|HAS)[ :-]+)*'

const FORMER_MEMBER = phrases({
  meaning: 'the person was a member, and the text says nothing else',
  source: 'Humana, regional plans and TPAs that keep EB01 1',
  says: [
    new RegExp(
      `^\\W*${STATED_OF}(?:FORMER|PREVIOUS|PRIOR|PAST|EX|ONE-?TIME)[ -]+(?:(?!COVERAGE|PLAN|PCP|GROUP|EMPLOYEE|DEPENDENT)[A-Z&'-]+ ){0,3}(?:MEMBER|SUBSCRIBER|ENROLLEE|INSURED|BENEFICIARY|RECIPIENT|POLICY ?HOLDER|PARTICIPANT)\\W*$`,
    ),
  ],
  examples: [
    'FORMER MEMBER',
    'PREVIOUS HUMANA MEMBER',
    'EX-MEMBER',
    'STATUS: PAST MEMBER',
    'PATIENT IS A FORMER SUBSCRIBER',
  ],
  counterexamples: ['FORMER MEMBER ID: 12345', 'PREVIOUS COVERAGE', 'FORMER EMPLOYEE', 'PRIOR GROUP MEMBER'],
})

const FUTURE = phrases({
  meaning: 'the coverage has not begun, without its first day',
  source: 'Employers and exchanges that enroll ahead of time',
  says: [
    new RegExp(
      `^\\W*${STATED_OF}FUTURE(?: (?:EFFECTIVE(?: (?:DATE|MEMBER|COVERAGE))?|ENROLL(?:MENT|EE|ED)|COVERAGE|MEMBER|ELIGIBILITY|ELIGIBLE|START(?: DATE)?|HIRE))\\W*$`,
    ),
  ],
  examples: ['FUTURE EFFECTIVE DATE', 'STATUS: FUTURE ENROLLMENT', 'FUTURE MEMBER', 'MEMBER IS FUTURE EFFECTIVE'],
  counterexamples: ['FUTURE APPOINTMENTS', 'NO FUTURE ENROLLMENT', 'FUTURE COVERAGE CHANGES ARE NOT SHOWN'],
})

const BEFORE_COVERAGE = '(?:WAITING|PROBATION(?:ARY)?|ORIENTATION|INTRODUCTORY)(?: AND WAITING)? PERIOD'

const IN_WAITING_PERIOD = phrases({
  meaning: 'the person is in a time before the coverage pays, without its last day',
  source: 'Self-funded plans (29 CFR 2590.715-2708, waiting periods)',
  says: [
    new RegExp(
      `\\b(?<!\\bNOT )(?:IN|WITHIN|SERVING|COMPLETING|SUBJECT TO)(?: (?:AN?|THE|THEIR|HIS|HER|ITS|\\d+|DAYS?|MONTHS?|NEW|HIRE|EMPLOYEE|INITIAL|ELIGIBILITY|GROUP|EMPLOYER|PLAN))* ${BEFORE_COVERAGE}\\b`,
    ),
    new RegExp(
      `^\\W*${STATED_OF}NEW (?:HIRE|EMPLOYEE|ENROLLEE|MEMBER)[ :-]+(?:\\d+[ -]DAYS? )?${BEFORE_COVERAGE}\\W*$`,
    ),
    new RegExp(
      `^\\W*(?:(?:MEMBER|EMPLOYEE|EMPLOYER|GROUP|PLAN|NEW|HIRE|INITIAL|ELIGIBILITY|THE|\\d+|DAYS?)[ -]+)*${BEFORE_COVERAGE}(?: (?:HAS|IS|BEEN|YET|STATUS))*[ :-]+(?:NOT (?:YET )?(?:BEEN )?(?:MET|SATISFIED|COMPLETED?|SERVED|FULFILLED|OVER|ENDED|EXPIRED)|UNSATISFIED|UNMET|ACTIVE|IN (?:EFFECT|PROGRESS)|PENDING|INCOMPLETE)\\b(?! FOR)`,
    ),
  ],
  unless: [
    /\b(?:IF|WHEN|UNLESS|PRE-?EX\w*|NO LONGER|NO|DENTAL|VISION|MAJOR|BASIC|ORTHO\w*|MATERNITY|TRANSPLANTS?|SERVICES?)\b/,
  ],
  examples: [
    'IN WAITING PERIOD',
    'NEW HIRE WAITING PERIOD',
    'WAITING PERIOD NOT SATISFIED',
    'EMPLOYEE IS IN A 90 DAY WAITING PERIOD',
    'WAITING PERIOD HAS NOT BEEN MET',
    'PROBATIONARY PERIOD NOT COMPLETED',
  ],
  counterexamples: [
    'WAITING PERIOD SATISFIED',
    'NO WAITING PERIOD',
    'NOT IN A WAITING PERIOD',
    'PRE-EXISTING WAITING PERIOD NOT MET',
    'WAITING PERIOD NOT MET FOR MAJOR SERVICES',
    '90 DAY WAITING PERIOD',
  ],
})

const NEW_CARRIER = phrases({
  meaning: 'another insurer, whom the text does not name, has taken over',
  source: 'TPAs and self-funded employers',
  says: [
    /^\W*(?:(?:GROUP|EMPLOYER|MEMBER|ACCOUNT|HAS|HAVE|WITH|AN?) )*(?:(?:NEW|DIFFERENT) (?:CARRIER|INSURER|INSURANCE CARRIER|TPA|ADMINISTRATOR)|(?:CARRIER|INSURER|TPA) CHANGED?)(?=\W*$|[ :-]+(?:EFF\w*|AS OF|ON|SINCE|DATE)\b|[ :-]+\d)/,
  ],
  examples: ['NEW CARRIER EFF 01/01/26', 'CARRIER CHANGE 01/01/2026', 'GROUP HAS NEW TPA', 'CARRIER CHANGED'],
  counterexamples: ['NEW CARRIER CODE 12', 'NEW ID CARD'],
})

/** Groups that state a denial with their words alone. A date in the same clause decides from when. */
export const LISTED_DENIALS = [RESTRICTED, IMPRISONED, FORMER_MEMBER, FUTURE, IN_WAITING_PERIOD, NEW_CARRIER] as const

/** Coverage of something else. */
const OTHER_COVERAGE = /\b(?:DENTAL|VISION|PHARMACY)\b/

export const UNPAID_UNTIL = phrases({
  meaning:
    'nothing is paid until a premium is, or until a form is received: a condition, and yet a statement about the coverage',
  source: 'Ambetter, Molina and Florida Blue exchange plans; COB questionnaires of BCBS plans',
  says: [
    {
      at: /\b(?:UNTIL|UNLESS|BEFORE)\b/,
      before: [/\b(?:NOT|NO|SUSPENDED|PENDED|PENDING|HELD|ON HOLD|DENIED)\b/],
      after: [/\b(?:PREMIUMS?|PAYMENT) (?:IS|ARE|HAS BEEN|HAVE BEEN|RECEIVED|PAID)\b/],
    },
    { at: /\b(?:UNTIL|UNLESS|BEFORE)\b/, before: [/\bMUST PAY\b/, /\bPREMIUMS?\b/], after: [] },
  ],
  unless: [OTHER_COVERAGE],
  examples: [
    'SERVICES ARE NOT PAYABLE UNTIL PREMIUM IS PAID',
    'MEMBER MUST PAY PREMIUM BEFORE SERVICES ARE COVERED',
    'CLAIMS SUSPENDED UNTIL PREMIUM IS RECEIVED',
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
    /^\W*(?:(?:THE|THIS|MEMBER(?:'S)?|PATIENT(?:'S)?|INDIVIDUAL|MEDICAL|HAS|HAVE)\W+)*(?:LIFETIME|ANNUAL|YEARLY|PLAN|POLICY|BENEFIT|CALENDAR YEAR|OVERALL|VISIT)(?: [A-Z]+){0,2} (?:MAXIMUMS?|MAX|LIMITS?)(?: (?:BENEFITS?|AMOUNT|HAS|HAVE|IS|ARE|BEEN|WAS|FULLY|ALREADY))*[ :-]+(?:REACHED|MET|EXHAUSTED|EXCEEDED|SATISFIED|USED)\b(?! FOR (?!(?:THE |THIS )?(?:\d|YEAR|CALENDAR|BENEFIT|PLAN|LIFE|POLICY|PERIOD|MEMBER|PATIENT)))/,
    /^\W*(?:(?:LIFETIME|ANNUAL|POLICY|PLAN|CALENDAR YEAR) )?(?:MAX(?:IMUM)?|LIFETIME|ANNUAL) BENEFITS?(?: (?:AMOUNT|HAS|HAVE|IS|ARE|BEEN|WAS|FULLY|ALREADY))*[ :-]+(?:REACHED|MET|EXHAUSTED|EXCEEDED|USED)\W*$/,
    /^\W*(?:(?:THE|ALL|MEDICAL|PLAN) )*BENEFITS (?:(?:HAVE BEEN|ARE|WERE) )?(?:FULLY )?EXHAUSTED FOR (?:THE|THIS)(?: (?:PLAN|CALENDAR|BENEFIT|POLICY|CURRENT))? YEAR\W*$/,
  ],
  unless: [
    /\b(?:IF|WHEN|ONCE|UNTIL|UNLESS|AFTER|BEFORE|NOT|OUT[ -]OF[ -]POCKET|OOP|MOOP|DEDUCTIBLES?|CO-?PAY\w*|COINSURANCE)\b/,
  ],
  examples: [
    'LIFETIME MAXIMUM HAS BEEN REACHED',
    'ANNUAL MAXIMUM BENEFIT HAS BEEN MET',
    'VISIT LIMIT EXHAUSTED',
    'BENEFITS HAVE BEEN EXHAUSTED FOR THIS PLAN YEAR',
    'BENEFITS EXHAUSTED FOR THE CALENDAR YEAR',
    'CALENDAR YEAR MAXIMUM MET',
    'MAX BENEFIT REACHED',
  ],
  counterexamples: [
    'OUT OF POCKET MAXIMUM HAS BEEN MET',
    'AFTER THE ANNUAL MAXIMUM BENEFIT IS REACHED THE MEMBER PAYS ALL COSTS',
    'ORTHODONTIC LIFETIME MAXIMUM REACHED',
    'BENEFIT MAXIMUM REACHED FOR ORTHOTICS',
  ],
})

const END = '\\b(?! (?:FOR|BY|WITH|AT|IN|TO)\\b)'
const VISITS = '(?:OFFICE|PHYSICIANS?|DOCTORS?)(?: OFFICE)? VISITS?'

export const NO_OFFICE_VISITS = phrases({
  meaning: 'office visits are not covered',
  source: 'Limited policies; hospital and surgical plans',
  says: [
    new RegExp(`\\b${VISITS} (?:(?:IS|ARE) )?(?:NOT (?:A )?COVERED|NOT PAYABLE|NOT INCLUDED|EXCLUDED)\\b`),
    new RegExp(`\\b(?:DOES|DO|WILL) NOT (?:COVER|PAY FOR|INCLUDE) (?:ANY )?${VISITS}${END}`),
    new RegExp(`\\bNO (?:COVERAGE|BENEFITS) FOR ${VISITS}${END}`),
    /\bNO CUBRE (?:LAS )?(?:VISITAS MEDICAS|VISITAS AL MEDICO|CONSULTAS(?: MEDICAS)?)\b/,
  ],
  unless: [
    CONDITION,
    /\b(?:NETWORK|NON[ -]?PAR\w*|ROUTINE|SPECIALIST|INPATIENT|EMERGENCY|HOSPITAL|HOME|TELE\w*|VIRTUAL|EYE|WITHOUT|DEDUCTIBLES?|OUTSIDE|REFERRALS?)\b/,
  ],
  examples: [
    'PLAN DOES NOT COVER OFFICE VISITS',
    'OFFICE VISITS ARE NOT COVERED',
    'NO COVERAGE FOR DOCTOR VISITS',
    'ESTE PLAN NO CUBRE VISITAS MEDICAS',
  ],
  counterexamples: ['OUT OF NETWORK OFFICE VISITS NOT COVERED', 'ROUTINE OFFICE VISITS ARE NOT COVERED'],
})
