// Words that leave a figure what its row makes of it. A label with another word restricts the figure, whatever the word means. decisions/0190.
import { cachedByName } from '../names/known-names.ts'

/**
 * Words by which a clause is no name of the figure, whatever else it says: an act that somebody has to do, what the figure does not hold for, or
 * what it holds for as well.
 */
const EXCUSED =
  /\b(?:REFER(?= TO\b)|REQUIRE[SD]?|REQ|NEEDED|MUST|CALL|CONTACT|SEE|SUBMIT|SEND|NOTIFY|OBTAIN|VERIFY|PLEASE|REVIEW\w*|BILL|AUTH|AUTHORIZATIONS?|PRE-?(?:CERT|AUTH)\w*|CERTIFI\w+|COLLECT\w*|NOT?|NONE|EXCEPT|EXCLUD\w+|UNLESS|WAIVED?|INCLUD\w+|INCL|COMBINED|SHARED|COUNTS?|CREDIT(?:S|ED)?|ACCUMULATES?|ALSO|CARRY-?OVER(?= (?:PROVISION |RULE )?(?:APPL(?:Y|IES)|IS\b|MAY\b|ALLOWED))|AVAILABLE(?=\W*$))\b/

/** A verb, which has its subject before it. */
const VERB =
  /\b(?:IS|ARE|WAS|WERE|WILL|MAY|CAN|SHALL|SHOULD|HAS|HAVE|DOES|DO|APPLY|APPLIES|PAYS?|COVERS?|VARY|VARIES|RESETS?|BEGINS|STARTS|ENDS)\b/

/** Subjects that are the figure; without one it is the figure as well. */
const OF_FIGURE =
  /^\W*$|\b(?:THIS|THESE|DED(?:UCTIBLE)?|CO-?PAY\w*|CO-?INS\w*|AMOUNTS?|BENEFITS?|MAX(?:IMUM)?|LIMIT|RATE|PRICE|FEE|CHARGES?|VISITS?|POCKET|OOP)\b/

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

/** Figures, their owners, periods and networks, care of any kind, and the words between them. */
const PLAIN = setOf(
  `A AN AND ALL ANY AS AT BY EACH ENTIRE EVERY FOR FROM IN INTO OF ON ONLY OR OUT PER PLUS SAME THE THEN THIS THRU THROUGH TO UNDER WHICHEVER
  WITH WITHIN YOUR OUR WHOLE FULL AFTER BEFORE BEGINNING BOTH EFF EFFECTIVE ENDED FULLY IF ONCE UNTIL UP WHEN WHERE
  DUE TIME SEEN IS ARE WAS WERE BE BEEN WILL MAY CAN SHALL SHOULD HAS HAVE DO DOES APPLY APPLIES APPLIED APPLICABLE ALLOWED AUTHORIZED BASED BEGINS BILLED CALCULATED
  COVERED COVERS ENDS DURING EXCEED FURNISHED LIMITED PAID PAYABLE PERFORMED PROVIDED RECEIVED RENDERED PAYS REDUCED RESETS STARTS SUBJECT UPDATED NIGHTLY VARIES VARY UCR
  ONE TWO THREE FOUR FIVE SIX SEVEN EIGHT NINE TEN TWELVE TIMES TWICE
  STANDARD REGULAR BASIC GENERAL GLOBAL BASE NORMAL USUAL DEFAULT COMPREHENSIVE PREVENTIVE NON-PREVENTIVE EMBEDDED NON-EMBEDDED NONEMBEDDED AGGREGATE
  NON-AGGREGATE NON GRANDFATHERED
  DED DEDUCTIBLE DEDUCTIBLES CO COST COSTS SHARE SHARES SHARING COPAY COPAYS CO-PAY CO-PAYS COPAYMENT COPAYMENTS CO-PAYMENT CO-PAYMENTS COINSURANCE
  CO-INSURANCE COINS PAY PAYMENT PAYMENTS PERCENT PERCENTAGE PCT PRICE RATE FEE CHARGE CHARGES DOLLARS OOP OOPM MOOP MOOPM POCKET OUT-OF-POCKET STOP
  LOSS MAX MAXS MAXIMUM MAXIMUMS MINIMUM CAP LIMIT LIMITS LIMITATION LIMITATIONS AMOUNT AMOUNTS AMT TOTAL ACCUMULATOR ACCUMULATORS ACCUM ACCUMULATED
  REMAIN REMAINS REMAINING REMAINDER LEFT AVAILABLE MET USED TAKEN UTILIZED SATISFIED YTD BALANCE ESTIMATE ESTIMATED APPROXIMATE NUMBER ACCT
  INDIV INDIVIDUAL INDIVIDUALS IND FAMILY FAM SINGLE SELF EMPLOYEE EE SPOUSE DEPENDENT DEPENDENTS CHILD MEMBER MEMBERS MBR PATIENT PATIENTS SUBSCRIBER
  ENROLLEE INSURED PERSON PERSONS PARTICIPANT BENEFICIARY RECIPIENT CLIENT RETIREE RESPONSIBILITY LIABILITY OBLIGATION
  INS INSURER INSURANCE CARRIER EMPLOYER PAYER WE YOU
  ANNUAL YEARLY ANNUALLY CALENDAR CAL CONTRACT PLAN POLICY BENEFIT BENEFITS BEN SERVICE SERVICES SVC SVCS YEAR YEARS YR YRS PERIOD PERIODS MONTH MONTHS
  MONTHLY QUARTER QUARTERLY WEEK WEEKS WEEKLY DAY DAYS DAILY DATE DATES VISIT VISITS OCCURRENCE ENCOUNTER APPOINTMENT TREATMENT TREATMENTS SESSION SESSIONS UNIT UNITS HOUR
  HOURS ADMISSION ADMIT STAY CONFINEMENT LIFETIME CURRENT COVERAGE LEVEL
  NETWORK NETWK NTWK INN OON PAR PARTICIPATING PREFERRED IN-NETWORK OUT-OF-NETWORK PROVIDER PROVIDERS PHYSICIAN PHYSICIANS DOCTOR DOCTORS DR PRACTITIONER
  PRACTITIONERS OFFICE OFFICES OV PROFESSIONAL OUTPATIENT MEDICAL MED HEALTH CARE SICK ILLNESS INJURY EXAM EXAMS CONSULT CONSULTS CONSULTATION CONSULTATIONS
  REFERRED WELLVISION SUPPLY SUPPLIES SCRIPT PRESCRIPTION RX FILL REFILL
  COPAGO COASEGURO DEDUCIBLE VISITA POR TIER
  JAN JANUARY FEB FEBRUARY MAR MARCH APR APRIL JUN JUNE JUL JULY AUG AUGUST SEP SEPT SEPTEMBER OCT OCTOBER NOV NOVEMBER DEC DECEMBER`,
)

/** Two that together are all of a kind: a figure of both is one of the whole service. */
const PAIRS: readonly (readonly [ReadonlySet<string>, ReadonlySet<string>])[] = [
  [setOf('PCP PCPS PRIMARY'), setOf('SPECIALIST SPECIALISTS SPECIALTY SPECIAL SPEC')],
  [setOf('PRIMARY'), setOf('OTHER')],
  [setOf('GENERIC GENERICS'), setOf('BRAND BRANDS')],
  [setOf('INPATIENT'), setOf('OUTPATIENT')],
  [setOf('RETAIL'), setOf('MAIL')],
  [setOf('FACILITY'), setOf('PROFESSIONAL PHYSICIAN')],
  [setOf('MEDICAL MED'), setOf('PHARMACY DRUG DRUGS RX DENTAL VISION BEHAVIORAL MENTAL')],
]

/** Kinds of plans: in the label of another kind of plan they restrict the figure. */
export const PLAN_KINDS = setOf('HMO PPO EPO POS HDHP INDEMNITY')

/** Words that are understood together alone: "INT MED AND RX", medical and drugs in one. */
const TOGETHER =
  /\bEVALUATIONS? (?:AND|&) MANAGEMENT\b(?: CODES?)?|\bE ?[/&] ?M\b(?: CODES?)?|\bINT(?:EGRATED)? (?=MED(?:ICAL)? (?:AND|&) (?:RX|DRUGS?|PHARMACY)\b)|\bIN[ -]PERSON (?:OR|AND) (?:VIRTUAL|TELE\w+)\b|\b(?:HSA|HRA|HDHP)[ -](?:QUALIFIED|COMPATIBLE|ELIGIBLE)\b|\bPRIOR TO\b|\bALL OTHER\b|\bFIRST(?=\W*$)/g

/** Amounts, shares, counts, dates. */
const NUMBER = /^[$#]?[\d.,/:%-]+(?:ST|ND|RD|TH|X)?$/

/**
 * The words of a label that may make its figure that of some care, people or providers alone; none of a clause that is excused, or that is about
 * something else. In capitals. The name of the plan and of the service are not known here.
 */
export const unknownWordsOf = cachedByName((label): readonly string[] =>
  clausesOf(label).flatMap((clause) => unknownIn(clause.replaceAll(TOGETHER, ''))),
)

/**
 * The same of a text that is too long for a label: only what is written as a name counts, without a verb and without the words of a notice
 * ("FOR SLEEP STUDIES PERFORMED IN THE HOME", not "BASED ON THE ELIGIBILITY AT THE TIME OF SERVICE"). Such texts may name people, so that none is
 * kept. decisions/0202.
 */
export function unknownWordsOfLong(text: string): readonly string[] {
  if (text.length > LONGEST_MESSAGE) return NONE
  const clauses = clausesOf(text)
  const end = clauses.findIndex(isSentence)
  return clauses.slice(0, end < 0 ? undefined : end).flatMap(unknownIn)
}

/** What follows a sentence belongs to it. */
const isSentence = (clause: string) =>
  !OF_SOME.test(clause) &&
  ([VERB, OF_NOTICES, OF_SOMEBODY].some((words) => words.test(clause)) ||
    (EXCUSED.test(clause) && !TOGETHER_ALONE.test(clause)))

/** "This patient falls under". */
const OF_SOMEBODY =
  /^\W*(?:THIS|THE|YOUR|OUR) (?:[A-Z]+ )?(?:PATIENT|MEMBER|SUBSCRIBER|INSURED|PLAN|GROUP|EMPLOYER|PAYER|PROVIDER) [A-Z]+S\b/

/** Characters of MSG01. A longer text is a notice. */
const LONGEST_MESSAGE = 264

/** Words of sentences about the plan, the answer or the claim. */
const OF_NOTICES =
  /\b(?:REFER|SUBJECT TO|BASED|ACCORDING|PURSUANT|GUARANTEE\w*|NECESS\w+|PROVISIONS?|TERMS?|CONDITIONS?|ELIGIB\w+|INFORMATION|DETERMIN\w+|DIFFERENCE BETWEEN|BALANCE BILL\w*|CLAIMS?|QUESTIONS?|WEBSITE|WWW|VISIT OUR|QUOTED?|DISCLAIMER|REIMBURSE\w*|PROCESS\w*|INQUIR\w+|DOCUMENTS?|CERTIFICATE|BOOKLET|PENALTY|CHOOSE|CHANGE[SD]?|RUNS|CARR(?:Y|IES)|ACCUMULATES?|SEARCH|AVOID|ALWAYS|USE(?= PROVIDERS))\b/

/** "Medicare and Medicaid benefits coordinated by this plan": who does it, and not what the figure is for. */
const DONE_BY_PLAN =
  /\bBENEFITS? (?:(?:IS|ARE) )?(?:COORDINATED|ADMINISTERED|MANAGED|INSURED|UNDERWRITTEN|PROVIDED|OFFERED) (?:BY|THROUGH) (?:THIS|THE|YOUR|OUR|ONE|THE SAME) PLAN\W*$/

function unknownIn(clause: string): readonly string[] {
  if (DONE_BY_PLAN.test(clause)) return NONE
  const excused = EXCUSED.exec(clause)
  if (excused !== null) return unknownBeside(clause, excused.index)
  const words = unknownAmong(clause)
  return words.length === 0 || isOfFigure(clause) ? words : NONE
}

/**
 * The names beside what is excused: before it ("partner clinic referral required"), unless they are the subject of a sentence ("MRI and CT scans
 * require ..."), and where a figure is waived ("waived at partner clinic").
 */
function unknownBeside(clause: string, at: number): readonly string[] {
  const place = WAIVED_AT.exec(clause)?.[0] ?? ''
  const before = clause.slice(0, at)
  const named = before.includes(',') || !HAS_VERB.test(clause) ? before : ''
  const ofCare = WITH_MORE.test(clause) && !TOGETHER_ALONE.test(clause) ? CARE : NO_WORDS
  return unknownAmong(`${named} ${place}`).filter((word) => !OF_REQUIREMENTS.has(word) && !ofCare.has(word))
}

/** A verb by which what stands before it is its subject, and not the name of the figure; "required" and "waived" alone are none. */
const HAS_VERB = new RegExp(
  `${VERB.source}|\\b(?:REQUIRES?|MUST|NEEDS?|INCLUDES?|COUNTS?|ACCUMULATES?|EXCLUDE[DS]?|AVAILABLE|NOT (?:COVERED|INCLUDED|PAYABLE))\\b`,
)
const WAIVED_AT =
  /(?<=\b(?:WAIVED?|NO CO-?PAY\w*|NO CHARGE|NO COST(?: SHARE)?|NO (?:AUTH\w*|PRE-?(?:AUTH|CERT)\w*|REFERRALS?)(?: (?:IS |ARE )?(?:NEEDED|REQUIRED))?|NOT? (?:APPLICABLE|APPLY|NEEDED|REQUIRED)) )(?:WHEN )?(?:AT|BY|FROM|IN|SEEN|THROUGH|VIA|WITH|FOR(?= (?:[A-Z]+ ){1,3}(?:CENTERS?|CLINICS?|DOCTORS?|PHYSICIANS?|PROVIDERS?)\b))\b.*/
/** "Pharmacy included", "PT and OT combined": the figure is also that of other care. */
const WITH_MORE = /\b(?:ALSO|COMBINED|INCL|INCLUDED|INCLUDING|SHARED)\b/
/** "PT/OT/ST COMBINED LIMIT": the figure is that of several services together, and of no other. */
const TOGETHER_ALONE =
  /^[^A-Z]*[A-Z]+(?:[^A-Z]+[A-Z]+){1,5} (?:COMBINED|SHARED) (?:(?:VISIT|BENEFIT|ANNUAL|DAY) )*(?:LIMIT|MAX(?:IMUM)?)\b/
/** True for a limit that several services, which the text names, have together. */
export const isSharedByServices = (text: string): boolean => TOGETHER_ALONE.test(text.toUpperCase())

/** What is required, and of whom. */
const OF_REQUIREMENTS = setOf(
  `ADVANCE APPROVAL APPROVALS ASSESSMENT CERTIFICATE DOCUMENTATION EVALUATION MD NECESSITY NOTICE NOTIFICATION ORDER PCP PLANNED PRIMARY PRIOR PROOF
  REFERRAL REFERRALS REFERRING SPECIALIST SPECIALISTS WRITTEN`,
)

/** A sentence about the figure restricts it as a name does ("APPLIES TO"); one about something else does not ("CLAIMS ARE SENT TO"). */
function isOfFigure(clause: string): boolean {
  const at = clause.search(VERB)
  if (at < 0) return true
  const subject = clause.slice(0, at)
  if (OF_SOME.test(clause)) return unknownAmong(subject).length > 1
  return OF_FIGURE.test(subject) || (/^(?:PAY|COVER)/.test(clause.slice(at)) && unknownAmong(subject).length === 0)
}

/** "Certain self-injectable medications are limited to": the row is about them, and not about all of its service. */
const OF_SOME =
  /^\W*(?:CERTAIN|SOME|SELECT|SELECTED|SPECIFIC) [^.]*?\b(?:IS|ARE) (?:ONLY )?(?:LIMITED|RESTRICTED|COVERED|PAYABLE|PAID)\b/

function unknownAmong(clause: string): readonly string[] {
  const words = wordsOf(clause)
  const paired = PAIRS.filter((pair) => pair.every((side) => words.some((word) => side.has(word))))
  return words.filter((word) => {
    return !NUMBER.test(word) && !isPlain(word) && !paired.some((pair) => pair.some((side) => side.has(word)))
  })
}

/** Also in the plural, and with an apostrophe: "MEMBER'S". */
const isPlain = (word: string) => PLAIN.has(word) || PLAIN.has(word.replace(/'?S$/, ''))

/** What a text says one after the other, in capitals: "PREVENTIVE CARE - NO COPAY". */
export const clausesOf = (text: string): string[] =>
  text
    .toUpperCase()
    .replace(COUNTED_IN, '')
    .split(/ -+ |;|\. |(?<=[A-Z]{3})\.(?=[A-Z]{3})/)
    .flatMap(withoutSentence)

/** "EMERGENCY ROOM,NON-EMERGENCY USE IS NOT COVERED": a sentence behind a name. */
function withoutSentence(clause: string): string[] {
  const comma = clause.lastIndexOf(',')
  if (comma <= 0 || clause[comma + 1] === ' ' || !VERB.test(clause.slice(comma))) return [clause]
  return [clause.slice(0, comma), clause.slice(comma + 1)]
}

/** After a name: which maximum the figure counts toward. "SURGERY,COPAY INCLUDED IN OOP" is the figure of surgery. */
const COUNTED_IN =
  /(?:^|,) ?(?:DED(?:UCTIBLE)?|CO-?PAY|CO-?INS(?:URANCE)?)(?: (?:AND|&) (?:DED(?:UCTIBLE)?|CO-?PAY|CO-?INS(?:URANCE)?))? (?:(?:IS|ARE) )?(?:NOT )?(?:INCLUDED IN|APPL(?:Y|IES) TO) (?:THE )?(?:OOP|M?OOPM?|OUT[ -]OF[ -]POCKET|DED(?:UCTIBLE)?)(?: MAX(?:IMUM)?)?$/

/** Words for the same care: with one in the name of a service, the others say no more than it. */
const SYNONYMS: readonly ReadonlySet<string>[] = [
  'EMERGENCY ER ED ROOM DEPARTMENT FACILITY',
  'HOSPITAL HOSPITALIZATION FACILITY',
  'SURGERY SURGERIES SURGICAL SURGEON',
  'X-RAY X-RAYS XRAY XRAYS RADIOLOGY IMAGING',
  'LAB LABS LABORATORY PATHOLOGY DIAGNOSTIC',
  'MRI CAT CT PET MRA SCAN SCANS IMAGING ADVANCED',
  'CHIROPRACTIC CHIROPRACTOR CHIRO SPINAL MANIPULATION MANIPULATIONS ADJUSTMENT ADJUSTMENTS',
  'THERAPY THERAPIES THERAPIST REHABILITATION REHABILITATIVE REHAB HABILITATION HABILITATIVE',
  'PHYSICAL PT',
  'OCCUPATIONAL OT',
  'SPEECH ST',
  'PSYCHIATRIC PSYCHIATRY PSYCHOTHERAPY PSYCHOLOGY MENTAL BEHAVIORAL',
  'SUBSTANCE ABUSE ALCOHOLISM ADDICTION CHEMICAL DEPENDENCY USE DISORDER',
  'DURABLE DME EQUIPMENT RENTAL PURCHASE',
  'SKILLED NURSING SNF FACILITY',
  'VISION OPTOMETRY EYE EYES ROUTINE',
  'DENTAL DENTIST DENTISTRY TEETH',
  'PHARMACY DRUG DRUGS PRESCRIPTIONS',
  'MATERNITY PREGNANCY PRENATAL OBSTETRIC OBSTETRICAL OB',
  'URGENT CENTER CENTERS CLINIC FACILITY WALK-IN',
  'AMBULANCE TRANSPORT TRANSPORTATION',
  'ACUPUNCTURE ACUPUNCTURIST',
].map(setOf)

const CARE: ReadonlySet<string> = new Set(SYNONYMS.flatMap((group) => [...group]))
const NO_WORDS: ReadonlySet<string> = new Set()

/** The words for the same care as one of these, in capitals. */
export const synonymsOf = (words: readonly string[]): string[] =>
  SYNONYMS.filter((group) => words.some((word) => group.has(word))).flatMap((group) => [...group])

/** The words of a label or a name, in capitals. */
export function wordsOf(text: string): string[] {
  const words = text.toUpperCase().split(/[^\p{L}\p{N}$#%.'-]+/u)
  return words.map((word) => word.replace(/^[-.']+|[-.']+$/g, '')).filter((word) => word !== '')
}

const NONE: readonly string[] = []
