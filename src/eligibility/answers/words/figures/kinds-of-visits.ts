// Words below the copay of an office visit by which it is the price of other visits, or is not owed by this patient. x12-271.md 7; decisions/0178.
import { phrases } from '../phrase-group.ts'

export const OTHER_VISITS = phrases({
  meaning:
    'the price of an office visit is that of preventive, prenatal or nurse visits, or of injections, and not of the visits of the sick',
  source: 'Plans that list $0 for preventive care (42 U.S.C. 300gg-13) under service type 98',
  says: [
    /\b(?:PREVENT(?:AT)?IVE|WELLNESS|WELL[ -]?(?:CHILD|BABY|WOMAN|ADULT)|(?:ANNUAL|ROUTINE|SPORTS|SCHOOL)(?: [A-Z]+)? (?:PHYSICALS?|EXAM(?:INATION)?S?|CHECK-?UPS?)|PHYSICAL EXAM\w*|IMMUNIZATIONS?|VACCIN\w+|(?:FLU|ALLERGY|COVID(?:-?19)?) (?:SHOTS?|SERUM|TEST(?:ING|S)?)|INJECTIONS?|PRE-?NATAL|MATERNITY|LACTATION|NURSE|EDUCATION|COUNSELING|SCREENINGS?)\b/i,
  ],
  unless: [
    /\b(?:NON|NOT|NO(?! (?:COST|CO-?PAY))|EXCLU\w+|EXCEPT|OTHER|THAN|INCLU\w+|AND|OR|ALSO|PLUS|APPL\w+|COVERED|SUBJECT|SICK|ILLNESS|INJURY|MEDICAL|WAIVED|IF|WHEN|PRACTITIONER|ALL|INCENTIVES?|PARTICIPANTS?|REWARDS?|DISCOUNT)\b|[&%]/i,
  ],
  examples: [
    'PREVENTIVE CARE',
    'PREVENTIVE VISITS ONLY',
    'Well child visits',
    'ROUTINE PHYSICAL EXAM',
    'ANNUAL EXAM',
    'ANNUAL WELLNESS VISIT',
    'ALLERGY INJECTIONS',
    'WELL BABY CARE UP TO AGE 2',
    'PRENATAL VISITS',
    'PREVENTIVE/WELLNESS',
    'ANNUAL GYN EXAM',
    'FLU SHOTS',
    'PREVENTIVE CARE - NO COST SHARE',
    'DIABETES EDUCATION',
  ],
  counterexamples: [
    'EXCLUDES PREVENTIVE',
    'NON-PREVENTIVE VISITS',
    'DOES NOT APPLY TO PREVENTIVE CARE',
    'PREVENTIVE AND SICK VISITS',
    'SICK VISIT',
    'OFFICE EXAM',
    'ROUTINE CARE',
    'NURSE PRACTITIONER',
    'WELLNESS INCENTIVE',
    'PREVENTIVE CARE COVERED AT 100%',
  ],
})

export const VISITS_EXCLUDED = phrases({
  meaning:
    'what is not covered of a service is one way of visiting or the visits of the well, as the service itself is active in another row',
  source: 'Aetna ("Teladoc Virtual Primary Care General Medicine/EXCLUSION" under service type 98)',
  says: [
    /\b(?:TELE(?:DOC\w*|LADOC|HEALTH|MEDICINE|VISITS?|PHONE|PHONIC)|TELADOC|MDLIVE|VIRTUAL|ONLINE|VIDEO|E-?VISITS?|PREVENT(?:AT)?IVE|WELLNESS|(?:ROUTINE|ANNUAL|SPORTS|SCHOOL)(?: [A-Z]+)? (?:PHYSICALS?|EXAM(?:INATION)?S?))\b/i,
  ],
  unless: [
    /\b(?:ONLY|EXCEPT|UNLESS|OTHER THAN|INSTEAD|THROUGH|VIA|MUST|USE|ALL|ANY|OFFICE|IN[ -]PERSON|SICK|ILLNESS|MEDICAL|NON-?(?:PREVENT\w*|VIRTUAL|ROUTINE))\b/i,
  ],
  examples: [
    'Teladoc Virtual Primary Care General Medicine/EXCLUSION',
    'Teladoc Virtual Primary Care Physician does not include Wellness/EXCLUSION',
    'TELEHEALTH NOT COVERED',
    'ROUTINE PHYSICAL EXAMS',
    'PREVENTIVE CARE EXCLUDED',
  ],
  counterexamples: [
    'COVERED VIA TELEHEALTH ONLY',
    'NOT COVERED EXCEPT VIRTUAL VISITS',
    'VIRTUAL AND OFFICE VISITS',
    'ALL VISITS',
    'Primary Care Visit/EXCLUSION',
  ],
})

export const COPAY_EXEMPT = phrases({
  meaning: 'the patient is exempt from the copay of the row',
  source: 'Medicaid (42 CFR 447.56: children, pregnant women, American Indians, the maximum of a quarter)',
  says: [
    /\bCO-?PAY(?:MENT)?S?(?: STATUS)?[ :-]+EXEMPT(?:ION)?\b/i,
    /\b(?:MEMBER|PATIENT|RECIPIENT|CLIENT|BENEFICIARY|ENROLLEE) (?:IS )?EXEMPT FROM (?:ALL )?(?:CO-?PAY|COST[ -]SHAR)/i,
    /\bNO COST[ -]SHARING\b/i,
    /\bCO-?PAY(?:MENT)? MAX(?:IMUM)?\b.*\b(?:MET|REACHED)\b/i,
  ],
  unless: [/\b(?:NOT|IF|WHEN|UNLESS|UNTIL|ONCE|AFTER)\b|\bEXEMPT(?:ION)?[ :=-]+N(?:O|ONE)?\b/i],
  examples: [
    'COPAY EXEMPT: UNDER 21',
    'MEMBER IS EXEMPT FROM COPAY',
    'NATIVE AMERICAN - NO COST SHARING',
    'COPAY MAXIMUM FOR THE QUARTER HAS BEEN MET',
  ],
  counterexamples: [
    'COPAY EXEMPT: NO',
    'NOT EXEMPT FROM COPAY',
    'CHILDREN UNDER 21 ARE EXEMPT FROM COPAY',
    'COPAY MAXIMUM $250 PER YEAR',
  ],
})

const SHARE = '(?:CO-?PAY(?:MENT)?S?|COST[ -]SHAR(?:E|ES|ING))'
const OF_PATIENT = '(?: (?:AN?|ANY|THE|THIS|THESE|MEMBERS?|PATIENTS?|BENEFICIARY|RECIPIENT|MEDICARE|FOR|FROM|OR))*'

export const SHARE_NOT_COLLECTED = phrases({
  meaning: 'nothing is collected from the patient, in a text about the plan',
  source: 'Dual special needs plans (42 CFR 422.504(g)(1)(iii)), Medicaid',
  says: [
    new RegExp(
      `\\b(?:DO(?:ES)? NOT|NEED NOT|MUST NOT|MAY NOT|CANNOT|NEVER) (?:BILL|COLLECT|CHARGE|PAY|OWE)${OF_PATIENT} ${SHARE}\\b`,
      'i',
    ),
    new RegExp(
      `\\b${SHARE} (?:(?:IS|ARE|MUST|MAY|SHOULD|CAN) )?(?:NOT (?:TO )?(?:BE )?(?:BILLED|COLLECTED|CHARGED|OWED)|CANNOT BE (?:BILLED|COLLECTED|CHARGED))\\b`,
      'i',
    ),
    /\b(?:MEMBER|PATIENT|RECIPIENT|CLIENT|BENEFICIARY|ENROLLEE) (?:IS )?EXEMPT FROM (?:ALL )?(?:CO-?PAY|COST[ -]SHAR)/i,
    /\b(?:MEMBER|PATIENT|RECIPIENT|BENEFICIARY|ENROLLEE) (?:HAS|OWES) (?:NO|ZERO|\$0) COST[ -]SHAR(?:E|ING)\b/i,
  ],
  unless: [
    /\b(?:IF|WHEN|UNLESS|UNTIL|ONCE|BEFORE|AFTER|AT|PREVENTIVE|WELL\w*|SCREENING\w*|VACCIN\w*|EMERGENCY|MATERNITY|DENTAL|VISION|DRUGS?|PHARMACY|TELE\w+|VIRTUAL|COUNTS?|APPL(?:Y|IES)|CHILDREN)\b/i,
    new RegExp(`\\b${SHARE} FOR (?!(?:THIS|THE|ANY|ALL|COVERED|MEDICARE)\\b)`, 'i'),
    /\bEXEMPT(?:ION)?[ :=-]+N(?:O|ONE)?\b|\bNOT EXEMPT\b/i,
  ],
  examples: [
    'MEMBER IS A FULL DUAL - DO NOT COLLECT COST SHARE',
    'PROVIDER MAY NOT CHARGE THE MEMBER COPAYS',
    'COST SHARING MUST NOT BE COLLECTED',
    'ENROLLEE HAS NO COST SHARING',
  ],
  counterexamples: [
    'DO NOT COLLECT COST SHARE FOR PREVENTIVE CARE',
    'DO NOT COLLECT COPAY AT TIME OF SERVICE',
    'COLLECT COST SHARE',
    'COPAYS DO NOT APPLY TO THE DEDUCTIBLE',
  ],
})
