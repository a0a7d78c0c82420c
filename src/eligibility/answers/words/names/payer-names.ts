// Names of payers and plans by which programs are recognized: Medicare, Medicaid, Medicare Advantage, Medigap, QMB. x12-271.md 10.
import { phrases, states } from '../phrase-group.ts'

export const MEDICARE_NAME = phrases({
  meaning:
    'Medicare itself: the federal payer, its clearinghouse ids and its contractors, and no carrier with Medicare in its name',
  source: 'HETS companion guide; lists of Stedi, Availity and Optum; the MACs of CMS',
  says: [
    /^(?:CMS|CMSMED|MAPMC|HETS)$|CENTERS? FOR MEDICARE|^(?:ORIGINAL )?MEDICARE(?: FEE.FOR.SERVICE| PARTS? [AB]\b.*)?$|\bRAILROAD MEDICARE\b|^(?:NORIDIAN|NOVITAS|PALMETTO|CGS|WPS|NGS|NATIONAL GOVERNMENT SERVICES|FIRST COAST|FCSO)\b.*\bMEDICARE\b/i,
  ],
  examples: [
    'CMS',
    'MEDICARE',
    'Medicare Part B',
    'CENTERS FOR MEDICARE & MEDICAID SERVICES',
    'NORIDIAN MEDICARE JE',
    'PALMETTO GBA RAILROAD MEDICARE',
  ],
  counterexamples: ['HUMANA MEDICARE', 'MEDICARE SUPPLEMENT', 'CMSP'],
})

export const MEDICAID_NAME = phrases({
  meaning: 'a state program, not all of which have the word Medicaid',
  source: 'Companion guides of CA, NY, MA, TN, AZ, OK, WI, MO, NJ, ME, CT, CO, TX, NC, WA, VT, AK, IL',
  says: [
    /MEDICAID|\bMEDI[- ]CAL\b|NYSDOH|EMEDNY|\bDHHS\b|MASSHEALTH|TENNCARE|AHCCCS|SOONERCARE|BADGERCARE|\bMO HEALTHNET\b|\bNJ FAMILYCARE\b/i,
    /FORWARD ?HEALTH\b|\bMAINECARE\b|\bHUSKY HEALTH\b|\bHEALTH FIRST COLORADO\b|\bTMHP\b|\bNCTRACKS\b|\bPROVIDERONE\b|\bGREEN MOUNTAIN CARE\b|\bDENALI ?CARE\b|\bILLINOIS HFS\b|\bHEALTHCARE AND FAMILY SERVICES\b/i,
  ],
  unless: [/\bCENTERS? FOR MEDICARE\b/i],
  examples: ['Texas Medicaid', 'MEDI-CAL', 'NYSDOH', 'MassHealth', 'MO HEALTHNET', 'FORWARDHEALTH', 'NCTracks'],
  counterexamples: ['MEDICAL MUTUAL OF OHIO', 'MEDICA', 'HEALTHNET', 'CENTERS FOR MEDICARE & MEDICAID SERVICES'],
})

export const LAST_RESORT_NAME = phrases({
  meaning: 'a program that pays after all other insurance but Medicaid: TRICARE, CHAMPVA',
  source: '10 U.S.C. 1079(j)(1), 32 CFR 199.8; 38 CFR 17.272',
  says: [/\bTRICARE\b|\bCHAMPVA\b|\bCHAMPUS\b/i],
  examples: ['TRICARE EAST', 'Champva'],
  counterexamples: ['TRIWEST', 'CHAMPION HEALTH'],
})

const STATES =
  'ALABAMA ALASKA ARIZONA ARKANSAS CALIFORNIA CAROLINA COLORADO COLUMBIA CONNECTICUT DAKOTA DELAWARE DISTRICT FLORIDA GEORGIA HAMPSHIRE HAWAII IDAHO ILLINOIS INDIANA IOWA ISLAND JERSEY KANSAS KENTUCKY LOUISIANA MAINE MARYLAND MASSACHUSETTS MEXICO MICHIGAN MINNESOTA MISSISSIPPI MISSOURI MONTANA NEBRASKA NEVADA NEW NORTH OHIO OKLAHOMA OREGON PENNSYLVANIA PUERTO RHODE RICO SOUTH TENNESSEE TEXAS UTAH VERMONT VIRGINIA WASHINGTON WEST WISCONSIN WYOMING YORK AK AL AR AZ CA CO CT DC DE FL GA HI IA ID IL IN KS KY LA MA MD ME MI MN MO MS MT NC ND NE NH NJ NM NV NY OH OK OR PA RI SC SD TN TX UT VA VT WA WI WV WY'
const OF_AGENCIES =
  'ADMINISTRATION AGENCY AND ASSISTANCE AUTHORITY CARE COMMONWEALTH COVERAGE DEPARTMENT DEPT DIVISION FAMILY FEE FFS FINANCING FOR HEALTH HEALTHCARE HUMAN MEDICAL OF OFFICE PROGRAM PROGRAMS SERVICE SERVICES SOCIAL STATE THE TITLE TRADITIONAL XIX'
/** Programs and agencies in one word, and parts of such names. */
const OWN_WORDS =
  'AHCCCS ALERT BADGERCARE CAL CHAMPS DHHS DHS DMAS EMEDNY FAMILYCARE FIRST FORWARDHEALTH HCA HEALTHNET HFS HUSKY KMAP MAINECARE MASSHEALTH MCAID MEDI MEDICAID NCTRACKS NYSDOH PROVIDERONE SOONERCARE TENNCARE TMHP'
const PROGRAM_WORDS = new Set([STATES, OF_AGENCIES, OWN_WORDS].flatMap((words) => words.split(' ')))

/** True for a name by which the program of a state itself answers, and none of its plans: "Texas Medicaid", not "Molina Medicaid of Ohio". */
export function isStateProgram(name: string): boolean {
  const words = name.toUpperCase().match(/[A-Z]+/g) ?? []
  return states(MEDICAID_NAME, name) && words.every((word) => PROGRAM_WORDS.has(word))
}

/** Ids of Medicaid payers. */
export const MEDICAID_ID = /MEDICAID|MCAID|^MCD|MCD$/i

export const MANAGED_CARE_NAME = phrases({
  meaning: 'a managed care plan, in a row of a Medicaid answer or in the name of an organization',
  source: 'x12-271.md 10',
  says: [/\bMCO\b|\bHMO\b|MANAGED[ -]CARE/i],
  examples: ['BUCKEYE HMO', 'Managed-care plan', 'MCO ENROLLMENT'],
  counterexamples: ['HMOA', 'CARE MANAGEMENT'],
})

export const MANAGED_CARE_PROGRAM = phrases({
  meaning:
    "a program under which plans, and not the state, pay for a person's medical care, without the name of the plan",
  source: 'EB05 of the companion guides of IN and NC; NY',
  says: [
    /^(?:MEDICAID |FULL )?MANAGED[ -]CARE(?:$| - |[ -](?:STANDARD|TAILORED|PLAN|PROGRAM|ORGANIZATION|ENROLL\w*|MEMBER|RECIPIENT)\b)|\bMANAGED[ -]CARE$/,
  ],
  unless: [
    /\b(?:NO|NON|NOT|EXEMPT\w*|EXCLU\w+|PENDING|INELIGIBLE|PRE|CARVE\w*|VOLUNTARY|ELIGIBLE|PCCM|PRIMARY CARE CASE|LONG[ -]TERM|DENTAL|BEHAVIORAL|MENTAL)\b/,
  ],
  examples: ['MEDICAID MANAGED CARE - STANDARD PLAN', 'HOOSIER HEALTHWISE MANAGED CARE'],
  counterexamples: ['NON MANAGED CARE', 'MANAGED CARE EXEMPT', 'MANAGED CARE PENDING'],
})

/** The same as a code or short name, in a row with the number of the program (REF 18) or another type than Medicaid: TX, NC. */
export const MANAGED_CARE_CODE =
  /^(?:STAR(?:[ +-]*PLUS|[ -]KIDS|[ -]HEALTH)?|STRP|STRH|STRK|CHIPMCO|(?:MC|HC)(?:STD|CFS)|TP(?:MC|HC|INV|TBI))$/i

/** Names of practices, which coordinate care and pay for none. */
export const PRACTICE_NAME =
  /\b(?:ASSOCIATES|CENTERS?|CLINICS?|DOCTORS?|FAMILY (?:MEDICINE|PRACTICE)|HOSPITALS?|INTERNAL MEDICINE|M\.?D|MEDICAL GROUP|P\.?[AC]|PEDIATRICS?|PHYSICIANS?|PRACTICE|PRIMARY CARE)\b/i

export const MEDICAL_IS_FFS = phrases({
  meaning: 'the program itself pays for medical care, and an organization of the row for other care',
  source: 'Medicaid of CO, whose regional entities pay for behavioral health',
  says: [
    /\b(?:PHYSICAL HEALTH|MEDICAL)(?: (?:CARE|SERVICES?|BENEFITS?|CLAIMS|IS|ARE|PAID|COVERED|THROUGH|BY|UNDER|AS))*[ :-]+(?:FEE[ -]FOR[ -]SERVICE|FFS)\b/i,
  ],
  unless: [/\bNOT\b/i],
  examples: ['PHYSICAL HEALTH IS FEE FOR SERVICE', 'MEDICAL: FFS'],
  counterexamples: ['BEHAVIORAL HEALTH IS FEE FOR SERVICE', 'MEDICAL IS NOT FFS'],
})

export const ADVANTAGE_NAME = phrases({
  meaning: 'a Medicare Advantage plan by its name or contract number',
  source: 'x12-271.md 10; UHC Dual Complete',
  says: [/medicare advantage|dual complete|\b[CDI]-?SNP\b|\bH\d{4}\b/i],
  examples: ['AARP Medicare Advantage Choice', 'DUAL COMPLETE HMO SNP', 'DUAL LIBERTY (HMO D-SNP)', 'H1036-137'],
  counterexamples: ['ADVANTAGE PPO', 'H103'],
})

export const SUPPLEMENT_NAME = phrases({
  meaning: 'coverage that pays only after Medicare, so that Medicare is primary',
  source:
    'Medigap; QMB, which TX writes as MQMB beside full Medicaid; TRICARE for Life (10 U.S.C. 1086(d)); Medicaid for the cost sharing of Medicare',
  says: [
    /\bMEDIGAP\b|\bMEDICARE SUPP?L?(?:EMENT(?:AL)?)?\b|\bSUPPLEMENT(?:S|AL)? TO MEDICARE\b|^(?:QMB|QUALIFIED MEDICARE BENEFICIAR(?:Y|IES))(?: \(?QMB\)?)?(?: (?:ONLY|PROGRAM))?$|^MQMB\b|^MQB-?Q$|\bTRICARE FOR LIFE\b|^TFL\b|\bMEDICARE (?:CO-?INSURANCE|COST[- ]SHARING|DEDUCTIBLES?)\b.*\bONLY\b/,
  ],
  examples: [
    'MEDIGAP PLAN G',
    'AARP MEDICARE SUPPLEMENT',
    'QMB ONLY',
    'QUALIFIED MEDICARE BENEFICIARY (QMB)',
    'MQMB - MEDICAID QMB',
    'TRICARE FOR LIFE',
    'MEDICARE COINSURANCE AND DEDUCTIBLE ONLY',
  ],
  counterexamples: ['SUPPLEMENTAL HEALTH PLAN', 'TRICARE PRIME', 'QMB PLUS'],
})

export const SUPPLEMENT_TEXT = phrases({
  meaning: 'a text that says the plan supplements Medicare',
  source: 'Carriers of Medigap that state the product in MSG; eMedNY; TRICARE',
  says: [
    /^\W*(?:(?:PLAN|POLICY|PRODUCT|COVERAGE|INSURANCE)(?: (?:TYPE|NAME))?[ :-]+|THIS (?:PLAN |POLICY )?IS (?:A |AN )?)?(?:MEDIGAP|MEDICARE SUPPLEMENT(?:AL)?)(?: (?:PLAN|POLICY|INSURANCE|COVERAGE|PRODUCT))?(?:[ :-]+(?:PLAN )?[A-N](?: HIGH DEDUCTIBLE)?)?\W*$/,
    /^\W*(?:TRICARE FOR LIFE|TFL|(?:(?:THIS )?(?:MEMBER|RECIPIENT|CLIENT|BENEFICIARY|PATIENT) IS (?:A )?)?(?:QMB|QUALIFIED MEDICARE BENEFICIARY)(?: \(?QMB\)?)? ONLY)\W*$|^\W*MEDICARE (?:CO-?INSURANCE|COST[- ]SHARING|DEDUCTIBLES?)(?:[ ,/&]+(?:AND|CO-?INSURANCE|DEDUCTIBLES?))*(?: PAYMENTS?)? ONLY\W*$/,
    /\bMEDICARE CARVE-? ?OUT\b|\bREDUCED BY (?:WHAT|THE AMOUNT(?: THAT)?|AMOUNTS?|BENEFITS) (?:(?:PAID|PAYABLE) BY )?MEDICARE\b/,
    /\bAS IF MEDICARE(?: PARTS? [AB](?: (?:AND|&) B)?)?\b(?! (?:IS|WERE|WAS) NOT)/,
    /\bMEDICARE(?:'S)? (?:PAYMENTS?|BENEFITS?) (?:IS|ARE) (?:DEDUCTED|SUBTRACTED|ESTIMATED|CARVED OUT)\b/,
    /\b(?:COORDINATES|PAYS)(?: ONLY)? AFTER MEDICARE\b/,
    /\bMEDICAID PAYS (?:ONLY )?(?:THE )?MEDICARE (?:COST[- ]SHARING|PREMIUMS?|CO-?INSURANCE|DEDUCTIBLES?)\b/,
  ],
  unless: [/(?<!\bAS )\bIF\b|\b(?:WHEN|ONCE)\b/],
  examples: [
    'PLAN TYPE: MEDICARE SUPPLEMENT PLAN G',
    'MEDIGAP PLAN F',
    'THIS IS A MEDICARE SUPPLEMENT POLICY',
    'TRICARE FOR LIFE',
    'MEDICARE COINSURANCE DEDUCTIBLE ONLY',
    'MEDICARE CARVE-OUT PLAN',
    'BENEFITS ARE REDUCED BY WHAT MEDICARE PAYS',
    'PLAN PAYS AS IF MEDICARE PAID FIRST',
    'MEDICARE PAYMENT IS DEDUCTED FIRST',
    'THIS PLAN COORDINATES AFTER MEDICARE PAYS',
  ],
  counterexamples: [
    'THIS PLAN IS NOT A MEDICARE SUPPLEMENT',
    'MEDICARE SUPPLEMENT CLAIMS ADDRESS IS BELOW',
    'IF MEMBER BECOMES ELIGIBLE PLAN PAYS AS IF MEDICARE PAID FIRST',
  ],
})

export const QMB_NAME = phrases({
  meaning: 'a Qualified Medicare Beneficiary, whom a provider must not bill for the cost sharing of Medicare',
  source: '42 U.S.C. 1396a(n)(3)(B); Medicaid answers that have the words in place of EB04 QM',
  says: [/\bM?QMB\b|QUALIFIED MEDICARE BENEFICIAR/i],
  unless: [
    /\bNON?[ -]*(?:A )?QMB|\bNOT (?:A )?(?:QMB|QUALIFIED)|\b(?:FORMER|PRIOR|PREVIOUS)(?:LY)?(?: A)? (?:QMB|QUALIFIED)/i,
    /\b(?:QMB|BENEFICIAR(?:Y|IES)\)?)(?: (?:STATUS|INDICATOR|IND|FLAG|ELIGIBILITY|COVERAGE))? ?(?:[:=-] ?(?:NO?|NONE|FALSE)\s*(?:$|[;,.)])|[:=-]? ?(?:INACTIVE|ENDED|EXPIRED|TERM(?:ED|INATED)?)\b)/i,
  ],
  examples: [
    'QMB PLUS FULL MEDICAID',
    'Qualified Medicare Beneficiary',
    'MQMB',
    'QMB: NO COPAY',
    'QMB - NEW YORK MEDICAID',
  ],
  counterexamples: [
    'NON-QMB',
    'NOT A QMB',
    'NO QMB ON FILE',
    'QMB: N',
    'QMB STATUS: NO',
    'QMB IND = N',
    'QMB COVERAGE ENDED 12/31/2025',
    'FORMER QMB',
    'QUALIFIED MEDICARE PLAN',
  ],
})
