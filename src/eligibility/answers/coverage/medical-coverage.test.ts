// Plans that answer "active" for service type 30 and are not medical coverage, or not on that day, or only after Medicare. The truth is
// written by hand from rules.md 17 and x12-271.md 5, rule 7; decisions/0073.
import { type Message, type Truth, testMessages, through } from '../../../../test/support/payer-messages.ts'

const PLAN = 'EB*1**30*PR*GOLD PPO~'
const MEDICAID = 'EB*1**30*MC*MEDICAID~'
const PARTS = 'EB*1**30*MA~DTP*291*D8*20150601~EB*1**30*MB~DTP*291*D8*20150601~'
const NO_COVER: Truth = { obstacles: ['NO_COVER_FOR_SERVICE'] }
const OTHER_PAYER: Truth = { obstacles: ['OTHER_PAYER'] }
const UNMET: Truth = { obstacles: ['SPEND_DOWN'] }
const FREE: Truth = {}

const said = (truth: Truth, ...texts: string[]): Message[] =>
  texts.map((text) => ['NORTHWIND', `${PLAN}EB*D**30~MSG*${text}~`, truth])
const named = (truth: Truth, ...names: string[]): Message[] =>
  names.map((name) => ['NORTHWIND', `EB*1**30*OT*${name}~`, truth])

testMessages({
  'the names of plans and payers that are not medical coverage': [
    ...named(NO_COVER, 'DENTAL PPO', 'VISION PLAN', 'HOSPITAL INDEMNITY PLAN', 'CRITICAL ILLNESS POLICY'),
    ...named(NO_COVER, 'DISCOUNT MEDICAL CARD', 'HEALTH REIMBURSEMENT ARRANGEMENT', 'QUALIFYING INDIVIDUALS 1'),
    ['DELTA DENTAL OF OHIO', 'EB*1**30~EB*A**23***27**0~', NO_COVER],
    ['DELTA DENTAL OF OHIO', 'EB*1**30~EB*A**23***27**0~', { services: ['35'] }],
    ['VISION SERVICE PLAN', 'EB*1**30**VSP CHOICE~', { ...NO_COVER, says: 'limited coverage' }],
    ['TRICARE', 'EB*1**30*CH*DIRECT CARE ONLY~', NO_COVER],
    ['STATE CHIP', 'EB*1**30*OT*CHIP PERINATAL - UNBORN CHILD ONLY~', NO_COVER],
    ['STATE MEDICAID', 'EB*1**30*MC*FAMILY PLANNING AND NON EMERGENCY TRANSPORTATION ONLY~', NO_COVER],
    ['STATE FUND', 'EB*1**30*WC~MSG*COVERAGE LIMITED TO COMPENSABLE INJURY OF 01/15/2026~', NO_COVER],
    ['SAVEMORE', `${PLAN}MSG*THIS IS NOT INSURANCE~`, NO_COVER],
  ],
  'programs that no table names, in short texts of the active row': [
    ...named(NO_COVER, 'TELEHEALTH ONLY PLAN', 'MEC PREVENTIVE ONLY', 'ELIGIBLE ONLY INPATIENT SERVICES'),
    ...named(NO_COVER, 'FAMILY PACT', 'PRESCRIPTION DRUG PLAN', 'SHORT TERM DISABILITY', 'EMPLOYEE ASSISTANCE PROGRAM'),
    ...named(FREE, 'EMPLOYEE ONLY', 'OUTPATIENT ONLY', 'PPO ONLY', 'SUBSCRIBER AND SPOUSE ONLY', 'PART B ONLY'),
    ['STATE MEDICAID', `${MEDICAID}MSG*KIDNEY DIALYSIS ONLY~`, NO_COVER],
    ['STATE MEDICAID', `${MEDICAID}MSG*EMERGENCY MEDICAL FOR NONCITIZENS~`, NO_COVER],
    ['STATE MEDICAID', `${MEDICAID}MSG*NOT ELIGIBLE ON DATE OF SERVICE~`, NO_COVER],
    ['STATE MEDICAID', `${MEDICAID}MSG*NO COVERAGE ON DATE OF SERVICE~`, NO_COVER],
    ['NORTHWIND', `${PLAN}MSG*IN NETWORK BENEFITS ONLY~`, FREE],
    ['NORTHWIND', `${PLAN}MSG*NO COVERAGE FOR COSMETIC SURGERY~`, FREE],
    ['BEHAVIORAL HEALTH PARTNERS', 'EB*1**30~EB*1**MH~', NO_COVER],
    ['BEHAVIORAL HEALTH PARTNERS', 'EB*1**30~EB*1**MH~', { services: ['MH'] }],
  ],
  'dates of one service': [
    ['NORTHWIND', `${PLAN}EB*1**98~DTP*349*D8*20260308~`, NO_COVER],
    ['NORTHWIND', `${PLAN}EB*1**98~DTP*348*D8*20260401~`, NO_COVER],
    ['NORTHWIND', `${PLAN}EB*1**98~DTP*349*D8*20260308~EB*1**98~DTP*348*D8*20260309~`, FREE],
    ['NORTHWIND', `${PLAN}EB*1**33~DTP*349*D8*20260308~`, FREE],
  ],
  'kinds of coverage that no table named': [
    ...named(NO_COVER, 'HEALTH CARE SHARING MINISTRY', 'STAND ALONE TELEHEALTH', 'LIMITED MEDICAL PLAN'),
    ...named(NO_COVER, 'HOSPITAL CASH PLAN', 'SPECIFIED DISEASE POLICY', 'WORKERS COMPENSATION', 'NETWORK ACCESS ONLY'),
    ...named(
      FREE,
      'PPO WITH BEHAVIORAL HEALTH',
      'SHORT TERM MEDICAL',
      'VIRTUAL FIRST HMO',
      'REFERENCE BASED PRICING PLAN',
    ),
    ...['UNITED CONCORDIA', 'AVESIS', 'GOODRX', 'MEDI-SHARE', 'TELADOC', 'AFLAC', 'COMPSYCH EAP'].map(
      (payer): Message => [payer, 'EB*1**30~', NO_COVER],
    ),
    ['HEALTH SHARE OF OREGON', 'EB*1**30*MC~', FREE],
    ['STATE MEDICAID', 'EB*1**30*MC*CAWEM~', NO_COVER],
    ['STATE MEDICAID', 'EB*1**30*MC*CHIP PERINATE~', NO_COVER],
    ['STATE MEDICAID', 'EB*1**30*MC*UNINSURED WOMENS HEALTH SERVICES~', NO_COVER],
    ['STATE MEDICAID', 'EB*1**30*MC*QUALIFIED MEDICARE BENEFICIARY (QMB) ONLY~', OTHER_PAYER],
    [
      'STATE MEDICAID',
      'EB*1**30*MC*QMB~EB*1**30*MC*FAMILY PLANNING ONLY~',
      { ...OTHER_PAYER, says: 'Medicare, which this plan supplements', isBeyondAvaility: true },
    ],
    ['STATE MEDICAID', 'EB*1**30*MC*QMB~EB*1**30*MC*FULL MEDICAID~', OTHER_PAYER],
  ],
  'premiums, grace periods, prisons and lock-ins': [
    ...said(NO_COVER, 'MEMBER IS IN GRACE PERIOD UNTIL 03/31/2026', 'APTC GRACE PERIOD BEGIN DATE 02/01/2026'),
    ...said(NO_COVER, 'PREMIUM STATUS: DELINQUENT', 'BINDER PAYMENT NOT RECEIVED', 'MEMBER IN A CORRECTIONAL FACILITY'),
    ...said(NO_COVER, 'COVERAGE STATUS - PENDED', 'RETRO TERMED TO 01/01/2026', 'MEMBER IS RESTRICTED TO ONE PROVIDER'),
    ...said(FREE, 'GRACE PERIOD BEGINS 04/01/2026', 'PREMIUM STATUS: CURRENT', 'MEMBER RESTRICTED TO ONE PHARMACY'),
    ...said(FREE, 'MEMBER TERMED 03/01/2026, REINSTATED 03/02/2026', 'THIS PLAN DOES NOT HAVE A NETWORK'),
  ],
  'TRICARE and CHAMPVA, which pay after other insurance': [
    ['TRICARE EAST', 'EB*1**30*CH*TRICARE PRIME~MSG*OTHER HEALTH INSURANCE: YES~', OTHER_PAYER],
    ['TRICARE EAST', 'EB*1**30*CH*TRICARE PRIME~MSG*OTHER HEALTH INSURANCE: NO~', FREE],
    ['CHAMPVA', `EB*1**30*OT*CHAMPVA~EB*R**30*C1~${through('PR', 'AETNA')}`, OTHER_PAYER],
    ['TRICARE WEST', `EB*1**30*CH*SELECT~EB*R**30*MC~${through('PR', 'STATE MEDICAID')}`, FREE],
    ['NORTHWIND', `${PLAN}MSG*OTHER HEALTH INSURANCE: YES~`, FREE],
  ],
  'Medicare by its full name is not Medicaid': [
    [
      'CENTERS FOR MEDICARE AND MEDICAID SERVICES',
      `${PARTS}EB*R**30*C1~${through('PR', 'MUTUAL')}`,
      { isBeyondAvaility: true },
    ],
  ],
  'a high deductible is no managed care': [
    ['STATE MEDICAID', `${MEDICAID}MSG*MEMBER IS IN A HIGH DEDUCTIBLE HEALTH PLAN~`, FREE],
    ['STATE MEDICAID', 'EB*1**30*MC*HIGH DEDUCTIBLE HEALTH PLAN~', FREE],
    ['STATE MEDICAID', `${MEDICAID}MSG*MEMBER IS EXEMPT FROM MANAGED CARE~`, FREE],
  ],
  'Medicare among the coverages that a state lists': [
    [
      'DC MEDICAID',
      'EB*1**30*MB*MEDICARE PRIMARY | ON-FILE | MEDICARE~EB*1**30*MC*DC MEDICAID FFS | 853Q | BUY-IN~',
      { ...OTHER_PAYER, says: 'another payer is primary: Medicare', isBeyondAvaility: true },
    ],
    ['DC MEDICAID', 'EB*1**30*MC*DC MEDICAID FFS | 853Q | BUY-IN~', FREE],
    [
      'DC MEDICAID',
      'EB*1**30*MC*FFS~EB*1**30*MB~',
      { ...OTHER_PAYER, says: 'Medicare Part B: active', isBeyondAvaility: true },
    ],
    [
      'TRICARE FOR LIFE',
      'EB*1**30*CH~EB*R**30~',
      { ...OTHER_PAYER, says: 'primary: Medicare', isBeyondAvaility: true },
    ],
    ['STATE MEDICAID', 'EB*1**30*MC*MEDICAID~EB*6**30*MB*MEDICARE PART B~', { isBeyondAvaility: true }],
    ['STATE MEDICAID', 'EB*1**30*MC*MEDICAID~EB*1**30*MB*B~DTP*291*RD8*20200101-20241231~', { isBeyondAvaility: true }],
    ['ANTHEM', 'EB*1**30*MC*NEW YORK MLTC~', NO_COVER],
    ['ANTHEM', 'EB*1**30*MC*NEW YORK MLTC~', { services: ['54'] }],
  ],
  'denials of single services and of something else': [
    ...said(FREE, 'RX COVERAGE TERMINATED 01/01/2026', 'CHIROPRACTIC BENEFITS EXHAUSTED', 'OPEN ENROLLMENT CLOSED'),
    ...said(FREE, 'HSA ACCOUNT INACTIVE', 'LIFE INSURANCE TERMINATED', 'PROVIDER CONTRACT TERMINATED 01/01/2026'),
    ...said(NO_COVER, 'MEDICAL AND RX COVERAGE TERMINATED', 'ELIGIBILITY COULD NOT BE DETERMINED', 'CASE CLOSED'),
  ],
  'another payer without a name': [['NORTHWIND', `${PLAN}EB*R**30*MP~`, OTHER_PAYER]],
  'a date of death': [
    ['NORTHWIND', `DTP*442*D8*20260301~${PLAN}`, { status: 'INACTIVE', says: '2026-03-01 as the date of death' }],
    ['NORTHWIND', `DTP*442*D8*20260309~${PLAN}`, FREE],
  ],
  'programs for pregnancy, and premiums that are not paid': [
    ['NYSDOH', 'EB*1**30*MC*PRESUMPTIVE ELIGIBLE PRENATAL A~', NO_COVER],
    ['NYSDOH', 'EB*1**30*MC*PRESUMPTIVE ELIGIBLE PRENATAL A~', { services: ['69'] }],
    ['STATE CHIP', 'EB*1**30*OT*CHIP PERINATAL - MOTHER~', NO_COVER],
    ['AMBETTER', 'EB*5**30*HM*BALANCED~MSG*MEMBER IN SUSPENSE - PREMIUM PAST DUE~', NO_COVER],
    ['AMBETTER', 'EB*1**30*HM*BALANCED~MSG*PREMIUM PAST DUE~', NO_COVER],
    ['AMBETTER', 'EB*1**30*HM*BALANCED~MSG*PREMIUM PAID THROUGH 03/31/2026~', FREE],
  ],
  'what Medi-Cal says of other coverage': [
    ['MEDI-CAL', `${MEDICAID}MSG*MEDI-CAL ELIGIBLE W/ NO SOC/SPEND DOWN.~`, FREE],
    [
      'MEDI-CAL',
      `${MEDICAID}MSG*MEDI-CAL ELIGIBLE W/ NO SOC/SPEND DOWN. HEALTH PLAN MEMBER: PHP-LA CARE: MEDICAL CALL (888)555-0100.~`,
      OTHER_PAYER,
    ],
    [
      'MEDI-CAL',
      `${MEDICAID}MSG*OTHER HEALTH INSURANCE COV UNDER CODE K - KAISER. CARRIER NAME: KAISER PERMANENTE.~`,
      OTHER_PAYER,
    ],
    [
      'MEDI-CAL',
      `${MEDICAID}MSG*MEDICARE COVERED SVCS MUST BE BILLED TO MEDICARE BEFORE BILLING MEDI-CAL.~`,
      { ...OTHER_PAYER, says: 'primary: Medicare' },
    ],
  ],
  'who is primary, by name': [
    ['CIGNA', `${PLAN}EB*R**30~MSG*COB STATUS: CIGNA IS PRIMARY~`, { isBeyondAvaility: true }],
    ['CIGNA', `${PLAN}EB*R**30~MSG*CIGNA IS PRIMARY, AETNA IS SECONDARY~`, { isBeyondAvaility: true }],
    [
      'CIGNA',
      `${PLAN}EB*R**30~MSG*AETNA IS PRIMARY AND CIGNA IS SECONDARY~`,
      { ...OTHER_PAYER, isBeyondAvaility: true },
    ],
    ['CIGNA', `${PLAN}EB*R**30~MSG*AETNA PRIMARY, THIS PLAN SECONDARY~`, { ...OTHER_PAYER, isBeyondAvaility: true }],
  ],
  'the names of medical coverage': [
    ...named(FREE, 'GOLD HMO WITH DENTAL', 'SILVER 70 HMO PEDIATRIC DENTAL', 'MEDICAL DENTAL VISION PPO'),
    ...named(
      FREE,
      'HMO VISION RIDER',
      'TRADITIONAL INDEMNITY',
      'CHOICE PLUS HRA',
      'STUDENT ACCIDENT AND SICKNESS PLAN',
    ),
    ['UNIVERSITY HEALTH AND DENTAL FUND', 'EB*1**30~', FREE],
    ['GROUP DENTAL SERVICE', 'EB*1**30~EB*1**48^98~', FREE],
    ['AETNA', 'EB*1**30*PR*OPEN CHOICE~EB*1**30*PR*DENTAL PPO~', { isBeyondAvaility: true }],
  ],
  'texts that contradict active coverage': [
    ...said(NO_COVER, 'COVERAGE SUSPENDED DUE TO INCARCERATION', 'Coverage terminated effective 02/28/2026'),
    ...said(NO_COVER, 'POLICY LAPSED FOR NON-PAYMENT', 'MEMBER TERMED 02/01/2026', 'PIP BENEFITS EXHAUSTED'),
    ...said(NO_COVER, 'MEMBER DECEASED 02/01/2026', 'PATIENT IS NOT ELIGIBLE ON DATE OF SERVICE'),
    ...said(NO_COVER, 'COVERAGE ACTIVE THROUGH 02/28/2026', 'TERM DATE 02/15/2026', 'COVERAGE EFFECTIVE 04/01/2026'),
    ['STATE MEDICAID', 'EB*1**30*MC*MEDICAID SUSPENDED~', { ...NO_COVER, says: "the payer's text contradicts" }],
    ['NORTHWIND', 'EB*1**30**A~MSG*POLICY CANCELLED~EB*1**30**B~', { isBeyondAvaility: true }],
  ],
  'texts that do not contradict it': [
    ...said(FREE, 'COVERAGE TERMINATED 04/30/2026', 'COVERAGE CANCELLED IF PREMIUM NOT PAID'),
    ...said(FREE, 'PRIOR COVERAGE TERMINATED 12/31/2025', 'OTHER INSURANCE TERMINATED 01/01/2026'),
    ...said(FREE, 'DEPENDENT COVERAGE TERMINATED AT AGE 26', 'INFERTILITY BENEFITS NOT COVERED'),
    ...said(
      FREE,
      'COVERAGE REINSTATED, POLICY WAS TERMINATED 01/31/2026',
      'MEMBER NOT ELIGIBLE FOR DISEASE MANAGEMENT',
    ),
    ...said(FREE, 'COVERAGE ACTIVE THROUGH 12/31/2026', 'COVERAGE EFFECTIVE 01/01/2025 THROUGH 12/31/2026'),
    ...said(
      FREE,
      'BENEFIT YEAR ENDS 12/31/2025',
      'AUTHORIZATION EXPIRES 01/01/2026',
      'PREMIUM PAID THROUGH 01/31/2026',
    ),
    ...said(FREE, 'COVERAGE ENDS MARCH 2026', 'COVERED THROUGH DEC 2026', 'COVERAGE BEGINS MARCH 2026'),
    ['CMS', `${PARTS}MSG*PART B TERMINATED 02/28/2026~`, NO_COVER],
    ['CMS', `${PARTS}EB*D**30~MSG*MEDICARE ENTITLEMENT ENDED 02/28/2026~`, NO_COVER],
    ['CMS', `${PARTS}EB*D**30~MSG*HMO ELECTION ENDED 12/31/2024, BACK TO ORIGINAL MEDICARE A AND B~`, FREE],
    ['CMS', `${PARTS}MSG*BENEFICIARY NOT ENTITLED TO PART B~`, NO_COVER],
    ['CMS', `${PARTS}MSG*MA PLAN TERMINATED 12/31/2024~`, FREE],
    ['CMS', `${PARTS}EB*D**30~MSG*PART A TERMINATED 02/28/2026~`, FREE],
    ['NORTHWIND', 'EB*1**30*PR*GOLD PPO~MSG*MEDICARE COVERAGE TERMINATED 02/28/2026~', FREE],
    ...said(
      FREE,
      'OUT OF AREA - EMERGENCY AND URGENT CARE ONLY',
      'SPECIALTY DRUGS ONLY THROUGH A PHARMACY OF THE PLAN',
    ),
  ],
  'inactive periods of an active plan': [
    ['CMS', `${PARTS}EB*6**30*MA~DTP*307*RD8*20260201-20260430~`, { ...NO_COVER, isBeyondAvaility: true }],
    ['CMS', `${PARTS}EB*6**30*MA~DTP*307*RD8*20190201-20190430~`, { isBeyondAvaility: true }],
    [
      'NORTHWIND',
      'EB*1**30**SILVER~EB*6**30**SILVER~DTP*346*D8*20260301~',
      { ...NO_COVER, says: 'inactive on the date of service', isBeyondAvaility: true },
    ],
    ['NORTHWIND', 'EB*1**30**SILVER~EB*6**30**SILVER~DTP*346*D8*20260401~', { isBeyondAvaility: true }],
    [
      'NORTHWIND',
      'EB*6**30**SILVER~DTP*346*D8*20250101~EB*1**30**SILVER~DTP*346*D8*20260101~',
      { isBeyondAvaility: true },
    ],
    ['NORTHWIND', 'EB*6**30**BRONZE~DTP*346*D8*20250101~EB*1**30**SILVER~', { isBeyondAvaility: true }],
  ],
  'primary payers in words': [
    ...said(OTHER_PAYER, 'MEDICARE PRIMARY', 'COB: MEDICARE PRIME', 'OTHER INSURANCE PRIMARY', 'COB ORDER: SECONDARY'),
    ...said(OTHER_PAYER, 'THIS IS SECONDARY COVERAGE', "MEMBER'S COVERAGE IS SECONDARY TO ANOTHER PLAN"),
    ...said({ ...OTHER_PAYER, says: 'another payer is primary: SOUTHWIND PPO' }, 'PRIMARY PAYER: SOUTHWIND PPO'),
    ...said(
      FREE,
      'PRIMARY INSURANCE: NORTHWIND',
      'PRIMARY COVERAGE: YES',
      'COB STATUS: PRIMARY',
      'PRIMARY CARE: NONE SELECTED',
    ),
    ...said(FREE, 'IF MEDICARE PRIMARY SEND EOMB', 'SECONDARY COVERAGE NONE', 'MEDICARE IS NOT PRIMARY'),
    ['NORTHWIND', `${PLAN}EB*R**30*C1*SOUTHWIND PPO PRIMARY~`, { ...OTHER_PAYER, isBeyondAvaility: true }],
    ['NORTHWIND', 'EB*1**30*MP*RETIREE PLAN~', OTHER_PAYER],
  ],
  'plans that pay after Medicare': [
    [
      'MUTUAL',
      'EB*1**30*SP*MEDICARE SUPPLEMENT PLAN G~',
      { ...OTHER_PAYER, says: 'another payer is primary: Medicare' },
    ],
    ['MUTUAL', 'EB*1**30*MI~', OTHER_PAYER],
    ['STATE MEDICAID', 'EB*1**30*QM*QMB ONLY~', OTHER_PAYER],
    ['STATE MEDICAID', 'EB*1**30*MC*MEDICARE COINSURANCE AND DEDUCTIBLE ONLY~', OTHER_PAYER],
    ['STATE MEDICAID', `${MEDICAID}EB*1**30*QM*QMB~`, { ...OTHER_PAYER, says: 'Qualified Medicare Beneficiary' }],
    ['STATE MEDICAID', `${MEDICAID}EB*6**30*MC*QMB~`, { lacks: 'ATTENTION: Qualified' }],
    ['PALMETTO GBA RAILROAD MEDICARE', 'EB*1**30*MA~', NO_COVER],
    ['NOVITAS MEDICARE JL', 'EB*1**30*MB~', FREE],
  ],
  'spend-downs in the words of the states': [
    ['MEDI-CAL', `${MEDICAID}MSG*CNTY CODE: 19. PRMY AID CODE: 30. MEDI-CAL ELIGIBLE W/ NO SOC/SPEND DOWN.~`, FREE],
    ['MEDI-CAL', `${MEDICAID}MSG*SOC OF $500 HAS BEEN MET~`, FREE],
    ['MEDI-CAL', `${MEDICAID}MSG*SOC AMOUNT 1200.00 NOT CERTIFIED~`, UNMET],
    ['MEDI-CAL', `${MEDICAID}MSG*ELIGIBLE W/ NO SOC FOR PREGNANCY. REMAINING SOC 300~`, UNMET],
    ['MEDI-CAL', `${MEDICAID}MSG*NOT ELIGIBLE WITH NO SOC~`, UNMET],
    ['STATE MEDICAID', `${MEDICAID}EB*D**30~MSG*SOCIAL SECURITY INCOME RECIPIENT~`, FREE],
    ['STATE MEDICAID', `${MEDICAID}EB*Y**54***34*640~MSG*PATIENT LIABILITY~`, FREE],
  ],
  'organizations under another spelling of their name': [
    [
      'MOLINA OF TEXAS',
      `${MEDICAID}EB*MC**30~${through('Y2', 'Molina of Texas, Inc.')}`,
      { lacks: 'managed care plan pays' },
    ],
    ['MOLINA OF TEXAS', `${MEDICAID}EB*R**30*MC~${through('PR', 'TEXAS MEDICAID')}`, FREE],
    ['NORTHWIND HEALTH PLAN', `${PLAN}EB*R**30~${through('PRP', 'THE NORTHWIND HEALTH PLAN INC')}`, FREE],
    ['NORTHWIND', `${PLAN}EB*R**30~${through('PRP', 'SOUTHWIND INC')}`, OTHER_PAYER],
  ],
  'services that another organization covers': [
    ['NORTHWIND', `${PLAN}EB*E**MH~MSG*CARVED OUT TO MAGELLAN~`, { ...NO_COVER, services: ['MH'] }],
    ['NORTHWIND', `${PLAN}EB*E**MH~MSG*CARVED OUT TO MAGELLAN~`, FREE],
    ['NORTHWIND', `${PLAN}EB*E**98~MSG*COSMETIC SURGERY~`, FREE],
  ],
  'a newer period after ended ones': [
    [
      'NORTHWIND',
      `DTP*346*D8*20230101~DTP*347*D8*20241231~DTP*346*D8*20250601~${PLAN}`,
      { status: 'INACTIVE', says: 'a newer period that begins on 2025-06-01: ask the payer', isBeyondAvaility: true },
    ],
    [
      'NORTHWIND',
      `DTP*356*D8*20230101~DTP*357*D8*20241231~${PLAN}`,
      { status: 'INACTIVE', lacks: 'newer period', isBeyondAvaility: true },
    ],
  ],
  'copays that depend on who and where': [
    [
      'BCBS FEP',
      `${PLAN}EB*B**98***27*35*****Y~MSG*PRIMARY CARE~EB*B**98***27*45*****Y~MSG*SPECIALIST~`,
      { cents: null },
    ],
    ['NORTHWIND', `${PLAN}EB*B**98***27*30*****Y~EB*B**98***27*0*****Y~MSG*TELEHEALTH~`, { cents: 3000 }],
    ['NORTHWIND', `${PLAN}EB*B**98***27*20*****Y~EB*B**98***27*35*****Y~`, { cents: null }],
    ['NORTHWIND', `${PLAN}EB*B**98***27*-5*****Y~`, { cents: null }],
    ['NORTHWIND', `${PLAN}EB*B**98***27*60*****Y~MSG*SPECIALIST~`, { cents: null }],
    ['NORTHWIND', `${PLAN}EB*B**98***27*25*****Y~MSG*PRIMARY CARE AND SPECIALIST~`, { cents: 2500 }],
    [
      'NORTHWIND',
      `${PLAN}EB*B**98***27*25*****Y~MSG*PRIMARY CARE~EB*B**98***27*25*****Y~MSG*SPECIALIST~`,
      { cents: 2500 },
    ],
    ['NORTHWIND', `${PLAN}EB*B**98***27*20*****Y~III*ZZ*11~`, { cents: 2000 }],
    ['NORTHWIND', `${PLAN}EB*B**98***27*0*****Y~III*ZZ*02~`, { cents: null }],
    [
      'NORTHWIND',
      `${PLAN}EB*B**98***27*20*****Y~III*ZZ*11~EB*B**98***27*0*****Y~III*ZZ*02~EB*B**98***27*60*****Y~III*ZZ*22~`,
      { cents: 2000 },
    ],
    ['NORTHWIND', `${PLAN}EB*B*****27*75*****Y*HC:99213~`, { cents: null, isBeyondAvaility: true }],
  ],
})
