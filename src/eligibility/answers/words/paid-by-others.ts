// Denials that are lists: another organization pays, or this one pays only what is left of the past. rules.md 17; decisions/0100.
import { DATE } from '../payer-text.ts'
import { phrases } from './phrase-group.ts'
import { isProperName } from './proper-names.ts'

/** "On or after 03/01/2026 send claims to Meritain Health". */
const SENT_TO = new RegExp(
  `\\b(?:AFTER|BEGINNING|STARTING|EFFECTIVE|FROM|AS OF)(?: (?:DATE|ON))* ${DATE},?(?: (?:AND|LATER|AFTER|FORWARD|ONWARD|PLEASE|ALL|MEDICAL|CLAIMS|MUST|SHOULD|BE|ARE|WILL|-))* (?:SEND|SENT|SUBMIT(?:TED)?|FILED?|BILL(?:ED)?|MAIL(?:ED)?|DIRECT(?:ED)?)(?: (?:ALL|MEDICAL|CLAIMS?|BILLS))* (?:TO|WITH) ([A-Z][A-Z0-9&'-]*(?: [A-Z0-9&'-]+){0,3})\\W*$`,
)

/** True where claims go, from a day on, to an organization by its name. */
function isSentElsewhere(text: string): boolean {
  const name = SENT_TO.exec(text)?.[1]
  return name !== undefined && isProperName(name)
}

export const NEW_CARRIER = phrases({
  meaning: 'another insurer, whom the text does not name, has taken over',
  source: 'TPAs and self-funded employers',
  says: [
    /^\W*(?:(?:GROUP|EMPLOYER|MEMBER|ACCOUNT|HAS|HAVE|WITH|AN?) )*(?:(?:NEW|DIFFERENT) (?:CARRIER|INSURER|INSURANCE CARRIER|TPA|ADMINISTRATOR)|(?:CARRIER|INSURER|TPA) CHANGED?)(?=\W*$|[ :-]+(?:EFF\w*|AS OF|ON|SINCE|DATE)\b|[ :-]+\d)/,
  ],
  holds: isSentElsewhere,
  examples: [
    'NEW CARRIER EFF 01/01/26',
    'CARRIER CHANGE 01/01/2026',
    'GROUP HAS NEW TPA',
    'CARRIER CHANGED',
    'FOR DATES OF SERVICE ON OR AFTER 03/01/2026 SEND CLAIMS TO MERITAIN HEALTH',
  ],
  counterexamples: [
    'NEW CARRIER CODE 12',
    'NEW ID CARD',
    'AS OF 01/01/2026 SEND CLAIMS TO PO BOX 981106',
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
