import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { answerText, readAnswer, SUBSCRIBER } from '../../../../test/support/answers.ts'
import { packageRoot } from '../../../platform/package-root.ts'
import { readEnvelope } from '../../../x12/envelope.ts'
import type { PatientResponse } from '../../../x12/model.ts'
import { readResponse } from '../../../x12/response-reader.ts'
import { recognizePayer } from '../coverage/other-coverage.ts'
import { decodePatient } from '../decode.ts'
import { deriveRecommendations, namedPayers, withPayerIds } from './recommendations.ts'

const DAY = '2026-03-01'
const CMS = { id: 'CMS', name: 'CMS' }
const MEDICAID = { id: 'EXMCD', name: 'EXAMPLE STATE MEDICAID' }
const NORTHWIND = { id: 'NWH01', name: 'NORTHWIND HEALTH' }
const directory: Record<string, string> = { HUMANA: '61101', AETNA: '60054', 'HARBOR CARE': 'HARBR' }
const A_AND_B = 'EB*1**30*MA~EB*1**30*MB~'

interface Asked {
  payer?: { id: string; name: string }
  day?: string
  member?: string
}

function answerOf(rows: string, { payer = NORTHWIND, member = SUBSCRIBER }: Asked): PatientResponse {
  const text = answerText(rows, member).replace('NORTHWIND HEALTH*****PI*NWH01', `${payer.name}*****PI*${payer.id}`)
  return readAnswer(text).patients[0]!
}

function derive(rows: string, asked: Asked = {}) {
  const { payer = NORTHWIND, day = DAY } = asked
  const patient = answerOf(rows, asked)
  const parsed = decodePatient(patient, { dateOfService: day })
  return withPayerIds(
    deriveRecommendations(recognizePayer({ patient, payer, dateOfService: day, parsed })),
    (name) => directory[name],
  )
}

const typesOf = (rows: string, asked?: Asked) => derive(rows, asked).map(({ type }) => type)
// biome-ignore lint/suspicious/noExplicitAny: payloads of all types
const payloadOf = (type: string, rows: string, asked?: Asked): any =>
  derive(rows, asked).find((each) => each.type === type)?.payload

describe('Medicare Advantage on the answer of Medicare', () => {
  const row = (eb: string, ref = 'REF*18*H1036 137~') =>
    `${A_AND_B}${eb}~${ref}REF*1W*H60999888~DTP*292*D8*20210101~LS*2120~NM1*PRP*2*HUMANA*****PI*X9~LE*2120~`

  test('names the carrier, its id in the directory, the member id of the row and the row itself', () => {
    expect(derive(row('EB*R**30*HN*GOLD PLUS'), { payer: CMS })).toEqual([
      {
        type: 'MEDICARE_ADVANTAGE',
        payload: {
          ma_benefit: expect.objectContaining({
            code: 'R',
            insuranceTypeCode: 'HN',
            planCoverage: 'GOLD PLUS',
            benefitsAdditionalInformation: { planNumber: 'H1036 137', memberId: 'H60999888' },
          }),
          payer_id: '61101',
          payer_name: 'HUMANA',
          member_id: 'H60999888',
        },
      },
    ])
  })

  test('leaves out a member id and a payer id that were not stated: neither the MBI nor NM109 replaces them', () => {
    const rows = `${A_AND_B}EB*R**30*HN~LS*2120~NM1*PRP*2*NOBODY KNOWS*****PI*X9~LE*2120~`
    const payload = payloadOf('MEDICARE_ADVANTAGE', rows, { payer: CMS })
    expect(payload).toEqual({ ma_benefit: expect.anything(), payer_name: 'NOBODY KNOWS' })
  })

  test.each([
    ['EB*R**30*HM', 'an HMO'],
    ['EB*R**30*PR', 'a PPO'],
    ['EB*R**30*PS', 'a point of service plan'],
    ['EB*R**30*IN', 'an indemnity plan'],
    ['EB*R**30', 'a contract without a type'],
    ['EB*R***HM', 'no service type (4010)'],
    ['EB*U**30*HN', 'a relay that says U'],
    ['EB*R**98*HM', 'a contract of a type that says it, for one service'],
    ['EB*R**30*MR', 'a type of the later list'],
  ])('%s is found: %s', (eb) => {
    expect(typesOf(row(eb), { payer: CMS })).toEqual(['MEDICARE_ADVANTAGE'])
  })

  test.each(['R1234 001', 'E0654', 'H1036-137-000', 'H1036137', 'h1036 137'])(
    'contract %s is Medicare Advantage',
    (contract) => {
      expect(typesOf(row('EB*R**30', `REF*18*${contract}~`), { payer: CMS })).toContain('MEDICARE_ADVANTAGE')
    },
  )

  test('a missing contract number is accepted from Medicare only', () => {
    expect(typesOf(row('EB*R**30*HM', ''), { payer: CMS })).toEqual(['MEDICARE_ADVANTAGE'])
    const elsewhere = 'EB*1**30*C1~EB*R**30*HM~LS*2120~NM1*PR*2*HUMANA~LE*2120~'
    expect(typesOf(elsewhere)).toEqual(['COORDINATION_OF_BENEFITS'])
  })

  test.each([
    ['EB*R**88*OT', 'S5884 003', 'a drug plan'],
    ['EB*R**88*OT', 'H1036 137', 'the drugs of a Medicare Advantage plan'],
    ['EB*R**88', 'H1036 137', 'the same without a type'],
    ['EB*R**30*HN', 'S5884 003', 'a contract for drugs alone'],
    ['EB*R**30*MD', 'H1036 137', 'the type of part D'],
  ])('part D is neither Medicare Advantage nor other insurance: %s, contract %s, %s', (eb, contract) => {
    expect(derive(row(eb, `REF*18*${contract}~`), { payer: CMS })).toEqual([])
  })

  test('EB04 MP alone and a qualified Medicare beneficiary are neither Medicare Advantage nor other insurance', () => {
    expect(derive('EB*1**30*MP~EB*1**30*QM~', { payer: CMS })).toEqual([])
    expect(derive(`${A_AND_B}EB*R**30*QM~`, { payer: CMS })).toEqual([])
  })

  test('an enrollment that has ended, has not begun or was cancelled from its first day does not count', () => {
    const dated = (dates: string) => `${A_AND_B}EB*R**30*HN~REF*18*H1036 137~${dates}`
    for (const dates of [
      'DTP*290*RD8*20200101-20251231~',
      'DTP*292*D8*20260401~',
      'DTP*292*RD8*20260201-20260131~',
      'DTP*348*D8*20210101~DTP*349*D8*20260228~',
    ])
      expect(derive(dated(dates), { payer: CMS }), dates).toEqual([])
    for (const dates of [
      'DTP*290*RD8*20200101-20260301~',
      'DTP*292*RD8*20260301-99991231~',
      'DTP*307*RD8*20260401-20260401~',
    ])
      expect(typesOf(dated(dates), { payer: CMS }), dates).toEqual(['MEDICARE_ADVANTAGE'])
  })

  test('of two enrollments the one on the date of service is selected', () => {
    const enrolment = (dates: string, carrier: string) =>
      `EB*R**30*HN~REF*18*H1036 137~DTP*290*RD8*${dates}~LS*2120~NM1*PRP*2*${carrier}~LE*2120~`
    const rows = `${A_AND_B}${enrolment('20240101-20251231', 'AETNA')}${enrolment('20260101-20261231', 'HUMANA')}`
    expect(payloadOf('MEDICARE_ADVANTAGE', rows, { payer: CMS })).toMatchObject({ payer_name: 'HUMANA' })
    expect(payloadOf('MEDICARE_ADVANTAGE', rows, { payer: CMS, day: '2025-06-01' })).toMatchObject({
      payer_name: 'AETNA',
    })
  })
})

describe("Medicare Advantage on the carrier's own answer", () => {
  test.each([
    'EB*1**30*HN~',
    'EB*1**30*MJ~',
    'EB*1**30*PR*GOLD MEDICARE ADVANTAGE PPO~',
    'EB*1**30**DUAL COMPLETE~',
    'EB*1**30**CHOICE H1036~',
  ])('%s is found, with the carrier’s member id', (rows) => {
    expect(payloadOf('MEDICARE_ADVANTAGE', rows)).toMatchObject({
      payer_name: 'NORTHWIND HEALTH',
      payer_id: 'NWH01',
      member_id: 'NW-100200',
    })
  })

  test.each(['EB*1**30*MP~', 'EB*1**30*PR*GOLD PPO~', 'EB*6**30*HN~', 'EB*1**88*HN~', 'EB*1**30*SP*MEDIGAP~'])(
    '%s is none',
    (rows) => {
      expect(derive(rows)).toEqual([])
    },
  )
})

describe('Medicaid managed care', () => {
  const plan = (eb: string, entity = 'NM1*PR*2*HARBOR CARE*****PI*X1~') =>
    `EB*1**30*MC~${eb}~REF*1W*EXC0044210~DTP*292*D8*20230701~LS*2120~${entity}LE*2120~`

  test('names the plan, its id in the directory, the member id and the row', () => {
    expect(derive(plan('EB*MC**30*HM'), { payer: MEDICAID })).toEqual([
      {
        type: 'MEDICAID_MANAGED_CARE',
        payload: {
          ma_benefit: expect.objectContaining({ code: 'MC' }),
          payer_id: 'HARBR',
          payer_name: 'HARBOR CARE',
          member_id: 'EXC0044210',
        },
      },
    ])
  })

  test.each([
    ['EB*R**30*HM', 'PR'],
    ['EB*R**30', 'PR'],
    ['EB*R**30*MC', 'P5'],
    ['EB*U**1^33^35^47^88^98^MH', 'Y2'],
    ['EB*U**30', 'X3'],
    ['EB*3**30*HM', '1I'],
    ['EB*1**30*MC*COMMUNITY MANAGED CARE', 'PR'],
    ['EB*1**30*HM', '1P'],
    ['EB*L**30', 'Y2'],
  ])('%s with NM1*%s is found', (eb, code) => {
    const rows = plan(eb, `NM1*${code}*2*HARBOR CARE~`)
    expect(typesOf(rows, { payer: MEDICAID })).toEqual(['MEDICAID_MANAGED_CARE'])
  })

  test('is recognized by the Medicaid type when the name of the payer does not show it', () => {
    expect(typesOf(plan('EB*MC**30*HM'))).toEqual(['MEDICAID_MANAGED_CARE'])
    expect(typesOf(plan('EB*MC**30*HM').replace('EB*1**30*MC~', 'EB*1**30*C1~'))).toEqual([])
  })

  test.each(['MH', 'AI', '35', '88', '56'])('a plan of carved-out services (%s) is not managed care', (service) => {
    expect(derive(plan(`EB*MC**${service}*HM`, 'NM1*Y2*2*HARBOR CARE~'), { payer: MEDICAID })).toEqual([])
  })

  test('neither the payer itself, nor a provider, nor a person, nor a plan that has ended is managed care', () => {
    const entities = [
      'PR*2*EXAMPLE STATE MEDICAID',
      'P3*1*OKAFOR*ADA',
      'Y2*2*ELM CLINIC*****XX*1999999984',
      '1P*2*ELM CLINIC',
    ]
    for (const entity of entities)
      expect(derive(plan('EB*U**30', `NM1*${entity}~`), { payer: MEDICAID }), entity).toEqual([])
    expect(derive(plan('EB*MC**30*HM'), { payer: MEDICAID, day: '2023-06-30' })).toEqual([])
  })

  test('the most explicit row is selected', () => {
    const rows = `${plan('EB*U**30', 'NM1*PR*2*HELP DESK~')}${plan('EB*MC**30*HM', 'NM1*Y2*2*HARBOR CARE~')}`
    expect(payloadOf('MEDICAID_MANAGED_CARE', rows, { payer: MEDICAID })).toMatchObject({ payer_name: 'HARBOR CARE' })
  })

  test("the patient's recipient id replaces a member id that the row lacks", () => {
    const member = SUBSCRIBER.replace('N3*4', 'REF*NQ*900112244B~\nN3*4')
    const rows = plan('EB*MC**30*HM').replace('REF*1W*EXC0044210~', '')
    expect(payloadOf('MEDICAID_MANAGED_CARE', rows, { payer: MEDICAID, member })).toMatchObject({
      member_id: '900112244B',
    })
  })

  test('commercial insurance and Medicare on a Medicaid answer pay before it and are not managed care', () => {
    for (const type of ['C1', 'GP', 'MB']) {
      const payload = payloadOf('COORDINATION_OF_BENEFITS', plan(`EB*R**30*${type}`), { payer: MEDICAID })
      expect(payload, type).toMatchObject({ primacy: 'OTHER_PAYER_IS_PRIMARY', other_payers: [{ order: 'PRIMARY' }] })
      expect(typesOf(plan(`EB*R**30*${type}`), { payer: MEDICAID })).toEqual(['COORDINATION_OF_BENEFITS'])
    }
    const dual = `EB*1**30*MC~EB*R**30*HN*GOLD PLUS~LS*2120~NM1*PR*2*HUMANA~LE*2120~`
    expect(typesOf(dual, { payer: MEDICAID })).toEqual(['MEDICARE_ADVANTAGE'])
  })
})

describe('coordination of benefits', () => {
  test('lists other payers with their order, services, ids and dates', () => {
    const rows = `EB*1**30*C1~EB*R**30^98*C1~REF*6P*3340021*CITY SCHOOLS~REF*1L*P77~REF*18*PL9~DTP*290*RD8*20200101-20261231~
LS*2120~NM1*PRP*2*AETNA*****PI*X60~NM1*IL*1*MARLOWE*PAT****MI*U7799~NM1*P4*2*OLD CARRIER~LE*2120~`
    expect(payloadOf('COORDINATION_OF_BENEFITS', rows)).toEqual({
      primacy: 'OTHER_PAYER_IS_PRIMARY',
      other_payers: [
        {
          payer_name: 'AETNA',
          payer_id: '60054',
          stated_payer_id: 'X60',
          order: 'PRIMARY',
          insurance_type_code: 'C1',
          insurance_type: 'Commercial',
          service_type_codes: ['30', '98'],
          member_id: 'U7799',
          group_number: '3340021',
          policy_number: 'P77',
          plan_number: 'PL9',
          insured_name: 'PAT MARLOWE',
          start_date: '2020-01-01',
          end_date: '2026-12-31',
          prior_carrier: 'OLD CARRIER',
          benefit: expect.objectContaining({ code: 'R' }),
        },
      ],
    })
  })

  test.each([
    ['PRP*2*AETNA', 'OTHER_PAYER_IS_PRIMARY'],
    ['SEP*2*AETNA', 'ASKED_PAYER_IS_PRIMARY'],
    ['TTP*2*AETNA', 'ASKED_PAYER_IS_PRIMARY'],
    ['PR*2*AETNA', 'UNDETERMINED'],
    ['PR*2*AETNA~NM1*PRP*2*NORTHWIND HEALTH', 'ASKED_PAYER_IS_PRIMARY'],
  ])('NM1*%s is %s', (entity, primacy) => {
    const payload = payloadOf('COORDINATION_OF_BENEFITS', `EB*1**30~EB*R**30~LS*2120~NM1*${entity}~LE*2120~`)
    expect(payload).toMatchObject({ primacy, other_payers: [{ payer_name: 'AETNA' }] })
    expect(payload.other_payers).toHaveLength(1)
  })

  test.each(['12', '13', '14', '15', '16', '41', '42', '43', '47'])(
    'Medicare as secondary payer (EB04 %s) is this and no Medicare Advantage',
    (type) => {
      const rows = `${A_AND_B}EB*R*IND*30*${type}~DTP*290*D8*20201201~LS*2120~NM1*PR*2*AETNA~LE*2120~`
      expect(typesOf(rows, { payer: CMS })).toEqual(['COORDINATION_OF_BENEFITS'])
      expect(payloadOf('COORDINATION_OF_BENEFITS', rows, { payer: CMS }).primacy).toBe('OTHER_PAYER_IS_PRIMARY')
    },
  )

  test('another payer without a name is listed, too; a former carrier, an employer or a provider is not', () => {
    expect(payloadOf('COORDINATION_OF_BENEFITS', 'EB*1**30~EB*R**30*C1~')).toMatchObject({
      primacy: 'UNDETERMINED',
      other_payers: [{ order: 'UNKNOWN', insurance_type_code: 'C1' }],
    })
    for (const entity of [
      'P4*2*OLD CARRIER',
      '36*2*CITY SCHOOLS',
      'PR*2*NORTHWIND HEALTH',
      'PR*2*ELM*****XX*1999999984',
    ])
      expect(derive(`EB*1**30~EB*R**30~LS*2120~NM1*${entity}~LE*2120~`), entity).toEqual([])
  })

  test('coverage that has ended is left out, and the same payer in two equal rows is listed once', () => {
    const row = 'EB*R**30*C1~DTP*290*D8*20220101~LS*2120~NM1*PR*2*HUMANA~LE*2120~'
    expect(payloadOf('COORDINATION_OF_BENEFITS', `EB*1**30~${row}${row}`).other_payers).toHaveLength(1)
    expect(derive(`EB*1**30~${row.replace('D8*20220101', 'RD8*20220101-20260228')}`)).toEqual([])
  })

  test('a hostile answer with very many payers yields twenty of them', () => {
    const rows = Array.from({ length: 20_000 }, (_, n) => `EB*R**30~LS*2120~NM1*PR*2*PAYER ${n}~LE*2120~`).join('')
    expect(payloadOf('COORDINATION_OF_BENEFITS', rows).other_payers).toHaveLength(20)
  })
})

describe('the copay of an office visit', () => {
  const copay = (rows: string) => payloadOf('COPAY_ESTIMATION', rows)

  test('is the one of the day, where the payer states it by year', () => {
    const of = (dollars: number, year: number) => `EB*B**98***27*${dollars}*****Y~DTP*291*RD8*${year}0101-${year}1231~`
    expect(copay(`EB*1**30~${of(20, 2025)}${of(40, 2026)}`)?.structured_response).toBe(4000)
    expect(copay(`EB*1**30~${of(40, 2026)}${of(60, 2027)}`)?.structured_response).toBe(4000)
    expect(copay(`EB*1**30~${of(20, 2025)}`)).toBeUndefined()
  })

  test('is not estimated from an amount whose cents clients with 32 bits cannot read', () => {
    expect(copay('EB*1**30~EB*B**98***27*21474836.47*****Y~')?.structured_response).toBe(2 ** 31 - 1)
    expect(copay('EB*1**30~EB*B**98***27*21474836.48*****Y~')).toBeUndefined()
  })

  test('is not estimated for a QMB, from whom nothing may be collected', () => {
    const rows = 'EB*B**98*MB**27*25*****Y~'
    expect(payloadOf('COPAY_ESTIMATION', `${A_AND_B}${rows}`, { payer: CMS })?.structured_response).toBe(2500)
    for (const stated of ['EB*R**30*QM~', 'EB*D**30~MSG*QMB~', 'EB*1**30*QM~']) {
      expect(payloadOf('COPAY_ESTIMATION', `${A_AND_B}${stated}${rows}`, { payer: CMS })).toBeUndefined()
    }
  })

  test('is the in-network copay of service type 98, in cents, with the rows in one sentence', () => {
    const rows = `EB*1**30*PR*PLAN~EB*B*IND*30***27*40*****Y~EB*B*IND*98***27*25.5*****Y~EB*B*IND*98***27*50*****Y~MSG*SPECIALIST~
EB*B*IND*98***27*90*****N~`
    expect(copay(rows)).toEqual({
      structured_response: 2550,
      exposition:
        'The payer states an in-network copay of $25.50 for an office visit, by its row EB*B*IND*98 (Professional (Physician) Visit - Office, Individual); it also states $50 by EB*B*IND*98 (Professional (Physician) Visit - Office, Individual, SPECIALIST).',
    })
  })

  test.each([
    [
      'primary care and specialists',
      'EB*B*IND*98***27*25*****Y~MSG*PRIMARY CARE PHYSICIAN~EB*B*IND*98***27*50*****Y~MSG*SPECIALIST~',
    ],
    ['tiers', 'EB*B*IND*98***27*0*****Y~MSG*TIER 1~EB*B*IND*98***27*30*****Y~MSG*TIER 2~'],
    ['two indistinguishable amounts', 'EB*B*IND*98***27*20*****Y~EB*B*IND*98***27*30*****Y~'],
  ])('is not chosen from %s, nor taken from the plan instead', (_, rows) => {
    expect(copay(`EB*1**30~EB*B*IND*30***27*40*****Y~${rows}`)).toBeUndefined()
  })

  test('is that of the tier that the payer marks as standard', () => {
    const rows = 'EB*1**30~EB*B*IND*98***27*0*****Y~MSG*TIER 1~EB*B*IND*98***27*30*****Y~MSG*STANDARD TIER~'
    expect(copay(rows).structured_response).toBe(3000)
  })

  test("is the plan's when none is stated for an office visit in network", () => {
    const rows = 'EB*1**30~EB*B*IND*30***27*40*****Y~EB*B*IND*98***27*90*****N~'
    expect(copay(rows)).toEqual({
      structured_response: 4000,
      exposition:
        'The payer states an in-network copay of $40 for the plan, as none is stated for an office visit, by its row EB*B*IND*30 (Health Benefit Plan Coverage, Individual).',
    })
  })

  test.each([
    ['EB*B*IND*98***27*0*****Y~', 0],
    ['EB*B**98^UC***27*19.99~', 1999],
    ['EB*B*FAM*98***27*30*****Y~', 3000],
    ['EB*B*FAM*98***27*30*****Y~EB*B*IND*98***27*20*****Y~', 2000],
  ])('%s is %i cents', (rows, cents) => {
    expect(copay(`EB*1**30~${rows}`).structured_response).toBe(cents)
  })

  test.each([
    'EB*6**30~EB*B*IND*98***27*25*****Y~',
    'EB*1**30~EB*A*IND*98***27**.2****Y~',
    'EB*1**30~EB*B*IND*UC***27*75*****Y~',
    'EB*1**30~EB*B*IND*98***27*90*****N~',
    'EB*1**30~EB*B*IND*98***27*-5*****Y~',
    'EB*B*IND*98***27*25*****Y~',
  ])('is not guessed from %s', (rows) => {
    expect(copay(rows)).toBeUndefined()
  })
})

test('a row of thousands of parties and texts is kept in brief with each of its payers', () => {
  const many = (segment: (place: number) => string) =>
    Array.from({ length: 2_500 }, (_, place) => segment(place)).join('')
  const row = `${many((place) => `MSG*TEXT ${place} ${'X'.repeat(250)}~`)}${many((place) => `NM1*PR*2*INSURER ${place}~`)}`
  const { other_payers } = payloadOf('COORDINATION_OF_BENEFITS', `EB*1**30~EB*R**30*C1*OTHER~${row}`)
  expect(other_payers).toHaveLength(20)
  expect(other_payers[0].benefit.benefitsRelatedEntities).toHaveLength(32)
  expect(JSON.stringify(other_payers).length).toBeLessThan(500_000)
})

test('every payer to look up in the directory is listed beforehand, each once', () => {
  const rows = `${A_AND_B}EB*R**30*HN~LS*2120~NM1*PRP*2*HUMANA~LE*2120~EB*R**30*12~LS*2120~NM1*PR*2*AETNA~NM1*IL*1*DOE*JANE~LE*2120~`
  const patient = answerOf(rows, { payer: CMS })
  const parsed = decodePatient(patient, { dateOfService: DAY })
  const derived = deriveRecommendations(recognizePayer({ patient, payer: CMS, dateOfService: DAY, parsed }))
  expect(namedPayers([...derived, ...derived])).toEqual(['HUMANA', 'AETNA'])
})

test('any answer is accepted, and no type is repeated', () => {
  const element = fc.constantFrom(
    '',
    '30',
    'R',
    'U',
    'MC',
    '1',
    'B',
    '98',
    'HN',
    'HM',
    '12',
    'PR',
    'PRP',
    'H1036',
    '25',
    '2',
    'Y',
  )
  const segment = fc
    .tuple(fc.constantFrom('EB', 'REF', 'DTP', 'NM1', 'LS', 'LE', 'MSG'), fc.array(element, { maxLength: 12 }))
    .map(([id, elements]) => [id, ...elements].join('*'))
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 30 }), fc.constantFrom(CMS, MEDICAID, NORTHWIND), (segments, payer) => {
      const types = typesOf(`${segments.join('~')}~`, { payer })
      expect(new Set(types).size).toBe(types.length)
    }),
    { numRuns: 2_000 },
  )
})

const samples = join(packageRoot, '..', 'shared', 'eligibility', 'samples', '271')
test.skipIf(!existsSync(samples))(
  'public samples have no plan to convert to, and their office copay where they state one',
  () => {
    const found = readdirSync(samples).flatMap((name) => {
      const transactions = readEnvelope(readFileSync(join(samples, name), 'latin1')).transactions
      return transactions.flatMap((transaction) =>
        readResponse(transaction).patients.flatMap((patient) => {
          const answer = { patient, payer: { id: 'ANY' }, dateOfService: '2026-06-15', parsed: decodePatient(patient) }
          return deriveRecommendations(recognizePayer(answer)).map(
            ({ type, payload }) => [name, type, payload] as const,
          )
        }),
      )
    })
    const cents = found.map(([name, type, payload]) => {
      return [name, type, 'structured_response' in payload ? payload.structured_response : undefined]
    })
    expect(cents).toEqual([
      ['cosyte-271-canonical.271', 'COPAY_ESTIMATION', 2500],
      ['kh-271_multiple_eb_segments.271', 'COPAY_ESTIMATION', 500],
      ['lfh-dependent-health-benefit-check.271', 'COPAY_ESTIMATION', 1000],
      ['lfh-subscriber-health-benefit-check.271', 'COPAY_ESTIMATION', 1000],
      ['stupidedi-response-clinic-subscriber.271', 'COPAY_ESTIMATION', 1000],
      ['stupidedi-response-physician-dependent.271', 'COPAY_ESTIMATION', 1000],
    ])
  },
)
