import { describe, expect, it } from 'vitest'
import { readEnvelope } from './envelope.ts'
import type { PatientResponse, Response } from './model.ts'
import { readResponse } from './response-reader.ts'

const isa = 'ISA*00*          *00*          *ZZ*PAYER          *ZZ*CLINIC         *260601*1200*>*00501*000000007*0*P*:~'
const above = 'HL*1**20*1~NM1*PR*2*PAYER*****PI*P1~HL*2*1*21*1~NM1*1P*2*CLINIC*****XX*1234567893~'
const subscriber = 'HL*3*2*22*0~TRN*2*T1*9CLINIC000~NM1*IL*1*DOE*JANE****MI*M1~DMG*D8*19800101*F~'

/** Reads a 271 from the segments that follow its BHT. */
function read(segments: string): Response {
  const [transaction] = readEnvelope(`${isa}GS*HB~ST*271*0001~BHT*0022*11*REF1~${segments}SE*1*0001~`).transactions
  if (transaction === undefined) throw new Error('no transaction')
  return readResponse(transaction)
}

/** The only patient of an answer with the usual levels above. */
function patientOf(segments: string): PatientResponse {
  const { patients } = read(above + segments)
  expect(patients).toHaveLength(1)
  return patients[0]!
}

function rowsOf(segments: string) {
  return patientOf(subscriber + segments).benefits
}

const names = (response: Response) =>
  response.patients.map((patient) => (patient.dependent ?? patient.subscriber).firstName)

describe('levels', () => {
  it('name the payer, the provider and the subscriber', () => {
    const response = read(`${above}${subscriber}EB*1**30~`)
    expect(response).toMatchObject({ controlNumber: '0001', reference: 'REF1', rejections: [] })
    expect(response.patients).toMatchObject([
      {
        payer: { entityCode: 'PR', lastName: 'PAYER', id: 'P1' },
        provider: { entityCode: '1P', lastName: 'CLINIC', id: '1234567893' },
        subscriber: {
          firstName: 'JANE',
          id: 'M1',
          birthDate: '19800101',
          gender: 'F',
          traces: [{ type: '2', number: 'T1', originator: '9CLINIC000' }],
        },
        benefits: [{ code: '1', serviceTypeCodes: ['30'] }],
      },
    ])
    expect(response.patients[0]?.dependent).toBeUndefined()
  })

  it('keep every detail of a member', () => {
    const { subscriber: party } = patientOf(
      `${subscriber}REF*6P*G1*ACME~N3*1 MAIN ST*APT 2~N4*TOWN*OH*43215*US***ON~PRV*PE*PXC*207Q00000X~` +
        'INS*Y*18*001*25*************2~HI*BK:123*BF:456~DTP*291*RD8*20260101-20261231~MPI*C*AO*A~PER*IC*DESK*TE*5551234*EX*9~',
    )
    expect(party).toMatchObject({
      references: [{ qualifier: '6P', value: 'G1', description: 'ACME' }],
      address: {
        line1: '1 MAIN ST',
        line2: 'APT 2',
        city: 'TOWN',
        state: 'OH',
        postalCode: '43215',
        countryCode: 'US',
        countrySubdivision: 'ON',
      },
      taxonomy: '207Q00000X',
      relationshipCode: '18',
      maintenanceTypeCode: '001',
      maintenanceReasonCode: '25',
      birthSequence: '2',
      diagnoses: [
        { qualifier: 'BK', code: '123' },
        { qualifier: 'BF', code: '456' },
      ],
      dates: [{ qualifier: '291', start: '20260101', end: '20261231' }],
      military: ['C', 'AO', 'A'],
      contacts: [
        {
          name: 'DESK',
          numbers: [
            { qualifier: 'TE', value: '5551234' },
            { qualifier: 'EX', value: '9' },
          ],
        },
      ],
    })
  })

  it('follow HL03 in sequence regardless of HL01 and HL02', () => {
    const levels = 'HL*9*9*20*1~NM1*PR*2*PAYER~HL*9*3*21*1~NM1*1P*2*CLINIC~HL***22~NM1*IL*1*DOE*JANE~EB*1**30~'
    expect(names(read(`${levels}HL*1*1*23~NM1*03*1*DOE*BABY~EB*1**35~HL*3*77*22~NM1*IL*1*ROE*JOHN~`))).toEqual([
      'BABY',
      'JOHN',
    ])
  })

  it('are derived from the NM1 codes of a message without any HL', () => {
    const response = read(
      'NM1*PR*2*PAYER~NM1*1P*2*CLINIC~TRN*2*T1~NM1*IL*1*DOE*JANE~EB*1**30~TRN*2*T2~NM1*IL*1*ROE*JOHN~NM1*QC*1*ROE*BABY~EB*1**35~',
    )
    expect(names(response)).toEqual(['JANE', 'BABY'])
    expect(response.patients).toMatchObject([
      { payer: { lastName: 'PAYER' }, provider: { lastName: 'CLINIC' }, subscriber: { traces: [{ number: 'T1' }] } },
      { subscriber: { firstName: 'JOHN', traces: [{ number: 'T2' }] }, benefits: [{ serviceTypeCodes: ['35'] }] },
    ])
  })

  it('without their HL are recognized by their NM1', () => {
    expect(names(read(`${above}NM1*IL*1*DOE*JANE~EB*1**30~`))).toEqual(['JANE'])
    expect(names(read(`${above}${subscriber}EB*1**30~NM1*03*1*DOE*BABY~`))).toEqual(['BABY'])
  })

  it('of a family that was answered under the subscriber’s trace are those of the subscriber and of the dependents', () => {
    const trace = 'TRN*2*T1~'
    const child = 'NM1*03*1*DOE*BABY~'
    const levels = (rows: string) => `${above}HL*3*2*22*1~${trace}NM1*IL*1*DOE*JANE~${rows}HL*4*3*23*0~`
    expect(names(read(`${levels('EB*1**30~')}${child}EB*1**35~`))).toEqual(['JANE', 'BABY'])
    expect(names(read(`${levels('EB*1**30~')}${trace}${child}EB*1**35~`))).toEqual(['BABY'])
    expect(names(read(`${levels('EB*1**30~')}${child}`))).toEqual(['BABY'])
  })

  it('of a dependent with own rows have the other payers that the subscriber’s level states for the family, and no other row of it', () => {
    const rows = 'EB*1**30~EB*R*FAM*30~EB*R*IND*30~EB*C*FAM*30***23*500~'
    const { patients } = read(`${above}HL*3*2*22*1~NM1*IL*1*DOE*JANE~${rows}HL*4*3*23*0~NM1*03*1*DOE*BABY~EB*1**30~`)
    expect(patients.map(({ benefits }) => benefits.map(({ code, coverageLevel }) => [code, coverageLevel]))).toEqual([
      [
        ['1', undefined],
        ['R', 'FAM'],
      ],
    ])
  })

  it('without any member still yield one patient that carries the rejections', () => {
    const { patients } = read(`${above}AAA*Y**50*N~`)
    expect(patients).toMatchObject([
      { subscriber: { references: [] }, benefits: [], rejections: [{ reasonCode: '50', loop: '2100B' }] },
    ])
  })

  it('of the insured in place of a dependent reject the dependents below, who inherit no rows from it', () => {
    const { patients } = read(
      `${above}HL*3*2*23*1~NM1*IL*1*DOE*JANE~AAA*N**75*C~EB*1**30~HL*4*3*23*0~NM1*03*1*DOE*TIM~`,
    )
    expect(patients.map(({ rejections }) => rejections.map(({ reasonCode }) => reasonCode))).toEqual([['75'], ['75']])
    expect(patients[1]?.benefits).toEqual([])
  })

  it('are never named by an unexpected NM1', () => {
    const response = read(`${above}${subscriber}NM1*74*1*SMITH*MARY~N3*9 OTHER ST~EB*1**30~`)
    expect(response.patients[0]?.subscriber).toMatchObject({ firstName: 'JANE' })
    expect(response.patients[0]?.subscriber.address).toBeUndefined()
    expect(response.warnings).toContain('NM1 ignored: not expected at its level')
  })
})

describe('the patient', () => {
  const dependent = (rest: string) => `HL*4*3*23*0~TRN*2*T2~NM1*03*1*DOE*BABY~INS*N*19~${rest}`

  it('is the dependent when a 2000D follows', () => {
    const patient = patientOf(subscriber + dependent('EB*1**30~'))
    expect(patient).toMatchObject({
      subscriber: { firstName: 'JANE' },
      dependent: { firstName: 'BABY', relationshipCode: '19' },
    })
  })

  it('inherits the rows of the subscriber', () => {
    expect(patientOf(`${subscriber}EB*1**30~${dependent('')}`).benefits).toMatchObject([{ code: '1' }])
    expect(
      patientOf(`${subscriber.replace('TRN*2*T1', 'TRN*1*P')}EB*1**30~${dependent('EB*6**30~')}`).benefits,
    ).toMatchObject([{ code: '6' }])
  })

  it('is each dependent, and the subscriber too when both were inquired about', () => {
    expect(names(read(above + subscriber + dependent('') + dependent('')))).toEqual(['BABY', 'BABY'])
    expect(names(read(`${above}${subscriber}EB*1**30~${dependent('EB*1**35~')}`))).toEqual(['JANE', 'BABY'])
  })
})

describe('rejections', () => {
  it('are reported at every level with their loop, and for each patient they apply to', () => {
    const response = read(
      'AAA*Y**41*N~HL*1**20*1~AAA*N**79*C~NM1*PR*2*PAYER~AAA*Y**42*R~HL*2*1*21*1~NM1*1P*2*CLINIC~AAA*N**43*C~' +
        'HL*3*2*22*1~NM1*IL*1*DOE*JANE~AAA*N**72*C~HL*4*3*23*0~NM1*03*1*DOE*BABY~AAA*N**58*C~EB*1**30~AAA*N**57*C~HL*5*2*22*0~NM1*IL*1*ROE~',
    )
    const codes = (list: { reasonCode?: string; loop: string }[]) =>
      list.map(({ reasonCode, loop }) => `${reasonCode}@${loop}`)
    const shared = ['41@2000A', '79@2000A', '42@2100A', '43@2100B']
    expect(codes(response.rejections)).toEqual([...shared, '72@2100C', '58@2100D', '57@2110D'])
    expect(response.patients.map((patient) => codes(patient.rejections))).toEqual([
      [...shared, '72@2100C', '58@2100D', '57@2110D'],
      shared,
    ])
    expect(response.patients[0]?.benefits[0]?.rejections).toMatchObject([{ reasonCode: '57' }])
  })

  it('may lack trailing elements', () => {
    expect(read(`${above}${subscriber}AAA~AAA*N~AAA*N**72~AAA*N***C~AAA*N**RC*Z*X~`).rejections).toEqual([
      { loop: '2100C' },
      { loop: '2100C', validRequest: 'N' },
      { loop: '2100C', validRequest: 'N', reasonCode: '72' },
      { loop: '2100C', validRequest: 'N', followUpCode: 'C' },
      { loop: '2100C', validRequest: 'N', reasonCode: 'RC', followUpCode: 'Z' },
    ])
  })
})

describe('EB rows', () => {
  it('keep every element as sent', () => {
    expect(rowsOf('EB*F*FAM*30*HM*GOLD*27*25.00*.2*VS*12*Y*W*HC:99213:25*1:2~')).toMatchObject([
      {
        code: 'F',
        coverageLevel: 'FAM',
        serviceTypeCodes: ['30'],
        insuranceType: 'HM',
        planDescription: 'GOLD',
        timeQualifier: '27',
        amount: '25.00',
        percent: '.2',
        quantityQualifier: 'VS',
        quantity: '12',
        authorizationIndicator: 'Y',
        networkIndicator: 'W',
        procedure: ['HC', '99213', '25'],
        diagnosisPointers: ['1', '2'],
      },
    ])
  })

  it.each([
    ['30', ['30']],
    ['', []],
    ['1>33>35', ['1', '33', '35']],
    ['1^33^35', ['1', '33', '35']],
    ['1^33>35', ['1', '33', '35']],
    [' 30 > 98 >', ['30', '98']],
  ])('split EB03 %j at the declared separator and at ^', (element, codes) => {
    expect(rowsOf(`EB*1*IND*${element}~`)[0]?.serviceTypeCodes).toEqual(codes)
  })

  it('share one list of texts where their texts are equal, also of the last row', () => {
    const texts = rowsOf(
      'EB*B**98~MSG*A~MSG*B~EB*B**33~MSG*A~EB*B**35~EB*B**1~MSG*A~MSG*B~EB*B**2~MSG*A B~EB*B**3~MSG*A~',
    ).map(({ messages }) => messages)
    expect(texts).toEqual([['A', 'B'], ['A'], [], ['A', 'B'], ['A B'], ['A']])
    expect(texts[3]).toBe(texts[0])
    expect(texts[5]).toBe(texts[1])
  })

  it('collect their qualifying segments in any order', () => {
    const [row] = rowsOf(
      'EB*B**98~DTP*292*D8*20260101~HSD*VS*12***29~REF*9F*123*TEXT~MSG*TIER 1~MSG*~MSG*SPECIALIST~III*ZZ*11~III***44*NOTE~HSD*DY*5*WK*2*23*1*A*D~AAA*N**53*N~',
    )
    expect(row).toMatchObject({
      dates: [{ qualifier: '292', start: '20260101' }],
      deliveries: [
        { quantityQualifier: 'VS', quantity: '12', periodQualifier: '29' },
        {
          quantityQualifier: 'DY',
          quantity: '5',
          frequencyUnit: 'WK',
          modulus: '2',
          periodQualifier: '23',
          periodCount: '1',
          pattern: 'A',
          timePattern: 'D',
        },
      ],
      references: [{ qualifier: '9F', value: '123', description: 'TEXT' }],
      messages: ['TIER 1', 'SPECIALIST'],
      additionalInformation: [
        { qualifier: 'ZZ', code: '11' },
        { category: '44', text: 'NOTE' },
      ],
      rejections: [{ reasonCode: '53', loop: '2110C' }],
    })
  })

  it('are read from lower-case ids, past unknown segments, and before any HL*22', () => {
    expect(rowsOf('ZZZ*1~eb*1**30~QQ~msg*hello~')).toMatchObject([{ code: '1', messages: ['hello'] }])
    expect(patientOf('EB*1**30~').benefits).toMatchObject([{ code: '1' }])
    expect(rowsOf('eb*b*ind*al^uc*hm**27*25*****y~dtp*348*d8*20260101~')).toMatchObject([
      { code: 'B', coverageLevel: 'IND', serviceTypeCodes: ['AL', 'UC'], insuranceType: 'HM', networkIndicator: 'Y' },
    ])
  })

  it.each([
    ['D8', '20260131', { start: '20260131' }],
    ['RD8', '20260101-20261231', { start: '20260101', end: '20261231' }],
    ['D8', '20260101-20261231', { start: '20260101', end: '20261231' }],
    ['RD8', '20260101', { start: '20260101' }],
    ['RD8', '20260101-', { start: '20260101' }],
    ['RD8', '-20261231', { end: '20261231' }],
    ['RD8', '20261231-20260101', { start: '20261231', end: '20260101' }],
    ['DT', '202601011230', { start: '20260101' }],
    ['D8', '00000000', {}],
    ['D8', '20261301', {}],
    ['D8', 'UNKNOWN', {}],
    ['D8', '202601311', {}],
    ['DT', '2026013112300', {}],
    ['D8', '2026-01-01', { start: '20260101' }],
    ['D8', '2026/01/31', { start: '20260131' }],
    ['D8', '01/31/2026', { start: '20260131' }],
    ['D8', '13/31/2026', {}],
    ['RD8', '2026-01-01-2026-12-31', { start: '20260101', end: '20261231' }],
    ['RD8', '20260101 - 12/31/2026', { start: '20260101', end: '20261231' }],
    ['RD8', '-2026-12-31', { end: '20261231' }],
  ])('keep a DTP of format %s and value %s', (format, raw, dates) => {
    expect(rowsOf(`EB*1**30~DTP*346*${format}*${raw}~`)[0]?.dates).toEqual([
      { qualifier: '346', format, raw, ...dates },
    ])
  })
})

describe('the entities of a row', () => {
  it('stand in LS and LE, with their address, contacts and numbers', () => {
    const rows = rowsOf(
      'EB*R**30~REF*18*H9999 001~LS*2120~NM1*PRP*2*OTHER PLAN~N3*1 ST~N4*TOWN*OH~PER*IC**TE*555~PRV*PE*PXC*1~REF*1W*ABC~NM1*IL*1*ROE*SAM****MI*X~LE*2120~DTP*292*D8*20260101~MSG*AFTER~EB*1**35~',
    )
    expect(rows).toMatchObject([
      {
        hasLoopHeader: true,
        references: [{ qualifier: '18' }],
        dates: [{ qualifier: '292' }],
        messages: ['AFTER'],
        entities: [
          {
            entityCode: 'PRP',
            lastName: 'OTHER PLAN',
            address: { line1: '1 ST', city: 'TOWN' },
            taxonomy: '1',
            contacts: [{ numbers: [{ qualifier: 'TE', value: '555' }] }],
            references: [{ qualifier: '1W', value: 'ABC' }],
          },
          { entityCode: 'IL', firstName: 'SAM', id: 'X' },
        ],
      },
      { code: '1', entities: [] },
    ])
  })

  it('may follow the EB without LS; REF, DTP, MSG and III then belong to the row', () => {
    const [row] = rowsOf(
      'EB*U**30~NM1*Y2*2*PLAN~N3*1 ST~PER*IC**TE*555~REF*1W*ABC~DTP*292*D8*20260101~MSG*TEXT~III*ZZ*11~',
    )
    expect(row).toMatchObject({
      entities: [{ entityCode: 'Y2', address: { line1: '1 ST' }, contacts: [{}], references: [], dates: [] }],
      references: [{ value: 'ABC' }],
      dates: [{ qualifier: '292' }],
      messages: ['TEXT'],
      additionalInformation: [{ code: '11' }],
    })
    expect(row?.hasLoopHeader).toBeUndefined()
  })

  it('may be the insured of another policy: an NM1*IL without evidence of a new subscriber', () => {
    const rows = rowsOf('EB*R**30~NM1*IL*1*ROE*SAM****MI*X~N3*1 ST~EB*1**35~')
    expect(rows).toMatchObject([{ entities: [{ firstName: 'SAM', address: { line1: '1 ST' } }] }, { code: '1' }])
  })

  it('do not include the next subscriber whose HL is missing', () => {
    expect(names(read(`${above}${subscriber}EB*1**30~NM1*IL*1*ROE*SAM~DMG*D8*19900101~EB*1**30~`))).toEqual([
      'JANE',
      'SAM',
    ])
    expect(names(read(`${above}${subscriber}EB*1**30~TRN*2*T9~NM1*IL*1*ROE*SAM~EB*1**30~`))).toEqual(['JANE', 'SAM'])
  })
})
