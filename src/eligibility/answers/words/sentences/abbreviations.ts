// Abbreviations of payers' texts, spelled out before the texts are searched. Source: companion guides and portals of Medicaid agencies, BCBS plans,
// TPAs; decisions/0100-a-grammar-of-denials.md.

const WORDS: Readonly<Record<string, string>> = {
  ACCT: 'ACCOUNT',
  ACTV: 'ACTIVE',
  APP: 'APPLICATION',
  APPL: 'APPLICATION',
  ASST: 'ASSISTANCE',
  AUTH: 'AUTHORIZATION',
  AUTHS: 'AUTHORIZATIONS',
  AVAIL: 'AVAILABLE',
  BEG: 'BEGINS',
  BEN: 'BENEFITS',
  BENE: 'BENEFICIARY',
  BENF: 'BENEFITS',
  BENS: 'BENEFITS',
  BGN: 'BEGINS',
  CANC: 'CANCELLED',
  CANCD: 'CANCELLED',
  CANCLD: 'CANCELLED',
  CANX: 'CANCELLED',
  CD: 'CODE',
  CERT: 'CERTIFICATE',
  CNCL: 'CANCELLED',
  CNCLD: 'CANCELLED',
  COV: 'COVERAGE',
  COVD: 'COVERED',
  COVG: 'COVERAGE',
  COVRG: 'COVERAGE',
  CURR: 'CURRENT',
  CVG: 'COVERAGE',
  CVRD: 'COVERED',
  CVRG: 'COVERAGE',
  CX: 'CANCELLED',
  CXL: 'CANCELLED',
  CXLD: 'CANCELLED',
  DED: 'DEDUCTIBLE',
  DELINQ: 'DELINQUENT',
  DELQ: 'DELINQUENT',
  DEP: 'DEPENDENT',
  DEPS: 'DEPENDENTS',
  DISENR: 'DISENROLLED',
  DISENRL: 'DISENROLLED',
  DISENRLD: 'DISENROLLED',
  DLQ: 'DELINQUENT',
  DOD: 'DATE OF DEATH',
  DOS: 'DATE OF SERVICE',
  DT: 'DATE',
  EE: 'EMPLOYEE',
  EFCT: 'EFFECTIVE',
  EFF: 'EFFECTIVE',
  EFFDT: 'EFFECTIVE DATE',
  ELG: 'ELIGIBILITY',
  ELIG: 'ELIGIBILITY',
  EMPL: 'EMPLOYEE',
  ENR: 'ENROLLED',
  ENRL: 'ENROLLED',
  EXH: 'EXHAUSTED',
  EXP: 'EXPIRES',
  EXPD: 'EXPIRED',
  GRP: 'GROUP',
  HPE: 'HOSPITAL PRESUMPTIVE ELIGIBILITY',
  INACT: 'INACTIVE',
  INACTV: 'INACTIVE',
  INCARC: 'INCARCERATED',
  IND: 'INDICATOR',
  INDV: 'INDIVIDUAL',
  INEL: 'INELIGIBLE',
  INELG: 'INELIGIBLE',
  INELIG: 'INELIGIBLE',
  INFO: 'INFORMATION',
  INS: 'INSURANCE',
  INSD: 'INSURED',
  LAPSD: 'LAPSED',
  MBR: 'MEMBER',
  MBRS: 'MEMBERS',
  MBRSHP: 'MEMBERSHIP',
  MCAID: 'MEDICAID',
  MCD: 'MEDICAID',
  MED: 'MEDICAL',
  MEM: 'MEMBER',
  MEMB: 'MEMBER',
  NONPAY: 'NONPAYMENT',
  NOPAY: 'NONPAYMENT',
  NONPMT: 'NONPAYMENT',
  NONPYMT: 'NONPAYMENT',
  PARTIC: 'PARTICIPANT',
  PD: 'PAID',
  PE: 'PRESUMPTIVE ELIGIBILITY',
  PEND: 'PENDED',
  PENDG: 'PENDING',
  PLCY: 'POLICY',
  PMNT: 'PAYMENT',
  PMT: 'PAYMENT',
  PMTS: 'PAYMENTS',
  PND: 'PENDED',
  PNDG: 'PENDING',
  POL: 'POLICY',
  PREM: 'PREMIUM',
  PREMS: 'PREMIUMS',
  PREV: 'PREVIOUS',
  PROV: 'PROVIDER',
  PT: 'PATIENT',
  PTS: 'PATIENTS',
  PYMT: 'PAYMENT',
  PYMTS: 'PAYMENTS',
  RCVD: 'RECEIVED',
  RECD: 'RECEIVED',
  RECERT: 'RECERTIFICATION',
  RECIP: 'RECIPIENT',
  REDET: 'REDETERMINATION',
  REQ: 'REQUIRED',
  RSN: 'REASON',
  RX: 'PRESCRIPTION',
  STAT: 'STATUS',
  STS: 'STATUS',
  SUBR: 'SUBSCRIBER',
  SUBS: 'SUBSCRIBER',
  SUBSCR: 'SUBSCRIBER',
  SUS: 'SUSPENDED',
  SUSP: 'SUSPENDED',
  SUSPD: 'SUSPENDED',
  SVC: 'SERVICE',
  SVCS: 'SERVICES',
  TEMP: 'TEMPORARILY',
  TERMD: 'TERMINATED',
  TERMED: 'TERMINATED',
  TERMDT: 'TERM DATE',
  TRM: 'TERM',
  TRMD: 'TERMINATED',
  UNK: 'UNKNOWN',
  UNPD: 'UNPAID',
  VER: 'VERIFIED',
  VERIF: 'VERIFIED',
  VOL: 'VOLUNTARY',
  WO: 'WITHOUT',
}

const SHORT_FORMS = new Map<string, string[]>()
for (const [short, word] of Object.entries(WORDS)) SHORT_FORMS.set(word, [...(SHORT_FORMS.get(word) ?? []), short])

/** The abbreviations of a word. Looked up, because a start asks for those of more than a thousand words. */
export const wordsFor = (word: string): readonly string[] => SHORT_FORMS.get(word) ?? []

/** PT before visits or another therapy is physical therapy. */
const PHYSICAL_THERAPY =
  /\bPT(?=\s*[/&,+]\s*(?:OT|ST|SPEECH|OCCUPATIONAL)\b|\s+(?:AND OT|OT|VISITS?|BENEFITS?|SERVICES?|THERAPY|LIMIT)\b)/g
const APOSTROPHES = /[A-Z]'[A-Z]/
/** TERM'D, CANC'D, MEMBER'S, ISN'T. */
const CONTRACTION = /\b([A-Z]+)'([A-Z]{1,2})\b/g

/** Abbreviations of care, which mean something else beside a figure: 20 VIS are visits. */
const CARE: Readonly<Record<string, string>> = {
  COND: 'CONDITIONS',
  DEN: 'DENTAL',
  EMER: 'EMERGENCY',
  EMERG: 'EMERGENCY',
  ER: 'EMERGENCY',
  FP: 'FAMILY PLANNING',
  HOSP: 'HOSPITAL',
  INPT: 'INPATIENT',
  PREG: 'PREGNANCY',
  SVC: 'SERVICES',
  SVCS: 'SERVICES',
  VIS: 'VISION',
}
const ANY_CARE = new RegExp(`\\b(?:${Object.keys(CARE).join('|')})\\b`, 'g')
/** Programs as plans are named after them: "FAM PLNG WAIVER". FAM PLAN alone may be the plan of a family. */
const SHORT_PROGRAMS: readonly (readonly [RegExp, string])[] = [
  [/\bFAM(?:ILY)? (?:PLNG|PLN|PLANG|PLNNG|PLAN(?= (?:WAIVER|SVCS?|SERVICES|ONLY|PGM|PROGRAM)))\b/g, 'FAMILY PLANNING'],
  [/\bFP(?= (?:WAIVER|SVCS?|SERVICES|PGM|PROGRAM)\b)/g, 'FAMILY PLANNING'],
  [/\bPRESUMP(?:T|TIVE)? ELIG\b/g, 'PRESUMPTIVE ELIGIBILITY'],
  [/\bEMERG?(?= (?:MED|SVCS?|SERVICES)\b)/g, 'EMERGENCY'],
  [/\bPREG(?= (?:RELATED|REL|WOM[AE]N|ONLY)\b)/g, 'PREGNANCY'],
  [/\bQUAL(?:IF)? INDIV?\b/g, 'QUALIFYING INDIVIDUAL'],
  [/\bSPEC LOW INC(?:OME)?\b/g, 'SPECIFIED LOW INCOME'],
  [/\bSVCS\b/g, 'SERVICES'],
]
const ANY_SHORT = /\b(?:PLNG|PLN|PLANG|PLNNG|FAM PLAN|FP|ELIG|EMERG?|PREG|INDI?V?|LOW INC|SVCS)\b/

/** The name of a plan in capitals with the names of programs in full. */
export function programInFull(name: string): string {
  const full = careInFull(name)
  if (!ANY_SHORT.test(full)) return full
  return SHORT_PROGRAMS.reduce((text, [short, long]) => text.replace(short, long), full)
}

/** PD is also PAID. "90 day wait". */
const WAITING_PERIOD = /\bWAIT(?:ING)? P(?:D|ER|ERIOD)\b|(?<=\bDAYS? )WAIT\b/g
const LIMITS = /\b(?:ONLY|LIMITED|RESTRICTED|AID (?:CODE|CATEGORY))\b/

/** A sentence in capitals that may limit the coverage, with the names of care in full: "EMERG SVCS ONLY". */
function careInFull(sentence: string): string {
  return LIMITS.test(sentence) ? sentence.replace(ANY_CARE, (word) => CARE[word]!) : sentence
}

/** The same of all sentences of a row; most limit nothing. */
export function careOfAllInFull(sentences: readonly string[]): readonly string[] {
  return sentences.some((sentence) => LIMITS.test(sentence)) ? sentences.map(careInFull) : sentences
}

const CARRIER = '(?:CARRIER|INSURER|PAY[EO]R|(?:HEALTH )?PLAN|INSURANCE|ADMINISTRATOR|TPA)'
/** "Switched to a different insurer", "transferred to new TPA". */
const TO_ANOTHER = new RegExp(
  `\\b(?:(?:MOVED|TRANSFERRED|SWITCHED|CHANGED|WENT)(?: OVER)? TO|WENT WITH|REPLACED BY) (?:AN? |THE )?(?:ANOTHER|NEW|DIFFERENT|OTHER) ${CARRIER}\\b`,
  'g',
)
/** A place, and no payer: "member moved to Texas", "moved to Austin, TX". */
const TO_A_PLACE =
  /\bMOVED TO (?=(?:THE STATE OF )?(?:[A-Z]+(?: [A-Z]+)?, )?(?:ALABAMA|ALASKA|ARIZONA|ARKANSAS|CALIFORNIA|COLORADO|CONNECTICUT|DELAWARE|FLORIDA|GEORGIA|HAWAII|IDAHO|ILLINOIS|INDIANA|IOWA|KANSAS|KENTUCKY|LOUISIANA|MAINE|MARYLAND|MASSACHUSETTS|MICHIGAN|MINNESOTA|MISSISSIPPI|MISSOURI|MONTANA|NEBRASKA|NEVADA|NEW (?:HAMPSHIRE|JERSEY|MEXICO|YORK)|(?:NORTH|SOUTH) (?:CAROLINA|DAKOTA)|OHIO|OKLAHOMA|OREGON|PENNSYLVANIA|PUERTO RICO|RHODE ISLAND|TENNESSEE|TEXAS|UTAH|VERMONT|VIRGINIA|WASHINGTON|WEST VIRGINIA|WISCONSIN|WYOMING|A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|P[AR]|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY])(?:\W*$|\W+(?:\d|AND\b|ON\b|EFF|AS OF|NEW\b|ADDRESS\b)))/g
/** What a person waits for who is covered: a primary care provider, a plan of Medicaid, a card. */
const AWAITED =
  /\b(?:PENDING|PENDED|AWAITING) (?=(?:(?:ASSIGNMENT|SELECTION|CHANGE|OF|TO|AN?|THE|NEW|INITIAL) )*(?:PCP|PRIMARY CARE (?:PROVIDER|PHYSICIAN)|MCO|(?:CARE|CASE) MANAGER|(?:ID|MEMBER|IDENTIFICATION) CARD)\b)/g
/** Continuous eligibility: "eligibility is held for 12 months". */
const CONTINUOUS =
  /\b(ELIGIBILITY|COVERAGE|ENROLLMENT)(?: (?:IS|ARE|WILL BE|HAS BEEN))? HELD(?= (?:FOR|THROUGH) (?:A PERIOD OF |UP TO )?(?:\d{1,2}|SIX|TWELVE|TWENTY[ -]FOUR)[ -]MONTHS?\b(?! (?:DUE|BECAUSE|PENDING)))/g
/** "Renewal postponed until 09/01/2026": the coverage goes on. */
const PUT_OFF =
  /\b(RE(?:NEWAL|DETERMINATION|CERTIFICATION))(?: (?:DATE|IS|WAS|HAS|BEEN))* (?:DEFERRED|DELAYED|POSTPONED)(?= (?:UNTIL|TO)\b)/g
const INSURED = '(?:GROUP|EMPLOYER|ACCOUNT|MEMBER|SUBSCRIBER|EMPLOYEE|PATIENT)'
/** "Group left 12/31/2025"; not "visits left", "left leg". */
const LEFT = new RegExp(`\\b(${INSURED}(?: HAS)?) LEFT(?=\\W*(?:$|\\d)| (?:US|ON|EFF\\w*|AS OF)\\b)`, 'g')
const HELD =
  '(?:ELIGIBILITY|COVERAGE|ENROLLMENT|MEMBER(?:SHIP)?|PREMIUMS?|PAYMENT|ACCOUNT|POLICY|GROUP|BILLING|PLAN|CLAIMS?)'
/** "Premium hold", "claims hold for premium", "eligibility hold: Y"; and "hold - eligibility", "hold: premium due". */
const YES = '(?: (?:STATUS|IND(?:ICATOR)?|FLAG))? ?[:=-] ?Y(?:ES)?\\b'
const HOLD_AFTER = new RegExp(`^(\\W*(?:[A-Z]+ )?${HELD}) HOLD(?=\\W*$| (?:FOR|DUE|SINCE)\\b|\\W+\\d|${YES})`)
/** "Fraud hold", which is why the coverage is on hold, and "hold indicator: Y". */
const HOLD_OF = new RegExp(
  `^(\\W*)(?:(?:FRAUD|LEGAL|COB|NONPAYMENT|ADMINISTRATIVE|FINANCIAL|AUDIT) HOLD(?=\\W*$| ON (?:POLICY|ACCOUNT|COVERAGE|MEMBER|GROUP)\\W*$)|HOLD(?=${YES}))`,
)
const HOLD_BEFORE = new RegExp(
  `^\\W*HOLD(?: (?:CODE|REASON))? ?[ :/-]+ ?(?:(?!NO )[A-Z0-9]{1,2} (?:- )?)?(${HELD})(?: (?:DUE|ISSUE|REASON|REVIEW))?(?=\\W*$)`,
)
/** "Per member request", "at the request of the employer". */
const ON_REQUEST =
  /\b(?:PER|AT|BY|UPON)(?: THE)? (?:(?:[A-Z]+ )?REQUEST(?: OF)?|[A-Z]+'S REQUEST)\b(?=\W*$| (?:THE )?(?:MEMBER|INSURED|SUBSCRIBER|EMPLOYER|GROUP)\b| (?:THRU|THROUGH|UNTIL) \d|,? \d)/g

/** "Group on claim hold". */
const ON_HOLD_OF = /\bON (?:AN? )?(?:CLAIMS?|PAYMENT|FUNDING|FINANCIAL|BILLING|PREMIUM|ADMINISTRATIVE) HOLD\b/g
/** "Claims processing has been stopped"; what is delayed goes on. */
const PROCESSING =
  /\bCLAIMS? PROCESSING(?=(?: (?:HAS|HAVE|IS|WAS|BEEN|CURRENTLY))* (?:STOPPED|SUSPENDED|HALTED|HELD|ON HOLD)\b)/g

const HELD_OR_LEFT = /\b(?:HOLD|LEFT)\b/

/** Under review for any reason: "under rescission review". */
const UNDER_REVIEW = /\bUNDER (?:[A-Z]+ ){1,2}(?=(?:REVIEW|INVESTIGATION)\b)/g
/** "61 days past premium due date". */
const PAST_DUE = /\bPAST (?:THE )?(?:PREMIUM|PAYMENT) DUE(?: DATE)?\b/g
/** "Previously incarcerated - released 11/02/2025". */
const RELEASED =
  /\bRELEASED\b(?<=\b(?:INCARCERAT(?:ED|ION)|INMATE|JAIL|PRISON|CUSTODY|CONFINED|CONFINEMENT|DETENTION)\b.*)(?<!\b(?:NOT|UNTIL|BE) RELEASED)/

/** A sentence in capitals with the abbreviations that it has in full. */
export function spellOut(sentence: string): string {
  const text = wordsInFull(sentence)
  if (!HELD_OR_LEFT.test(text)) return text
  return text
    .replace(LEFT, '$1 LEFT PLAN')
    .replace(ON_HOLD_OF, 'ON HOLD')
    .replace(HOLD_AFTER, '$1 ON HOLD')
    .replace(HOLD_OF, '$1COVERAGE ON HOLD')
    .replace(HOLD_BEFORE, '$1 ON HOLD')
}

function wordsInFull(sentence: string): string {
  const text = APOSTROPHES.test(sentence) ? sentence.replace(CONTRACTION, expand) : sentence
  return (
    text
      .replace(PHYSICAL_THERAPY, 'THERAPY')
      .replace(WAITING_PERIOD, 'WAITING PERIOD')
      .replace(TO_A_PLACE, 'LIVES IN ')
      .replace(AWAITED, 'NEEDS ')
      .replace(CONTINUOUS, '$1 CONTINUES')
      .replace(TO_ANOTHER, 'MOVED TO ANOTHER CARRIER')
      .replace(ON_REQUEST, 'FOR CAUSE')
      .replace(PROCESSING, 'CLAIM PAYMENTS')
      .replace(UNDER_REVIEW, 'UNDER ')
      .replace(PAST_DUE, 'PAST DUE PREMIUM')
      .replace(RELEASED, 'REINSTATED')
      .replace(/\bTO ID\b(?! (?:CARD|NUMBER))/g, 'TO IDENTIFY')
      .replace(PUT_OFF, '$1 LATER')
      .replace(/\b(DEFERRED|DELAYED|POSTPONED) TO\b/g, '$1 UNTIL')
      .replace(/\bACT(?= ?[:=])/g, 'ACTIVE')
      .replace(/\bW\/O\b/g, 'WITHOUT')
      .replace(/\bW\/ ?(?=\w)/g, 'WITH ')
      .replace(/\b(NOT|IS|LONGER|IF) ELI?G\b/g, '$1 ELIGIBLE')
      // Not the terms of a plan.
      .replace(/\bTERMS(?= (?:(?:ON|TO|EFF|EFFECTIVE|AS OF) )?\d)/g, 'TERMINATES')
      .replace(/\b[A-Z]{2,8}\b/g, (word) => (Object.hasOwn(WORDS, word) ? WORDS[word]! : word))
  )
}

function expand(word: string, stem: string, end: string): string {
  if (end === 'T') return stem === 'CAN' ? 'CANNOT' : `${stem.replace(/N$/, '')} NOT`
  if (end === 'S') return stem
  return end === 'D' || end === 'ED' ? `${stem}D` : word
}
