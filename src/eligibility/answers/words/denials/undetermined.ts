// Denials that are lists: the payer does not know whether the person is covered or who the person is, or a public program covers them. rules.md 17; decisions/0189.
import { phrases } from '../phrase-group.ts'

export const OUTDATED = phrases({
  meaning: 'the payer shows what it knew, and not what holds',
  source: 'Clearinghouses and payers whose system does not answer',
  says: [
    /\bLAST KNOWN (?:STATUS|ELIGIBILITY|COVERAGE|INFORMATION)\b/,
    /\bELIGIBILITY (?:SYSTEM|FILE|DATABASE|DATA) (?:IS |CURRENTLY |TEMPORARILY )*(?:DOWN|UNAVAILABLE|NOT AVAILABLE|OFFLINE)\b/,
  ],
  unless: [/\b(?:IF|WHEN|WAS|WILL|ADDRESS)\b/],
  examples: ['ELIGIBILITY SYSTEM UNAVAILABLE - LAST KNOWN STATUS DISPLAYED'],
  counterexamples: ['LAST KNOWN ADDRESS', 'ELIGIBILITY SYSTEM WILL BE DOWN 03/15/2026'],
})

const OF_PERSON =
  '(?:(?:(?:DATE OF BIRTH|DOB|BIRTH ?DATE|(?:FIRST |LAST )?NAME|GENDER|SEX|SSN)(?: ?[,/&] ?| AND | OR )?)+)'

export const MISMATCHED = phrases({
  meaning: 'what the payer knows of the person differs from what was sent',
  source: 'TPAs and plans that answer in place of AAA 58, 71 or 73; x12-271.md 9',
  says: [
    new RegExp(
      `\\b${OF_PERSON}(?: [A-Z]+){0,3} (?:(?:DO|DOES|DID) NOT (?:MATCH|AGREE)|NOT MATCHING|DIFFERS?|(?:IS|ARE) DIFFERENT)\\b`,
    ),
    new RegExp(`\\b${OF_PERSON}(?: [A-Z]+){0,2} (?:MISMATCH(?:ED)?|DISCREPANCY|CONFLICT)\\b(?! ?[:=-]+ ?N)`),
    new RegExp(`\\b(?:MISMATCH|DISCREPANCY|CONFLICT) (?:IN|OF|ON|WITH) (?:(?:THE|MEMBER|PATIENT) )*${OF_PERSON}`),
    /\bDO NOT QUOTE (?:ANY )?(?:BENEFITS|COVERAGE|ELIGIBILITY)\b(?! TO\b)/,
  ],
  unless: [
    /\b(?:IF|WHEN|UNLESS|NO (?:[A-Z]+ )?(?:MISMATCH|DISCREPANCY|CONFLICT)|PROVIDER|PHYSICIAN|PRESCRIBER|FACILITY|GROUP|PLAN|CARD|CLAIMS?|CORRECTED|RESOLVED|OVER THE PHONE)\b/,
  ],
  examples: [
    'DOB ON FILE DOES NOT MATCH DOB SUBMITTED',
    'BIRTHDATE DISCREPANCY - CONTACT ENROLLMENT',
    'NAME AND DATE OF BIRTH DO NOT MATCH',
    'GENDER MISMATCH',
    'DISCREPANCY IN DATE OF BIRTH',
    'DO NOT QUOTE BENEFITS',
  ],
  counterexamples: [
    'DOB VERIFIED',
    'DOB MISMATCH: N',
    'IF NAME DOES NOT MATCH THE CLAIM IS DENIED',
    'PROVIDER NAME DOES NOT MATCH',
    'NO NAME MISMATCH',
  ],
})

export const RETROACTIVE_MONTH = phrases({
  meaning: 'whether the person was covered in a month is not decided yet',
  source: 'Medicaid (42 CFR 435.915: three months before the application)',
  says: [
    /\bRETRO(?:ACTIVE)? (?:MEDICAID |COVERAGE |ELIGIBILITY |MONTHS? |DETERMINATION |REVIEW |REQUEST |APPLICATION )+(?:[A-Z]+ ){0,2}(?:PENDING|PENDED|UNDER REVIEW|IN PROCESS|UNDETERMINED|NOT (?:YET )?(?:DETERMINED|APPROVED|DECIDED))\b/,
  ],
  unless: [/\b(?:NO|NOT PENDING|IF|WHEN)\b/],
  examples: ['RETROACTIVE ELIGIBILITY DETERMINATION IS PENDING FOR MARCH 2026'],
  counterexamples: ['NO RETROACTIVE ELIGIBILITY REQUEST IS PENDING'],
})

export const IN_A_PROGRAM = phrases({
  meaning: 'the person has gone to a public program, or to the plan of a spouse',
  source: 'Employers and exchange plans',
  says: [
    /\b(?:MEMBER|SUBSCRIBER|PATIENT|INSURED|ENROLLEE|PERSON|CLIENT|RECIPIENT|BENEFICIARY|COVERAGE|ELIGIBILITY)(?: (?:HAS|HAVE|WAS|BEEN|IS|NOW))* (?:(?:MOVED|TRANSFERRED|SWITCHED|CONVERTED|TRANSITIONED)(?: OVER)? TO|(?<=NOW )(?:UNDER|COVERED (?:BY|UNDER)|ENROLLED IN)) (?:(?!FROM\b)[A-Z]+ ){0,3}(?:MEDICAID|MEDI-CAL|MEDICARE|CHIP|TRICARE)\b|\bNOW (?:COVERED|INSURED|ENROLLED) (?:UNDER|BY|THROUGH|ON|WITH|IN) (?:HIS |HER |THEIR |A )?(?:SPOUSE|HUSBAND|WIFE|NEW EMPLOYER)(?:'?S)?\b|\b(?:BILL|SUBMIT(?: CLAIMS)? TO|SEND(?: CLAIMS)? TO) (?:[A-Z]+ ){1,3}INSTEAD\W*$/,
  ],
  unless: [/\b(?:IF|WHEN|WILL|MAY|NOT|SUPPLEMENT|ADVANTAGE|MEDIGAP|(?<!SUBMIT |SEND )CLAIMS?|CROSSOVER)\b/],
  examples: [
    'MEMBER MOVED TO TEXAS MEDICAID',
    'ELIGIBLE UNDER SEPARATE CHIP, BILL CHIP INSTEAD',
    'CLIENT NOW UNDER CHIP PERINATAL',
    'NOW COVERED UNDER HUSBANDS PLAN',
  ],
  counterexamples: ['MEMBER MOVED TO TEXAS', 'MEMBER MOVED TO OUR MEDICARE SUPPLEMENT'],
})
