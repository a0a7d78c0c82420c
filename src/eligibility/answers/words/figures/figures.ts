// Words beside a figure or a service (MSG, III, EB05) that decide what the figure is for, and for which providers. x12-271.md 7; decisions/0073.
import { phrases } from '../phrase-group.ts'

export const KIND_OF_FIGURE = phrases({
  meaning: 'EB05, or a text below a figure of the plan, is the name of the figure, and not of a plan or tier',
  source: 'TPAs, employer plans (MEDICAL beside PHARMACY); x12-271.md 4, EB05',
  says: [
    /^(?:(?:INDIVIDUAL|ANNUAL|CALENDAR YEAR|PLAN|TOTAL|MEDICAL|(?:NON-?)?EMBEDDED|AGGREGATE) )*(?:DEDUCTIBLE|OUT[ -]OF[ -]POCKET|OOP|CO-?INSURANCE|CO-?PAY(?:MENT)?|(?<=INDIVIDUAL )(?:MAXIMUM|LIMIT))(?: (?:MAXIMUM|MAX|LIMIT|AMOUNT))*$/,
    /^(?:MAJOR )?MEDICAL(?: (?:BENEFITS?|ONLY|PLAN))?$/,
  ],
  examples: [
    'MEDICAL',
    'MEDICAL DEDUCTIBLE',
    'DEDUCTIBLE',
    'OUT OF POCKET MAXIMUM',
    'CALENDAR YEAR DEDUCTIBLE AMOUNT',
    'EMBEDDED INDIVIDUAL MAXIMUM',
    'COPAYMENT',
  ],
  counterexamples: ['HIGH DEDUCTIBLE PLAN', 'ZERO COPAY PPO'],
})

export const SOME_DAYS = phrases({
  meaning: 'the share is for some days of a stay or some visits alone',
  source: 'Medicare Advantage plans; plans with free first visits',
  says: [
    /\b(?:DAYS?|VISITS?) *#?\d+ *(?:-|TO|THRU|THROUGH|AND|&) *(?:\d+|AFTER|BEYOND|OVER)\b|\b(?:FIRST|NEXT|AFTER|BEYOND) (?:THE (?:FIRST )?)?\d+ (?:DAYS?|VISITS?)\b/i,
  ],
  examples: [
    'PER DAY DAYS 1-5',
    'Days 6 through 90',
    'FIRST 3 VISITS',
    'AFTER THE FIRST 3 VISITS',
    'DAY 91 AND BEYOND',
  ],
  counterexamples: ['30 VISITS PER YEAR', 'PER DAY', 'LIMITED TO 60 DAYS'],
})

/** A payer marks with this word the tier whose figure applies by default. */
export const STANDARD = /\bSTANDARD\b/i

export const SOME_PROVIDERS = phrases({
  meaning:
    'the copay is for some providers, a tier or a place; not if it is for primary care and specialists alike, or the standard one',
  source: 'UHC (HIGHEST BENEFIT, DESIGNATED NETWORK), Aetna, BCBS plans, Cigna',
  says: [
    /\b(?:SPECIALIST|SPECIALTY|PRIMARY|PCP|TIER|PREFERRED|DESIGNATED|ENHANCED|HIGHEST|LOWEST|TELE[A-Z]*|VIRTUAL|ONLINE|RETAIL|WALK[ -]?IN|URGENT|EMERGENCY|INPATIENT|FACILITY|HOSPITAL)\b/i,
    /\bDEPEND(?:S|ING) (?:UP)?ON\b|\bVAR(?:IES|Y)\b|\$\d[\d.]* ?(?:-|TO) ?\$?\d/i,
  ],
  unless: [
    /\bSTANDARD\b|\bIN[ -]PERSON (?:AND|OR)\b|\bPCP REFERRALS?\b|\bREFERRALS? (?:BY|FROM) (?:THE |YOUR )?PCP\b|\b(?:PRIMARY|PCP)\b.*\bSPECIAL(?:IST|TY)|\bSPECIAL(?:IST|TY).*\b(?:PRIMARY|PCP)\b/i,
  ],
  examples: ['SPECIALIST', 'Tier 1', 'HIGHEST BENEFIT', 'TELEHEALTH', 'RANGE $20 - $95', 'VARIES BY PROVIDER'],
  counterexamples: [
    'STANDARD TIER',
    'PCP REFERRAL REQUIRED',
    'PRIMARY CARE OR SPECIALIST',
    'PRIMARY AND SPECIALTY CARE',
    'OFFICE VISIT',
  ],
})

export const PART_OF_SERVICE = phrases({
  meaning:
    'a label by which a figure is for one tier, one kind of provider, one way of visiting or one class of drugs, so that it does not stand for its service even where it is the only one',
  source: 'Tiered plans, Part D and pharmacy benefits, UHC, Aetna; x12-271.md 7, corrected ("tiers")',
  says: [
    /\b(?:TIER|DESIGNATED|ENHANCED|HIGHEST|LOWEST) ?\w*\b|\b(?:PCP|PRIMARY CARE|SPECIALISTS?|SPECIALTY)\b/i,
    /\bLEVEL (?:\d|ONE|TWO|THREE|I{1,3})\b|\b(?:NARROW|HIGH[ -]PERFORMANCE|PREMIUM|TIERED|LIMITED) NETWORK\b|\bCENTERS? OF EXCELLENCE\b/i,
    /\b(?:TELE(?:HEALTH|MEDICINE|DOC|VISITS?)|VIRTUAL|ONLINE|E-?VISITS?|(?:VIDEO|(?:TELE)?PHONE) (?:VISITS?|CONSULT\w*))\b|\b(?:GENERICS?|BRANDS?|MAIL ORDER)\b/i,
    /\bPREFERRED (?:LAB\w*|PHARMAC\w+|FACILIT\w+|HOSPITALS?)\b|\b(?:RETAIL|WALK[ -]?IN|CONVENIENCE|MINUTE|AFTER[ -]HOURS) ?(?:CARE|CLINICS?|VISITS?)\b/i,
    /^\W*(?:FACILITY|PROFESSIONAL|TECHNICAL|PHYSICIAN'?S?)(?: (?:CHARGES?|FEES?|COMPONENT|PORTION|ONLY))*\W*$/i,
    /\b(?:FACILITY|PROFESSIONAL|TECHNICAL|PHYSICIAN'?S?) (?:CHARGES?|FEES?|COMPONENT|PORTION)\b(?! (?:ARE|IS|MAY BE|WILL BE) (?:BILLED|CHARGED) SEPARATE)/i,
  ],
  unless: [
    /\b(?:AND|OR|STANDARD|ALL|SAME|INCLUD\w+|ALSO|COVERED|APPL(?:Y|IES)|REQUIRED|REFERRALS?|AUTH\w*|IF|WAIVED|ASSIGN\w*|SELECT\w*)\b|[&/]/i,
  ],
  examples: [
    'TIER 2',
    'SPECIALIST',
    'PCP',
    'TELEHEALTH VISIT',
    'HIGHEST BENEFIT',
    'PREFERRED LABORATORY',
    'GENERIC RETAIL 30 DAY',
    'CONVENIENCE CARE',
    'FACILITY CHARGE',
    'EMERGENCY PHYSICIAN CHARGES',
    'PROFESSIONAL',
    'LEVEL 1 PROVIDER',
    'NARROW NETWORK',
    'CENTER OF EXCELLENCE',
  ],
  counterexamples: [
    'STANDARD TIER',
    'BENEFIT LEVEL 90%',
    'PRIMARY CARE OR SPECIALIST',
    'SPECIALIST REFERRAL REQUIRED',
    'TELEHEALTH INCLUDED',
    'WAIVED IF ADMITTED',
    'AFTER DEDUCTIBLE',
    'PREFERRED PROVIDERS',
  ],
})

export const COPAY_WAIVED = phrases({
  meaning: 'a text below a copay says that it is not owed',
  source: 'Medicaid, plans with free office visits; x12-271.md 7, corrected ("unambiguous")',
  says: [
    /\bCO-?PAY(?:MENT)?S? (?:(?:IS|ARE|HAS|HAVE|BEEN|CURRENTLY) )*(?:WAIVED|SUSPENDED|NOT (?:REQUIRED|APPLICABLE|DUE|OWED|COLLECTED)|DO(?:ES)? NOT APPLY(?! TO(?:WARDS?)? (?:THE |YOUR |MEET(?:ING)? |SATISFY |PLAN |ANNUAL )*(?:DED|OUT|OOP|MAX|LIMIT)))\b/i,
    /(?:^\W*|[ -]- )NO CO-?PAY(?:MENT)?S?(?: (?:IS |ARE )?(?:DUE|OWED|REQUIRED|APPLIES))?(?: FOR (?:THIS|THE) (?:MEMBER|PATIENT|VISIT))?\W*$/i,
    /\b(?:DO(?:ES)? NOT|NEED NOT|MUST NOT) (?:PAY|OWE|COLLECT|CHARGE)(?: (?:AN?|ANY|THE|THIS|MEMBER|PATIENT))* CO-?PAY/i,
    /^\W*WAIVED(?:\W*$|\W+(?:-|THE|PLAN|COVERED|PAID)\b)/i,
  ],
  unless: [
    /\b(?:IF|FOR(?! (?:THIS |THE |ALL |OUR )*(?:MEMBERS?|PATIENTS?|RECIPIENTS?|PERSON|PLAN|YEAR|VISITS?|20\d\d)\b)|WHEN|UNLESS|UNTIL|BEFORE|AFTER|UNDER|AT(?! 100\b))\b/i,
  ],
  examples: [
    'COPAY WAIVED',
    'NO COPAY',
    'Copayment does not apply',
    'COPAY HAS BEEN WAIVED',
    'COPAYS ARE WAIVED FOR MEMBER IN 2026',
    'MEMBER DOES NOT PAY A COPAY',
    'DO NOT COLLECT COPAY',
    'NO COPAY DUE',
    'OUT OF POCKET MAXIMUM MET - NO COPAY',
    'WAIVED - PLAN PAYS 100 PERCENT',
  ],
  counterexamples: [
    'COPAY WAIVED IF ADMITTED',
    'NO COPAY FOR CHILDREN UNDER 21',
    'COPAY WAIVED FOR PREVENTIVE CARE',
    'COPAY IS NOT WAIVED',
    'COPAY DOES NOT APPLY TO DEDUCTIBLE',
    'DO NOT COLLECT COPAY UNTIL THE CLAIM IS PROCESSED',
  ],
})

/** The amount of a copay within a text: "OFFICE VISIT COPAY $40", "$40 COPAY". */
export const COPAY_AMOUNT =
  /^(?=[^$]*\$[^$]*$)(?=.*\bCO-?PAY)(?!.*\b(?:IF|FOR|WHEN|UNLESS|AFTER|MAX\w*|LIMIT|SPECIAL\w+)\b)[^$]*\$ ?(\d{1,5}(?:\.\d\d)?)\b/i

/** Two prices within the label of one: "$30 PCP / $60 SPECIALIST". A deductible or a maximum is no price. */
export const TWO_PRICES =
  /^[^$]*\$ ?(\d+)\b(?![\d.]* ?(?:DED|MAX|OOP|OUT|LIMIT|ALLOW))[^$]*\$ ?(?!\1\b)\d+\b(?![\d.]* ?(?:DED|MAX|OOP|OUT|LIMIT|ALLOW|PER (?:ADMISSION|STAY|YEAR)))/i

export const WHOLE_LIMIT = phrases({
  meaning: 'the label of a limit that names no more than its row: an office visit, the year, the maximum',
  source: 'Delta Dental (ANNUAL MAXIMUM), BCBS plans (OFFICE VISITS)',
  says: [
    /^(?:(?:ANNUAL|BENEFITS?|CALENDAR|CONTRACT|FOR|INDIVIDUAL|IN[ -]NETWORK|LEFT|LIFETIME|LIMITS?|MAX(?:IMUM)?S?|MEMBER|NUMBER|OF|OFFICE|PER|PERIOD|PERSON|PHYSICIAN|PLAN|PROFESSIONAL|REMAIN(?:ING|S)?|THE|TOTAL|VISITS?|YEAR(?:LY)?)(?:[ :,.-]+|$))+$/i,
  ],
  examples: ['OFFICE VISITS', 'ANNUAL MAXIMUM', 'VISITS REMAINING PER CALENDAR YEAR', 'Annual Maximum Remaining'],
  counterexamples: ['TELEHEALTH VISITS', 'ORTHODONTIC MAXIMUM', 'SPECIALIST VISITS'],
})

export const SPECIALISTS = phrases({
  meaning: 'the copay is for specialists',
  source: 'UHC, which states primary care under service type 98 and specialists under 96',
  says: [/\bSPECIAL(?:IST|TY)\b/i],
  unless: [/\b(?:PRIMARY|PCP)\b/i],
  examples: ['SPECIALIST', 'OFFICE VISIT SPECIALIST', 'Specialty care'],
  counterexamples: ['PRIMARY CARE OR SPECIALIST', 'SPECIAL NEEDS'],
})

export const EXCLUDED = phrases({
  meaning: 'what the row of an exclusion says anyway, and no more',
  source: 'Payers that repeat EB01 in words',
  says: [
    /^\W*(?:(?:THIS|THE|SERVICE|BENEFIT|IS|ARE|NOT A)\W+)*(?:EXCLUDED|EXCLUSION|NOT COVERED|NON-?COVERED|(?<=NOT A )COVERED(?: BENEFIT)?)\W*$/i,
  ],
  examples: ['EXCLUDED', 'Benefit not covered', 'NON-COVERED', 'NOT A COVERED BENEFIT'],
  counterexamples: ['ACUPUNCTURE EXCLUDED', 'NOT COVERED OUT OF NETWORK'],
})

export const CARVED_OUT = phrases({
  meaning: 'a service is excluded because another organization covers it',
  source: 'Employer plans with carved-out behavioral or pharmacy benefits; decisions/0073',
  says: [/\bCARVED?[ -]?(?:OUT)?\b|\b(?:MANAGED|ADMINISTERED|HANDLED|PROVIDED|COVERED) (?:BY|THROUGH)\b/i],
  examples: ['CARVE OUT', 'Carved-out to Magellan', 'ADMINISTERED BY EXPRESS SCRIPTS'],
  counterexamples: ['COVERED IN FULL', 'MANAGED CARE'],
})
