// Denials that are lists: another organization pays, or this one pays only what is left of the past. rules.md 17; decisions/0100.
import { DATE } from '../payer-text.ts'
import { phrases } from './phrase-group.ts'
import { isProperName } from './proper-names.ts'

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
    /^\W*(?:(?:GROUP|EMPLOYER|MEMBER|ACCOUNT|HAS|HAVE|WITH|AN?) )*(?:(?:NEW|DIFFERENT) (?:CARRIER|INSURER|INSURANCE CARRIER|TPA|ADMINISTRATOR)|(?:CARRIER|INSURER|TPA|PAYER|PAYOR) CHANGED?(?: TO (?!(?:NEW |THE )*(?:PAYER|PAYOR|ID|EDI)\b)(?:[A-Z][A-Z&'-]* ?){1,4}(?<! ))?)(?=\W*$|[ :-]+(?:EFF\w*|AS OF|ON|SINCE|DATE)\b|[ :-]+\d)/,
    /\b(?:PLAN|CLAIMS?|GROUP|BENEFITS?) (?:ADMINISTRATION|ADMINISTRATOR|PROCESSING)(?: (?:HAS|HAVE|WAS|BEEN|IS))* (?:TRANSFERRED|MOVED|CHANGED|TRANSITIONED) TO (?!(?:A |AN |THE |OUR )*(?:NEW |PO |P\.?O\.? )*(?:ADDRESS|BOX|LOCATION|PORTAL|SYSTEM|PLATFORM|OFFICE))/,
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

export const OTHER_GROUP = phrases({
  meaning: 'the claims of other providers than those of a group are not paid',
  source: 'HMOs of California and Florida that capitate medical groups (IPA)',
  says: [
    /\b(?:CLAIMS|SERVICES|CARE|BILLS)(?: (?:FROM|BY|OF|FOR|WITH|RENDERED BY|PROVIDED BY))+ (?:ALL |ANY )?(?:OTHER (?:PROVIDERS|GROUPS|PHYSICIANS|DOCTORS|CLINICS)|(?:PROVIDERS|GROUPS|PHYSICIANS) OUTSIDE (?:OF )?(?:THE|THIS) (?:GROUP|IPA|MEDICAL GROUP))(?: (?:ARE|WILL|BE|IS))+ (?:DENIED|NOT (?:BE )?(?:COVERED|PAID|PAYABLE)|REJECTED)\b/,
  ],
  unless: [/\b(?:IF|WHEN|UNLESS|WITHOUT|DENTAL|VISION|LAB\w*|PHARMACY)\b/],
  examples: [
    'CAPITATED TO QUAY PHYSICIANS IPA - CLAIMS FROM OTHER PROVIDERS WILL BE DENIED',
    'SERVICES BY OTHER PROVIDERS ARE NOT COVERED',
  ],
  counterexamples: [
    'CLAIMS FROM OTHER PROVIDERS ARE PAID AT 60%',
    'SERVICES BY OTHER PROVIDERS WITHOUT REFERRAL ARE NOT COVERED',
  ],
})

const DELEGATE =
  '(?:IPA|MEDICAL GROUP|PHYSICIANS?(?: MEDICAL)? GROUP|PHYSICIANS NETWORK|DELEGATED (?:MEDICAL )?(?:GROUP|ENTITY|PROVIDER GROUP))'

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
      `^\\W*(?:(?:FINANCIAL|CLAIMS?|PROFESSIONAL|PHYSICIAN|SERVICES|PAYMENT) )*(?:RESPONSIBILITY|RISK)(?: (?:OF|IS))*[ :-]+(?:THE )?${DELEGATE}\\b|\\b(?:PROFESSIONAL|PHYSICIAN) SERVICES (?:ARE|IS)(?: (?:THE|AT|FULL))* (?:RISK|RESPONSIBILITY) OF (?:THE )?${DELEGATE}\\b`,
    ),
  ],
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
  ],
  counterexamples: [
    'MEMBER IS ASSIGNED TO HARBOR MEDICAL GROUP',
    'AUTHORIZATIONS ARE DELEGATED TO THE MEDICAL GROUP',
    'MENTAL HEALTH CLAIMS ARE DELEGATED TO MAGELLAN',
    'LAB CLAIMS TO HARBOR MEDICAL GROUP',
    'PHARMACY DELEGATED TO CVS CAREMARK',
  ],
})
