// Active coverage beside rows, texts, types and dates that leave open whether it pays. The truth is written by hand from rules.md 17 and
// x12-271.md 4, 5 and 7; decisions/0073.
import { LOSSLESS, type Message, type Truth, testMessages, through } from '../../../../test/support/payer-messages.ts'

const PLAN = 'EB*1**30*PR*GOLD PPO~'
const MEDICAID = 'EB*1**30*MC*MEDICAID~'
const NO_COVER: Truth = { obstacles: ['NO_COVER_FOR_SERVICE'] }
const OTHER_PAYER: Truth = { obstacles: ['OTHER_PAYER'] }
const FREE: Truth = {}

const said = (truth: Truth, ...texts: string[]): Message[] =>
  texts.map((text) => ['NORTHWIND', `${PLAN}EB*D**30~MSG*${text}~`, truth])
const atMedicaid = (truth: Truth, ...texts: string[]): Message[] =>
  texts.map((text) => ['STATE MEDICAID', `${MEDICAID}EB*D**30~MSG*${text}~`, truth])
const dated = (truth: Truth, ...dates: string[]): Message[] =>
  dates.map((date) => ['NORTHWIND', `${PLAN}DTP*${date}~`, truth])

testMessages({
  'a lock-in to another provider': [
    [
      'STATE MEDICAID',
      `${MEDICAID}EB*N**30~LS*2120~NM1*1P*1*SMITH*ANN~LE*2120~`,
      { ...NO_COVER, isBeyondAvaility: true },
    ],
    ['STATE MEDICAID', `${MEDICAID}EB*N**98~MSG*LOCK-IN~`, { ...NO_COVER, isBeyondAvaility: true }],
    ['STATE MEDICAID', `${MEDICAID}EB*N**88~MSG*LOCK-IN~`, FREE],
    [
      'STATE MEDICAID',
      `${MEDICAID}EB*N**30~LS*2120~NM1*1P*2*US*****XX*1999999984~LE*2120~`,
      { isBeyondAvaility: true },
    ],
  ],
  'benefits that are exhausted': [
    ['NORTHWIND', `${PLAN}EB*F**98***23***VS*20~EB*F**98***29***VS*0~`, NO_COVER],
    ['NORTHWIND', `${PLAN}EB*F**98~HSD*VS*0***29~`, { ...NO_COVER, isBeyondAvaility: true }],
    ['NORTHWIND', `${PLAN}EB*F**98***29***VS*3~`, FREE],
    ['NORTHWIND', `${PLAN}EB*F**98***29***VS*0~MSG*ACUPUNCTURE~`, FREE],
    ['NORTHWIND', `${PLAN}EB*F**35***29*0~`, FREE],
    ['NORTHWIND', `${PLAN}EB*F**35***29*0~`, { ...NO_COVER, services: ['35'] }],
    ['NORTHWIND', `${PLAN}EB*C*IND*30***29*0~EB*G*IND*30***29*0~`, FREE],
  ],
  'a plan that the payer cannot process': [['NORTHWIND', `${PLAN}EB*V**30~`, { ...NO_COVER, isBeyondAvaility: true }]],
  'types of insurance that are not medical coverage': [
    ...['WC', 'AP', 'LC', 'LI', 'LT', 'D', 'DB', 'HS', 'SP', 'PE'].map(
      (type): Message => ['NORTHWIND', `EB*1**30*${type}~`, { ...NO_COVER, says: 'limited coverage' }],
    ),
    ...['C1', 'EP', 'HM', 'GP', 'IN', 'PS', 'TF', '12', '13', '43'].map(
      (type): Message => ['NORTHWIND', `EB*1**30*${type}~`, FREE],
    ),
    ['NORTHWIND', `${PLAN}EB*1**30*SP*CANCER PLAN~`, { isBeyondAvaility: true }],
  ],
  'more names that are not medical coverage': [
    ...['QUALIFIED DISABLED WORKING INDIVIDUAL', 'MEDICARE SAVINGS PROGRAM', 'STATE DRUG ASSISTANCE', 'ADAP'].map(
      (name): Message => ['STATE MEDICAID', `EB*1**30*MC*${name}~`, NO_COVER],
    ),
    ...['NON EMERGENCY TRANSPORTATION BROKER', 'HEALTH SAVINGS ACCOUNT', 'FSA', 'HEARING AID PLAN', 'TRAVEL'].map(
      (name): Message => ['NORTHWIND', `EB*1**30*OT*${name}~`, NO_COVER],
    ),
    ...['HDHP WITH HSA', 'EPO HSA', 'CATASTROPHIC PPO'].map((name): Message => ['X', `EB*1**30*OT*${name}~`, FREE]),
  ],
  'texts that deny active coverage': [
    ...said(NO_COVER, 'COVERAGE IS ON HOLD', 'COVERAGE RETROACTIVELY TERMINATED', 'ENROLLMENT PENDING'),
    ...said(NO_COVER, 'COBRA ELECTION PENDING', 'THIS MEMBER IS NO LONGER COVERED', 'MEMBER HAS NO MEDICAL BENEFITS'),
    ...said(NO_COVER, 'THIS MEMBER DOES NOT HAVE COVERAGE ON THE DATE REQUESTED', 'MEMBER NOT FOUND FOR THIS DATE'),
    ...said(NO_COVER, 'COVERAGE IN GRACE PERIOD - CLAIMS MAY BE DENIED', 'IN WAITING PERIOD UNTIL 06/01/2026'),
    ['NORTHWIND', `${PLAN}MSG*THE COVERAGE OF THIS MEMBER WAS~MSG*SUSPENDED ON 02/01/2026.~`, NO_COVER],
  ],
  'texts that do not deny it': [
    ...said(FREE, 'PLAN PENDING CLAIMS 3', '31 DAY GRACE PERIOD FOR NEWBORNS', '12 MONTH WAITING PERIOD APPLIES'),
    ...said(FREE, 'MEMBER HAS NO COPAY', 'MEMBER HAS NO COVERAGE FOR HEARING AIDS', 'MEMBER DOES NOT HAVE A PCP'),
    ...said(FREE, 'WAITING PERIOD ENDS 01/01/2026', 'TERMINATED EMPLOYEES MAY ELECT COBRA'),
  ],
  'who pays first, in more words': [
    ...said(OTHER_PAYER, 'WE ARE THE SECONDARY PAYER', 'PAYS SECONDARY TO MEDICARE', 'BILL MEDICARE FIRST'),
    ...said(OTHER_PAYER, 'MEDICARE A AND B PRIMARY', 'COB: NORTHWIND IS TERTIARY'),
    ...said({ ...OTHER_PAYER, says: 'primary: AETNA' }, 'MEMBER HAS PRIMARY COVERAGE WITH AETNA'),
    ['NORTHWIND', `${PLAN}MSG*THIS MEMBER'S COVERAGE IS~MSG*SECONDARY TO MEDICARE~`, OTHER_PAYER],
    ...said(FREE, 'AETNA IS SECONDARY', 'AETNA IS SECONDARY TO THIS PLAN', 'MEDICARE IS SECONDARY'),
    ...said(FREE, 'NORTHWIND IS PRIMARY AND AETNA IS SECONDARY', 'SECONDARY PAYER: MEDICARE'),
    ...said(FREE, 'OTHER INSURANCE ON FILE', 'NO OTHER INSURANCE ON FILE'),
  ],
  'what pays before Medicaid, in words': [
    ...atMedicaid({ ...OTHER_PAYER, says: 'a managed care plan pays' }, 'RECIPIENT ENROLLED IN PACE'),
    ...atMedicaid(OTHER_PAYER, 'MEMBER ENROLLED IN MANAGED CARE: HEALTHFIRST', 'TPL: BLUE CROSS POLICY 1234'),
    ...atMedicaid(OTHER_PAYER, 'RECIPIENT HAS OTHER INSURANCE. BILL OTHER INSURANCE FIRST'),
    ...atMedicaid(FREE, 'NOT ENROLLED IN MANAGED CARE', 'TPL: NONE', 'MEDICAID IS PAYER OF LAST RESORT'),
    ['MOLINA HEALTHCARE', `${MEDICAID}MSG*MEMBER ENROLLED IN MOLINA HEALTHCARE HMO~`, FREE],
    ['MOLINA HEALTHCARE', `${MEDICAID}EB*MC**30*HM*MOLINA HEALTHCARE INC~`, { isBeyondAvaility: true }],
    ['STATE MEDICAID', `${MEDICAID}EB*MC**30*HM*AMERIGROUP~`, { ...OTHER_PAYER, isBeyondAvaility: true }],
    [
      'STATE MEDICAID',
      `${MEDICAID}EB*MC**30*HM*AMERIGROUP~${through('Y2', 'AMERIGROUP')}`,
      { says: 'a managed care plan pays instead of Medicaid: AMERIGROUP', isBeyondAvaility: true },
    ],
  ],
})

// The sandbox writes Availity's form from calendar dates alone.
testMessages(
  {
    'dates of the coverage that cannot be read': [
      ...dated(NO_COVER, '347*D8*260301', '347*D8*20260230', '291*RD8*250101-260301', '291*RD8*20250101-2026031'),
      ...dated(FREE, '347*D8*00000000', '347*D8*99999999', '347*D8*', '291*RD8*20250101-', '636*D8*TODAY'),
      ['NORTHWIND', `DTP*347*D8*UNKNOWN~${PLAN}`, { ...NO_COVER, says: 'cannot be read (planEnd): ask the payer' }],
      ['NORTHWIND', 'EB*1**30*PR*A~DTP*347*D8*260301~EB*1**98^33~', NO_COVER],
      ['NORTHWIND', 'EB*1**30*PR*A~DTP*347*D8*260301~EB*1**30*PR*B~', { isBeyondAvaility: true }],
    ],
    'ranges with another separator': [
      ...dated(
        { status: 'INACTIVE' },
        '291*RD8*20250101 20251231',
        '291*RD8*20250101/20251231',
        '291*RD8*2025010120251231',
      ),
      ...dated({ status: 'INACTIVE' }, '291*RD8*20250101 TO 20251231', '291*RD8*2025-01-01/2025-12-31'),
      ...dated(
        NO_COVER,
        '291*RD8*20250101-END',
        '291*RD8*JAN 1 2025 - DEC 31 2025',
        '291*RD8*2025',
        '291*D8*31.12.2025',
      ),
    ],
    'an answer for another day': [
      ...dated({ ...NO_COVER, says: 'the payer answered for 2026-03-01' }, '307*RD8*20260301-20260301'),
      ...dated(FREE, '307*RD8*20260309-20260309', '307*RD8*20260301-20260331', '307*D8*20260301'),
      // The day on which the payer was asked, in UTC and in the United States.
      ...dated(FREE, '307*RD8*19700101-19700101', '307*RD8*19691231-19691231'),
    ],
  },
  { forms: LOSSLESS },
)

testMessages(
  {
    'an answer about an earlier visit, with the day of asking as a single day': [
      ['NORTHWIND', `DTP*307*D8*19700101~${PLAN}`, { day: '1969-12-01' }],
      ['NORTHWIND', `${PLAN}DTP*307*D8*19691231~`, { day: '1969-12-01' }],
      ['NORTHWIND', `DTP*307*D8*19700201~${PLAN}`, { status: 'INACTIVE', day: '1969-12-01' }],
    ],
  },
  // The other form has one field for 307 and 356 (decisions/0096).
  { forms: ['X12', "Stedi's JSON of 2024-04-01"] },
)
