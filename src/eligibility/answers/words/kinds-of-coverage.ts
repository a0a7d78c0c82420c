// Coverage that is not medical, or no insurance at all, by its names: drugs, accidents, indemnity, discounts, sharing, teeth, eyes. decisions/0073.
import { DENTAL_CARE, MENTAL_HEALTH, PHARMACY, VISION } from '../../../x12/codes/service-types.ts'
import type { Program } from './program.ts'

export const KINDS_OF_COVERAGE: readonly Program[] = [
  {
    meaning: 'drugs: pharmacy benefit managers, Part D, drug assistance',
    source:
      'CVS Caremark, OptumRx, Express Scripts, MedImpact, Prime, Navitus; Ryan White ADAP; WI (SeniorCare), MO (MORx), VT (VPharm), DE (DPAP), PA (PACENET), CT (ConnPACE), NJ (PAAD), NY (EPIC)',
    words: 'PHARMACY|PRESCRIPTIONS?|DRUGS?|RX',
    services: [PHARMACY],
    texts: ['COVERED FOR PHARMACY ONLY', 'ONLY COVERS PRESCRIPTION DRUGS'],
    names: [
      /\bADAP\b|\b(?:DRUG|PHARMACY|PHARMACEUTICAL) ASSISTANCE\b|^RYAN WHITE\b/,
      /^(?:CVS )?CAREMARK\b|^OPTUM ?RX\b|^EXPRESS SCRIPTS\b|^MEDIMPACT\b|^PRIME THERAPEUTICS\b|^NAVITUS\b/,
      /^(?:MEDICARE )?(?:PART D|PDP|PRESCRIPTIONS?(?: DRUGS?)?|PHARMACY|RX)\b(?!.*\b(?:MEDICAL|HEALTH|HOSPITAL|PPO|HMO|EPO|POS)\b)/,
      /^(?:SENIORCARE(?: LEVEL \w+)?|PAAD|SENIOR GOLD|EPIC|PACENET|CONNPACE|VPHARM(?: \d)?|DPAP)$|\bMORX\b/,
    ],
    examples: [
      'CVS CAREMARK',
      'OPTUMRX',
      'PRESCRIPTION DRUG PLAN',
      'MEDICARE PART D',
      'RYAN WHITE PART B',
      'SENIORCARE',
      'SENIORCARE LEVEL 2B',
      'ME 82 MORX',
      'VPHARM 1',
      'DPAP PHARMACY ASSISTANCE',
    ],
    counterexamples: ['PHARMACY AND MEDICAL PLAN', 'HEALTH PLAN WITH RX', 'PHARMACY BENEFIT INCLUDED PPO'],
  },
  {
    meaning: 'accidents',
    source: 'Student athletes, travelers; accident policies beside a medical plan',
    words: 'CATASTROPHIC|ACCIDENT(?:S|AL)?',
    services: [],
    texts: ['CATASTROPHIC COVERAGE ONLY', 'LIMITED TO ACCIDENTS', 'COVERAGE IS LIMITED TO ACCIDENTAL CARE'],
    names: [
      /^ACCIDENT MEDICAL\b/,
      /(?<!\b(?:AND|&) )\bACCIDENT (?:INSURANCE|PLAN|POLICY|PROGRAM|COVERAGE|BENEFITS?)\b/,
      /^(?:GROUP |INDIVIDUAL |STUDENT |BLANKET |SPORTS |OCCUPATIONAL |VOLUNTARY |24[ -]HOUR )?(?:CRITICAL ILLNESS|CANCER|ACCIDENT)(?: (?:POLICY|PLAN|INSURANCE|COVERAGE|ONLY|EXPENSE|ADVANTAGE|PROTECTION|PLUS|SELECT|RIDER|\d+))*$/,
    ],
    examples: [
      'INTERCOLLEGIATE SPORTS ACCIDENT INSURANCE',
      'STUDENT ACCIDENT',
      'OCCUPATIONAL ACCIDENT',
      'ACCIDENT EXPENSE PLUS',
      'CRITICAL ILLNESS POLICY',
      'GROUP CANCER PLAN',
    ],
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
    words: 'TRAVEL MEDICAL|INDEMNITY|CRITICAL ILLNESS|DISCOUNTS?|REIMBURSEMENTS?|(?:IC|QSE)?HRA',
    services: [],
    texts: ['INDEMNITY BENEFITS ONLY', 'DISCOUNTS ONLY'],
    names: [
      /^(?:TRUHEARING|AMPLIFON|NATIONSHEARING|HEARUSA)\b|\bSAVINGS CARD$/,
      /^(?:HEARING(?: AIDS?)?|TRAVEL(?:ERS?)?(?: MEDICAL)?|STOP[ -]LOSS)(?: (?:BENEFITS?|PLAN|INSURANCE|POLICY|COVERAGE))*$/,
      /^(?:FSA|HSA|HEALTH SAVINGS(?: ACCOUNT)?|(?:HEALTH(?:CARE)? )?FLEXIBLE SPENDING(?: ACCOUNT)?)$/,
      /\b(?:HOSPITAL|FIXED|ACCIDENT)(?: CONFINEMENT| BENEFIT)? INDEMNITY\b/,
      /\bDISCOUNT (?:\w+ )?(?:CARD|PLAN|PROGRAM)\b|\b(?:MEDICAL|DENTAL|VISION|HEALTH|PHARMACY|RX) DISCOUNTS?\b|\bDISCOUNT (?:HEALTH|MEDICAL|DENTAL)\b/,
      /^(?!.*\b(?:PPO|HMO|EPO|POS|HDHP|HSA|PLATINUM|GOLD|SILVER|BRONZE|TOBACCO|WELLNESS)\b).*\bDISCOUNTS?$/,
      /^(?:GOODRX|SINGLECARE)\b|^NETWORK (?:ACCESS ONLY|RENTAL)$/,
      /^(?:AFLAC|COLONIAL LIFE)\b|\bHOSPITAL (?:CASH|CONFINEMENT)\b|\bLIMITED (?:MEDICAL|BENEFITS?) (?:PLAN|POLICY|INDEMNITY)\b/,
      /\b(?:SPECIFIED|DREAD) DISEASES?\b|^INTENSIVE CARE (?:POLICY|PLAN|INSURANCE)\b/,
      /^(?:ICHRA|QSEHRA|INDIVIDUAL COVERAGE HRA|HEALTH REIMBURSEMENT)\b|^HRA(?: (?:ONLY|ACCOUNT|ARRANGEMENT|BALANCE|BENEFITS?|FUND|PLAN))*$/,
      /^LIMITED MEDICAL$|^(?:MEDICAL )?GAP (?:PLAN|INSURANCE|COVERAGE|POLICY)$|^SUPPLEMENTAL HOSPITAL\b|^MEC\b.*\bPREVENTIVE\b|^MINIMUM ESSENTIAL COVERAGE(?: (?:PLAN|BASIC|ONLY))*$/,
      /^(?:HOSPITAL )?CHARITY CARE\b|^HEALTH SAFETY NET\b|\bINDIGENT CARE\b|^CICP$/,
      /\b(?:SHORT|LONG)[ -]TERM DISABILITY\b|^(?:TERM |GROUP |WHOLE )?LIFE(?: (?:INSURANCE|POLICY))?$/,
    ],
    examples: [
      'HOSPITAL INDEMNITY PLAN',
      'FIXED BENEFIT INDEMNITY',
      'DISCOUNT MEDICAL CARD',
      'CARE 500 DISCOUNT',
      'HEALTH REIMBURSEMENT ARRANGEMENT',
      'SHORT TERM DISABILITY',
      'HEARING AID BENEFITS',
      'TRUHEARING',
      'HEALTH SAVINGS CARD',
      'TRAVEL MEDICAL PLAN',
      'MEDICAL DISCOUNT',
      'GOODRX',
      'AFLAC',
      'LIMITED MEDICAL PLAN',
      'HOSPITAL CASH PLAN',
      'CANCER AND SPECIFIED DISEASE',
      'HSA',
      'GAP PLAN',
      'MEC PREVENTIVE',
      'MINIMUM ESSENTIAL COVERAGE PLAN',
      'CHARITY CARE',
      'HEALTH SAFETY NET',
      'HRA PLAN',
    ],
    counterexamples: [
      'TRADITIONAL INDEMNITY',
      'CHOICE PLUS HRA',
      'HRA PLAN 2500',
      'GAP INC PPO',
      'HSA PPO 3000',
      'TRAVELERS HEALTH NETWORK',
      'SHORT TERM LIMITED DURATION',
      'CANCER TREATMENT CENTERS PPO',
      'BLUE PPO TOBACCO FREE DISCOUNT',
    ],
  },
  {
    meaning: 'a health care sharing ministry, whose members share bills and which is not insurance',
    source:
      '26 U.S.C. 5000A(d)(2)(B): Medi-Share, Christian Healthcare Ministries, Samaritan, Liberty HealthShare, Zion',
    services: [],
    names: [
      /\bHEALTH ?SHARES?\b(?! OF OREGON)|\bHEALTH ?CARE (?:COST )?SHARING\b|\bSHARING MINISTR(?:Y|IES)\b/,
      /^MEDI-?SHARE\b|\bHEALTHCARE MINISTRIES\b|\bSAMARITAN MINISTRIES\b|^(?:SEDERA|CROWDHEALTH)\b/,
    ],
    examples: ['MEDI-SHARE', 'LIBERTY HEALTHSHARE', 'CHRISTIAN HEALTHCARE MINISTRIES', 'HEALTH CARE SHARING MINISTRY'],
    counterexamples: ['HEALTH SHARE OF OREGON', 'SHARED SAVINGS PPO', 'COST SHARE PLAN 500'],
  },
  {
    meaning: 'telehealth by one company, and no visits',
    source: 'Teladoc, MDLIVE, Amwell, Doctor On Demand',
    services: [],
    names: [
      /^(?:TELADOC|MD ?LIVE|AMWELL|DOCTOR ON DEMAND)\b|\bSTAND[ -]?ALONE TELE(?:HEALTH|MEDICINE)\b|^TELE(?:HEALTH|MEDICINE) (?:PLAN|PROGRAM|BENEFITS?)\b/,
    ],
    examples: ['TELADOC HEALTH', 'MDLIVE', 'STAND ALONE TELEHEALTH', 'TELEMEDICINE PLAN'],
    counterexamples: ['VIRTUAL FIRST HMO', 'GOLD 1500 WITH TELEHEALTH'],
  },
  {
    meaning: 'care to which the Indian Health Service has referred the patient, and no other',
    source: '42 CFR 136.23 and 136.61',
    services: [],
    names: [/\bPURCHASED[ /-]*(?:AND )?REFERRED CARE\b|\bCONTRACT HEALTH SERVICES\b/],
    examples: ['PURCHASED REFERRED CARE', 'CONTRACT HEALTH SERVICES'],
    counterexamples: ['COMMUNITY CARE PLAN', 'CONTRACT HEALTH PLAN'],
  },
  {
    meaning: 'care in military facilities',
    source: 'TRICARE direct care (32 CFR 199.17)',
    words: 'DIRECT CARE|MILITARY',
    services: [],
    texts: ['DIRECT CARE ONLY', 'LIMITED TO MILITARY HOSPITALS'],
    names: [/^(?:TRICARE )?DIRECT CARE\b|^TRICARE PLUS\b/],
    examples: ['TRICARE DIRECT CARE', 'TRICARE PLUS'],
    counterexamples: ['TRICARE PRIME'],
  },
  {
    meaning: 'mental health and substance abuse',
    source:
      'Carve-outs (Carelon, Magellan, Optum), employee assistance programs; Medicaid of UT, which lists them beside the full plan',
    words: '(?:MENTAL|BEHAVIORAL) HEALTH|SUBSTANCE ABUSE|EAP|EMPLOYEE ASSISTANCE',
    services: [MENTAL_HEALTH, 'AI'],
    texts: ['COVERAGE FOR MENTAL HEALTH ONLY'],
    names: [
      /^(?:EMPLOYEE ASSISTANCE|EAP)\b(?!.*\b(?:MEDICAL|PPO|HMO|EPO|POS)\b)|\bEAP$/,
      /^(?:(?!(?:PPO|HMO|EPO|POS|MEDICAL|WITH|AND|PLUS)\b)\w+ ){0,2}BEHAVIORAL HEALTH\b/,
      /^(?:MENTAL HEALTH|SUBSTANCE (?:ABUSE|USE)(?: DISORDERS?)?|SUD)(?: (?:AND|&) (?:SUBSTANCE (?:ABUSE|USE)|SUD))?(?: (?:INPATIENT|OUTPATIENT|RESIDENTIAL|SERVICES|TREATMENT|BENEFITS?|COVERAGE|PROGRAM|ONLY))*$/,
    ],
    examples: [
      'MENTAL HEALTH OUTPATIENT',
      'SUBSTANCE USE DISORDER SERVICES',
      'EMPLOYEE ASSISTANCE PROGRAM',
      'MAGELLAN BEHAVIORAL HEALTH',
      'COMPSYCH EAP',
    ],
    counterexamples: ['PPO WITH BEHAVIORAL HEALTH', 'MEDICAL AND BEHAVIORAL HEALTH', 'MENTAL HEALTH PARITY PLAN'],
  },
  {
    meaning: 'teeth',
    source: 'Delta Dental, DentaQuest, Cigna DPPO and DHMO',
    words: 'DENTAL',
    services: [DENTAL_CARE],
    texts: ['DENTAL BENEFITS ONLY'],
    names: [/^(?:UNITED CONCORDIA|MCNA|DENTEGRA|DENTEMAX)\b|\bSMILES FOR CHILDREN\b|^HEALTHY SMILES\b|^DENTI-?CAL$/],
    firstWords: /^(?:(?:BLUE)?DENTAL\w*|DENTIST|DPPO|DHMO|DENTAQUEST)$/,
    examples: [
      'DELTA DENTAL OF OHIO',
      'DENTAL PPO',
      'DENTALGUARD PREFERRED',
      'DENTAQUEST',
      'UNITED CONCORDIA',
      'FEP BLUEDENTAL HIGH',
      'SMILES FOR CHILDREN',
    ],
    counterexamples: ['GOLD HMO WITH DENTAL', 'UNIVERSITY HEALTH AND DENTAL FUND', 'SILVER 70 HMO PEDIATRIC DENTAL'],
  },
  {
    meaning: 'eyes',
    source: 'VSP, EyeMed, Spectera',
    words: 'VISION',
    services: [VISION],
    texts: ['VISION BENEFITS ONLY'],
    names: [/^AVESIS\b/],
    firstWords: /^(?:(?:BLUE)?VISION|VSP|EYEMED|EYECARE|OPTICAL|SPECTERA)$/,
    examples: ['VISION SERVICE PLAN', 'VSP CHOICE', 'EYEMED', 'AVESIS', 'FEP BLUEVISION'],
    counterexamples: ['HMO VISION RIDER', 'MEDICAL DENTAL VISION PPO'],
  },
  {
    meaning: 'the injury of a claim',
    source: 'Workers’ compensation and no-fault carriers',
    words: 'COMPENSABLE|INJUR(?:Y|IES)|INDUSTRIAL',
    services: [],
    texts: ['COVERAGE LIMITED TO COMPENSABLE INJURY'],
    names: [
      /\bWORKERS'? ?COMP(?:ENSATION)?\b|\bSTATE COMPENSATION INSURANCE FUND\b/,
      /^(?:PIP|MED ?PAY|PERSONAL INJURY PROTECTION|(?:AUTO )?NO[ -]FAULT)(?: (?:BENEFITS?|COVERAGE|ONLY))*$/,
    ],
    examples: ['PIP', 'TRAVELERS WORKERS COMPENSATION', "WORKERS' COMP", 'STATE COMPENSATION INSURANCE FUND'],
    counterexamples: ['MEDPAY INSURANCE', 'FOOD WORKERS COMPREHENSIVE PLAN', 'COMPENSATION TRUST PPO'],
  },
]

/** Words of a name that has more than dental or vision coverage, and the order in which a medical plan appends either. */
export const MORE_THAN_ONE_KIND =
  /\b(?:MEDICAL|HEALTH\w*|HOSPITALS?|MAJOR|COMPREHENSIVE|WITH|W|INCL\w*|PEDIATRIC|CHILD|EMBEDDED|EPO|POS|HDHP|HSA|GOLD|SILVER|BRONZE|PLATINUM|MEDICA(?:ID|RE))\b|\b(?:HMO|PPO)\b.+\b(?:DENTAL|VISION)\b/

/** An employer in mental health, whose plan is named after it: "Behavioral Health Group". A dental group may be a group of a dental plan. */
export const EMPLOYER_GROUP = /\b(?:GROUP|CENTERS?|HOSPITALS?)(?: (?:INC|LLC|EMPLOYEES?|PPO|HMO|EPO|POS|HDHP))*$/

/** After the first word of a kind of coverage: an employer or union, and no plan of the kind between ("DENTAL PPO ACME INC" is for teeth). */
export const EMPLOYER =
  /^\w+(?: (?!PPO|HMO|DPPO|DHMO|PLAN|POLICY|COVERAGE|INSURANCE|BENEFITS?|PLUS|BASIC|PREFERRED|FOR|OF)[\w&]+){0,3} (?:INC|LL[CP]|PLLC|LP|CORP(?:ORATION)?|CO|COMPANY|ASSOCIATES|ASSISTANTS|COLLEGE|EMPLOYEES|ENTERPRISES|FOUNDATION|HOLDINGS|HYGIENISTS|INDUSTRIES|INSTITUTE|LABORATOR(?:Y|IES)|LABS|(?<!CASE )MANAGEMENT|MANUFACTUR\w+|PARTNERS|SOCIETY|STAFF(?:ING)?|SUPPLY|TECHNICIANS|UNION|UNIVERSITY|WORKERS)\b/
