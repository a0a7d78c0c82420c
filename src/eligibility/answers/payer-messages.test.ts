// Messages as payers write them, with the truth by hand: the status, and what keeps a visit from being READY. Written from x12-271.md 5, 7, 9
// and 10 and rules.md 17, not from what the decoder gives. Each goes through X12 and both forms of Stedi's JSON.
import { expect, test } from 'vitest'
import { answerText, SUBSCRIBER } from '../../../test/support/answers.ts'
import {
  checkAnswer,
  LOSSLESS,
  type Message,
  type Truth,
  testMessages,
  through,
} from '../../../test/support/payer-messages.ts'

const PLAN = 'EB*1**30*PR*GOLD PPO~'
const MEDICAID = 'EB*1**30*MC*MEDICAID~'
const NO_COVER: Truth = { obstacles: ['NO_COVER_FOR_SERVICE'] }
const OTHER_PAYER: Truth = { obstacles: ['OTHER_PAYER'] }
const UNMET: Truth = { obstacles: ['SPEND_DOWN'] }
const FREE: Truth = {}

const MESSAGES: Record<string, Message[]> = {
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
    ].map((text): Message => ['NORTHWIND', `${PLAN}MSG*${text}~`, FREE]),
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
    ['NORTHWIND', 'EB*5**30~', { says: 'ATTENTION: the payer is still investigating the coverage' }],
  ],
}

testMessages(MESSAGES, { forms: LOSSLESS })

// Stedi's form of 2026-06-01 has no relationship for a subscriber, and keeps such a visit from READY.
testMessages(
  { 'a child at the level of the subscriber': [['NORTHWIND', 'INS*N*19~EB*1*CHD*30*PR*KIDS~', FREE]] },
  { forms: ['X12', "Stedi's JSON of 2024-04-01"] },
)

test('a message in lower case, as in capitals, says the same', async () => {
  const text = answerText(`${PLAN}EB*B*IND*98***27*25*****Y~EB*R**30*C1~${through('PRP', 'AETNA')}`, SUBSCRIBER)
  const [capitals, small] = await Promise.all(
    [text, text.toLowerCase()].map((rawResponse) => checkAnswer({ rawResponse }, {})),
  )
  expect(small?.parsedResponse).toEqual(capitals?.parsedResponse)
  expect(small?.obstacles).toEqual(capitals?.obstacles)
  expect(small?.obstacles).toHaveLength(1)
})
