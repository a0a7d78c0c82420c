// How Medicare's answer reads at the front desk. Source: x12-271.md 7, 10.

import { expect, test } from 'vitest'
import { answerText, interchangeOf, readAnswer } from '../../../../test/support/answers.ts'
import { printBenefits } from '../../printing/print-benefits.ts'
import { deriveRecommendations } from '../corrections/recommendations.ts'
import { decodePatient } from '../decode.ts'
import type { ParsedResponse } from '../wire.ts'
import { recognizePayer } from './other-coverage.ts'

const DAY = '2026-03-01'
const PARTS = 'EB*1**30*MA~DTP*291*D8*20190601~EB*1**30*MB~DTP*291*D8*20200701~'
const FIGURES =
  'EB*C*IND*30*MB**23*257~EB*C*IND*30*MB**29*57~EB*A*IND*98*MB**27**.2~EB*C*IND*30*MA**26*1676~' +
  'EB*B*IND*47*MA**7*419~HSD*DY*30***26~MSG*DAYS 61 TO 90~EB*K*IND*47*MA**33***LA*60~EB*F*IND*AG*MA**29***DY*20~' +
  'EB*D*IND*10*MB**29***DB*3~EB*D**42*MA**26***VS*12~DTP*292*RD8*20260101-20260301~'
const ADVANTAGE =
  'EB*R**30*HN~REF*18*H1036 137~DTP*292*D8*20260101~LS*2120~NM1*PRP*2*HUMANA GOLD~PER*IC**TE*8005550104~LE*2120~'
const PART_D =
  'EB*R**88*OT~REF*18*S5601 004~REF*N6*004**HARBOR RX~DTP*292*D8*20250101~LS*2120~NM1*PR*2*HARBOR RX~PER*IC**TE*8005550110~LE*2120~'
const MSP =
  'EB*R**30*12~DTP*290*RD8*20240101-99991231~REF*IG*POL-7~LS*2120~NM1*PRP*2*HARBOR MUTUAL~PER*IC**TE*8005550111~LE*2120~'
const HOSPICE = 'EB*X**45*MA**26~DTP*292*D8*20260115~LS*2120~NM1*1P*2*HARBOR HOSPICE****XX*1999999984~LE*2120~'

const member = 'HL*3*2*22*0~NM1*IL*1*MARLOWE*IRIS****MI*1EG4TE5MK73~DMG*D8*19840229*F~'
const message = (rows: string) =>
  interchangeOf(`HL*1**20*1~NM1*PR*2*CMS*****PI*CMS~HL*2*1*21*1~NM1*1P*2*CLINIC*****XX*1999999984~${member}${rows}`)
const patientOf = (rows: string) => readAnswer(message(rows)).patients[0]!
const parse = (rows: string): ParsedResponse => decodePatient(patientOf(rows), { dateOfService: DAY })
const notesOf = (rows: string) => parse(rows).benefits?.notes?.split('\n') ?? []
const print = (rows: string) => printBenefits({ parsed_response: parse(rows) })

test('Part A and Part B are in the headline with their dates', () => {
  expect(
    print(PARTS + FIGURES)
      .split('\n')
      .slice(2, 4),
  ).toEqual(['Medicare Part A: active, from 2019-06-01', 'Medicare Part B: active, from 2020-07-01'])
  expect(notesOf('EB*1**30*MA~EB*6**30*MB~DTP*291*RD8*20200101-20241231~')).toContain(
    'Medicare Part B: inactive, from 2020-01-01 to 2024-12-31',
  )
})

test('the parts are not repeated among the notes, unless their rows say more', () => {
  expect(notesOf(PARTS)).toEqual([
    'Medicare Part A: active, from 2019-06-01',
    'Medicare Part B: active, from 2020-07-01',
  ])
  const [, note] = notesOf('EB*1**30*MA~DTP*291*D8*20190601~DTP*636*D8*20260102~')
  expect(note).toContain('2026-01-02')
  expect(print('EB*1**30*MA~DTP*291*D8*20190601~EB*X**42~DTP*193*D8*20260201~')).toContain('period start 2026-02-01')
})

test('the work for an answer of thousands of parts and of dates of the patient grows with their number, not with its square', () => {
  const lookedAt = (count: number) => {
    let looks = 0
    const patient = patientOf('EB*1**30*MB~'.repeat(count))
    const date = { qualifier: '346', format: 'D8', raw: '20190601' }
    const get = () => {
      looks += 1
      return date.raw
    }
    patient.subscriber.dates = Array.from({ length: count }, () => Object.defineProperty({ ...date }, 'start', { get }))
    expect(decodePatient(patient, { dateOfService: DAY }).benefits?.notes).toBe(
      'Medicare Part B: active, from 2019-06-01',
    )
    return looks
  }
  expect(lookedAt(200)).toBeLessThanOrEqual(2.1 * lookedAt(100))
})

test('Medicare Advantage is listed first, by name, contract, dates and phone', () => {
  const [first = ''] = notesOf(PARTS + ADVANTAGE)
  expect(first).toMatch(/^ATTENTION: Medicare Advantage pays instead of Original Medicare: /)
  for (const fact of ['HUMANA GOLD', 'contract H1036 137', 'from 2026-01-01', '8005550104'])
    expect(first).toContain(fact)
})

test('how a plan that pays instead is reached comes after what identifies it, since a board shows the first words', () => {
  const [first = ''] = notesOf(PARTS + ADVANTAGE)
  expect(first).toMatch(/Original Medicare: Primary Payer HUMANA GOLD; .*; Telephone 8005550104$/)
})

test('an id before an address is called what it is, and never reads as the number of a house', () => {
  const named = (qualifier: string) =>
    notesOf(
      PARTS +
        ADVANTAGE.replace('HUMANA GOLD~', `HUMANA GOLD*****${qualifier}*61101~N3*PO BOX 14168~N4*LEXINGTON*KY*40512~`),
    )[0]
  const place = 'PO BOX 14168, LEXINGTON, KY 40512, Telephone 8005550104'
  expect(named('PI')).toContain(`; payer ID 61101, ${place}`)
  expect(named('XV')).toContain(`; plan ID 61101, ${place}`)
  expect([named('FI'), named('24')].map((note) => note?.split('; ').at(-1))).toEqual(
    Array(2).fill(`tax ID 61101, ${place}`),
  )
  expect(named('ZZ')).toContain(`; 61101, ${place}`)
})

test("a person in Advantage never reads Original Medicare's figures as theirs", () => {
  const { benefits } = parse(PARTS + ADVANTAGE + FIGURES)
  const coverages = [benefits?.plan_coverage, ...(benefits?.service_specific_coverage ?? [])]
  expect(coverages.length).toBeGreaterThan(3)
  for (const coverage of coverages) {
    expect(coverage).not.toHaveProperty('in_network')
    for (const { additional_notes } of coverage?.in_network_flat ?? []) {
      expect(additional_notes).toContain('Original Medicare, which does not pay for this patient')
    }
  }
  const answer = { patient: patientOf(PARTS + ADVANTAGE + FIGURES), payer: { id: 'CMS' }, dateOfService: DAY }
  const types = deriveRecommendations(recognizePayer({ ...answer, parsed: parse(PARTS + ADVANTAGE + FIGURES) })).map(
    ({ type }) => type,
  )
  expect(types).toEqual(['MEDICARE_ADVANTAGE'])
  expect(
    parse(PARTS + ADVANTAGE.replace('D8*20260101', 'RD8*20240101-20251231') + FIGURES).benefits?.plan_coverage
      ?.in_network,
  ).toBeDefined()
})

test('Part D, the payer before Medicare and hospice are listed by name, dates and phone', () => {
  const notes = notesOf(PARTS + PART_D + MSP + HOSPICE)
  const find = (start: string) => notes.find((note) => note.startsWith(start)) ?? ''
  for (const fact of ['HARBOR RX', 'contract S5601 004', 'from 2025-01-01', '8005550110'])
    expect(find('Medicare Part D: ')).toContain(fact)
  for (const fact of ['HARBOR MUTUAL', 'Working Aged', 'from 2024-01-01', '8005550111']) {
    expect(find('ATTENTION: pays before Medicare: ')).toContain(fact)
  }
  for (const fact of ['HARBOR HOSPICE', 'from 2026-01-15']) expect(find('ATTENTION: in hospice care: ')).toContain(fact)
  expect(notes.some((note) => note.startsWith('ATTENTION: Medicare Advantage'))).toBe(false)
})

test('figures per day state their days, and fill no plain copay', () => {
  const hospital = parse(PARTS + FIGURES).benefits?.service_specific_coverage?.find(
    ({ service_code }) => service_code === '47',
  )
  expect(hospital?.in_network).toBeUndefined()
  const [copay] = hospital?.in_network_flat ?? []
  expect(copay).toMatchObject({ type: 'COPAY', value: 419 })
  expect(copay?.additional_notes).toMatch(/Day.*30 Days.*Episode.*DAYS 61 TO 90/)
  expect(print(PARTS + FIGURES)).toMatch(/\$419 copay[\s\S]{0,80}DAYS 61 TO 90/)
})

test('lifetime reserve, blood, skilled nursing and home health are shown', () => {
  const text = print(PARTS + FIGURES).replaceAll(/\s+/g, ' ')
  expect(text).toMatch(/Reserve: Hospital.{0,70}60 Life-time Reserve/)
  expect(text).toMatch(/Blood.{0,60}3 Deductible Blood Units/)
  expect(text).toMatch(/Skilled Nursing Care.{0,60}20 days/)
  expect(text).toMatch(/Home Health Care.{0,120}2026-01-01 to 2026-03-01/)
})

test('answers of other payers do not mention Medicare', () => {
  const [patient] = readAnswer(answerText(`EB*1**30*PR~${ADVANTAGE}`)).patients
  expect(decodePatient(patient!, { dateOfService: DAY }).benefits?.notes ?? '').not.toMatch(
    /Medicare (Part|Advantage pays)/,
  )
})
