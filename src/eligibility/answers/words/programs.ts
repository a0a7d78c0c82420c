// Limited programs and kinds of coverage: what each covers, and how payers name it in texts (MSG), plan names (EB05) and payer names (NM103).
// rules.md 17; x12-271.md 5, rule 7; decisions/0073.
export interface Program {
  meaning: string
  source: string
  /** The program in the words of a text that limits the coverage to it (limited.ts): "FAMILY PLANNING SERVICES ONLY". */
  words: string
  /** X12 1365 codes of the visits that the program covers. */
  services: readonly string[]
  /** Texts that limit a plan to it. */
  texts: readonly string[]
  /** Names of plans and payers that stand for the program. */
  names?: readonly RegExp[]
  /** A word that stands for the program as one of the first three of a name. A medical plan appends it: GOLD HMO WITH DENTAL. */
  firstWords?: RegExp
  /** Names of plans and payers that are the program, and that resemble it. */
  examples?: readonly string[]
  counterexamples?: readonly string[]
}

/** In the order in which names are compared: the first program counts. */
export const PROGRAMS: readonly Program[] = [
  {
    meaning: 'family planning, also as programs of states by their own names',
    source:
      'CA (Family PACT), AL (Plan First), TX, GA (P4HB), LA (Take Charge Plus), NC (Be Smart), OK (SoonerPlan); 42 CFR 435.214',
    words: 'FAMILY PLANNING',
    services: ['82'],
    texts: ['COVERAGE IS LIMITED TO FAMILY PLANNING SERVICES', 'FAMILY PLANNING ONLY'],
    names: [
      /\bFAMILY PLANNING\b|\bFAMILY PACT\b|^PLAN FIRST$|\bHEALTHY TEXAS WOMEN\b/,
      /\bPLANNING FOR HEALTHY BABIES\b|^(?:P4HB|TAKE CHARGE(?: PLUS)?|BE SMART|SOONERPLAN)$|\bWOMEN'?S HEALTH (?:WAIVER|PROGRAM)\b/,
    ],
    examples: ['FAMILY PLANNING WAIVER', 'FAMILY PACT', 'PLANNING FOR HEALTHY BABIES', 'TAKE CHARGE PLUS'],
    counterexamples: ['FAMILY HEALTH PLUS', 'HEALTHY FAMILIES'],
  },
  {
    meaning: 'services that a minor may consent to',
    source: 'CA (Medi-Cal minor consent)',
    words: 'MINOR CONSENT',
    services: ['82', '69', 'MH', 'AI'],
    texts: ['MINOR CONSENT SERVICES ONLY'],
    names: [/\bMINOR CONSENT\b/],
    examples: ['MINOR CONSENT SERVICES'],
    counterexamples: ['MINOR CHILDREN'],
  },
  {
    meaning: 'tuberculosis',
    source: '42 CFR 435.215',
    words: 'TUBERCULOSIS|TB',
    services: [],
    texts: ['LIMITED TO TUBERCULOSIS TREATMENT', 'TB SERVICES ONLY'],
    names: [/\bTUBERCULOSIS\b/],
    examples: ['TUBERCULOSIS-RELATED MEDICAID'],
    counterexamples: ['TB HEALTH PLAN'],
  },
  {
    meaning: 'COVID-19 testing and treatment',
    source: '42 U.S.C. 1396a(a)(10)(A)(ii)(XXIII)',
    words: 'COVID(?:-?19)?',
    services: [],
    texts: ['COVID-19 SERVICES ONLY'],
    names: [/\bCOVID(?:-?19)?\b/],
    examples: ['COVID-19 TESTING GROUP'],
    counterexamples: ['COVENTRY'],
  },
  {
    meaning: 'emergencies, for people without satisfactory immigration status',
    source: '42 CFR 440.255; Medicaid of NY, FL, TX; restricted Medi-Cal',
    words: 'EMERGEN(?:CY|CIES|T)',
    services: ['86', '52'],
    texts: ['EMERGENCY SERVICES ONLY', 'NO COVERAGE EXCEPT EMERGENCY CARE'],
    names: [/\bEMERGENCY (?:MEDICAID|MEDICAL|SERVICES|MEDI-?CAL)\b/],
    examples: ['EMERGENCY MEDICAID', 'EMERGENCY SERVICES'],
    counterexamples: ['EMERGENCY ROOM COPAY'],
  },
  {
    meaning: 'pregnancy, also before a Medicaid decision and of an unborn child',
    source: '42 CFR 435.1103; TX (CHIP Perinatal), NY (presumptive prenatal)',
    words: 'PREGNANCY|MATERNITY|PRENATAL|LABOR (?:AND|&) DELIVERY|UNBORN(?: CHILD)?',
    services: ['69', 'BT', 'BU'],
    texts: ['PREGNANCY RELATED SERVICES ONLY', 'RESTRICTED TO LABOR AND DELIVERY'],
    names: [/\bPRENATAL\b|\bCHIP PERINATAL\b|\bPRESUMPTIVE(?: [A-Z]+){0,3} PREGNAN/],
    examples: [
      'PRESUMPTIVE ELIGIBLE PRENATAL A',
      'CHIP PERINATAL - MOTHER',
      'PRESUMPTIVE ELIGIBILITY FOR PREGNANT WOMEN',
    ],
    counterexamples: ['HOSPITAL PRESUMPTIVE ELIGIBILITY', 'PREGNANT WOMEN'],
  },
  {
    meaning: 'Medicaid that pays a premium of Medicare and no care',
    source: '42 U.S.C. 1396d(p), 1396a(a)(10)(E): SLMB, QI, QDWI',
    words: 'PREMIUMS?|SLMB|QI-?1?|QDWI|(?:QUALIFYING|QUALIFIED) INDIVIDUALS?(?: 1)?|SPECIFIED LOW[ -]INCOME',
    services: [],
    texts: ['MEDICARE PART B PREMIUM ONLY', 'QDWI ONLY'],
    names: [
      /^(?:SLMB|QI-?1?|QDWI)(?: (?:ONLY|PROGRAM))?$/,
      /^(?:(?:QUALIFYING|QUALIFIED)(?: DISABLED)?(?: WORKING)? INDIVIDUALS?\b|SPECIFIED LOW[ -]INCOME)/,
      /^(?:MEDICARE SAVINGS|PART B BUY-?IN)\b/,
    ],
    examples: [
      'SLMB',
      'QI-1',
      'QUALIFYING INDIVIDUALS 1',
      'SPECIFIED LOW-INCOME MEDICARE BENEFICIARY',
      'PART B BUY-IN',
    ],
    counterexamples: ['SLMB PLUS FULL MEDICAID', 'QUALIFIED HEALTH PLAN'],
  },
  {
    meaning: 'transportation',
    source: 'Brokers of non-emergency medical transportation (42 CFR 440.170)',
    words: 'TRANSPORTATION',
    services: [],
    texts: ['TRANSPORTATION BENEFITS ONLY'],
    names: [/\bTRANSPORTATION (?:BROKER|SERVICES|PROGRAM|ONLY)\b|^NEMT\b/],
    examples: ['TRANSPORTATION BROKER', 'NEMT'],
    counterexamples: ['TRANSPORTATION WORKERS UNION PPO'],
  },
  {
    meaning: 'drugs: pharmacy benefit managers, Part D, drug assistance',
    source: 'CVS Caremark, OptumRx, Express Scripts, MedImpact, Prime, Navitus; Ryan White ADAP',
    words: 'PHARMACY|PRESCRIPTIONS?|DRUGS?',
    services: ['88'],
    texts: ['COVERED FOR PHARMACY ONLY', 'ONLY COVERS PRESCRIPTION DRUGS'],
    names: [
      /\bADAP\b|\bDRUG ASSISTANCE\b/,
      /^(?:CVS )?CAREMARK\b|^OPTUM ?RX\b|^EXPRESS SCRIPTS\b|^MEDIMPACT\b|^PRIME THERAPEUTICS\b|^NAVITUS\b/,
      /^(?:MEDICARE )?(?:PART D|PDP|PRESCRIPTION DRUGS?|PHARMACY|RX)\b(?!.*\b(?:MEDICAL|HEALTH|HOSPITAL)\b)/,
    ],
    examples: ['CVS CAREMARK', 'OPTUMRX', 'PRESCRIPTION DRUG PLAN', 'MEDICARE PART D', 'RYAN WHITE PART B ADAP'],
    counterexamples: ['PHARMACY AND MEDICAL PLAN', 'HEALTH PLAN WITH RX'],
  },
  {
    meaning: 'accidents',
    source: 'Student athletes, travelers; accident policies beside a medical plan',
    words: 'CATASTROPHIC|ACCIDENTS?',
    services: [],
    texts: ['CATASTROPHIC COVERAGE ONLY', 'LIMITED TO ACCIDENTS'],
    names: [
      /^ACCIDENT MEDICAL\b/,
      /(?<!\b(?:AND|&) )\bACCIDENT (?:INSURANCE|PLAN|POLICY|PROGRAM|COVERAGE|BENEFITS?)\b/,
      /^(?:GROUP |INDIVIDUAL )?(?:CRITICAL ILLNESS|CANCER|ACCIDENT)(?: (?:POLICY|PLAN|INSURANCE|COVERAGE|ONLY))*$/,
    ],
    examples: ['INTERCOLLEGIATE SPORTS ACCIDENT INSURANCE', 'CRITICAL ILLNESS POLICY', 'GROUP CANCER PLAN'],
    counterexamples: [
      'PROVIDENT LIFE AND ACCIDENT INSURANCE',
      'STUDENT ACCIDENT AND SICKNESS PLAN',
      'BREAST AND CERVICAL CANCER TREATMENT PROGRAM',
    ],
  },
  {
    meaning: 'a fixed amount of money, an account or a discount, and no medical insurance',
    source:
      'Hospital and fixed indemnity, disability, life, hearing, travel; 26 CFR 54.9802-4 (HRA), FSA, HSA; discount cards',
    words: 'INDEMNITY|CRITICAL ILLNESS|DISCOUNTS?|REIMBURSEMENTS?|(?:IC|QSE)?HRA',
    services: [],
    texts: ['INDEMNITY BENEFITS ONLY', 'DISCOUNTS ONLY'],
    names: [
      /^(?:HEARING(?: AIDS?)?|TRAVEL(?:ERS?)?|STOP[ -]LOSS)(?: (?:BENEFITS?|PLAN|INSURANCE|POLICY|COVERAGE))*$/,
      /^(?:FSA|HSA|HEALTH SAVINGS(?: ACCOUNT)?|(?:HEALTH(?:CARE)? )?FLEXIBLE SPENDING(?: ACCOUNT)?)$/,
      /\b(?:HOSPITAL|FIXED|ACCIDENT)(?: CONFINEMENT)? INDEMNITY\b/,
      /\bDISCOUNT (?:\w+ )?(?:CARD|PLAN|PROGRAM)\b/,
      /^(?:ICHRA|QSEHRA|HRA|INDIVIDUAL COVERAGE HRA|HEALTH REIMBURSEMENT)\b/,
      /\b(?:SHORT|LONG)[ -]TERM DISABILITY\b|^(?:TERM |GROUP |WHOLE )?LIFE(?: (?:INSURANCE|POLICY))?$/,
    ],
    examples: [
      'HOSPITAL INDEMNITY PLAN',
      'DISCOUNT MEDICAL CARD',
      'HEALTH REIMBURSEMENT ARRANGEMENT',
      'SHORT TERM DISABILITY',
      'HEARING AID BENEFITS',
      'HSA',
    ],
    counterexamples: ['TRADITIONAL INDEMNITY', 'CHOICE PLUS HRA', 'HSA PPO 3000', 'TRAVELERS HEALTH NETWORK'],
  },
  {
    meaning: 'care in military facilities',
    source: 'TRICARE direct care (32 CFR 199.17)',
    words: 'DIRECT CARE|MILITARY',
    services: [],
    texts: ['DIRECT CARE ONLY', 'LIMITED TO MILITARY HOSPITALS'],
    names: [/^(?:TRICARE )?DIRECT CARE\b/],
    examples: ['TRICARE DIRECT CARE'],
    counterexamples: ['TRICARE PRIME'],
  },
  {
    meaning: 'mental health and substance abuse',
    source: 'Carve-outs (Carelon, Magellan, Optum), employee assistance programs',
    words: '(?:MENTAL|BEHAVIORAL) HEALTH|SUBSTANCE ABUSE',
    services: ['MH', 'AI'],
    texts: ['COVERAGE FOR MENTAL HEALTH ONLY'],
    names: [/^(?:EMPLOYEE ASSISTANCE|EAP)\b/, /^(?:\w+ ){0,2}BEHAVIORAL HEALTH\b/],
    examples: ['EMPLOYEE ASSISTANCE PROGRAM', 'MAGELLAN BEHAVIORAL HEALTH'],
    counterexamples: ['GOLD PPO PLUS BEHAVIORAL HEALTH', 'MENTAL HEALTH PARITY PLAN'],
  },
  {
    meaning: 'teeth',
    source: 'Delta Dental, DentaQuest, Cigna DPPO and DHMO',
    words: 'DENTAL',
    services: ['35'],
    texts: ['DENTAL BENEFITS ONLY'],
    firstWords: /^(?:DENTAL|DENTIST|DPPO|DHMO|DENTAQUEST)$/,
    examples: ['DELTA DENTAL OF OHIO', 'DENTAL PPO', 'DENTAQUEST'],
    counterexamples: ['GOLD HMO WITH DENTAL', 'UNIVERSITY HEALTH AND DENTAL FUND', 'SILVER 70 HMO PEDIATRIC DENTAL'],
  },
  {
    meaning: 'eyes',
    source: 'VSP, EyeMed, Spectera',
    words: 'VISION',
    services: ['AL'],
    texts: ['VISION BENEFITS ONLY'],
    firstWords: /^(?:VISION|VSP|EYEMED|EYECARE|OPTICAL|SPECTERA)$/,
    examples: ['VISION SERVICE PLAN', 'VSP CHOICE', 'EYEMED'],
    counterexamples: ['HMO VISION RIDER', 'MEDICAL DENTAL VISION PPO'],
  },
  // Programs that payers state in texts alone.
  {
    meaning: 'hospice',
    source: '42 CFR 418',
    words: 'HOSPICE',
    services: ['45'],
    texts: ['MEMBER COVERED FOR HOSPICE ONLY'],
  },
  {
    meaning: 'breast or cervical cancer',
    source: '42 CFR 435.213',
    words: 'BREAST|CERVICAL|CANCER',
    services: [],
    texts: ['LIMITED TO CERVICAL CANCER TREATMENT'],
  },
  {
    meaning: 'hospital care',
    source: 'Medicaid of imprisoned people (42 CFR 435.1010); limited policies',
    words: 'INPATIENT|HOSPITAL(?:IZATION)?',
    services: ['47', '48'],
    texts: ['ELIGIBLE ONLY INPATIENT SERVICES', 'HOSPITALIZATION ONLY'],
  },
  {
    meaning: 'long-term care',
    source: 'Medicaid institutional programs',
    words: 'LONG[ -]TERM CARE|NURSING (?:HOME|FACILITY)',
    services: ['54'],
    texts: ['LONG TERM CARE ONLY', 'NURSING FACILITY SERVICES ONLY'],
  },
  {
    meaning: 'the injury of a claim',
    source: 'Workers’ compensation and no-fault carriers',
    words: 'COMPENSABLE|INJUR(?:Y|IES)|INDUSTRIAL',
    services: [],
    texts: ['COVERAGE LIMITED TO COMPENSABLE INJURY'],
  },
]

/** Words of a name that has more than dental or vision coverage, and the order in which a medical plan appends either. */
export const MORE_THAN_ONE_KIND =
  /\b(?:MEDICAL|HEALTH\w*|HOSPITALS?|MAJOR|COMPREHENSIVE|WITH|W|INCL\w*|PEDIATRIC|CHILD|EMBEDDED|EPO|POS|HDHP|HSA|GOLD|SILVER|BRONZE|PLATINUM|MEDICA(?:ID|RE))\b|\b(?:HMO|PPO)\b.+\b(?:DENTAL|VISION)\b/
