// Denials that are lists: care by one provider alone (lock-in), and care that nobody has authorized. rules.md 17; decisions/0073, 0100, 0178.

import { phrases, states } from '../phrase-group.ts'
import { spellOut } from '../sentences/abbreviations.ts'

const PERSON = '(?:MEMBER|PATIENT|RECIPIENT|BENEFICIARY|SUBSCRIBER|INSURED|CLIENT|ENROLLEE|PARTICIPANT)'
/** One provider of medical care, by kind or number. */
const DOCTOR = '(?:PHYSICIAN|DOCTOR|DR|PROVIDER|CLINIC|PCP|NPI)'
const ONE =
  '(?:ONE |A |AN |THE |SINGLE |PRIMARY |PRIMARY CARE |DESIGNATED |ASSIGNED |DIFFERENT |OTHER |ANOTHER |SPECIFIC |PHARMACY AND )*'
const IN = 'LOCK(?:ED)?[ -]?IN(?:TO)?'
const PROGRAM = `(?:${PERSON}|PATIENT) (?:REVIEW (?:AND|&) )?(?:RESTRICTION|COORDINATION|REVIEW)(?: PROGRAM)?`

export const RESTRICTED = phrases({
  meaning: 'the person is restricted to one provider of medical care (lock-in), and not to one pharmacy',
  source: '42 CFR 431.54(e); Medicaid of TX, GA, OH, NY, MN, WA, which send it as a text instead of EB01 N',
  says: [
    new RegExp(
      `\\b(?:${PERSON}(?: (?:IS|HAS BEEN))* (?:${IN}|RESTRICTED)|${IN}|RESTRICTION TYPE)(?: TO| TYPE)?[ :-]+(?:(?:LIMITED|RESTRICTED) TO )?${ONE}${DOCTOR}\\b`,
    ),
    /\bRESTRICTED RECIPIENT\b(?!.*\bPHARMACY\b)|\bRRP (?:ENROLLEE|MEMBER|PARTICIPANT|RECIPIENT)\b/,
    new RegExp(`\\b(?:${DOCTOR}|MEDICAL|PRIMARY CARE)(?: SERVICES)?[ -](?:${IN}|RESTRICTION)\\b`),
    new RegExp(
      `\\b(?:LIMITED|RESTRICTED) TO (?:(?:PCP |PHYSICIAN )?(?:DR|NPI)\\b|(?:(?:CARE|SERVICES|VISITS) )?(?:BY|FROM|WITH|OF) (?:THE |AN? )?(?:ASSIGNED|DESIGNATED|${IN}) ${DOCTOR}\\b|(?:ONE|A SINGLE) ${ONE}${DOCTOR}\\b)|\\bASSIGNED TO (?:ONE|A SINGLE) ${ONE}${DOCTOR}\\b`,
    ),
    new RegExp(
      `\\b(?:MAY|CAN|MUST) ONLY (?:BE SEEN BY|SEE|USE|VISIT|(?:OBTAIN|RECEIVE|GET|SEEK)(?: (?:ALL|ANY|MEDICAL|CARE|SERVICES|TREATMENT))* (?:FROM|BY|THROUGH|AT))[ :]+(?:${ONE}${DOCTOR}\\b|(?:[A-Z]+ ){1,3}(?:MD|DO|NP)\\b)`,
    ),
    new RegExp(
      `\\bONLY TO (?:THE |AN? )?(?:ASSIGNED|DESIGNATED|${IN})(?: PRIMARY(?: CARE)?)? ${DOCTOR}\\b|\\bONLY (?:THE |AN? )?(?:ASSIGNED|DESIGNATED|${IN})(?: PRIMARY(?: CARE)?)? ${DOCTOR}(?: OR(?: [A-Z]+){1,6})? (?:WILL|IS|MAY|CAN)\\b`,
    ),
    // The one who asks is another one, and the consequence is stated.
    {
      at: /\bNOT (?:LISTED AS )?(?:(?:THE|THIS|YOUR|ASSIGNED|CURRENT|DESIGNATED|MEMBER|PATIENT) )*(?:PCP|PRIMARY CARE (?:DOCTOR|PHYSICIAN|PROVIDER)|MEDICAL HOME)\b/,
      before: [/\b(?:PROVIDER|PHYSICIAN|DOCTOR|YOU) (?:IS|ARE) $/],
      after: [
        /\b(?:SERVICES|CLAIMS?|VISITS?|CARE|PAYMENT)(?: (?:WILL|ARE|IS|BE))* (?:DENY|DENIED|NOT (?:BE )?(?:COVERED|PAID|PAYABLE))\b/,
      ],
    },
    new RegExp(`\\b${PROGRAM}[ :-]+(?:.*\\b)?${DOCTOR}\\b|\\b${IN} PROGRAM\\b.*\\b${DOCTOR}\\b`),
  ],
  unless: [
    /\b(?:IF|WHEN|WHENEVER|UNLESS|MAY BE|PRIOR|PREVIOUS(?:LY)?|FORMER|ENDED|NO LONGER|DENTAL|VISION|NOT (?:LOCKED|RESTRICTED))\b/,
    /\bPHARMAC(?:Y|IES|IST)\b(?!.*\b(?:PHYSICIAN|DOCTOR|DR|PCP|CLINIC)\b)(?<!\b(?:PHYSICIAN|DOCTOR|DR|PCP|CLINIC)\b.*)/,
    new RegExp(`\\b(?:LOCK[ -]?IN|RESTRICTION)(?: (?:STATUS|INDICATOR|TYPE|${DOCTOR}))*[ :-]+(?:N|NO|NONE)\\b`),
  ],
  examples: [
    'RECIPIENT LOCKED IN TO PHYSICIAN: JOHN SMITH MD',
    'RESTRICTED RECIPIENT - ASSIGNED PROVIDER ONLY',
    'MEMBER IS RESTRICTED TO ONE PROVIDER',
    'CLIENT IS LOCKED IN TO DR SMITH',
    'MEMBER LOCKED INTO PROVIDER DR SMITH',
    'LOCK-IN PROVIDER: X',
    'LOCK-IN: LIMITED TO PRIMARY CARE PROVIDER X',
    'PHYSICIAN LOCK-IN: SERVICES LIMITED TO DR A LEE',
    'PHYSICIAN SERVICES LIMITED TO DR A LEE',
    'RRP ENROLLEE',
    'PRIMARY CARE RESTRICTION',
    'CLIENT REVIEW AND RESTRICTION: PCP ANNE LEE MD',
    'RECIPIENT MUST ONLY USE PROVIDER X',
    'MEMBER MAY ONLY OBTAIN SERVICES FROM: ANN LEE MD',
    'PAYMENT ONLY TO ASSIGNED PROVIDER: DR A LEE',
    'ONLY THE LOCK-IN PHYSICIAN WILL BE PAID',
    'ONLY THE ASSIGNED PROVIDER OR A PROVIDER WITH ITS APPROVAL WILL BE PAID',
    'LOCKED IN TO A DIFFERENT PROVIDER',
    'LOCK-IN NPI: 1234567893',
    'RESTRICTED TO NPI 1234567893',
    'LIMITED TO CARE BY ASSIGNED PROVIDER',
    'REQUESTING PROVIDER IS NOT THE ASSIGNED PCP - SERVICES WILL DENY',
  ],
  counterexamples: [
    'RECIPIENT LOCKED IN TO ONE PHARMACY: WALGREENS',
    'BENEFITS ARE RESTRICTED TO PARTICIPATING PROVIDERS',
    'RECIPIENT RESTRICTION PROGRAM: PHARMACY SERVICES LIMITED TO CVS',
    'PHYSICIAN SERVICES LIMITED TO 12 VISITS PER YEAR',
    'LOCK-IN PROVIDER: NONE',
    'PAYMENT ONLY TO ASSIGNED PHARMACY',
    'PROVIDER IS NOT THE ASSIGNED PCP',
  ],
})

const REFERRAL = '(?:REFERRALS?|AUTHORI[SZ]ATIONS?|CONSULTS?)'
const OF_CARE = '(?:VALID |ACTIVE |APPROVED |CURRENT |OPEN |VA |PRIOR |PCP |PCM )*'
const GONE = '(?:EXPIRED|CANCELL?ED|DENIED|TERMINATED|REVOKED|WITHDRAWN|EXHAUSTED|ENDED)'

const MISSING = '(?:FOUND|ON FILE|ON RECORD|RECEIVED|OBTAINED|LOCATED|IN PLACE)'

/** Who refers. */
const FROM_DOCTOR =
  '(?: (?:FROM|BY|OF|THE|YOUR|A|HIS|HER|THEIR|ASSIGNED|PCP|PCM|PRIMARY|CARE|PHYSICIAN|DOCTOR|PROVIDER|MANAGER))*'

/** Of the visit, and not of another service; from the doctor who refers. */
const OF_VISIT =
  '(?: (?:PRIOR|TO|BEFORE|FOR|OF|THIS|THE|ALL|ANY|OFFICE|VISITS?|SERVICES?|CARE|TREATMENT|APPOINTMENTS?|DATE|FROM|BY|YOUR|A|PCP|PCM|PRIMARY|PHYSICIAN|DOCTOR|PROVIDER|MANAGER))*'
/** Required and missing in one sentence: "authorization required - none on file", "referral expired - new referral required". */
const REQUIRED_AND_MISSING = new RegExp(
  `\\b${REFERRAL}${FROM_DOCTOR} (?:(?:IS|ARE) )?(?:REQUIRED|NEEDED)${OF_VISIT}[ ,;-]+(?:(?:AND|BUT|THERE|HAS|HAVE|IS|WAS) )*(?:(?:NONE|NOT)(?: (?:HAS|BEEN|IS|YET))* ${MISSING}|MISSING)\\b|\\b${REFERRAL}(?: (?:IS|HAS|WAS|ON|FILE))* EXPIRED\\b.*\\bNEW ${REFERRAL} (?:IS )?(?:REQUIRED|NEEDED)${OF_VISIT}\\W*$|\\bREQUIRED ${OF_CARE}${REFERRAL}(?: (?:IS|ARE|WAS|HAS|HAVE|BEEN))* (?:MISSING|NOT(?: BEEN)? ${MISSING})\\b`,
)

/** The visit itself requires one; not visits of other kinds. */
export const REQUIRED = phrases({
  meaning: 'the visit requires a referral or authorization',
  source: 'HMOs, in a text of the same row that says whether one is on file',
  says: [
    new RegExp(
      `\\b${REFERRAL}${FROM_DOCTOR} (?:(?:IS|ARE|MUST BE) )?(?:REQUIRED${OF_VISIT}\\W*$|ON FILE (?:PRIOR|BEFORE)\\b)`,
    ),
    new RegExp(
      `\\b(?:VISITS?|SERVICES|CARE|PLAN|POLICY|COVERAGE) REQUIRES? (?:AN? |THE )?${OF_CARE}${REFERRAL}${OF_VISIT}\\W*$`,
    ),
    new RegExp(`^\\W*(?:(?:ONE|IT|THIS) )?(?:IS|ARE) REQUIRED${OF_VISIT}\\W*$`),
    new RegExp(
      `\\bWITHOUT (?:AN? )?${OF_CARE}${REFERRAL}\\b.*\\b(?:WILL|ARE|IS)(?: BE)? (?:DENIED|NOT (?:BE )?(?:COVERED|PAID|PAYABLE))\\b`,
    ),
  ],
  unless: [
    /\b(?:(?:NOT|NO LONGER) (?:REQUIRED|NEEDED)|NO REFERRALS?|IF|WHEN|UNLESS|MAY|SPECIALISTS?|SPECIALTY|INPATIENT|HOSPITAL|OUTPATIENT SURGERY|CERTAIN|SOME|OUT[ -]OF[ -]NETWORK|DENTAL|VISION|PHARMACY|DRUGS?)\b/,
  ],
  examples: [
    'REFERRAL REQUIRED FOR THIS VISIT',
    'REFERRAL FROM PCP MUST BE ON FILE PRIOR TO VISIT',
    'VISITS WITHOUT A PCP REFERRAL WILL BE DENIED',
    'OFFICE VISITS REQUIRE AUTHORIZATION',
    'ONE IS REQUIRED',
  ],
  counterexamples: [
    'REFERRAL NOT REQUIRED',
    'REFERRAL REQUIRED FOR SPECIALIST',
    'REFERRAL ON FILE',
    'AUTHORIZATION REQUIRED FOR MRI',
  ],
})

export const NOT_AUTHORIZED = phrases({
  meaning: 'there is no referral or authorization for the visit, by whom nothing is paid without one',
  source: 'VA community care (38 CFR 17.4020, 17.4025), and payers that state the consequence',
  says: [
    new RegExp(
      `\\b(?:NO|WITHOUT(?: AN?)?) ${OF_CARE}${REFERRAL} (?:(?:IS|ARE|WAS|HAS BEEN) )?(?:${MISSING}|EXISTS?|FOR (?:THIS|THE|COMMUNITY))\\b`,
    ),
    new RegExp(`\\b(?:HAS|HAVE) NO ${OF_CARE}${REFERRAL}\\b|^\\W*NO ${OF_CARE}${REFERRAL}\\W*$`),
    new RegExp(
      `\\b${REFERRAL}(?: STATUS|(?: NUMBER| NO)? [A-Z]{0,4}\\d[A-Z0-9-]*)?(?: (?:IS|WAS|HAS|BEEN))*[ :-]+(?:NOT (?:BEEN )?(?:${MISSING}|APPROVED)|NONE|${GONE})\\b`,
    ),
    /\b(?:IS|ARE|WAS) NOT AUTHORI[SZ]ED (?:FOR|BY|TO RECEIVE)\b|\bNOT (?:ELIGIBLE|APPROVED) FOR (?:VA )?COMMUNITY CARE\b/,
    new RegExp(`\\b${REFERRAL} (?:IS )?REQUIRED\\b.*[ -]+(?:NONE|NOT) (?:FOUND|ON FILE|ON RECORD|RECEIVED)\\b`),
    REQUIRED_AND_MISSING,
  ],
  unless: [
    /\b(?:IF|WHEN|WHENEVER|UNLESS|NOT (?:REQUIRED|NEEDED)|NO (?:[A-Z]+ ){1,4}NEEDED|MAY|DENTAL|VISION|PHARMACY|DRUGS?|INPATIENT)\b/,
  ],
  examples: [
    'NO REFERRAL ON FILE',
    'VETERAN HAS NO ACTIVE AUTHORIZATION FOR COMMUNITY CARE',
    'AUTHORIZATION NOT FOUND FOR THIS DATE OF SERVICE',
    'REFERRAL EXPIRED',
    'REFERRAL VA0012345 EXPIRED 01/31/2026',
    'APPROVED REFERRAL REQUIRED PRIOR TO CARE - NONE FOUND',
    'CARE IS NOT AUTHORIZED BY VA',
    'AUTHORIZATION REQUIRED - NONE ON FILE',
    'NO AUTHORIZATION OBTAINED',
    'VETERAN IS NOT ELIGIBLE FOR COMMUNITY CARE',
    'REQUIRED REFERRAL IS MISSING',
    'PRIOR AUTHORIZATION IS REQUIRED FOR OFFICE VISITS AND HAS NOT BEEN OBTAINED',
    'REFERRAL ON FILE EXPIRED 10/31/2026 - NEW REFERRAL REQUIRED',
    'REFERRAL FROM THE PCP IS REQUIRED AND NOT ON FILE',
    'A REFERRAL IS NEEDED FROM YOUR PRIMARY CARE PHYSICIAN AND HAS NOT BEEN RECEIVED',
  ],
  counterexamples: [
    'NO REFERRAL REQUIRED',
    'REFERRAL ON FILE EXPIRES 12/31/2026',
    'AUTHORIZATION REQUIRED',
    'REFERRAL FROM THE PCP IS REQUIRED FOR MRI AND NOT ON FILE',
  ],
})

const OF_VETERANS = /\b(?:VETERANS?|VA)\b/
const CONSEQUENCE =
  /\b(?:DO NOT (?:PROVIDE|RENDER|SCHEDULE)|(?:CLAIMS?|SERVICES|CARE|VISITS?)(?: [A-Z]+){0,4} (?:WILL|ARE|IS)(?: BE)? (?:DENIED|DENY|NOT (?:BE )?(?:PAID|PAYABLE|COVERED))|WILL (?:BE DENIED|DENY|NOT BE PAID)|PAYMENT (?:IS |WILL BE )?DENIED)\b/

/**
 * "VA Community Care", "TriWest": the payers of care that the VA refers to others. VA at the end of a longer name is Virginia ("BCBS VA"), and so
 * is VA MEDICAID.
 */
export const VETERANS_NAME =
  /\b(?:VETERANS?(?: AFFAIRS)?|VACCN|TRIWEST)\b|^\W*VA\W*$|\b(?:DEP(?:ARTMEN)?T\.? OF|OPTUM|US) VA\b|\bVA\b(?=[ -]+[A-Z])(?! MEDICAID\b)/i

/**
 * True for a text that nobody has authorized the visit, where nothing is paid without: of a veteran, in an answer of the VA, or with the consequence
 * in words. Of other payers, a referral that is missing may not be needed for this visit.
 */
export function isUnauthorized(sentence: string, isOfVeterans: () => boolean): boolean {
  if (!states(NOT_AUTHORIZED, sentence)) return false
  if (REQUIRED_AND_MISSING.test(sentence)) return true
  return OF_VETERANS.test(sentence) || CONSEQUENCE.test(sentence) || isOfVeterans()
}

/** "No authorization obtained - authorization required", in any order. */
const CLAUSES = / -+ |[,:()]| (?:AND|BUT|YET|SO) /

/** A text without one of each states no such thing, and most texts about authorizations have but one. */
const NEED = /REQ|MUST|WITHOUT|W\/O/
const ABSENCE = /\bNO(?:T|NE)?\b|WITHOUT|W\/O|MISSING|WITHDRAWN|(?:EXPIR|CANCELL?|DENI|TERMINAT|REVOK|EXHAUST|END)ED\b/

/** True for the sentences of one row if one clause states that the visit requires a referral, and another that there is none. */
export function isRequiredAndMissing(sentences: readonly string[]): boolean {
  const areMissing = sentences.some((sentence) => REFERRAL_WORD.test(sentence) && ABSENCE.test(sentence))
  if (!areMissing || !sentences.some((sentence) => NEED.test(sentence))) return false
  const clauses = sentences.map(spellOut).flatMap((sentence) => sentence.split(CLAUSES))
  return clauses.some((clause) => states(REQUIRED, clause)) && clauses.some((clause) => states(NOT_AUTHORIZED, clause))
}

/** Texts of both groups have one of these, and few others do: a search for them costs less than one for the groups. */
export const REFERRAL_WORD = /REFERRAL|AUTH|CONSULT|COMMUNITY CARE/
export const RESTRICTION_WORD =
  /LOCK|RESTRICT|RRP|REVIEW|LIMITED TO|ASSIGNED TO|ONLY|\bNOT\b.*\b(?:PCP|PRIMARY CARE|MEDICAL HOME)\b/
