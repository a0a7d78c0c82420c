// Words beside a figure by which it is the family's, the plan's share, the most that is owed, or that of one kind of care. decisions/0181.
import { phrases } from '../phrase-group.ts'

const KIND =
  'DED(?:UCTIBLE)?|OUT[ -]OF[ -]POCKET|M?OOPM?|STOP LOSS|CO-?PAY(?:MENT)?|CO-?INSURANCE|MAX(?:IMUM)?|LIMIT|AMOUNT|TOTAL|ACCUMULAT(?:OR|ED)|REMAINING|MET|USED|LEVEL|COVERAGE|ANNUAL|CALENDAR|CONTRACT|PLAN|YEAR|TO|DATE|IN[ -]NETWORK|OUT[ -]OF[ -]NETWORK'

export const OF_FAMILY = phrases({
  meaning: 'a figure is that of the family, in place of EB02',
  source: 'TPAs and regional plans that leave EB02 blank; x12-271.md 7, EB02',
  says: [
    new RegExp(
      `^\\W*(?:(?:${KIND})[ :/-]+)*(?:(?:PER|EACH|ENTIRE|WHOLE|TOTAL|(?:EE|EMPLOYEE) ?(?:\\+|AND|&)) ?)?FAMILY(?:[ :/-]+(?:${KIND}))*\\W*$`,
      'i',
    ),
  ],
  examples: [
    'FAMILY',
    'FAMILY DEDUCTIBLE',
    'Family out of pocket maximum',
    'DEDUCTIBLE - FAMILY',
    'ANNUAL FAMILY MAX',
    'EE + FAMILY',
    'PER FAMILY',
  ],
  counterexamples: ['FAMILY PRACTICE', 'DEDUCTIBLE IS MET WHEN FAMILY AMOUNT IS SATISFIED', 'INDIVIDUAL WITHIN FAMILY'],
})

export const OF_INDIVIDUAL = phrases({
  meaning: 'a figure is that of each person, as a blank EB02 says anyway',
  source: 'TPAs and regional plans that leave EB02 blank; x12-271.md 7, EB02',
  says: [
    new RegExp(
      `^\\W*(?:(?:${KIND})[ :/-]+)*(?:INDIVIDUAL|SINGLE|(?:EE|EMPLOYEE|SELF|MEMBER) ONLY|(?:PER|EACH) (?:COVERED )?(?:PERSON|MEMBER|INDIVIDUAL))(?:[ :/-]+(?:${KIND}))*\\W*$`,
      'i',
    ),
  ],
  examples: ['INDIVIDUAL', 'INDIVIDUAL DEDUCTIBLE', 'PER PERSON', 'DEDUCTIBLE - EACH MEMBER', 'SINGLE DED', 'EE ONLY'],
  counterexamples: ['INDIVIDUAL THERAPY', 'PERSON UNDER 19'],
})

export const MOST_OWED = phrases({
  meaning: 'the amount is the most that copays come to, and not the copay of a visit',
  source: 'TPAs, Medicaid (maximum of a quarter)',
  says: [
    /^(?=.*\b(?:MAX(?:IMUM)?S?|LIMIT|CAP)\b)\W*(?:(?:ANNUAL|YEARLY|QUARTERLY|MONTHLY|LIFETIME|INDIVIDUAL|FAMILY|MAX(?:IMUM)?S?|LIMIT|CAP|CO-?PAY(?:MENT)?S?|OUT[ -]OF[ -]POCKET|OOP|TOTAL|AMOUNT|PER|EACH|A|OF|FOR|THE|CALENDAR|PLAN|BENEFIT|CONTRACT|YEAR|QUARTER|MONTH|ADMISSION|STAY)(?:[ :,/-]+|\W*$))+$/i,
  ],
  examples: ['MAXIMUM COPAY PER YEAR', 'COPAY MAXIMUM', 'ANNUAL COPAY LIMIT', 'Max copay per admission', 'COPAY CAP'],
  counterexamples: ['MAXIMUM OF 2 COPAYS PER YEAR', 'MAXIMUM ALLOWED CHARGE', 'COPAY', 'LIMITED TO 20 VISITS'],
})

export const PART_OF_COSTS = phrases({
  meaning: 'the maximum is that of coinsurance or of copays alone, and not of all that the patient pays',
  source: 'TPAs, grandfathered plans',
  says: [
    /^\W*(?:(?:ANNUAL|INDIVIDUAL|FAMILY|MEDICAL|PLAN|CALENDAR YEAR) )*CO-?(?:INSURANCE|PAY(?:MENT)?S?) (?:(?:OUT[ -]OF[ -]POCKET|OOP) )?(?:MAX(?:IMUM)?|LIMIT|CAP|STOP LOSS|ONLY)(?: (?:ONLY|AMOUNT|REMAINING|MET))*\W*$/i,
  ],
  examples: ['COINSURANCE MAXIMUM', 'COINSURANCE MAXIMUM ONLY', 'Copay out of pocket max', 'ANNUAL CO-INSURANCE LIMIT'],
  counterexamples: ['OUT OF POCKET MAXIMUM', 'COINSURANCE', 'INCLUDES COINSURANCE'],
})

/** At the end of a text the sign may be missing: "PLAN 70 / PATIENT 30". */
const SHARE = '(\\d{1,3}(?:\\.\\d+)?)(?: ?(?:%|PERCENT|PCT)|\\W*$)'
const OF_PLAN = "(?:PLAN|INS|INSURANCE|INSURER|CARRIER|PAYER|BENEFITS?|WE)(?:'?S)?"
/** The plan's share within a text: "PLAN PAYS 80%", "COVERED AT 80%". */
export const SHARE_OF_PLAN = new RegExp(
  `\\b(?:${OF_PLAN}(?: (?:(?:WILL )?PAYS?|REIMBURSES?|PAYMENT|RESPONSIBILITY|SHARE|LIABILITY|LEVEL|PERCENT(?:AGE)?|RATE))?|PAYS|COVERED|PAYABLE|PAID|REIMBURSED)(?: (?:AT|IS|UP TO))*[ :-]+${SHARE}|${SHARE} (?:OF ALLOWED )?(?:(?:IS )?PAID BY ${OF_PLAN}|COVERED|COVERAGE|PAYABLE)\\b`,
  'i',
)
/** The plan's share, then the patient's: "80/20". */
export const SHARES_OF_BOTH = /\b(\d{1,2}) ?\/ ?(\d{1,2})\b(?! ?\/)/
/** All is paid by the plan, so that 100 % is not the patient's share. */
export const PAID_IN_FULL =
  /\b(?:COVERED|PAID|PAYABLE) IN FULL\b|\bFULLY COVERED\b|\bNO (?:CHARGE|COST[ -]SHAR\w+|(?:PATIENT|MEMBER) (?:RESPONSIBILITY|COSTS?|LIABILITY|CO-?INSURANCE|SHARE))\b/i

export const NAMED_SHARE_OF_PLAN = phrases({
  meaning: 'the percentage is named as that of the plan, so that it may be what the plan pays',
  source: 'TPAs that send what they pay under EB01 A',
  says: [
    /^\W*(?:(?:THE|MEDICAL) )?(?:PLAN|BENEFITS?|CARRIER|INSURANCE|INSURER|PAYER)(?:'?S)? (?:CO-?INSURANCE|PAYMENT|PAYS|SHARE|PERCENT(?:AGE)?|LIABILITY|RESPONSIBILITY|REIMBURSEMENT)(?: (?:PERCENT(?:AGE)?|RATE|LEVEL|SHARE|AMOUNT|OF (?:COSTS?|CHARGES|ALLOWED|THE ALLOWED)))*\W*$/i,
  ],
  examples: ['PLAN COINSURANCE', 'Plan pays', 'BENEFIT PERCENTAGE', 'PLAN PAYMENT PERCENTAGE', "INSURER'S SHARE"],
  counterexamples: ['COINSURANCE', 'MEMBER COINSURANCE', 'PLAN COINSURANCE APPLIES', 'PLAN YEAR COINSURANCE'],
})

/** The patient's share within a text: "MEMBER PAYS 20%". */
export const SHARE_OF_PATIENT = new RegExp(
  `\\b(?:MEMBER|PATIENT|SUBSCRIBER|ENROLLEE|INSURED|YOU)(?:'?S)?(?: (?:PAYS?|OWES?|CO-?INSURANCE|RESPONSIBILITY|SHARE|LIABILITY))?(?: IS| OF)?[ :]+${SHARE}`,
  'i',
)

export const UP_TO_DAYS = phrases({
  meaning: 'a share that is owed per day is owed for some days',
  source: 'Kaiser, Medicare Advantage plans, Medicaid of several states',
  says: [
    /\b(?:UP TO|FOR|MAX(?:IMUM)?(?: OF)?|LIMIT(?:ED)?(?: OF| TO)?|NOT TO EXCEED)(?: THE)?(?: FIRST)? \d+ DAYS?\b|\b\d+[ -]DAYS? (?:MAX(?:IMUM)?|LIMIT)\b|\b\d+ DAILY CO-?PAY(?:MENT)?S?\b|(?<![$\d.,])\b\d+(?: DAYS?)? PER (?:ADMISSION|STAY|CONFINEMENT)\b/i,
  ],
  examples: [
    'PER DAY, UP TO 5 DAYS PER ADMISSION',
    'MAXIMUM OF 20 DAYS',
    '$275 PER DAY, 3 DAY MAXIMUM',
    'LIMIT 4 PER STAY',
  ],
  counterexamples: ['PER DAY', 'NOTIFY WITHIN 2 DAYS', 'MAXIMUM $21 PER ADMISSION'],
})

export const KIND_OF_CARE = phrases({
  meaning:
    "a figure of the plan, or of an office visit, is for one kind of care, and not the plan's or the visit's own",
  source: 'TPAs that send all their figures under service type 30',
  says: [
    /^\W*(?:FOR |MINOR |MAJOR |ADVANCED )?(?:(?:IN[ -])?OFFICE (?:SURG\w+|PROCEDURES?|LABS?|X-?RAYS?|INJECTIONS?|DIAGNOSTICS?)|EMERGENCY(?: ROOM)?|ER\b|URGENT CARE|INPATIENT|OUTPATIENT|HOSPITAL|SURGERY|SURGICAL|AMBULANCE|DME\b|DURABLE MEDICAL|LAB(?:ORATORY|S)?\b|X-?RAYS?|RADIOLOGY|IMAGING|MRI|DIAGNOSTIC|(?:PHYSICAL|OCCUPATIONAL|SPEECH) THERAPY|REHAB\w*|CHIROPRACT\w+|ACUPUNCTUR\w+|MATERNITY|HOME HEALTH|SKILLED NURSING|SNF\b|HOSPICE|PER (?:ADMISSION|CONFINEMENT|OCCURRENCE|INJURY|ILLNESS|ACCIDENT|CONDITION|SICKNESS)|DIALYSIS|TRANSPLANTS?|BARIATRIC|INFERTILITY|FERTILITY|HEARING|SECOND (?:SURGICAL )?OPINION|(?:GROUP|INDIVIDUAL|FAMILY) (?:THERAPY|PSYCHOTHERAPY|SESSIONS?)|MENTAL HEALTH|BEHAVIORAL|PSYCH\w+|SUBSTANCE|ALLERGY|PODIATR\w+|ORTHOPEDI\w+|OPTOMETR\w+|[A-Z]+OLOG(?:Y|ISTS?)|OB-?GYN|NUTRITION\w*|VISION|DENTAL)\b/i,
  ],
  unless: [
    /\b(?:AND|OR|ALL|INCLU\w+|EXCLU\w+|EXCEPT|ALSO|APPL\w+|WAIVED|IF|WHEN|REQUIRED|NOT|COVERED|NOTIF\w+|AUTH\w*|(?<!SURGERY IN )OFFICE(?! (?:SURG|PROCED|LAB|X-?RAY|INJECT|DIAGN))|PRE-?CERT\w*|MUST|CALL|NETWORK)\b|[&/]/i,
  ],
  examples: [
    'EMERGENCY ROOM',
    'Urgent care',
    'INPATIENT HOSPITAL',
    'EMERGENCY ROOM DEDUCTIBLE',
    'PER ADMISSION DEDUCTIBLE',
    'OFFICE SURGERY',
    'MINOR SURGERY IN OFFICE',
    'GROUP THERAPY',
    'DERMATOLOGIST',
  ],
  counterexamples: [
    'OFFICE VISIT',
    'OUTPATIENT OFFICE VISIT',
    'INPATIENT AND OUTPATIENT',
    'EMERGENCY SERVICES ARE COVERED',
    'HOSPITAL ADMISSIONS REQUIRE AUTHORIZATION',
  ],
})

export const SOME_AGES = phrases({
  meaning: 'a label by which a figure is for children or for adults alone',
  source: 'Plans without copays for children; pediatric dental and vision benefits of the ACA',
  says: [
    /\b(?:CHILD(?:REN)?|ADULTS?|SENIORS?|INFANTS?|NEWBORNS?)\b|\b\d+ (?:YEARS? )?(?:AND|OR|&) (?:OLDER|OVER|UP|ABOVE|UNDER|YOUNGER)\b|\b(?:UNDER|OVER|BELOW)(?: THE)?(?: AGE)?(?: OF)? \d+(?: ?(?:YEARS?|YRS?)|\b(?! *(?:VISITS?|DAYS?|UNITS?|HOURS?|MILES?|%|PERCENT)))|\bAGES?(?: OF)? \d+/i,
  ],
  unless: [
    /\b(?:(?:AND|OR)(?! (?:OLDER|OVER|UP|ABOVE|UNDER|YOUNGER))|ALL|SAME|INCLU\w+|ALSO|COVERED|APPL(?:Y|IES)|REQUIRED|IF|WAIVED|EXEMPT|EXCEPT|DEPENDENT|EMPLOYEE)\b|[/$]/i,
  ],
  examples: [
    'CHILDREN UNDER 6 YEARS',
    'MEMBERS UNDER 19 ONLY',
    'ADULTS',
    'AGE 0-5',
    'UNDER AGE 19',
    'SENIORS 65 AND OLDER',
  ],
  counterexamples: [
    'COPAY DOES NOT APPLY TO CHILDREN UNDER 21 AND PREGNANT WOMEN',
    'CHILDREN AND ADULTS',
    'UP TO 20 VISITS',
    'UNDER REVIEW',
  ],
})

export const OTHER_AMOUNT = phrases({
  meaning:
    'the amount is a penalty, a credit, what is carried over or that of a lifetime, and not the deductible, the maximum or the copay itself',
  source: 'TPAs, plans with a health reimbursement arrangement',
  says: [
    /^\W*(?:[\dA-Z-]+ ){0,4}?(?:PENALTY|(?:CARRY|ROLL)-?OVER|(?:CARRIER|DEDUCTIBLE|PRIOR) CREDITS?|(?:HRA|HSA|FSA|FUND|EMPLOYER)(?: [A-Z]+)? (?:BALANCE|CONTRIBUTION|AMOUNT|FUNDING|CREDITS?))\b/i,
    /^\W*LIFETIME (?:MAX(?:IMUM)?|LIMIT|BENEFIT|DEDUCTIBLE|OUT[ -]OF[ -]POCKET)\b/i,
  ],
  unless: [/\b(?:APPL\w+|MAY|WILL|NO|SUBJECT|INCLU\w+|EXCLU\w+|WAIVED|AVOID|WITHOUT)\b(?! PRE-?(?:CERT|AUTH))/i],
  examples: [
    'PENALTY FOR NO PRECERTIFICATION',
    'MAXIMUM PENALTY',
    '4TH QUARTER CARRYOVER',
    'DEDUCTIBLE CARRY-OVER',
    'HRA CREDIT',
    'PRIOR CARRIER CREDIT',
    'HSA EMPLOYER CONTRIBUTION',
    'LIFETIME MAXIMUM',
  ],
  counterexamples: [
    'PENALTY APPLIES WITHOUT AUTHORIZATION',
    'NO CARRYOVER',
    'INCLUDES PRIOR CARRIER CREDIT',
    'DEDUCTIBLE',
  ],
})

/** All but the year, which is that of ordinary limits. */
const RATE_PERIOD =
  '(?:(?!12 MONTHS)\\d{1,2} )?(?:OTHER |CALENDAR |ROLLING |CONSECUTIVE )?(?:DAYS?|WEEKS?|MONTHS?|VISIT|EPISODE|ADMISSION|CONDITION|DIAGNOSIS|INJURY|ILLNESS|CONFINEMENT|LIFETIME|(?<=\\d )YEARS|(?:BENEFIT )?PERIOD OF (?!1 Y|12 M)\\d+ (?:YEARS?|MONTHS?))'

const COUNT = '(?:ONE|TWO|THREE|FOUR|\\d{1,2})'
const OF_LIMIT = '(?:MAX(?:IMUM)?|LIMIT(?:ED)?|OF|TO|UP|NUMBER|VISITS?|TREATMENTS?|SESSIONS?|BENEFIT)'
/** Words before the period of a rate: a count, what is counted ("2 CLEANINGS EVERY"), words of limits. */
const RATED = `(?:${OF_LIMIT} )*(?:ONCE |TWICE |${COUNT} (?:[A-Z]+ ){0,4}?)?(?:${OF_LIMIT} )*`

export const RATE_OF_VISITS = phrases({
  meaning: 'the number of visits is that of a day, a week, a month, an episode or a lifetime, and not of the year',
  source: 'TPAs that label EB*F with VS in MSG in place of EB06 or HSD',
  says: [
    new RegExp(
      `^\\W*${RATED}(?:(?:PER|AN?|EACH|EVERY|IN) ${RATE_PERIOD}|DAILY|WEEKLY|MONTHLY|LIFETIME)(?: (?:MAX(?:IMUM)?|LIMIT|OF|VISITS?))*\\W*$`,
      'i',
    ),
  ],
  examples: [
    'VISITS PER WEEK',
    'ONE VISIT PER DAY',
    'PER EPISODE',
    'LIFETIME MAXIMUM',
    'Monthly limit',
    'EVERY 2 WEEKS',
    'ONCE EVERY 24 MONTHS',
    '2 CLEANINGS PER 6 MONTHS',
    'LIMITED TO ONE PAIR OF LENSES EVERY 24 MONTHS',
    'PER BENEFIT PERIOD OF 3 YEARS',
  ],
  counterexamples: ['VISITS PER CALENDAR YEAR', 'COPAY PER VISIT', '20 VISITS PER YEAR, ONE PER DAY', 'PER 12 MONTHS'],
})
