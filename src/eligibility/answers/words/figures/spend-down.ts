// Words for the amount that a Medicaid patient pays before the program pays. x12-271.md 5, rule 7; decisions/0071, 0073.
import { phrases } from '../phrase-group.ts'

const NAME =
  '(?:SPE?ND(?:[ -]*D)?O?WN|SHARE[ -]OF[ -]COST|SOC\\b(?! DATE)|(?:EXCESS|SURPLUS) INC(?:OME)?\\b|SURPLUS(?= (?:NOT|UNPAID|UNMET|DUE|AMOUNT|IS|HAS|MET))|(?:MONTHLY|MEDICAID|MA) DEDUCTIBLE)'

const NO_OTHER_COST =
  /^(?!.*(?:\b(?:NURSING|FACILITY|LONG[ -]TERM|WAIVER|HOSPICE|DEDUCTIBLES?|OUT[ -]OF[ -]POCKET|CO-?INSURANCE|CO-?PAY\w*)\b|%))/

/** Nothing is owed. */
const NO_AMOUNT = /^(?!.*\$ ?0+(?:\.0+)?(?![\d.,]))/

export const SPEND_DOWN = phrases({
  meaning: 'there is a spend-down, which counts as unmet unless a text states that it is met',
  source: 'Medi-Cal (SOC), Medicaid of FL, NY (excess income), MI (monthly deductible), IL, OH; 42 CFR 435.831',
  says: [
    new RegExp(`\\b${NAME}`),
    /\b(?:MUST|NEEDS? TO|HAS TO) (?:FIRST )?INCUR\b|\b(?:PATIENT|MEMBER|CLIENT) PAY-?IN\b|\bDEDUCTIBLE CASE\b/,
    // A deductible of one month, and of a group of Michigan's program, is none of an insurance.
    /\bDEDUCTIBLE(?: AMOUNT)?(?: OF)?(?: \$?[\d,.]+)?(?: (?:HAS|IS|BEEN))* NOT (?:YET )?(?:BEEN )?(?:MET|SATISFIED) FOR (?:THE |THIS )?(?:MONTH|\d{1,2}\/\d|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)|\bGROUP (?:2|II) DEDUCTIBLE\b/,
    // An obligation under any name that is said to be open; not of those in a facility, and not the deductible of an insurance.
    {
      at: /\b(?:(?:PATIENT|CLIENT|RECIPIENT|MEMBER|BENEFICIARY) (?:PAY|LIABILITY|OBLIGATION|RESPONSIBILITY|CONTRIBUTION|PARTICIPATION|SHARE)|INCOME OBLIGATION)\b/,
      before: [NO_OTHER_COST],
      after: [
        NO_OTHER_COST,
        /\b(?:(?:NOT|NEVER) (?:YET )?(?:BEEN )?(?:MET|SATISFIED)|UNMET|UNTIL (?:IT )?(?:IS )?(?:MET|SATISFIED)|MUST BE (?:INCURRED|MET|PAID)|BEFORE (?:THE )?(?:MEDICAID|MEDICAL ASSISTANCE|MA|PROGRAM|STATE|COVERAGE|BENEFITS?|ELIGIBILITY)(?: (?:WILL|SHALL))? (?:PAYS?|COVERS?|BEGINS?|STARTS?|IS|ARE))\b/,
        NO_AMOUNT,
      ],
    },
    // An amount that has to be paid before the program pays, whatever it is called; a premium is none.
    {
      at: /\bBEFORE (?:THE )?(?:MEDICAID|MEDI-?CAL|MEDICAL ASSISTANCE)\b/,
      before: [
        NO_OTHER_COST,
        NO_AMOUNT,
        /\b(?:MUST|NEEDS? TO|HAS TO) (?:FIRST )?(?:PAY|OBLIGATE|MEET|SPEND)\b(?!.*\bPREMIUMS?\b).*\d/,
      ],
      after: [],
    },
    /\bNO(?:T|THING)?\b.*\bUNTIL (?:THE |THEIR |HIS |HER |MONTHLY )*(?:PATIENT|CLIENT|RECIPIENT|MEMBER|BENEFICIARY) (?:PAY|LIABILITY|OBLIGATION|CONTRIBUTION|PARTICIPATION)(?: AMOUNT)?(?: OF \$?(?!0+(?:\.0+)?(?![\d.,]))[\d,.]+)? (?:IS|HAS BEEN) (?:FULLY )?(?:MET|SATISFIED|PAID)\b/,
    /\b(?:HAS|HAVE) NOT (?:YET )?(?:MET|SATISFIED) (?:(?:THE|THEIR|HIS|HER|MONTHLY) )*(?:INCOME )?OBLIGATION\b/,
    /\b(?:MEDICALLY NEEDY|BASE PERIOD)\b.*(?<!\bNO )\b(?:OBLIGATION|LIABILITY|DEDUCTIBLE)\b|\bOBLIGATION (?:IS |HAS |BEEN )*NOT (?:YET )?(?:BEEN )?(?:MET|SATISFIED)\b/,
  ],
  examples: [
    'RECIPIENT MUST INCUR $1,204 IN BILLS BEFORE ELIGIBILITY',
    'CLIENT PAY-IN NOT RECEIVED FOR THIS MONTH',
    'RECIPIENT MUST PAY OR OBLIGATE 250.00 BEFORE MEDI-CAL CAN BE USED',
    'DEDUCTIBLE CASE, NOT YET ACTIVATED',
    'MEDICALLY NEEDY WITH UNMET DEDUCTIBLE OF $300',
    'DEDUCTIBLE OF $1200.00 HAS NOT BEEN MET FOR 03/2026',
    'OBLIGATION NOT SATISFIED FOR THE BASE PERIOD',
    'PATIENT LIABILITY OBLIGATION REMAINING $1,180.00 - NO BENEFITS UNTIL MET',
    'PATIENT PAY AMOUNT NOT MET FOR NOV 2026',
    'CLIENT HAS NOT MET INCOME OBLIGATION',
    'RECIPIENT LIABILITY OF 300.00 MUST BE INCURRED BEFORE MEDICAID PAYS',
    'RECIPIENT MUST PAY REMAINING RECIPIENT LIABILITY OF $412.00 BEFORE MEDICAID PAYS',
    'CLIENT PARTICIPATION OF $85 MUST BE PAID BEFORE COVERAGE BEGINS',
    'MEDICAID WILL NOT PAY UNTIL THE CLIENT OBLIGATION OF $96 IS MET',
    'SPENDDOWN NOT MET',
    'SPNDWN AMT 120.00',
    'SHARE OF COST: $0.50',
    'SOC $210',
    'EXCESS INCOME AMOUNT 143.00',
    'SURPLUS NOT PAID',
    'EXCESS INC PROGRAM - BILL NOT MET',
    'MONTHLY DEDUCTIBLE AMOUNT $210 NOT MET',
  ],
  counterexamples: [
    'SOC DATE 01/01/2026',
    'DEDUCTIBLE NOT MET',
    'SPENDING ACCOUNT',
    'PATIENT PAY AMOUNT 0.00',
    'MEDICALLY NEEDY - NO DEDUCTIBLE',
    'MEMBER LIABILITY IS 20% UNTIL MET',
    'RECIPIENT LIABILITY $0.00 BEFORE MEDICAID PAYS',
    'MEMBER RESPONSIBILITY: NOTIFY STATE BEFORE BENEFITS RENEWAL',
    'PATIENT LIABILITY FOR NURSING FACILITY NOT MET',
    'MEMBER MUST PAY $25 COPAY BEFORE MEDICAID PAYS',
    'MEMBER MUST PAY $500 BEFORE BENEFITS BEGIN',
  ],
})

/** Words that contradict an amount of zero. */
export const UNMET = /\bNOT\b|N'T\b|CANNOT|UNMET|NEVER|NO LONGER/
/** Words of another sentence of the same text by which it stays open whether the spend-down is met. */
export const OPEN = new RegExp(`${UNMET.source}|\\b(?:REMAIN|BALANCE|OWE|DUE|UNTIL|BEFORE|FIRST)`)

/** A sentence about who pays first says nothing about the spend-down. */
export const OF_OTHER_PAYER = /\bMEDICARE\b|\bOTHER (?:HEALTH )?(?:INSURANCE|COVERAGE)\b/

export const NO_SPEND_DOWN = phrases({
  meaning: 'the spend-down is zero or none',
  source: 'Medi-Cal (SHARE OF COST: $0.00), Medicaid of IL and KS (SPENDDOWN: NO)',
  says: [
    new RegExp(
      `^\\W*(?:(?:MEDICAID|MONTHLY|MEMBER|PATIENT) )*${NAME}(?: (?:AMOUNT|OBLIGATION|REMAINING|INDICATOR|DUE|IS))*[ :=-]*\\$? ?(?:0*\\.0+|0+|NONE|NO|N/A|NA|N)\\W*$`,
    ),
    new RegExp(
      `^(?!.*\\b(?:NOT|UNMET)\\b).*${NAME}.*\\b(?:REMAINING|REMAINS|BAL(?:ANCE)?)(?: (?:AMOUNT|OBLIGATION|DUE|IS))*[ :=-]*\\$? ?(?:0*\\.0+|0+)\\W*$`,
    ),
  ],
  examples: [
    'SHARE OF COST $350.00 OBLIGATED $350.00 REMAINING $0.00',
    'SHARE OF COST: $0.00',
    'SPENDDOWN: NO',
    'SPENDDOWN: N/A',
    'SPENDDOWN REMAINING 0',
    'SPENDDOWN BAL .00',
  ],
  counterexamples: [
    'SHARE OF COST: $0.50',
    'SPENDDOWN: NOT MET',
    'SHARE OF COST NOT MET REMAINING 0',
    'SOC BALANCE DUE 0.50',
  ],
})

/**
 * Everything else that names one counts as unmet: payers say in countless ways that something is not met yet. Amounts are
 * read as `#` and dates as `@`.
 */
export const SPEND_DOWN_MET = phrases({
  meaning: 'the spend-down is met, or there is none',
  source: 'Medicaid of FL, NY, OH, MN; Medi-Cal (W/ NO SOC)',
  says: [
    new RegExp(
      `^(?:(?:THE|MEMBER|PATIENT|MEDICAID|MONTHLY|CURRENT|RECIPIENT|#)S? )*${NAME}(?: (?:AMOUNT|OBLIGATION|REQUIREMENT|LIABILITY|STATUS|OF|FOR|THE|THIS|CURRENT|MONTH|PERIOD|#|@|${NAME}))*(?: (?:HAS|IS|WAS|BEEN|FULLY|ALREADY|NOW))* (?:MET|SATISFIED|CERTIFIED|CLEARED)(?: (?:YES|Y|IN FULL|FOR|THE|THIS|CURRENT|MONTH|PERIOD|ON|AS OF|DATE|FROM|THROUGH|THRU|TO|UNTIL|-|@))*$`,
    ),
    new RegExp(
      `^(?:THE )?(?:MEMBER|PATIENT|RECIPIENT)? ?(?:HAS |HAVE )?(?:FULLY |ALREADY )?(?:MET|SATISFIED)(?: (?:THE|HIS|HER|THEIR|MEDICAID|MONTHLY|#))* ${NAME}(?: (?:FOR|THE|THIS|CURRENT|MONTH|PERIOD|OF|#|@))*$`,
    ),
    new RegExp(
      `^(?:(?:FULL|SCOPE|MEDI-?CAL|MEDICAID|ELIGIBLE|COVERAGE|BENEFITS),? )*NO (?:MEDICAID |MONTHLY )?${NAME}(?: (?:AMOUNT|OBLIGATION|REQUIREMENT|LIABILITY|DUE|APPLIES|REQUIRED))*$`,
    ),
    new RegExp(
      `^(?!.*\\b(?:NOT|UNMET|IF|WHEN|UNLESS|UNTIL|AFTER|PAID|INCURRED|MET)\\b).*\\bNO ${NAME}(?: (?:OR|AMOUNT|OBLIGATION|DUE|${NAME}))*$`,
    ),
    /^(?:HAS BEEN |IS |FULLY )*(?:MET|SATISFIED)$/,
  ],
  examples: [
    'SPENDDOWN MET YES',
    'SOC SPEND DOWN CERTIFIED',
    'SPENDDOWN MET ON @',
    'SPEND DOWN OF # IS MET FOR THIS MONTH',
    'MEMBER HAS MET THEIR SHARE OF COST FOR THIS MONTH',
    'NO SHARE OF COST',
    'FULL SCOPE MEDI-CAL NO SHARE OF COST',
    'MEDI-CAL ELIGIBLE W NO SOC SPEND DOWN',
    'MEDI-CAL ELIGIBLE FOR EMERGENCY SERVICES ONLY NO SOC SPEND DOWN',
    'MET',
  ],
  counterexamples: [
    'SPENDDOWN MET NO',
    'SPENDDOWN MET AMOUNT # OF #',
    'SPEND DOWN PARTIALLY MET',
    'SPENDDOWN NO LONGER MET',
    'MEMBER HAS PAID NO SHARE OF COST',
  ],
})
