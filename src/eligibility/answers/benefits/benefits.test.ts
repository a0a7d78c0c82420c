import { expect, test } from 'vitest'
import { answerAbout } from '../../../../test/support/answers.ts'
import { serviceTypeNames } from '../../../x12/codes/service-types.ts'
import { judgeEligibility } from '../coverage/status.ts'
import { decodeBenefits } from './benefits.ts'
import { restrictionsOf } from './row-labels.ts'

/** Benefits of an answer with active plan coverage. */
function benefitsOf(rows: string, active = 'EB*1**30~') {
  const patient = answerAbout(active + rows)
  return decodeBenefits(patient.benefits, judgeEligibility(patient))
}

const planSlots = (rows: string) => benefitsOf(rows)?.plan_coverage
const serviceSlots = (rows: string, code = '30') =>
  benefitsOf(rows)?.service_specific_coverage?.find(({ service_code }) => service_code === code)

test('the price of some days of a stay fills no slot, nor does that of the other days', () => {
  const first = 'EB*B*IND*48***7*295**DY*6**Y~MSG*DAYS 1-6~'
  const copay = (rows: string) => serviceSlots(rows, '48')?.in_network?.copay
  expect(copay(first)).toBeUndefined()
  expect(copay(`${first}EB*B*IND*48***7*0*****Y~MSG*DAYS 7-90~`)).toBeUndefined()
  expect(copay(`${first}EB*B*IND*48***36*500*****Y~`)).toEqual({ individual: 500 })
  expect(copay(`${first}EB*B*IND*48***36*500~`)).toBeUndefined()
  expect(serviceSlots(`${first}EB*B*IND*48***7*0*****Y~MSG*DAYS 7-90~`, '48')?.in_network_flat).toHaveLength(2)
})

test('the services that a row about the plan lists besides the plan are named', () => {
  expect(benefitsOf('', 'EB*1**30^33^48*MA~')?.notes).toContain('Active Coverage: Chiropractic, Hospital - Inpatient')
  expect(benefitsOf('', 'EB*1**30*MA~')?.notes ?? '').not.toContain('Active Coverage')
})

test('a figure of one procedure fills no slot of the plan, and is listed with the procedure', () => {
  const rows = 'EB*C*IND****23*50*****Y*AD:D1110~EB*B*IND****27*75*****Y*HC:99213~EB*D*IND******.5****Y*AD:D0120~'
  const benefits = benefitsOf(rows)
  expect(benefits?.plan_coverage).toEqual({
    in_network_flat: [
      expect.objectContaining({ type: 'DEDUCTIBLE', value: 50, additional_notes: expect.stringContaining('AD D1110') }),
    ],
  })
  expect(benefits?.service_specific_coverage).toEqual([
    { service_code: '30', in_network_flat: [expect.objectContaining({ type: 'COPAY', value: 75 })] },
  ])
  expect(benefits?.notes).toBe(
    'Benefit Description: one procedure; Individual; share 50 %; In network; Procedure AD D0120',
  )
})

test('figures of another year or period than that of the service fill no slot, and stay listed with their dates', () => {
  const rows = [
    'EB*C**30***23*240~DTP*291*RD8*20250101-20251231~EB*C**30***29*0~DTP*291*RD8*20250101-20251231~',
    'EB*C**30***23*257~DTP*291*RD8*20260101-20261231~EB*C**30***29*100~DTP*292*RD8*20260101-20261231~',
    'EB*B**98***27*20*****Y~DTP*349*D8*20251231~EB*B**98***27*40*****Y~DTP*193*D8*20260101~DTP*194*D8*20261231~',
    'EB*B**98***27*60*****Y~DTP*348*D8*20270101~',
  ].join('')
  const patient = answerAbout(`EB*1**30~${rows}`)
  const benefits = decodeBenefits(patient.benefits, judgeEligibility(patient, { dateOfService: '2026-03-09' }))
  expect(benefits?.plan_coverage?.in_network).toEqual({
    deductible: { individual: 257 },
    deductible_remaining: { individual: 100 },
  })
  expect(benefits?.plan_coverage?.in_network_flat?.map(({ value }) => value)).toEqual([240, 0, 257, 100])
  expect(benefits?.plan_coverage?.in_network_flat?.[0]?.additional_notes).toContain('2025-01-01 to 2025-12-31')
  const [visit] = benefits?.service_specific_coverage ?? []
  expect(visit?.in_network).toEqual({ copay: { individual: 40 } })
  expect(visit?.in_network_flat?.map(({ value }) => value)).toEqual([20, 40, 60])
})

test('coverage without any detail yields no benefits', () => {
  expect(benefitsOf('')).toBeUndefined()
})

test.each([
  ['29', 'deductible_remaining', 'DEDUCTIBLE_REMAINING'],
  ['24', 'deductible_year_to_date', 'DEDUCTIBLE_YEAR_TO_DATE'],
  ['25', 'deductible_contract', 'DEDUCTIBLE_CONTRACT'],
  ['23', 'deductible', 'DEDUCTIBLE'],
  ['22', 'deductible', 'DEDUCTIBLE'],
  ['', 'deductible', 'DEDUCTIBLE'],
])('a plan deductible of period "%s" fills %s', (period, slot, type) => {
  const coverage = planSlots(`EB*C*IND*30***${period}*500*****Y~`)
  expect(coverage?.in_network).toEqual({ [slot]: { individual: 500 } })
  expect(coverage?.in_network_flat).toMatchObject([{ type, coverageLevel: 'INDIVIDUAL', unit: 'CURRENCY', value: 500 }])
  expect(coverage).not.toHaveProperty('out_of_network')
})

test.each(['26', '32', '36', '7'])(
  'a deductible of period %s is listed with its period but fills no slot',
  (period) => {
    const coverage = planSlots(`EB*C*IND*30***${period}*1632~`)
    expect(coverage).not.toHaveProperty('in_network')
    expect(coverage?.in_network_flat?.[0]?.additional_notes).toMatch(/Episode|Lifetime|Admission|Day/)
  },
)

test('levels fill their members: family, spouse, children, and individual for all others', () => {
  const rows = 'EB*G*FAM*30***23*9*****Y~EB*G*ESP*30***23*8*****Y~EB*G*ECH*30***23*7*****Y~EB*G*IND*30***23*6*****Y~'
  expect(planSlots(rows)?.in_network?.oop_max).toEqual({
    family: 9,
    individual: 6,
    employeeAndSpouse: 8,
    employeeAndChildren: 7,
  })
})

test('a blank level yields to an individual one, regardless of their order', () => {
  expect(planSlots('EB*C**30***23*100*****Y~EB*C*IND*30***23*200*****Y~')?.in_network?.deductible?.individual).toBe(200)
})

test('a row for both networks fills both, and yields to a row for one network', () => {
  const coverage = planSlots('EB*C*IND*30***23*300*****W~EB*C*IND*30***23*100*****Y~')
  expect(coverage?.in_network?.deductible?.individual).toBe(100)
  expect(coverage?.out_of_network?.deductible?.individual).toBe(300)
})

test.each(['', 'U'])('a row whose network is "%s" fills only slots that no explicit row filled', (network) => {
  const coverage = planSlots(
    `EB*C*IND*30***23*300*****${network}~EB*C*IND*30***23*100*****N~MSG*PER YEAR~MSG*PER MEMBER~`,
  )
  expect(coverage?.in_network?.deductible?.individual).toBe(300)
  expect(coverage?.out_of_network?.deductible?.individual).toBe(100)
})

test('a tier named only in a message does not displace the plain figure', () => {
  const rows = `EB*C*FAM*30***23*0*****Y~MSG*BEST TIER~MSG*MET AS A FAMILY~EB*C*FAM*30***24*0*****Y~MSG*BEST TIER~MSG*MET AS A FAMILY~
EB*C*FAM*30***23*3000*****Y~MSG*MET AS A FAMILY~EB*C*FAM*30***24*1250.25*****W~MSG*MET AS A FAMILY~
EB*C*FAM*30***29*0*****Y~MSG*BEST TIER~MSG*MET AS A FAMILY~EB*C*FAM*30***29*1749.75*****Y~MSG*MET AS A FAMILY~`
  expect(planSlots(rows)?.in_network).toEqual({
    deductible: { family: 3000 },
    deductible_remaining: { family: 1749.75 },
    deductible_year_to_date: { family: 1250.25 },
  })
  expect(planSlots(rows)?.in_network_flat).toHaveLength(6)
})

test('among equal rows, those whose total minus the amount spent equals the remainder are selected', () => {
  const rows = `EB*C*IND*30***23*1000*****Y~EB*C*IND*30***23*2000*****Y~EB*C*IND*30***24*500*****Y~
EB*C*IND*30***29*1500*****Y~EB*C*IND*30***29*700*****Y~`
  expect(planSlots(rows)?.in_network).toEqual({
    deductible: { individual: 2000 },
    deductible_year_to_date: { individual: 500 },
    deductible_remaining: { individual: 1500 },
  })
})

test('missing members are not computed', () => {
  const details = planSlots('EB*C*IND*30***23*1000*****Y~EB*C*IND*30***29*400*****Y~')?.in_network
  expect(details).not.toHaveProperty('deductible_year_to_date')
})

test('Part B takes precedence over Part A, which stays in the list by name', () => {
  const coverage = planSlots('EB*C*IND*30*MA**23*1632~EB*C*IND*30*MB**23*240~')
  expect(coverage?.in_network?.deductible?.individual).toBe(240)
  expect(coverage?.in_network_flat?.[0]?.additional_notes).toContain('Medicare Part A')
})

test('a copay for several services is listed for each of them, sorted by code, without unknown codes', () => {
  const services = benefitsOf('EB*B*IND*98^1^ZQ^33***27*10*****Y~')?.service_specific_coverage
  expect(services).toEqual(
    ['1', '33', '98'].map((service_code) => ({
      service_code,
      in_network: { copay: { individual: 10 } },
      in_network_flat: [{ type: 'COPAY', coverageLevel: 'INDIVIDUAL', unit: 'CURRENCY', value: 10 }],
    })),
  )
})

test('coinsurance is percent, a copay dollars, and neither replaces the other', () => {
  const service = serviceSlots('EB*A*IND*98***27**.2****Y~EB*B*IND*98***27**.5****Y~EB*A*IND*98***27*75*****Y~', '98')
  expect(service?.in_network).toEqual({ coinsurance: { individual: 20 } })
  expect(service?.in_network_flat?.map(({ unit, value }) => [unit, value])).toEqual([
    ['PERCENT', 20],
    ['PERCENT', 50],
    ['CURRENCY', 75],
  ])
})

test('a share per day or per stay is not a plan copay, and yields to the visit copay of a service', () => {
  const daily = serviceSlots('EB*B**30*MA**7*408~')
  expect(daily).not.toHaveProperty('in_network')
  expect(daily?.in_network_flat?.[0]).toMatchObject({ value: 408, additional_notes: 'Day' })
  expect(serviceSlots('EB*B*IND*48***36*250*****Y~', '48')?.in_network).toEqual({ copay: { individual: 250 } })
  expect(serviceSlots('EB*B*IND*98***7*90*****Y~EB*B*IND*98***27*20*****Y~', '98')?.in_network).toEqual({
    copay: { individual: 20 },
  })
})

test('a plan deductible row that also names services is listed for them, too', () => {
  const benefits = benefitsOf('EB*C*IND*30^98***23*500*****Y~')
  expect(benefits?.plan_coverage?.in_network?.deductible?.individual).toBe(500)
  expect(benefits?.service_specific_coverage).toMatchObject([
    { service_code: '98', in_network_flat: [{ type: 'DEDUCTIBLE' }] },
  ])
})

test('visits are read from the quantity or from the delivery pattern, with the remainder', () => {
  expect(serviceSlots('EB*F*IND*33***23***VS*30**Y~HSD*VS*12***29~', '33')?.in_network).toEqual({
    visits: { individual: 30 },
    visits_remaining: { individual: 12 },
  })
})

test.each(['HSD*VS*2*WK~', 'HSD*VS*2***23*2~', 'HSD*DY*2***23~'])(
  'a rate or another quantity (%s) is listed as a limitation, not as visits',
  (delivery) => {
    const service = serviceSlots(`EB*F*IND*33*********Y~${delivery}`, '33')
    expect(service).not.toHaveProperty('in_network')
    expect(service?.in_network_flat).toMatchObject([{ type: 'LIMITATION', unit: 'COUNT', value: 2 }])
  },
)

test('amounts that are not numbers are not figures, and stay as text in the notes', () => {
  expect(
    benefitsOf('EB*C*IND*30***23*UNLIMITED~EB*B*IND*98***27*~EB*A*IND*98***27**NaN~EB*G*IND*30***23*1e400~'),
  ).toEqual({
    notes: expect.stringContaining('Deductible: the plan; Individual; $UNLIMITED; Calendar Year'),
  })
})

test('exclusions are listed with their services, network and text', () => {
  const rows = 'EB*I*IND*35^ZQ*********N~MSG*ASK THE DENTAL CARRIER~EB*E**30~'
  const nonCovered = { type: 'NON_COVERED', coverageLevel: 'INDIVIDUAL', unit: 'COUNT', value: 0 }
  expect(benefitsOf(rows)?.non_covered_details).toEqual([
    { ...nonCovered, additional_notes: 'Out of network; ZQ; ASK THE DENTAL CARRIER', service_type_codes: ['35'] },
    { ...nonCovered, service_type_codes: ['30'] },
  ])
})

test('rows of a second active plan are listed under its name but fill no slot', () => {
  const benefits = benefitsOf(
    'EB*C*IND*30**PLAN B*23*900*****Y~EB*C*IND*30**PLAN A*23*500*****Y~EB*G*IND*30***23*4000*****Y~',
    'EB*1**30**PLAN A~EB*1**30**PLAN B~DTP*346*D8*20260101~',
  )
  expect(benefits?.plan_coverage?.in_network).toEqual({
    deductible: { individual: 500 },
    oop_max: { individual: 4000 },
  })
  expect(benefits?.plan_coverage?.in_network_flat?.[0]?.additional_notes).toContain('PLAN B')
  expect(benefits?.notes).toBe('Also active: PLAN B (planBegin 2026-01-01)')
})

test('a former plan besides the active one is noted and fills no slot', () => {
  const benefits = benefitsOf(
    'EB*C*IND*30**OLD*23*900~',
    'EB*6**30**OLD~DTP*347*D8*20251231~MSG*TERMINATED~EB*1**30**NEW~',
  )
  expect(benefits?.notes).toBe('Inactive: OLD (planEnd 2025-12-31)\nTERMINATED')
  expect(benefits?.plan_coverage).not.toHaveProperty('in_network')
})

test('notes contain the messages of plan rows once, and the text of a limitation without a number', () => {
  const rows = 'EB*D**30~MSG*CALL US~EB*P**30~MSG*CALL US~EB*D**98~MSG*ABOUT A VISIT~EB*F**30~MSG*REFERRAL NEEDED~'
  expect(benefitsOf(rows)?.notes).toBe(
    'CALL US\nBenefit Description: Professional (Physician) Visit - Office; ABOUT A VISIT\nREFERRAL NEEDED',
  )
})

test('each related entity is listed once with its contacts and services', () => {
  const entity = 'LS*2120~NM1*P3*1*HALE*NORA~PER*IC*DESK*TE*2075550100*QQ*X~LE*2120~'
  expect(
    benefitsOf(`EB*L**98^ZQ~${entity}EB*L**98^ZQ~${entity}EB*R**30~NM1*ZQ*2*OTHER CARRIER~`)?.benefits_related_entities,
  ).toEqual([
    {
      entityIdentifier: 'Primary Care Provider',
      entityType: 'Person',
      entityName: 'NORA HALE',
      contactInformation: [
        { mode: 'Telephone', value: '2075550100' },
        { mode: 'QQ', value: 'X' },
      ],
      serviceTypeCodes: ['98'],
    },
    { entityIdentifier: 'ZQ', entityType: 'Non-Person Entity', entityName: 'OTHER CARRIER', serviceTypeCodes: ['30'] },
  ])
})

test('a text about the plan is noted once', () => {
  const rows = 'EB*M**30~MSG*WAITING PERIOD OF A YEAR~EB*D**30~MSG*SEE THE BOOKLET~'
  expect(benefitsOf(rows)?.notes).toBe('Pre-existing Condition: the plan; WAITING PERIOD OF A YEAR\nSEE THE BOOKLET')
})

test('a qualified number states what it applies to', () => {
  const rows =
    'EB*F*IND*35***23*1500****Y*Y*AD:D0120:59~III*ZZ*11~DTP*304*D8*20260102~MSG*TWICE A YEAR~HSD*VS*2*YR**22*1~'
  expect(serviceSlots(rows, '35')?.in_network_flat?.map(({ additional_notes }) => additional_notes)).toEqual([
    'Calendar Year; Procedure AD D0120 59; Place of service: Office; Authorization or certification required; latestVisitOrConsultation 2026-01-02; TWICE A YEAR',
    'Visits, per Year, per 1 Service Year; Procedure AD D0120 59; Place of service: Office; Authorization or certification required; latestVisitOrConsultation 2026-01-02; TWICE A YEAR',
  ])
})

test('an endless message multiplies neither work nor memory', () => {
  const codes = 'EB*F*IND*1^33^35^47^48^50^86^88^98^AL^MH^UC***23~'
  const flood = `${codes}${'HSD*VS*1~'.repeat(5000)}${'MSG*X~'.repeat(5000)}`
  const flat = serviceSlots(flood, '98')?.in_network_flat
  expect(flat).toHaveLength(9)
  expect(flat?.[0]?.additional_notes?.length).toBeLessThan(200)
})

/** More services than the interface has codes for in an ordinary row. */
const MANY_SERVICES = Object.keys(serviceTypeNames).slice(0, 180).join('^')
const texts = (count: number, length: number) =>
  Array.from({ length: count }, (_, place) => `MSG*${`TIER ${place} `.padEnd(length, 'X')}~`).join('')

test('texts are listed with each figure up to the length of a whole answer, and it is said that there are more', () => {
  const row = (amount: number) => `EB*B*IND*${MANY_SERVICES}***27*${amount}*****W~${texts(30, 250)}`
  const few = benefitsOf(row(1))
  expect(few?.notes).toBeUndefined()
  const many = benefitsOf(Array.from({ length: 25 }, (_, amount) => row(amount)).join(''))
  expect(many?.notes).toContain('The answer holds more figures than are listed here.')
  expect(JSON.stringify(many).length).toBeLessThan(2_000_000)
})

test('a thousand parties are listed with the services of their row, and it is said that there are more', () => {
  const row = (count: number) =>
    `EB*L**${MANY_SERVICES}~LS*2120~${Array.from({ length: count }, (_, place) => `NM1*P3*2*GROUP ${place}~`).join('')}LE*2120~`
  expect(benefitsOf(row(1_000))?.notes).toBeUndefined()
  const benefits = benefitsOf(row(1_001))
  expect(benefits?.benefits_related_entities).toHaveLength(1_000)
  expect(benefits?.notes).toContain('The answer names more parties than are listed here.')
})

test('more texts than a guide allows restrict a row as a whole: they would be looked for one by one in every row of every service', () => {
  const [row] = answerAbout('EB*B*IND*98***27*20*****Y~').benefits
  const labelled = (count: number) => ({
    ...row!,
    messages: Array.from({ length: count }, (_, place) => `TIER ${place}`),
  })
  expect(restrictionsOf(labelled(20), undefined).labels.size).toBe(20)
  expect(restrictionsOf(labelled(3_000), undefined).labels.size).toBe(1)
  const copays = (one: number, other: number) =>
    serviceSlots(`EB*B*IND*98***27*20*****Y~${texts(one, 9)}EB*B*IND*98***27*30*****Y~${texts(other, 9)}`, '98')
  expect(copays(0, 30)?.in_network?.copay).toEqual({ individual: 20 })
  expect(copays(31, 30)?.in_network?.copay).toBeUndefined()
  expect(copays(30, 30)?.in_network?.copay).toEqual({ individual: 20 })
  expect(copays(3, 3)?.in_network?.copay).toEqual({ individual: 20 })
})
