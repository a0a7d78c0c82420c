// Messages as payers write them, with the truth by hand: the status, and what keeps a visit from being READY. Written from x12-271.md 5, 7, 9
// and 10 and rules.md 17, not from what the decoder gives. Each goes through X12 and both forms of Stedi's JSON.
import { expect, test } from 'vitest'
import { answerText, SUBSCRIBER } from '../support/answers.ts'
import { checkAnswer, LOSSLESS, type Message, type Truth, testMessages, through } from '../support/payer-messages.ts'

const PLAN = 'EB*1**30*PR*GOLD PPO~'
const MEDICAID = 'EB*1**30*MC*MEDICAID~'
const NO_COVER: Truth = { obstacles: ['NO_COVER_FOR_SERVICE'] }
const OTHER_PAYER: Truth = { obstacles: ['OTHER_PAYER'] }
const UNMET: Truth = { obstacles: ['SPEND_DOWN'] }
const FREE: Truth = {}

/** Of a sentence that limits nothing: JSON has texts of any length. */
const LONG = 'Benefits shown are estimates and do not guarantee payment. '.repeat(10)
const UNPUNCTUATED = `${'amounts shown here are estimates and may change with each processed claim '.repeat(4)}- `

const MESSAGES: Record<string, Message[]> = {
  'behind a text of 300 characters': [LONG, LONG.repeat(3), UNPUNCTUATED].flatMap((lead): Message[] => [
    ['NORTHWIND', `${PLAN}MSG*${lead}~`, FREE],
    ['NORTHWIND', `${PLAN}MSG*${lead}COVERAGE TERMINATED 02/28/2026.~`, NO_COVER],
    ['NORTHWIND', `${PLAN}MSG*${lead}Office visits are not covered.~`, { ...NO_COVER, services: ['98'] }],
    ['NORTHWIND', `${PLAN}MSG*${lead}Member has other primary insurance with Aetna.~`, OTHER_PAYER],
    ['STATE MEDICAID', `${MEDICAID}MSG*${lead}Spend down of $300 has not been met.~`, UNMET],
    ['NORTHWIND', `EB*1**30*PR*${lead}COVERAGE TERMINATED 02/28/2026~`, NO_COVER],
    ['NORTHWIND', `${PLAN}EB*B**98***27*25~MSG*${lead}~`, { cents: 2500 }],
    ['NORTHWIND', `${PLAN}EB*B**98***27*25~MSG*${lead}Copay is waived for this visit.~`, { cents: null }],
  ]),
  'another payer in few words': [
    ...['CIGNA PRIMARY', 'BCBS PRI', 'PRI: UHC SEC: NORTHWIND', 'MCR PRIMARY', 'BILL OTHER INS 1ST'].map(
      (text): Message => ['NORTHWIND', `${PLAN}MSG*${text}~`, OTHER_PAYER],
    ),
    ...[
      'MSP: NO - MEDICARE IS PRIMARY',
      'MEDICARE SECONDARY PAYER: NO - MEDICARE IS PRIMARY',
      'SECONDARY COVERAGE ONLY',
      '30 MO COORDINATION ENDED - MEDICARE PRIMARY',
    ].map((text): Message => ['NORTHWIND', `${PLAN}MSG*${text}~`, OTHER_PAYER]),
    ...['NORTHWIND PRIMARY', 'PRI: NORTHWIND SEC: UHC', 'COB: NO - WE ARE PRIMARY', 'MSP: NO'].map(
      (text): Message => ['NORTHWIND', `${PLAN}MSG*${text}~`, FREE],
    ),
    ['MEDICARE', 'EB*1**30*MB~MSG*MSP: NO - MEDICARE IS PRIMARY~', FREE],
    ['MEDICARE', 'EB*1**30*MB~MSG*BENE ELECTED HMO~', OTHER_PAYER],
  ],
  'one clause of several': [
    ['HUMANA', `${PLAN}MSG*PAST MEMBER - SEE NEW CARRIER~`, NO_COVER],
    ['NORTHWIND', `${PLAN}MSG*GRACE PER MONTH 3 - CLAIMS PENDED~`, NO_COVER],
    ['NORTHWIND', `${PLAN}MSG*DEN/VIS ONLY~`, NO_COVER],
    ['STATE MEDICAID', `${MEDICAID}MSG*EMERG SVCS ONLY~`, NO_COVER],
    ['STATE MEDICAID', `${MEDICAID}MSG*FP ONLY~`, NO_COVER],
    ['STATE MEDICAID', `${MEDICAID}MSG*INPATIENT ONLY - INCARCERATED~`, NO_COVER],
    ['STATE MEDICAID', `${MEDICAID}MSG*MEDICAID: N~`, NO_COVER],
    ['STATE MEDICAID', `${MEDICAID}MSG*MEDICAID: Y~`, FREE],
    ['NORTHWIND', `${PLAN}MSG*FP AND PCP SVCS~`, FREE],
  ],
  'days in words': [
    ...['COVERAGE TERM 022826', 'ELIGIBLE THRU 022826', 'COVERAGE EFF 040126', 'EFF 010125 TERM 022826'].map(
      (text): Message => ['NORTHWIND', `${PLAN}MSG*${text}~`, NO_COVER],
    ),
    ...[
      'TERM DATE 123126',
      'GROUP 022826',
      'EFF 010125 TERM 123126',
      'SERVICES AFTER 12/31/2026 ARE NOT COVERED',
      'SERVICES BEFORE 01/01/2026 ARE NOT COVERED',
    ].map((text): Message => ['NORTHWIND', `${PLAN}MSG*${text}~`, FREE]),
    ...[
      'GOLD PPO EFF 04/01/2026',
      'HMO BLUE EFF DATE 05/01/2026',
      'GOLD PPO EFF 040126',
      'GOLD PPO THRU 02/28/2026',
    ].map((name): Message => ['NORTHWIND', `EB*1**30*PR*${name}~`, NO_COVER]),
    ...['GOLD PPO EFF 01/01/2026', 'GOLD PPO RATES EFF 04/01/2026', 'GOLD PPO THRU 12/31/2026'].map(
      (name): Message => ['NORTHWIND', `EB*1**30*PR*${name}~`, FREE],
    ),
  ],
  'the payer and the patient by other words': [
    ['HUMANA INC', `${PLAN}MSG*MEMBER IS NO LONGER WITH HUMANA EFFECTIVE 03/01/2026~`, NO_COVER],
    ['NORTHWIND', `${PLAN}MSG*PROVIDER IS NO LONGER WITH NORTHWIND~`, FREE],
    ['TEXAS MEDICAID', `${MEDICAID}MSG*NOT ENROLLED WITH TEXAS HEALTH STEPS~`, FREE],
    ['TRICARE EAST', 'EB*1**30*CH*PRIME~MSG*NOT ELIGIBLE PER DEERS~', NO_COVER],
    ['STATE MEDICAID', `${MEDICAID}MSG*CLIENT NOT ELIG FOR MED ASST ON DOS~`, NO_COVER],
    ['NORTHWIND', `${PLAN}MSG*PATIENT IS INELIGIBLE ON REQUESTED DATES~`, NO_COVER],
    ['NORTHWIND', `${PLAN}MSG*PLAN NO LONGER OFFERED~`, NO_COVER],
  ],
  'texts before the first EB': [
    [
      'NORTHWIND',
      `MSG*COVERAGE TERMINATED 02/28/2026~${PLAN}`,
      { ...NO_COVER, says: 'COVERAGE TERMINATED 02/28/2026' },
    ],
    ['NORTHWIND', `MSG*MEMBER IS ELIGIBLE FOR BENEFITS~${PLAN}`, { says: 'MEMBER IS ELIGIBLE FOR BENEFITS' }],
  ],
  'the payer by its own name': [
    ...[
      'NOT ASSIGNED TO AETNA',
      'NOT A MEMBER OF AETNA',
      'NOT AN AETNA MEMBER',
      'AETNA DOES NOT COVER THIS PATIENT',
    ].map((text): Message => ['AETNA', `${PLAN}MSG*${text}~`, NO_COVER]),
    ...['AETNA SECONDARY', 'CIGNA PRIMARY, AETNA SECONDARY'].map(
      (text): Message => ['AETNA', `${PLAN}MSG*${text}~`, OTHER_PAYER],
    ),
    ...['CIGNA SECONDARY', 'AETNA PRIMARY, CIGNA SECONDARY', 'SUBMIT CLAIMS TO AETNA'].map(
      (text): Message => ['AETNA', `${PLAN}MSG*${text}~`, FREE],
    ),
  ],
  'plans that are named after an employer': [
    ...['NATIONAL VISION INC PPO', 'ASPEN DENTAL MANAGEMENT OAP', 'EMERGENCY MEDICAL ASSOCIATES'].map(
      (name): Message => ['NORTHWIND', `EB*1**30*PR*${name}~`, FREE],
    ),
    ...['OPTICAL WORKERS LOCAL 408 HMO', 'DENTAL ASSISTANTS UNION PPO', 'TRANSPORTATION SERVICES INC'].map(
      (name): Message => ['NORTHWIND', `EB*1**30*PR*${name}~`, FREE],
    ),
    ...['DENTAL PPO ACME INC', 'ACME INC DENTAL', 'ACME CORP VISION PLAN'].map(
      (name): Message => ['NORTHWIND', `EB*1**30*PR*${name}~`, NO_COVER],
    ),
    ['EYEMED VISION CARE LLC', PLAN, NO_COVER],
    ['NORTHWIND', 'EB*1**30*PR*BEHAVIORAL HEALTH GROUP~', FREE],
    ['NORTHWIND', 'EB*1**30*PR*BEHAVIORAL HEALTH GROUP EMPLOYEE PPO~', FREE],
    ['BEHAVIORAL HEALTH GROUP', PLAN, NO_COVER],
    ['NORTHWIND', 'EB*1**30*PR*ACME BEHAVIORAL HEALTH~', NO_COVER],
    ['NORTHWIND', 'EB*1**30*PR*DENTAL GROUP PPO~', NO_COVER],
  ],
  'what alone is covered, and where or how often': [
    ...['RX ONLY', 'HEARING ONLY', 'EMERGENCY ROOM ONLY', 'MEMBER HAS DENTAL PLAN ONLY', 'MEDICAL COVERAGE WAIVED'].map(
      (text): Message => ['NORTHWIND', `${PLAN}MSG*${text}~`, NO_COVER],
    ),
    ...[
      'RETAIL ONLY',
      'LABCORP ONLY',
      'TIER 1 ONLY',
      'ONE VISIT PER YEAR ONLY',
      'AMBULANCE: EMERGENCY ONLY',
      'WAIVED',
      'BILL ANESTHESIA FIRST',
      'SEMI PRIVATE ROOM ONLY',
    ].map((text): Message => ['NORTHWIND', `${PLAN}MSG*${text}~`, FREE]),
    ...[
      'ENROLLED IN DIABETES PROGRAM',
      'ENROLLED IN MAIL ORDER',
      'CONTACT US FOR BENEFITS',
      'HEALTH PLAN: MEDICAID FFS',
      'MEDICARE PART B: N',
    ].map((text): Message => ['STATE MEDICAID', `${MEDICAID}MSG*${text}~`, FREE]),
  ],
  'a network in words': [
    ['NORTHWIND', `${PLAN}EB*B*IND*98***27*20~MSG*IN NETWORK~EB*B*IND*98***27*60~MSG*OUT OF NETWORK~`, { cents: 2000 }],
    ['NORTHWIND', `${PLAN}EB*B*IND*98***27*60~MSG*OUT OF NETWORK~`, { cents: null }],
    ['NORTHWIND', `${PLAN}EB*B*IND*98***27*20~MSG*INN~MSG*SPECIALIST~`, { cents: null }],
  ],
  'a copay of some visits alone': [
    ['NORTHWIND', `${PLAN}EB*B*IND*98***27*0*****Y~MSG*FIRST 3 VISITS~`, { cents: null }],
    ['NORTHWIND', `${PLAN}EB*B*IND*98***27*25*****Y~`, { cents: 2500 }],
  ],
  'texts without any EB': [
    ['NORTHWIND', 'AAA*N**72*C~MSG*ADD THE SUFFIX~', { status: 'UNKNOWN', says: 'ADD THE SUFFIX' }],
    ['NORTHWIND', 'AAA*N**75*C~MSG*ADD THE SUFFIX~MSG*OR CALL US~', { status: 'UNKNOWN', says: 'OR CALL US' }],
    ['NORTHWIND', 'MSG*CALL US~', { status: 'UNKNOWN', says: 'CALL US' }],
  ],
  'programs in words': [
    ...[
      'CATEGORY: SLMB',
      'BENEFIT PLAN: FAMILY PLANNING',
      'TAKE CHARGE PLUS',
      'RECIPIENT IS ELIGIBLE FOR HEALTHY TEXAS WOMEN ONLY',
      'MEMBER HAS RX BENEFITS ONLY',
    ].map((text): Message => ['STATE MEDICAID', `${MEDICAID}MSG*${text}~`, NO_COVER]),
    ...['DENTAL LIMITED', 'MEMBER HAS OUTPATIENT BENEFITS ONLY', 'PRESCRIPTION DRUGS'].map(
      (text): Message => ['STATE MEDICAID', `${MEDICAID}MSG*${text}~`, FREE],
    ),
  ],
  'Medicare answers': [
    ['CMS', 'EB*1**30*MA~EB*1**30*MB~', FREE],
    ['CMS', 'EB*6**30*MA~EB*1**30*MB~', FREE],
    ['CMS', 'EB*1**30*MA~DTP*291*D8*20190601~', { ...NO_COVER, says: 'Medicare Part A only: Part B is not active' }],
    ['CMS', 'EB*1**30*MA~EB*6**30*MB~DTP*291*RD8*20190601-20230101~', NO_COVER],
    ['CMS', 'EB*1**30*MA~EB*1**30*MB~DTP*291*RD8*20190601-20251231~', NO_COVER],
    ['CMS', 'EB*1**30*MA~', { services: ['48'] }],
    ['CMS', 'DTP*442*D8*20260301~EB*1**30*MA~EB*1**30*MB~', { status: 'INACTIVE', says: 'date of death' }],
    ['CMS', 'EB*1**30*MA~DTP*442*D8*20260301~EB*1**30*MB~', { status: 'INACTIVE', says: 'date of death' }],
    ['CMS', 'EB*1**30*MA~EB*1**30*MB~EB*R**88*OT~DTP*442*D8*20260301~', { lacks: 'not in force' }],
    [
      'CMS',
      'EB*1**30*MA~EB*1**30*MB~DTP*291*RD8*20190601-20251231~',
      { ...NO_COVER, says: 'Medicare Part B: not in force on 2026-03-09, from 2019-06-01 to 2025-12-31' },
    ],
    ['CMS', 'DTP*307*RD8*20260309-20260309~EB*1**30*MA~EB*1**30*MB~', FREE],
    ['CMS', `EB*1**30*MA~EB*1**30*MB~EB*R**30*14~${through('SEP', 'MUTUAL AUTO')}`, OTHER_PAYER],
    ['CMS', `EB*1**30*MA~EB*1**30*MB~EB*R**30*12~${through('36', 'ACME STEEL')}`, OTHER_PAYER],
    ['CMS', `EB*1**30*MA~EB*1**30*MB~EB*R**30*12~${through('P4', 'FORMER CARRIER')}`, FREE],
    ['CMS', `EB*1**30*MA~EB*1**30*MB~EB*R**30*15~REF*IG*P1~${through('PRP', 'SAFE WORK')}`, OTHER_PAYER],
    ['CMS', `EB*1**30*MA~EB*1**30*MB~EB*R**30*12~DTP*290*RD8*20250101-20260308~${through('PRP', 'G')}`, FREE],
    ['CMS', `EB*1**30*MA~EB*1**30*MB~EB*R**88*OT~REF*18*S5601 026~${through('PR', 'RX CO')}`, { says: 'Part D' }],
    ['CMS', 'EB*1**30*MA~EB*1**30*MB~EB*R**30*QM~', { says: 'QMB' }],
    ...['ENROLLED IN A PACE ORGANIZATION H1234', 'MEDICARE ADVANTAGE PLAN: GOLD PLUS', 'PACE PARTICIPANT'].map(
      (text): Message => ['CMS', `EB*1**30*MA~EB*1**30*MB~EB*D**30~MSG*${text}~`, OTHER_PAYER],
    ),
    ...['NOT ENROLLED IN A MEDICARE ADVANTAGE PLAN', 'H0004 COUNSELING COVERED', 'MEDICARE IS PRIMARY'].map(
      (text): Message => ['CMS', `EB*1**30*MA~EB*1**30*MB~EB*D**30~MSG*${text}~`, FREE],
    ),
    ['CMS', 'EB*1**30*MA~EB*1**30*MB~EB*D**30~MSG*IN HMO H1234 RISK~', OTHER_PAYER],
    ['CMS', 'EB*1**30*MA~MSG*PART A ONLY~EB*1**30*MB~', FREE],
    ['CMS', 'EB*1**30*MA~EB*1**30*MB~MSG*PART A ONLY~', NO_COVER],
    ['CMS', 'EB*1**30*MA~EB*1**30*MB~EB*D**30~MSG*PART A ONLY~', NO_COVER],
    ['STATE MEDICAID', `${MEDICAID}MSG*ENROLLMENT INTO MANAGED CARE EFFECTIVE 04/01/2026~`, FREE],
    ['STATE MEDICAID', `${MEDICAID}MSG*ENROLLED IN MANAGED CARE EFFECTIVE 01/01/2026~`, OTHER_PAYER],
    ['CMS', 'EB*1**30*MA~EB*1**30*MB~EB*D**30~MSG*MEDICARE IS SECONDARY PAYER~', OTHER_PAYER],
    ['TRICARE EAST', 'EB*1**30*CH*PRIME~MSG*BENEFICIARY HAS MEDICARE PART B~', OTHER_PAYER],
    ['STATE MEDICAID', `${MEDICAID}MSG*NOT ENROLLED IN A PLAN~`, FREE],
    ['STATE MEDICAID', `${MEDICAID}MSG*MEDICAID IS SECONDARY TO MEDICARE~`, OTHER_PAYER],
    ['STATE MEDICAID', `${MEDICAID}EB*D**30~MSG*QMB ONLY~`, { ...OTHER_PAYER, says: 'QMB' }],
    ['STATE MEDICAID', `${MEDICAID}MSG*ASSISTANCE GROUP CLOSED 02/28/2026~`, NO_COVER],
    ...['MEMBER NO LONGER WITH GROUP', 'TRANSFERRED TO ANOTHER CARRIER 01/01/2026'].map(
      (text): Message => ['NORTHWIND', `${PLAN}MSG*${text}~`, NO_COVER],
    ),
    ['HUMANA', 'EB*1**30*HN*GOLD PLUS~MSG*ENROLLED IN A MEDICARE ADVANTAGE PLAN~', FREE],
    ['CMS', 'EB*6**30*MA~EB*6**30*MB~MSG*INCARCERATED~', { status: 'INACTIVE', says: 'INCARCERATED' }],
  ],
  'limited coverage': [
    ['STATE MEDICAID', 'EB*1**30*MC*FAMILY PLANNING ONLY~', { ...NO_COVER, says: 'limited coverage' }],
    ['STATE MEDICAID', 'EB*1**30*MC*FAMILY PLANNING WAIVER~', NO_COVER],
    ['STATE MEDICAID', `${MEDICAID}MSG*EMERGENCY SERVICES ONLY~`, { ...NO_COVER, says: 'EMERGENCY SERVICES ONLY' }],
    ['STATE MEDICAID', `${MEDICAID}MSG*EMERGENCY SERVICES ONLY~`, { services: ['86'] }],
    ['STATE MEDICAID', `${MEDICAID}EB*D**30~MSG*Emergency services only.~`, NO_COVER],
    ['STATE MEDICAID', `${MEDICAID}MSG*COVERAGE IS LIMITED TO FAMILY PLANNING SERVICES~`, NO_COVER],
    ['STATE MEDICAID', `${MEDICAID}MSG*MEMBER IS ONLY ELIGIBLE FOR FAMILY PLANNING SERVICES~`, NO_COVER],
    ['STATE MEDICAID', `${MEDICAID}MSG*ELIGIBLE FOR EMERGENCY CARE AND LABOR AND DELIVERY ONLY~`, NO_COVER],
    ['STATE MEDICAID', `${MEDICAID}MSG*MEDICARE PART B PREMIUM ONLY~`, NO_COVER],
    ['STATE MEDICAID', 'EB*1**30*MC*LIMITED BENEFITS~', NO_COVER],
    ['STATE MEDICAID', 'EB*1**30*MC*EMERGENCY MEDICAID FOR ALIENS~', NO_COVER],
    ['STATE MEDICAID', 'EB*1**30*MC*SLMB~', NO_COVER],
    ['STATE MEDICAID', `${MEDICAID}EB*1**30*MC*FAMILY PLANNING ONLY~`, FREE],
    ['NORTHWIND', 'EB*1**35^AL~', { ...NO_COVER, says: 'active for Dental Care, Vision' }],
    ['NORTHWIND', `${PLAN}MSG*REFERRAL REQUIRED FOR INPATIENT ONLY~`, FREE],
    ['NORTHWIND', `${PLAN}MSG*EMERGENCY SERVICES COVERED OUT OF NETWORK~`, FREE],
    ['NORTHWIND', `${PLAN}MSG*INCLUDING BUT NOT LIMITED TO EMERGENCY SERVICES~`, FREE],
    ['NORTHWIND', `${PLAN}EB*F**30***23***VS*20~MSG*VISION ONLY~`, FREE],
    ['NORTHWIND', 'EB*1**30*HM*PARTIAL HOSPITALIZATION BENEFITS INCLUDED~', FREE],
  ],
  'programs and words of the states': [
    [
      'MEDI-CAL',
      `${MEDICAID}MSG*PRMY AID CODE: 58. MEDI-CAL ELIGIBLE FOR EMERGENCY AND PREGNANCY RELATED SERVICES~`,
      NO_COVER,
    ],
    ['MEDI-CAL', `${MEDICAID}MSG*ELIGIBLE FOR MINOR CONSENT SERVICES~`, NO_COVER],
    ['MEDI-CAL', `${MEDICAID}MSG*MEDI-CAL ELIGIBLE W/ NO SOC/SPEND DOWN~`, FREE],
    ['STATE MEDICAID', `${MEDICAID}MSG*MEMBER IS ELIGIBLE FOR TRANSPORTATION AND HOSPICE SERVICES~`, FREE],
    ['STATE MEDICAID', `${MEDICAID}MSG*NO COVERAGE EXCEPT FAMILY PLANNING~`, NO_COVER],
    ...[
      'PRESUMPTIVE ELIGIBILITY FOR PREGNANT WOMEN',
      'PLANNING FOR HEALTHY BABIES',
      'TAKE CHARGE PLUS',
      'TUBERCULOSIS-RELATED MEDICAID',
      'COVID-19 TESTING GROUP',
      'RYAN WHITE PART B ADAP',
    ].map((name): Message => ['STATE MEDICAID', `EB*1**30*MC*${name}~`, NO_COVER]),
    ...[
      'HOSPITAL PRESUMPTIVE ELIGIBILITY',
      'BREAST AND CERVICAL CANCER TREATMENT PROGRAM',
      'COMMUNITY COVERAGE NO LTC',
    ].map((name): Message => ['STATE MEDICAID', `EB*1**30*MC*${name}~`, FREE]),
    ['STATE MEDICAID', `${MEDICAID}MSG*MONTHLY DEDUCTIBLE AMOUNT $210 NOT MET~`, UNMET],
    ['STATE MEDICAID', `${MEDICAID}MSG*MONTHLY DEDUCTIBLE HAS BEEN MET~`, FREE],
  ],
  'coverage for other people': [
    ['NORTHWIND', 'EB*1*CHD*30*PR*KIDS~', { ...NO_COVER, says: 'for other people than the patient' }],
    ['NORTHWIND', 'EB*1*DEP*30*PR*DEPENDENTS~', NO_COVER],
    ['NORTHWIND', 'EB*1*CHD*30*PR*KIDS~EB*1*FAM*30*PR*FAMILY~', FREE],
    ['NORTHWIND', 'EB*1*EMP*30*PR*EMPLOYEE ONLY~', FREE],
  ],
  'coverage that is not ordinary medical coverage': [
    ...['CVS CAREMARK', 'OPTUMRX', 'EXPRESS SCRIPTS', 'DENTAQUEST', 'SPECTERA'].map(
      (payer): Message => [payer, 'EB*1**30~', NO_COVER],
    ),
    ['NORTHWIND', 'EB*1**30*GP*INTERCOLLEGIATE SPORTS ACCIDENT INSURANCE~', NO_COVER],
    ['PROVIDENT LIFE AND ACCIDENT INSURANCE', PLAN, FREE],
    ['NORTHWIND', 'EB*1**30*GP*STUDENT ACCIDENT AND SICKNESS INSURANCE~', FREE],
    [
      'NORTHWIND',
      'EB*1**30**NETWORK RENTAL~MSG*NOT A GUARANTEE OF PAYMENT. NETWORK ACCESS ONLY - NOT INSURANCE~',
      NO_COVER,
    ],
    ['TRICARE FOR LIFE', 'EB*1**30*CH~', { ...OTHER_PAYER, says: 'Medicare, which this plan supplements' }],
    ['TRICARE EAST', 'EB*1**30*CH*TRICARE FOR LIFE~', OTHER_PAYER],
    ['CHAMPVA', 'EB*1**30*OT*CHAMPVA~MSG*CHAMPVA IS ALWAYS SECONDARY TO OTHER HEALTH INSURANCE~', FREE],
  ],
  'denials in words': [
    ...[
      'MEMBER IS IN SECOND MONTH OF APTC GRACE PERIOD',
      'GRACE PERIOD: MONTH 2',
      'CLAIMS WILL BE PENDED',
      'CLAIMS ARE NOT PAYABLE UNTIL PREMIUM IS PAID',
      'COVERAGE WILL TERM FOR NON PAYMENT EFF 03-01-2026',
      'DISENROLLED 02/28/26',
      'COVERAGE TERMINATED FEB 28, 2026',
      'COVERAGE ENDS 28-FEB-2026',
      'LAST DAY OF COVERAGE: 02/28/2026',
      'LIFETIME MAXIMUM HAS BEEN REACHED',
      'ANNUAL MAXIMUM BENEFIT HAS BEEN MET',
      'CUBIERTA CANCELADA',
      'PÓLIZA INACTIVA',
      'ASEGURADO NO ELEGIBLE',
      'SOLO SERVICIOS DE EMERGENCIA',
      'TERM DATE - 02/28/2026',
      'EFF 01/01/2025 THRU 02/28/2026',
      'COVERAGE DATES: 01/01/2025 - 02/28/2026',
      'COVERAGE NOT EFFECTIVE UNTIL 04/01/2026',
      'NO ACTIVE COVERAGE FOUND',
      'POLICY NOT IN FORCE',
      'COVERAGE DENIED',
      'STATUS: TERMINATED',
      'EMPLOYEE WAIVED COVERAGE',
      'CLAIMS WILL PEND UNTIL COB INFORMATION IS RECEIVED FROM MEMBER',
      'MEMBER MUST PAY PREMIUM BEFORE SERVICES ARE COVERED',
    ].map((text): Message => ['NORTHWIND', `${PLAN}MSG*${text}~`, NO_COVER]),
    ...[
      'COVERAGE TERMINATES MAR 31, 2026',
      'DISENROLLMENT EFFECTIVE 03/31/2026 FOR NONPAYMENT',
      'NOT IN GRACE PERIOD',
      'CLAIMS WILL BE DENIED IF NOT FILED WITHIN 90 DAYS',
      'OUT OF POCKET MAXIMUM HAS BEEN MET',
      'AFTER THE ANNUAL MAXIMUM BENEFIT IS REACHED THE MEMBER PAYS ALL COSTS',
      'ASEGURADO ELEGIBLE - SERVICIOS CUBIERTOS',
      'MEMBER SINCE 02/28/26',
      'EFF 01/01/2025 THRU 12/31/2026',
      'BENEFIT PERIOD 01/01/2025 - 12/31/2025',
      'COVERAGE MAY BE RETROACTIVELY TERMINATED',
      'COVERAGE NOT EFFECTIVE UNTIL 01/01/2026',
      'BENEFITS DENIED FOR COSMETIC SURGERY',
      'NOT COVERED OUTSIDE THE UNITED STATES',
      'ORTHODONTIC LIFETIME MAXIMUM REACHED',
      'SUBSTANCE ABUSE LIMITED TO INPATIENT',
      'URGENT CARE AND EMERGENCY CARE ONLY OUTSIDE SERVICE AREA',
    ].map((text): Message => ['NORTHWIND', `${PLAN}MSG*${text}~`, FREE]),
    ...['CUBIERTA VIGENTE HASTA 31/03/2026', 'ACTIVA HASTA EL 31 DE DICIEMBRE DE 2026'].map(
      (text): Message => ['ASES PLAN VITAL', `${PLAN}MSG*${text}~`, FREE],
    ),
    ...['CLOSED PLAN 500', 'FROZEN PPO 1000', 'COBRA TERMINATED EMPLOYEES', 'INACTIVE MINERS FUND'].map(
      (name): Message => ['NORTHWIND', `EB*1**30*PR*${name}~`, FREE],
    ),
    ...['GOLD PPO - TERMINATED', 'SUSPENDED', 'COBRA PENDING'].map(
      (name): Message => ['NORTHWIND', `EB*1**30*PR*${name}~`, NO_COVER],
    ),
    ['NORTHWIND', `${PLAN}EB*B*IND*98***36*500*****Y~`, { cents: null }],
    ['NORTHWIND', `${PLAN}EB*U**30~MSG*COVERAGE TERMINATED 02/28/2026~`, NO_COVER],
    ['NORTHWIND', `${PLAN}EB*1**98~MSG*NOT COVERED~`, NO_COVER],
    ['NORTHWIND', `${PLAN}EB*D**98~MSG*NOT COVERED~`, NO_COVER],
    ['NORTHWIND', `${PLAN}EB*D**33~MSG*NOT COVERED~`, FREE],
    ['NORTHWIND', 'EB*1**30^98*PR*GOLD PPO~EB*1**98~DTP*349*D8*20251231~MSG*COVERAGE TERMINATED~', FREE],
    ['NORTHWIND', `${PLAN}EB*1**98~DTP*348*D8*20260401~`, NO_COVER],
    ['NORTHWIND', `${PLAN}EB*1**98~DTP*349*D8*20260308~EB*1**98~DTP*348*D8*20260309~`, FREE],
    ['NORTHWIND', `${PLAN}EB*F*IND*30***32*1000000~MSG*LIFETIME MAXIMUM HAS BEEN REACHED~`, NO_COVER],
    ['NORTHWIND', `${PLAN}EB*F**98***23***VS*20~MSG*VISIT LIMIT EXHAUSTED~`, NO_COVER],
    ['NORTHWIND', `${PLAN}EB*F**33***23***VS*20~MSG*VISIT LIMIT EXHAUSTED~`, FREE],
    ['NORTHWIND', `${PLAN}EB*I**98~MSG*NO OUT OF NETWORK BENEFITS~`, FREE],
    ['NORTHWIND', `${PLAN}EB*I**98~MSG*NOT COVERED IN OR OUT OF NETWORK~`, NO_COVER],
    [
      'NORTHWIND',
      `${PLAN}EB*B**98***27*40*****Y~EB*CB**98********U~MSG*PROVIDER IS OUT OF NETWORK FOR MEMBER~`,
      { cents: null, says: 'ATTENTION: the payer says: PROVIDER IS OUT OF NETWORK' },
    ],
  ],
  'spend-downs': [
    ['STATE MEDICAID', 'EB*1**30*MC*MEDICALLY NEEDY SPENDDOWN NOT MET~', UNMET],
    ...[
      'SPENDDOWN NO LONGER MET',
      'SHARE OF COST: $0.50',
      'SPENDDOWN MET: NO',
      'SHARE OF COST CANNOT BE MET BY THIS CLAIM',
      'SPEND-DOWN WILL BE MET 04/01/2026',
      'SPENDDOWN MET ON 20260315',
      'SPENDDOWN MET AMOUNT 50.00 OF 250.00',
      'SPEND DOWN PARTIALLY MET',
      'SPNDWN AMT 120.00',
      'EXCESS INCOME AMOUNT 143.00',
    ].map((text): Message => ['STATE MEDICAID', `${MEDICAID}MSG*${text}~`, UNMET]),
    ...[
      'SPENDDOWN MET: YES',
      'SPENDDOWN MET ON 03/05/2026',
      'Spend-down has been met',
      'SPEND DOWN OF $250.00 IS MET FOR THIS MONTH',
      'MEMBER HAS MET THEIR SHARE OF COST FOR THIS MONTH',
      'NO SHARE OF COST',
      'SHARE OF COST: $0.00',
      'SPENDDOWN: NO',
    ].map((text): Message => ['STATE MEDICAID', `${MEDICAID}MSG*${text}~`, FREE]),
    ['STATE MEDICAID', `${MEDICAID}EB*Y**30***34*300~MSG*SPENDDOWN MET ON 20260305~`, FREE],
    ['STATE MEDICAID', `${MEDICAID}EB*Y**30***34*0~MSG*MONTHLY~`, FREE],
    ['STATE MEDICAID', `${MEDICAID}EB*Y**30***34*0~MSG*NOT MET~`, UNMET],
  ],
  'other payers': [
    ['NORTHWIND', `${PLAN}EB*R**30*MP~`, { ...OTHER_PAYER, says: 'another payer is primary: Medicare Primary' }],
    ['NORTHWIND', `${PLAN}EB*R**30*MP~${through('PR', 'NORIDIAN MEDICARE JE')}`, OTHER_PAYER],
    ['NORTHWIND', `${PLAN}EB*R**30*12~${through('PR', 'MEDICARE')}`, FREE],
    ['NORTHWIND', `${PLAN}EB*R**30*12~${through('PRP', 'MEDICARE')}`, OTHER_PAYER],
    ['NORTHWIND', `${PLAN}EB*R**30~MSG*OTHER CARRIER IS PRIMARY~${through('PR', 'AETNA')}`, OTHER_PAYER],
    ['NORTHWIND', `${PLAN}EB*R**30~MSG*THIS PLAN IS PRIMARY, THE OTHER SECONDARY~${through('PR', 'AETNA')}`, FREE],
    ['NORTHWIND', `${PLAN}${through('PRP', 'AETNA')}`, OTHER_PAYER],
    ['NORTHWIND', `${PLAN}${through('PRP', 'NORTHWIND')}`, FREE],
    ['NORTHWIND', `${PLAN}EB*U**30~${through('PRP', 'AETNA')}`, OTHER_PAYER],
    ['NORTHWIND', `${PLAN}EB*D**30~MSG*MEDICARE IS PRIMARY~`, { ...OTHER_PAYER, says: 'primary: Medicare' }],
    ['NORTHWIND', `${PLAN}MSG*THIS PLAN IS SECONDARY~`, { ...OTHER_PAYER, says: 'primary: not named' }],
    ['NORTHWIND', `${PLAN}MSG*IF OTHER INSURANCE IS PRIMARY SEND EOB~`, FREE],
    ['NORTHWIND', `${PLAN}MSG*ANOTHER PROVIDER IS PRIMARY CARE PHYSICIAN~`, FREE],
    ['NORTHWIND', `${PLAN}EB*R**30*14~${through('PR', 'ROADSIDE AUTO')}`, OTHER_PAYER],
    ['NORTHWIND', `${PLAN}EB*R**30*C1~DTP*193*D8*20240101~DTP*194*D8*20241231~${through('PRP', 'AETNA')}`, FREE],
    ['NORTHWIND', `${PLAN}EB*R**35*C1~${through('PRP', 'TOOTH CO')}`, FREE],
    ['STATE MEDICAID', `${MEDICAID}EB*R**30*C1~DTP*290*D8*20250101~${through('PR', 'BLUE CROSS')}`, OTHER_PAYER],
  ],
  'dates of service': [
    ['NORTHWIND', `DTP*346*D8*20260101~${PLAN}`, { status: 'INACTIVE', day: '2025-06-01', says: 'begins 2026-01-01' }],
    ['NORTHWIND', `DTP*340*D8*20250101~DTP*341*D8*20260131~${PLAN}`, { status: 'INACTIVE', says: 'ended 2026-01-31' }],
    ['NORTHWIND', `${PLAN}DTP*349*D8*20251231~EB*1**30**B~DTP*348*D8*20260401~`, { status: 'INACTIVE' }],
    ['NORTHWIND', `${PLAN}EB*1**30*PR*SILVER~DTP*347*D8*20251231~`, { says: 'Not in force on 2026-03-09: SILVER' }],
    ['NORTHWIND', `DTP*291*RD8*20250101-20251231~DTP*291*D8*20260101~${PLAN}`, { status: 'INACTIVE' }],
    ['NORTHWIND', `${PLAN}DTP*291*RD8*20250101-20251231~DTP*291*D8*20260101~`, { status: 'INACTIVE' }],
    ['NORTHWIND', `DTP*347*D8*99999999~${PLAN}`, FREE],
    ['NORTHWIND', `DTP*347*20260228~${PLAN}`, { status: 'INACTIVE', says: 'ended 2026-02-28' }],
    ['NORTHWIND', 'EB*1**30>98>UC*PR*GOLD PPO~EB*B**98>UC***27*25*****Y~', { cents: 2500 }],
    ['NORTHWIND', 'EB*1**30|98~EB*1**33;35~', FREE],
    ['NORTHWIND', 'EB*1**30-35~', NO_COVER],
    ['NORTHWIND', `DTP*347*D8*12/31/2025~${PLAN}`, { status: 'INACTIVE', says: 'ended 2025-12-31' }],
  ],
  'rejections and doubts': [
    ['NORTHWIND', 'AAA*N**ZZ*C~EB*1**30~', { status: 'UNKNOWN' }],
    ['NORTHWIND', 'AAA*N~EB*1**30~', { status: 'UNKNOWN' }],
    ['NORTHWIND', 'AAA*Y**69*C~EB*1**30~', FREE],
    ['NORTHWIND', 'DMG*D8*19840228*F~AAA*N**54*C~EB*1**30~', { obstacles: ['CORRECTION'] }],
    ['NORTHWIND', `EB*1**30~${through('PR', 'X')}AAA*N**75*C~`, { obstacles: ['DOUBT'] }],
    ['NORTHWIND', 'EB*V**30~', { status: 'UNKNOWN' }],
    ['NORTHWIND', `${PLAN}EB*6**30*PR*GOLD PPO~`, NO_COVER],
    ['NORTHWIND', `${PLAN}EB*6**30*PR*GOLD PPO~DTP*347*D8*20251231~`, FREE],
    ['NORTHWIND', `${PLAN}EB*6**30*PR*SILVER PPO~`, FREE],
    ['NORTHWIND', 'EB*1**30~EB*6**30~', FREE],
    ['NORTHWIND', 'EB*5**30~', { ...NO_COVER, says: 'ATTENTION: the payer is still investigating the coverage' }],
    ['NORTHWIND', 'EB*5**30*HM*GOLD~EB*1**30*PR*SILVER~', FREE],
  ],
}

testMessages(MESSAGES, { forms: LOSSLESS })

// Stedi's form of 2026-06-01 has no relationship for a subscriber, and keeps such a visit from READY.
testMessages(
  {
    'a child at the level of the subscriber': [
      ['NORTHWIND', 'INS*N*19~EB*1*CHD*30*PR*KIDS~', FREE],
      ['NORTHWIND', `INS*N*19~${PLAN}MSG*DEPENDENT NOT ELIGIBLE~`, NO_COVER],
      ['NORTHWIND', `INS*N*19~${PLAN}MSG*DEPENDENT NOT ELIGIBLE AFTER AGE 26~`, FREE],
      ['NORTHWIND', `${PLAN}MSG*DEPENDENT NOT ELIGIBLE~`, FREE],
    ],
  },
  { forms: ['X12', "Stedi's JSON of 2024-04-01"] },
)

test('a message in lower case, as in capitals, says the same', async () => {
  const text = answerText(`${PLAN}EB*B*IND*98***27*25*****Y~EB*R**30*C1~${through('PRP', 'AETNA')}`, SUBSCRIBER)
  const [capitals, small] = await Promise.all(
    [text, text.toLowerCase()].map((rawResponse) => checkAnswer({ rawResponse }, {})),
  )
  expect(small?.parsedResponse).toEqual(capitals?.parsedResponse)
  expect(small?.readinessIssues).toEqual(capitals?.readinessIssues)
  expect(small?.readinessIssues).toHaveLength(1)
})
