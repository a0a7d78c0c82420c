// Words by which payers state which payer is primary. rules.md 17; x12-271.md 10; decisions/0073.
import { DATE } from '../../payer-text.ts'
import { phrases } from '../phrase-group.ts'

/** Who may pay first, without a name. */
export const OTHERS =
  "(?:OTHER|ANOTHER|DIFFERENT|ALTERNATE|COMMERCIAL|(?:ORIGINAL |TRADITIONAL |FFS |FEE[ -]FOR[ -]SERVICE )?MEDICARE|GROUP|EMPLOYER|[EL]?GHP|OHI|AUTO|LIABILITY|NO[ -]FAULT|WC|WORK(?:ERS?'?S?'?|MANS?)? COMP(?:ENSATION)?)"
/** What a payer covers a person by. */
export const KINDS = '(?:PAYER|PAYOR|INSURANCE(?: CARRIER| COMPANY)?|INS|COVERAGE|CARRIER|INSURER|PLAN|POLICY)'
const EOB = '(?:EOM?B|EXPLANATION OF BENEFITS|REMITTANCE(?: ADVICE)?)'
/** What may follow the statement. */
export const TAIL = `(?: (?:PER|AS OF|EFF\\w*|SINCE|DUE|BASED|BY)\\b.*|[ ,:(]+(?:FROM )?${DATE}.*|\\W*)$`
const OURS = "(?:THIS|OUR|YOUR|MEMBER'?S?|PATIENT'?S?|THE)"

const RELATIVE = "(?:SPOUSE|HUSBAND|WIFE|FATHER|MOTHER|(?:OTHER )?PARENT)(?:'?S'?)?"
/** "COB status", "order of benefits", "payer sequence". */
const ORDER = '(?:COB|COORDINATION(?: OF BENEFITS)?|ORDER OF BENEFITS|PAY[EO]R)'
const RANK = '(?: (?:ORDER|STATUS|INDICATOR|PRIMACY|SEQUENCE|RANK|POSITION|LEVEL|RESPONSIBILITY|TYPE|CODE))'

/** A sentence that denies it, or that states a condition and no fact. */
export const CONDITIONAL =
  /\b(?:NOT|NO(?![ -]FAULT\b)|NEVER|IF|WHEN|WHENEVER|UNLESS|UNTIL|MAY|WAS|ENDED|TERMINATED|NO LONGER)\b/
const unless = [CONDITIONAL]

export const OTHER_FIRST = phrases({
  meaning: 'another payer is primary',
  source: 'BCBS plans, Aetna, UHC; Medi-Cal (BILLED TO MEDICARE BEFORE)',
  says: [
    new RegExp(
      `\\b${OTHERS}\\b(?: [A-Z]+){0,4} (?:IS|PAYS|AS|HAS|CONSIDERED|THE) (?:[A-Z]+ ){0,2}PRIMARY\\b(?! CARE)|\\b${OTHERS}(?: ${KINDS}| (?:PARTS? )?(?:A(?: ?(?:AND|&|/) ?B)?|B))?(?: (?:IS|PAYS))?[ :-]+PRIM(?:E|ARY)\\b(?! CARE)|\\bPRIMARY ${KINDS}(?: IS| TO)?[ :-]+(?:THE )?${OTHERS}\\b|\\bBILL(?: TO| THE)* (?:PRIMARY|${OTHERS})\\b(?: ${KINDS})? FIRST\\b|\\bBILL(?:ED)? TO (?:THE )?${OTHERS}(?: ${KINDS})? BEFORE\\b`,
    ),
    new RegExp(
      `\\b${OTHERS}(?: (?:HEALTH|MEDICAL))?(?: ${KINDS}| (?:PARTS? )?(?:A(?: ?(?:AND|&|/) ?B)?|B))? (?:PAYS?|(?:MUST|SHOULD|WILL) PAY) FIRST\\b(?! \\$?\\d)|\\bPAYS? AFTER (?:THE )?${OTHERS}\\b(?! (?:DEDUCTIBLE|CO))|\\b${OTHERS}(?: ${KINDS})? MUST (?:FIRST )?BE BILLED (?:FIRST|BEFORE)\\b|\\b(?:SUBMIT(?:TED)?|FILED?|SEND|SENT)(?: CLAIMS?)? (?:TO|WITH)(?: THE)? (?:PRIMARY|${OTHERS})(?: ${KINDS})? FIRST\\b`,
    ),
    new RegExp(
      `\\b${RELATIVE}(?: (?:PLAN|COVERAGE|INS(?:URANCE)?|POLICY))?(?: IS)?[ :-]+PRIMARY\\b(?! CARE)|\\bMEDICARE ES (?:EL |LA )?(?:(?:PAGADOR|SEGURO|CUBIERTA|PLAN) )?PRIMARI[OA]\\b|\\bOTR[OA] (?:SEGURO|PLAN|CUBIERTA|ASEGURADORA)(?: MEDIC[OA])?(?: ES)? (?:(?:EL|LA) )?PRIMARI[OA]\\b|\\b${RELATIVE}(?: [A-Z&'-]+){0,2} ${KINDS}(?: IS)? FIRST${TAIL}`,
    ),
    new RegExp(
      `^\\W*BILL(?: TO)? (?:MEDICARE|AUTO|LIABILITY|NO[ -]FAULT|WC|WORK(?:ERS?'?S?'?|MANS?)? COMP(?:ENSATION)?|(?:OTHER|PRIMARY) ${KINDS})(?: ${KINDS})?\\W*$`,
    ),
    /\bBILL(?: CLAIMS)?(?: TO)? (?:ORIGINAL|TRADITIONAL|FFS|FEE[ -]FOR[ -]SERVICE) MEDICARE\b/,
    /\bCLAIMS? (?:(?:MUST|SHOULD|WILL) )?(?:GO|BE SENT|ARE SENT|BE BILLED|ARE BILLED) TO (?:THE )?(?:MAC|MEDICARE ADMINISTRATIVE CONTRACTOR|(?:ORIGINAL |TRADITIONAL )?MEDICARE)\b(?! (?:ADVANTAGE|SUPPLEMENT))/,
    /\bALTERNATE RESOURCES? (?:MUST|SHOULD|NEED TO|TO) (?:FIRST )?(?:BE )?(?:USED?|EXHAUSTED?|BILLED)\b/,
    new RegExp(
      `\\b${OTHERS}(?: ${KINDS})?(?: [A-Z]+){0,3} (?:(?:IS|ARE) (?:RESPONSIBLE|LIABLE)|PAYS?|MUST PAY) (?:BEFORE|AHEAD OF) (?:US|(?:THIS|OUR) ${KINDS})\\b(?! FOR )`,
    ),
    new RegExp(
      `\\bPRIMARY (?:UNDER|THROUGH|ON|VIA) (?:THE )?${RELATIVE}|\\bPRIMARY(?: ${KINDS})? ${EOB} (?:IS )?(?:REQUIRED|NEEDED)\\b`,
    ),
    new RegExp(
      `\\b(?:SUBMIT|SEND|ATTACH|INCLUDE|PROVIDE|FURNISH|NEED|REQUIRES?)\\b(?<!\\bFOR (?:SECONDARY|COB) CLAIMS?\\b.*)(?: (?:AN?|THE|COPY|OF|US|YOUR))* (?:(?:PRIMARY|OTHER|MEDICARE)(?: ${KINDS})?(?:'S)? ${EOB}|${EOB} (?:FROM|OF) (?:THE )?(?:PRIMARY|OTHER|MEDICARE))\\b|\\b${EOB} FROM (?:THE )?(?:PRIMARY|OTHER|MEDICARE)(?: ${KINDS})? (?:IS )?(?:REQUIRED|NEEDED)\\b`,
    ),
  ],
  unless,
  examples: [
    'MEDICARE IS PRIMARY',
    'MEDICARE PARTS A AND B PRIMARY',
    'MEDICARE PART B PRIMARY EFF 02/01/2026',
    'OTHER CARRIER IS PRIMARY',
    'BILL MEDICARE FIRST',
    'MEDICARE PAYS FIRST',
    'MEDICARE PARTS A/B PAY FIRST',
    'BILL MEDICARE',
    'MEMBER HAS ELECTED HOSPICE - BILL ORIGINAL MEDICARE',
    'THIS PLAN PAYS AFTER MEDICARE',
    'FILE WITH MEDICARE FIRST',
    'OTHER HEALTH INSURANCE PAYS FIRST',
    'CLAIM MUST BE SUBMITTED TO THE PRIMARY INSURANCE FIRST',
    'SPOUSES PLAN IS PRIMARY',
    'CLAIMS GO TO THE MAC',
    'BIRTHDAY RULE: OTHER PARENT PLAN PRIMARY',
    "CHILD IS COVERED UNDER FATHER'S AETNA PLAN FIRST",
    'OTHER INSURANCE MUST PAY FIRST',
    'MEDICARE ES PRIMARIO',
    'TIENE OTRO SEGURO PRIMARIO',
    'MEDICARE ES EL PAGADOR PRIMARIO',
    'SERVICES MUST BE BILLED TO MEDICARE BEFORE BILLING MEDI-CAL',
    'MSP WORKING AGED - GHP PRIMARY',
    'EMPLOYER PLAN PAYS FIRST',
    'AUTO CARRIER GEICO IS RESPONSIBLE BEFORE THIS PLAN',
    'OTHER CARRIER MUST BE BILLED BEFORE THIS PLAN WILL CONSIDER CHARGES',
    'NO-FAULT CARRIER IS PRIMARY',
    "DEPENDENT IS PRIMARY UNDER FATHER'S PLAN",
    'PRIMARY EOB REQUIRED',
    'SUBMIT EOB FROM PRIMARY CARRIER',
    'EOB FROM OTHER CARRIER REQUIRED',
    'FATHERS INS PRIMARY',
    'OHI PRIMARY',
    'ALTERNATE RESOURCES MUST BE USED FIRST',
    'SEND PRIMARY INSURANCE EOB WITH CLAIM',
    "WORKERS' COMPENSATION IS PRIMARY",
  ],
  counterexamples: [
    'EMPLOYER GROUP NUMBER: PRIMARY CARE ASSOCIATES',
    'IF OTHER INSURANCE IS PRIMARY SEND EOB',
    'ANOTHER PROVIDER IS PRIMARY CARE PHYSICIAN',
    'MEDICARE WAS PRIMARY',
    'EMPLOYER PAYS FIRST 1000 OF DEDUCTIBLE THROUGH HRA',
    'FOR SECONDARY CLAIMS SUBMIT PRIMARY EOB',
    'SUBMIT PRIMARY EOB WHEN APPLICABLE',
    'THIS PLAN PAYS BEFORE MEDICARE',
  ],
})

/** What follows "primary payer:" without being another payer's name. */
export const NO_NAME =
  /^(?:INFO(?:RMATION)?\b|DETAILS?\b|THIS|THE PLAN|PLAN|POLICY|COVERAGE|IT\b|YES|NO|NONE|N\b|Y\b|UNKNOWN|NOT|ACTIVE|SELF|SAME|OUR|US\b|MEMBER|PATIENT|SUBSCRIBER|INSURED|EMPLOYEE|FAMILY|INDIVIDUAL|EMPLOYER|AN? )|\b(?:HRA|HSA|FSA|DEDUCTIBLE|THAT|WHICH)\b/

/** The name is the group of the pattern. */
export const NAMED_FIRST = phrases({
  meaning: 'the primary payer by name, unless it is the inquired payer or no name (NO_NAME)',
  source: 'Cigna, Anthem, TPAs',
  says: [
    new RegExp(
      `\\bPRIMARY ${KINDS}(?: ON FILE| ON RECORD| NAME)?(?: IS(?: THE)?| WITH| THROUGH|[ ]*[:-])[ ]*([A-Z][A-Z0-9 &,'-]{1,60})`,
    ),
    new RegExp(
      `^\\W*(?!.*\\b${OTHERS}\\b)(?:(?:COB|COORDINATION OF BENEFITS)\\W+)?([A-Z][A-Z0-9&'-]*(?: [A-Z0-9&'-]+){0,4}) (?:PAYS (?:FIRST|AS PRIMARY)\\b(?! \\$)|IS RESPONSIBLE FIRST\\b|IS (?:THE )?PRIM(?:E|ARY)(?: ${KINDS})?(?: FOR (?:THIS|THE) [A-Z]+)?${TAIL})`,
    ),
  ],
  unless,
  examples: [
    'PRIMARY INS: UHC',
    'PRIMARY INSURANCE CARRIER: UNITED HEALTHCARE',
    'PRIMARY PAYER: AETNA',
    'PRIMARY COVERAGE IS WITH AETNA',
    'PRIMARY CARRIER - HUMANA',
    'COORDINATION OF BENEFITS: AETNA PAYS FIRST',
    'CIGNA IS RESPONSIBLE FIRST',
    'AETNA IS PRIMARY',
    'UHC IS PRIMARY PER COB',
    'AETNA IS PRIMARY FOR THIS MEMBER',
  ],
  counterexamples: [
    'PRIMARY CARE PROVIDER: DR GRAY',
    'PRIMARY COVERAGE WAS AETNA',
    'MEMBER PAYS FIRST $50',
    'BLUE SHIELD IS PRIMARY CARE NETWORK',
  ],
})

export const LABELED_FIRST = phrases({
  meaning: 'the primary payer by name, where a doctor or service may stand as well',
  source: 'TPAs and exchange plans',
  says: [
    /^\W*(?:(?:COB )?PRIMARY(?: ?[:=] ?| IS (?:THE )?)([A-Z][A-Z&'-]*(?: [A-Z&'-]+){0,4}?)(?:\W+SECONDARY ?[:=].*)?|BILL(?: TO)? ([A-Z][A-Z&'-]*(?: [A-Z&'-]+){0,3}) FIRST)\W*$/,
  ],
  unless,
  examples: [
    'PRIMARY: AETNA',
    'COB PRIMARY = AETNA',
    'PRIMARY IS AETNA',
    'PRIMARY: AETNA SECONDARY: CIGNA',
    'BILL CIGNA FIRST',
  ],
  counterexamples: ['PRIMARY: DR GRAY MD 5035551212', 'PRIMARY CARE: AETNA NETWORK'],
})

export const THIS_SECOND = phrases({
  meaning: 'the inquired payer is secondary',
  source: 'UMR, Meritain (COB ORDER), BCBS plans (COB STATUS)',
  says: [
    new RegExp(
      `\\bTHIS IS (?:A |THE )?(?:SECONDARY|TERTIARY) ${KINDS}\\b|\\bCOORDINATES? (?:WITH (?:[A-Z]+ )?)?AS (?:THE )?SECONDARY\\b`,
    ),
    new RegExp(
      `\\b${ORDER}${RANK}*(?: ON (?:FILE|RECORD))?[ :=-]+(?:SECONDARY|TERTIARY)\\b(?! ${KINDS})|\\b${ORDER}${RANK}+[ :=-]*(?:2|3|2ND|3RD|SECOND|THIRD)(?![\\d/])`,
    ),
    new RegExp(
      `^\\W*(?:RESPONSIBILITY|SEQUENCE|RANK|TYPE)[ :=-]+(?:SECONDARY|TERTIARY)\\b|^\\W*(?:SECONDARY|TERTIARY) ${KINDS}(?: ONLY)?\\W*$|\\bSECONDARY[ :-]+(?:THIS|OUR) ${KINDS}\\b`,
    ),
    /\bBILL(?:ED)? (?:US )?AS (?:THE )?SECONDARY\b/,
    /\b(?:WE ARE|(?:OUR|THIS) (?:[A-Z]+ )?(?:POSITION|PLACE|RANK)(?: (?:IN|OF) (?:THE )?(?:ORDER|SEQUENCE)(?: OF BENEFITS?)?)? IS) (?:SECOND|THIRD|SECONDARY|TERTIARY)\W*$/,
    /\b(?:PLAN|POLIZA|CUBIERTA) ES SECUNDARI[OA]\b/,
  ],
  unless,
  examples: [
    'PLEASE NOTE: THIS IS A SECONDARY POLICY',
    'COB ORDER: SECONDARY',
    'COB STATUS - TERTIARY',
    'COB ORDER: 2',
    'PAYER RESPONSIBILITY: TERTIARY',
    'COB: SECONDARY',
    'THIS PLAN COORDINATES WITH MEDICARE AS SECONDARY',
    'WE COORDINATE AS SECONDARY',
    'SECONDARY COVERAGE',
    'TERTIARY PAYER',
    'ORDER OF BENEFITS: SECONDARY',
    'COORDINATION: SECONDARY',
    'COB INDICATOR: SECONDARY',
    'PAYER SEQUENCE: 2',
    'BILL AS SECONDARY',
    'SECONDARY: THIS PLAN',
    'EL PLAN ES SECUNDARIO A MEDICARE',
    'OUR POSITION IN THE ORDER OF BENEFITS IS SECOND',
  ],
  counterexamples: [
    'COB ORDER: PRIMARY',
    'COB STATUS: NOT SECONDARY',
    'COB ORDER: 1',
    'COB UPDATED: 2/1/2026',
    'COB SECONDARY PAYER: AETNA',
  ],
})

/** Who is secondary (group `subject`), and to whom (group `first`). */
export const SECOND = {
  bySubject:
    /^(?:(?:COB|COORDINATION OF BENEFITS)[ :-]+)?(?<subject>[A-Z0-9 &,'-]*?)\b(?:IS|ARE|PAYS?|PAYING)(?: AS)?(?: THE| A)? (?:SECONDARY|TERTIARY|2ND|SECOND(?=\W*$| TO\b)|LAST(?=\W*$| PAY[EO]R\b| TO\b))(?! CARE)(?: [A-Z]+)?(?: TO (?<first>.+))?/,
  byOther: /^(?<subject>[A-Z0-9 &,'-]*?)\b(?:SECONDARY|TERTIARY) TO (?<first>.+)/,
  /** Without a verb, so that the subject has to be a name of the inquired payer. */
  bare: /(?:^|[,/-]) *(?<subject>[A-Z0-9&']+(?: (?!(?:IS|ARE|PAYS?|PRIMARY)\b)[A-Z0-9&']+){0,4})[ :-]+(?:SECONDARY|TERTIARY)\W*$/,
  /** Subjects that stand for the inquired payer; its names do, too. */
  ours: new RegExp(
    `^\\W*(?:WE|IT|COVERAGE|POLICY|PLAN|(?:THIS |THE )?${OURS} (?:${KINDS}|LIABILITY|RESPONSIBILITY)(?: [A-Z]+){0,2}|THIS)?\\W*$`,
  ),
}

export const SECONDARY = phrases({
  meaning: 'one payer is secondary: the inquired one, if it is the subject',
  source: 'Medigap and retiree plans, TRICARE, CHAMPVA',
  says: [SECOND.bySubject, SECOND.byOther, SECOND.bare],
  unless: [
    ...unless,
    /\bSECONDARY ONLY (?:FOR|IN|WHEN)\b|\bALWAYS\b.* TO (?:ANY |ALL )?OTHER\b|\bFOR (?:ALL |ANY )?(?:DEPENDENTS|MEMBERS|PATIENTS|PERSONS|THOSE|ANYONE)\b.*\b(?:WITH|WHO HAVE|HAVING|COVERED BY)\b/,
  ],
  examples: [
    'WE ARE THE SECONDARY PAYER',
    'COORDINATION OF BENEFITS - WE ARE SECONDARY',
    'THIS PLAN IS SECONDARY',
    'PLAN PAYS SECONDARY',
    'PAYS SECONDARY TO MEDICARE',
    'SECONDARY TO AETNA',
    'THIS PLAN PAYS SECOND TO OTHER HEALTH INSURANCE',
    'WE ARE THE LAST PAYER',
    'OUR LIABILITY IS SECONDARY',
  ],
  counterexamples: [
    'CHAMPVA IS ALWAYS SECONDARY TO OTHER HEALTH INSURANCE',
    'THIS PLAN IS NOT SECONDARY',
    'THIS PLAN IS SECONDARY ONLY FOR AUTO ACCIDENTS',
    'COVERAGE IS SECONDARY FOR DEPENDENTS COVERED BY ANOTHER PLAN',
  ],
})

/** What is searched in rows about another payer (EB01 R), clause by clause. */
export const PRIMARY_WORD = /\bPRIMARY\b(?! CARE)|\bPAYS? (?:FIRST\b(?! \$)|BEFORE (?:US|THIS PLAN|OUR PLAN)\b)/
export const CLAUSES = /,|\bAND\b|&/
/** Words for the inquired payer. */
export const INQUIRED = /\b(?:THIS|OUR) (?:PLAN|COVERAGE|POLICY|INSURANCE)\b|\bWE ARE\b/
