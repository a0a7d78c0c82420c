// Denials that are lists: another organization pays, or this one pays only what is left of the past. rules.md 17; decisions/0100.
import { DATE } from '../../payer-text.ts'
import { isOrganizationName, isProperName } from '../names/proper-names.ts'
import { phrases, states } from '../phrase-group.ts'
import { OWN_PLACES } from '../programs/limited.ts'

/** "On or after 03/01/2026 send claims to Meritain Health". */
const SENT_TO = new RegExp(
  `\\b(?:AFTER|BEGINNING|STARTING|EFFECTIVE|FROM|AS OF)(?: (?:DATE|ON))* ${DATE},?(?: (?:AND|LATER|AFTER|FORWARD|ONWARD|PLEASE|ALL|MEDICAL|CLAIMS|MUST|SHOULD|BE|ARE|WILL|-))* (?:SEND|SENT|SUBMIT(?:TED)?|FILED?|BILL(?:ED)?|MAIL(?:ED)?|DIRECT(?:ED)?)(?: (?:ALL|MEDICAL|CLAIMS?|BILLS))* (?:TO|WITH) ([A-Z][A-Z0-9&'-]*(?: [A-Z0-9&'-]+){0,3})\\W*$`,
)

/** The same with the day at the end: "submit claims to Meritain Health effective 03/01/2026". */
const SENT_TO_FROM = new RegExp(
  `\\b(?:BILL|(?:SEND|SUBMIT|FILE|BILL|MAIL|DIRECT)(?: (?:ALL|MEDICAL|CLAIMS?|BILLS))* (?:TO|WITH)) ([A-Z][A-Z0-9&'-]*(?: [A-Z0-9&'-]+){0,3}?)[ ,-]+(?:EFFECTIVE|EFF|AS OF|BEGINNING|STARTING|FROM|AFTER|FOR DATES OF SERVICE (?:ON (?:OR|AND) )?AFTER)(?: (?:DATE|ON))* ${DATE}\\W*$`,
)

/** True where claims go, from a day on, to an organization by its name. */
function isSentElsewhere(text: string): boolean {
  const name = (SENT_TO.exec(text) ?? SENT_TO_FROM.exec(text))?.[1]
  return name !== undefined && isProperName(name)
}

export const NEW_CARRIER = phrases({
  meaning: 'another insurer, whom the text does not name, has taken over',
  source: 'TPAs and self-funded employers',
  says: [
    /^\W*(?:(?:GROUP|EMPLOYER|MEMBER|ACCOUNT|HAS|HAVE|WITH|AN?) )*(?:(?:NEW|DIFFERENT) (?:CARRIER|INSURER|INSURANCE CARRIER|TPA|ADMINISTRATOR)|(?:CARRIER|INSURER|TPA|PAYER|PAYOR) CHANGED?(?: TO (?!(?:NEW |THE )*(?:PAYER|PAYOR|ID|EDI)\b)[A-Z][A-Z&'-]*(?: [A-Z][A-Z&'-]*){0,3})?)(?=\W*$|[ :-]+(?:EFF\w*|AS OF|ON|SINCE|DATE)\b|[ :-]+\d)/,
    /\b(?:PLAN|CLAIMS?|GROUP|BENEFITS?) (?:ADMINISTRATION|ADMINISTRATOR|PROCESSING)(?: (?:HAS|HAVE|WAS|BEEN|IS))* (?:TRANSFERRED|MOVED|CHANGED|TRANSITIONED) TO (?!(?:A |AN |THE |OUR )*(?:NEW |P\.?O\.? )*(?:ADDRESS|BOX|LOCATION|PORTAL|SYSTEM|PLATFORM|OFFICE))/,
  ],
  holds: isSentElsewhere,
  examples: [
    'NEW CARRIER EFF 01/01/26',
    'CARRIER CHANGE 01/01/2026',
    'GROUP HAS NEW TPA',
    'CARRIER CHANGED',
    'PAYER CHANGED TO HARBOR HEALTH 01/01/2026',
    'BILL MERITAIN HEALTH EFFECTIVE 01/01/2026',
    'FOR DATES OF SERVICE ON OR AFTER 03/01/2026 SEND CLAIMS TO MERITAIN HEALTH',
    'PLAN ADMINISTRATION TRANSFERRED TO UMR 01/01/2026',
  ],
  counterexamples: [
    'NEW CARRIER CODE 12',
    'NEW ID CARD',
    'AS OF 01/01/2026 SEND CLAIMS TO PO BOX 981106',
    'CLAIMS PROCESSING MOVED TO NEW ADDRESS 01/01/2026',
    'CLAIMS RECEIVED AFTER 03/01/2026 MUST BE SUBMITTED ELECTRONICALLY',
  ],
})

export const RUN_OUT = phrases({
  meaning: 'the payer handles only the claims of a coverage that has ended',
  source: 'Administrators of self-funded plans that keep EB01 1 while the last claims arrive',
  says: [
    /^\W*(?:(?:THIS|GROUP|PLAN|ACCOUNT|EMPLOYER|IS|IN|THE|A|WE|ARE|ADMINISTER|PROCESS|PROCESSING|PAY|MEDICAL|NOW)[ :-]+)*RUN[ -]?OUT(?: (?:CLAIMS?|ADMINISTRATION|ADMIN|PERIOD|PROCESSING|SERVICES?|STATUS|GROUP|ACCOUNT))*(?: ONLY\b|\W*$|[ ,:-]+(?:FOR|OF|THROUGH|UNTIL|ENDS?|DATES?|CLAIMS)\b)/,
  ],
  unless: [/\b(?:IF|WHEN|UNLESS|DENTAL|VISION|PHARMACY|FSA|HRA|HSA|PRIOR|PREVIOUS|FORMER)\b/],
  examples: ['RUN-OUT CLAIMS ONLY', 'GROUP IS IN RUNOUT', 'RUN OUT PERIOD ENDS 06/30/2026'],
  counterexamples: ['FSA RUN-OUT PERIOD ENDS 03/31/2026', 'BENEFITS DO NOT RUN OUT'],
})

const PROVIDERS = '(?:PROVIDERS?|GROUPS|PHYSICIANS|DOCTORS|CLINICS|FACILITIES)'
const NOT_PAID =
  '(?:(?:ARE|WILL|BE|IS) )+(?:DENIED|NOT (?:BE )?(?:COVERED|PAID|PAYABLE|REIMBURSED)|REJECTED)\\b(?! (?:FOR|AT)\\b)'

const NON_NAMED = new RegExp(`\\bNON-([A-Z]+)(?: (?:SERVICES|CLAIMS|CARE|${PROVIDERS}))+ ${NOT_PAID}`)

/** "Non-Kaiser services are not payable"; not "non-emergency", "non-participating". */
function refusesOthers(text: string): boolean {
  const name = NON_NAMED.exec(text)?.[1]
  return name !== undefined && isProperName(name)
}

export const OTHER_GROUP = phrases({
  meaning: 'the claims of other providers than those of a group or of one kind of places are not paid',
  source: 'HMOs of California and Florida that capitate medical groups (IPA); programs of counties, student plans',
  says: [
    new RegExp(
      `(?:\\b(?:CLAIMS|SERVICES|CARE|BILLS)(?: (?:FROM|BY|OF|FOR|WITH|RENDERED BY|PROVIDED BY))+ |^\\W*)(?:ALL |ANY )?(?:OTHER ${PROVIDERS}|${PROVIDERS} OUTSIDE (?:OF )?(?:THE|THIS) (?:GROUP|IPA|MEDICAL GROUP)) ${NOT_PAID}`,
    ),
    new RegExp(
      `\\bNO OTHER ${PROVIDERS}(?: (?:ARE|WILL|BE|IS|MAY|CAN))+ (?:PAID|COVERED|REIMBURSED|PAYABLE|SEEN|USED)\\b`,
    ),
    new RegExp(
      `\\b(?:SERVICES|CARE|VISITS|TREATMENT)(?: (?:RENDERED|PROVIDED|OBTAINED|RECEIVED))? (?:ELSEWHERE|OUTSIDE (?:OF )?(?:THE |A |AN )?${OWN_PLACES}(?: (?:CENTERS?|CLINICS?|FACILIT(?:Y|IES)|SYSTEM))?) ${NOT_PAID}`,
    ),
    new RegExp(
      `\\b(?:MUST|SHALL)(?: ONLY)? BE (?:RENDERED|PROVIDED|RECEIVED|OBTAINED|PERFORMED) (?:AT|BY|IN|THROUGH) (?:THE |A |AN )?${OWN_PLACES}`,
    ),
    new RegExp(`\\bONLY (?:BE )?(?:MADE |PAID |PAYABLE )?TO (?:THE |A )?${OWN_PLACES}`),
    new RegExp(
      `^\\W*(?:(?:SERVICES|CARE|VISITS|TREATMENT|PROVIDED|RENDERED|RECEIVED|COVERED|ARE|AT|IN|BY) )*${OWN_PLACES}(?: (?:OR|AND|${OWN_PLACES}))*(?: (?:CENTERS?|CLINICS?|FACILIT(?:Y|IES)|HOSPITALS?|SYSTEM|SERVICES|CARE|VISITS|TREATMENT))* ONLY\\W*$`,
    ),
    new RegExp(
      `\\b(?:MUST|MAY ONLY|CAN ONLY) (?:RECEIVE|OBTAIN|GET|SEEK|USE) (?:ALL )?(?:(?:MEDICAL|ROUTINE|PRIMARY) )*(?:CARE|SERVICES|TREATMENT) (?:AT|FROM|IN|THROUGH) (?:THE |A |AN )?${OWN_PLACES}`,
    ),
    new RegExp(
      `\\b(?:SERVICES|CARE|VISITS) NOT (?:AUTHORI[SZ]ED|APPROVED|ARRANGED|ORDERED|PROVIDED)(?: (?:BY|OR|THE|YOUR|PACE|CARE|INTERDISCIPLINARY|APPROVED|ARRANGED|PROVIDED))* (?:TEAM|IDT|PACE(?: (?:ORGANIZATION|PROGRAM|PLAN|CENTER))?) ${NOT_PAID}`,
    ),
  ],
  holds: refusesOthers,
  unless: [
    /\b(?:IF|WHEN|UNLESS|WITHOUT|REFERRALS?|DENTAL|VISION|LAB\w*|PHARMACY|DIALYSIS|TRANSPLANTS?|INPATIENT|THERAP\w+|(?:MENTAL|BEHAVIORAL) HEALTH)\b/,
  ],
  examples: [
    'CAPITATED TO QUAY PHYSICIANS IPA - CLAIMS FROM OTHER PROVIDERS WILL BE DENIED',
    'SERVICES BY OTHER PROVIDERS ARE NOT COVERED',
    'NO OTHER PROVIDERS WILL BE PAID',
    'OTHER PROVIDERS ARE NOT REIMBURSED',
    'SERVICES ELSEWHERE ARE NOT COVERED',
    'SERVICES OUTSIDE THE STUDENT HEALTH CENTER ARE NOT COVERED',
    'SERVICES MUST BE RENDERED AT COUNTY CLINICS',
    'PAYMENT WILL ONLY BE MADE TO COUNTY PROVIDERS',
    'SERVICES AT IHS OR TRIBAL FACILITIES ONLY',
    'CAMPUS HEALTH CENTER SERVICES ONLY',
    'BENEFICIARY MUST RECEIVE ALL CARE AT A MILITARY TREATMENT FACILITY',
    'SERVICES NOT AUTHORIZED BY THE TEAM ARE NOT COVERED',
    'NON-KAISER SERVICES ARE NOT PAYABLE',
  ],
  counterexamples: [
    'CLAIMS FROM OTHER PROVIDERS ARE PAID AT 60%',
    'SERVICES BY OTHER PROVIDERS WITHOUT REFERRAL ARE NOT COVERED',
    'NO OTHER PROVIDER CONTACTS ON FILE',
    'PAYMENT WILL ONLY BE MADE TO THE PROVIDER OF SERVICE',
    'NO OTHER DIALYSIS PROVIDERS WILL BE PAID',
  ],
})

const NOT_HERE =
  '(?:THE |THIS |OUR )?(?:(?:HEALTH )?PLAN|US|PAY[EO]R|(?:INSURANCE )?CARRIER|INSURANCE(?: COMPANY)?|HMO)\\b(?! (?:MEMBER|PARTICIPANT|ID)\\b)'

export const NOT_BILLED = phrases({
  meaning: 'claims do not go to the payer that answers',
  source: 'HMOs whose medical groups pay; administrators after a change',
  says: [
    new RegExp(
      `\\bDO NOT (?:BILL|SEND|SUBMIT|FILE|MAIL)(?: (?:ANY|ALL|MEDICAL|PROFESSIONAL|PHYSICIAN|CLAIMS?|BILLS?|TO|WITH))* ${NOT_HERE}`,
    ),
    new RegExp(`\\bCLAIMS? (?:SENT|SUBMITTED|BILLED|MAILED|FILED) (?:TO|WITH) ${NOT_HERE} ${NOT_PAID}`),
  ],
  unless: [
    /\b(?:IF|WHEN|UNLESS|UNTIL|AFTER|BEFORE|PAPER|DUPLICATE|DENTAL|VISION|PHARMACY|DRUGS?|LAB\w*|INPATIENT|(?:MENTAL|BEHAVIORAL) HEALTH)\b/,
  ],
  examples: [
    'DO NOT BILL THE HEALTH PLAN',
    'DO NOT SEND CLAIMS TO THIS PLAN',
    'CLAIMS SENT TO THE HEALTH PLAN WILL BE DENIED',
  ],
  counterexamples: [
    'DO NOT BILL THE MEMBER',
    'DO NOT BILL THE PLAN MEMBER',
    'DO NOT SEND PAPER CLAIMS TO THE PLAN',
    'DO NOT SUBMIT CLAIMS TO THIS ADDRESS',
  ],
})

const DELEGATE =
  '(?:IPA|MEDICAL GROUP|PHYSICIANS?(?: MEDICAL)? GROUP|(?:PHYSICIANS|PROVIDER|CARE) NETWORK|DELEGATED (?:MEDICAL )?(?:GROUP|ENTITY|PROVIDER GROUP))'

/** "All medical claims", "professional services". */
const ALL_PROFESSIONAL =
  '\\b(?:ALL |(?:ALL )?(?:MEDICAL|PROFESSIONAL|PHYSICIAN)(?: MEDICAL)? )(?:CLAIMS|SERVICES|CARE)\\b'

/** "All medical claims are the responsibility of Health Net", an organization by its name. */
const RESPONSIBLE = new RegExp(
  `${ALL_PROFESSIONAL} (?:ARE|IS) (?:(?:THE|FULL|FINANCIAL|SOLE) )*RESPONSIBILITY OF ([A-Z][A-Z0-9&'-]*(?: [A-Z0-9&'-]+){0,3})\\W*$`,
)

function isResponsibilityOfOther(text: string): boolean {
  const name = RESPONSIBLE.exec(text)?.[1]
  return name !== undefined && isOrganizationName(name)
}

export const DELEGATED = phrases({
  meaning: 'the claims of doctors go to a medical group, to which the payer has delegated them',
  source: 'HMOs of California, Florida and Texas that capitate medical groups (IPA) for professional services',
  says: [
    new RegExp(
      `\\b(?:CLAIMS?|BILLS?)(?: (?:FOR|ALL|THIS|MEMBER|GO|PROFESSIONAL|PHYSICIAN|SERVICES|MUST|SHOULD|ARE|TO|BE|SUBMITTED|SENT|BILLED|DIRECTED|MAILED|FILED|PAID|BY|THE|WITH)){0,10} (?:TO|WITH|BY) (?:[A-Z'&-]+ ){0,4}${DELEGATE}\\b`,
    ),
    new RegExp(`\\bBILL (?:THE )?(?:[A-Z'&-]+ ){0,4}${DELEGATE}\\b`),
    /\bDELEGATED TO(?: [A-Z'&-]+){1,6} FOR (?:ALL )?(?:PROFESSIONAL )?CLAIMS\b/,
    /\b(?:CLAIMS?|PROFESSIONAL SERVICES?|PHYSICIAN SERVICES?) (?:ARE|IS|HAVE BEEN) DELEGATED TO\b/,
    new RegExp(
      `${ALL_PROFESSIONAL} (?:ARE|IS) (?:(?:THE|FULL|FINANCIAL|SOLE|AT|RISK) )*(?:RESPONSIBILITY|RISK) OF (?:THE )?(?:[A-Z'&-]+ ){0,4}${DELEGATE}\\b`,
    ),
    new RegExp(
      `\\b${DELEGATE} IS (?:(?:FULLY|FINANCIALLY|SOLELY) )*RESPONSIBLE FOR (?:(?:THE|PAYMENT|OF) )*${ALL_PROFESSIONAL}`,
    ),
    new RegExp(
      `^\\W*(?:(?:FINANCIAL|CLAIMS?|PROFESSIONAL|PHYSICIAN|SERVICES|PAYMENT) )*(?:RESPONSIBILITY|RISK)(?: (?:OF|IS))*[ :-]+(?:THE )?${DELEGATE}\\b|\\b(?:PROFESSIONAL|PHYSICIAN) SERVICES (?:ARE|IS)(?: (?:THE|AT|FULL))* (?:RISK|RESPONSIBILITY) OF (?:THE )?${DELEGATE}\\b`,
    ),
  ],
  holds: isResponsibilityOfOther,
  unless: [
    /\b(?:NOT|NO|IF|WHEN|UNLESS|MAY|MENTAL|BEHAVIORAL|DENTAL|VISION|PHARMACY|LAB\w*|RADIOLOGY|INPATIENT|HOSPITAL|FACILITY|ANCILLARY|CHIROPRACTIC|AUTHORI[SZ]ATIONS?|REFERRALS?|UTILIZATION)\b/,
  ],
  examples: [
    'PROFESSIONAL SERVICES ARE DELEGATED TO QUAY IPA - SUBMIT CLAIMS TO IPA',
    'CLAIMS FOR PROFESSIONAL SERVICES MUST BE SUBMITTED TO HARBOR PHYSICIANS MEDICAL GROUP',
    'DELEGATED TO QUAY CARE NETWORK FOR CLAIMS',
    'FINANCIAL RESPONSIBILITY: MEDICAL GROUP',
    'PHYSICIAN SERVICES ARE RISK OF IPA',
    'BILL HARBOR MEDICAL GROUP',
    'PROFESSIONAL SERVICES ARE THE FINANCIAL RESPONSIBILITY OF PROSPECT MEDICAL GROUP',
    'ALL PROFESSIONAL CLAIMS ARE THE RESPONSIBILITY OF HERITAGE PROVIDER NETWORK',
    'IPA IS FINANCIALLY RESPONSIBLE FOR PROFESSIONAL CLAIMS',
    'ALL MEDICAL CLAIMS ARE THE RESPONSIBILITY OF HEALTH NET',
  ],
  counterexamples: [
    'MEMBER IS ASSIGNED TO HARBOR MEDICAL GROUP',
    'AUTHORIZATIONS ARE DELEGATED TO THE MEDICAL GROUP',
    'MENTAL HEALTH CLAIMS ARE DELEGATED TO MAGELLAN',
    'LAB CLAIMS TO HARBOR MEDICAL GROUP',
    'PHARMACY DELEGATED TO CVS CAREMARK',
    'INPATIENT SERVICES ARE THE FINANCIAL RESPONSIBILITY OF PROSPECT MEDICAL GROUP',
    'ALL CLAIMS ARE THE RESPONSIBILITY OF THE MEMBER',
    'ALL MEDICAL CLAIMS ARE THE RESPONSIBILITY OF THIS PLAN',
  ],
})

/** Who knows whether the coverage is in force, where the payer that answers does not. */
const KEEPER = '(?:THE |YOUR |AN? )*(?:[A-Z]+ ){0,2}(?:TPA|ADMINISTRATOR|FUND|FUND OFFICE|TRUST|UNION)\\b'

export const KEPT_ELSEWHERE = phrases({
  meaning: 'the payer does not know whether the coverage is in force, which another organization does',
  source: 'Networks that are leased to administrators and to funds of unions (Aetna Signature Administrators, Cigna)',
  says: [
    new RegExp(
      `\\bELIGIBILITY(?: AND BENEFITS?)? (?:IS|ARE) (?:ONLY )?(?:MAINTAINED|KEPT|HELD) (?:BY|AT|WITH) ${KEEPER}`,
    ),
    new RegExp(
      `\\bELIGIBILITY(?: AND BENEFITS?)? (?:MUST|CAN ONLY|MAY ONLY|SHOULD) BE (?:VERIFIED|CONFIRMED|OBTAINED)(?: ONLY)? (?:BY|WITH|FROM|THROUGH) (?:${KEEPER}|(?:THE |YOUR )?(?:EMPLOYER|PLAN SPONSOR)\\b)`,
    ),
  ],
  unless: [/\b(?:IF|WHEN|UNLESS|DENTAL|VISION|PHARMACY)\b/],
  examples: [
    'ELIGIBILITY AND BENEFITS ARE MAINTAINED BY THE TPA',
    'ELIGIBILITY IS MAINTAINED BY THE FUND OFFICE',
    'ELIGIBILITY MUST BE VERIFIED WITH THE UNION TRUST FUND',
    'ELIGIBILITY CAN ONLY BE CONFIRMED BY THE EMPLOYER',
  ],
  counterexamples: [
    'ELIGIBILITY WAS VERIFIED BY THE EMPLOYER',
    'BENEFITS ARE ADMINISTERED BY THE TPA',
    'ELIGIBILITY IS MAINTAINED BY THE EMPLOYER',
    'ELIGIBILITY CAN BE VERIFIED ONLINE',
  ],
})

/** The person is in another plan, whatever its name. */
const ELSEWHERE = phrases({
  meaning: 'the person has other coverage than this one',
  source: 'Payers that keep EB01 1 and say in the same text whom to bill',
  says: [
    /\b(?:ENROLLED|ENROLLMENT|MOVED|TRANSFERRED|CHANGED|SWITCHED|CONVERTED|COVERED) (?:IN|INTO|TO|WITH|BY|UNDER)\b/,
    /\b(?:HAS|HAVE)(?: (?:NOW|NEW|OTHER|A|AN|ACTIVE))* (?:COVERAGE|INSURANCE|PLAN|POLICY) (?:THROUGH|WITH|UNDER|BY|FROM)\b/,
  ],
  unless: [
    /\b(?:IF|WHEN|UNLESS|NOT|PRIOR|PREVIOUS(?:LY)?|FORMER(?:LY)?|DENTAL|VISION|PHARMACY|DRUGS?|PART D|THIS PLAN)\b/,
  ],
  examples: [
    'MEMBER IS ENROLLED IN MANAGED CARE',
    'PATIENT NOW HAS COVERAGE THROUGH CIGNA',
    'MOVED TO MEDICARE ADVANTAGE',
  ],
  counterexamples: ['MEMBER IS NOT ENROLLED IN MANAGED CARE', 'ENROLLED IN THIS PLAN'],
})
const BILL =
  /^\W*(?:PLEASE )?(?:BILL|(?:CALL|CONTACT)(?=.* FOR (?:ALL )?CLAIMS?\W*$)|(?:SEND|SUBMIT|FILE|MAIL)(?: (?:ALL|MEDICAL|CLAIMS?|BILLS))*)(?: (?:TO|WITH))? (?!(?:LOCAL|HOST|YOUR|THE)\b)([A-Z][A-Z0-9&'-]*(?: [A-Z0-9&'-]+){0,3}?)(?: (?:FOR|DIRECTLY|INSTEAD)\b.*)?\W*$/

/** True for the clauses of one row if one states that the person is in another plan, and another whom to bill: "Bill Health Net". */
export function isBilledElsewhere(clauses: readonly string[]): boolean {
  return (
    clauses.some((clause) => states(ELSEWHERE, clause)) &&
    clauses.some((clause) => isOrganizationName(BILL.exec(clause)?.[1] ?? ''))
  )
}

/** "TRICARE is responsible", "Aetna is responsible for medical claims", "claims after 01/01/2026 are paid by Aetna": the name of who pays. */
const PAYS_ALL = new RegExp(
  `^\\W*(?:THE )?([A-Z][A-Z0-9&'-]*(?: [A-Z0-9&'-]+){0,4}?) (?:IS|ARE) (?:(?:FULLY|FINANCIALLY|SOLELY) )*RESPONSIBLE(?: FOR (?:(?:THE|PAYMENT|OF|ALL|MEDICAL|PROFESSIONAL|PHYSICIAN) )*(?:CLAIMS|PAYMENT|SERVICES|CHARGES|CARE))?(?: (?:SINCE|FROM|AS OF|EFFECTIVE) ${DATE})?\\W*$`,
)
const PAID_FROM = new RegExp(
  `^\\W*(?=.*${DATE})(?:(?:ALL|MEDICAL|AS OF|AFTER|SINCE|FROM|EFFECTIVE|STARTING|BEGINNING|CLAIMS|ARE|PAID|PROCESSED|ADMINISTERED|HANDLED)[ ,]+|${DATE}[ ,]+)*?CLAIMS(?: (?:AFTER|SINCE|FROM|AS OF|EFFECTIVE) ${DATE})? ARE (?:PAID|PROCESSED|ADMINISTERED|HANDLED) BY ([A-Z][A-Z0-9&'-]*(?: [A-Z0-9&'-]+){0,3})\\W*$`,
)
const PROGRAM_NAME =
  /^(?:TRICARE|MEDICARE|MEDICAID|CHAMPVA|WORKERS COMP(?:ENSATION)?(?: CARRIER)?|(?:AUTO|LIABILITY) (?:CARRIER|INSURANCE))$/

/** Insurers whose names are words of the grammar, as their last word tells: "State Farm", "American Family Insurance". */
const INSURER_NAME =
  /^(?!(?:THIS|YOUR|OUR|MEMBER|PATIENT|SUBSCRIBER|HEALTH|MEDICAL|DENTAL|VISION|DRUG|NO|THE)\b)[A-Z][A-Z0-9&' -]* (?:FARM|FUND|MUTUAL|INSURANCE|CASUALTY|ASSURANCE|INDEMNITY|GENERAL|DEPARTMENT OF LABOR)$/

/** The organization that a sentence says pays for all care, by its name; undefined for a sentence without. */
export function payerOfAll(sentence: string): string | undefined {
  const name = (PAYS_ALL.exec(sentence) ?? PAID_FROM.exec(sentence))?.[1]
  return name !== undefined && (PROGRAM_NAME.test(name) || INSURER_NAME.test(name) || isOrganizationName(name))
    ? name
    : undefined
}
