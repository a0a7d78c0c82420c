import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readEnvelope } from './envelope.ts'
import { readInquiries } from './inquiry-reader.ts'
import { inquirySegments, writeInquiry } from './inquiry-writer.ts'
import { writeInterchange } from './interchange-writer.ts'
import type { Inquiry, InquiryMember, InterchangeAddress } from './model.ts'

const address: InterchangeAddress = {
  senderQualifier: 'ZZ',
  senderId: 'ANTEROOM',
  receiverQualifier: 'ZZ',
  receiverId: 'PAYER',
  usage: 'P',
  controlNumber: 42,
  at: new Date('2026-06-01T12:00:00Z'),
}

const inquiry: Inquiry = {
  reference: 'REF1',
  traceNumber: 'TRACE1',
  payer: { id: '60054', name: 'Aetna' },
  provider: { npi: '1234567893', organizationName: 'Bone & Joint Clinic' },
  subscriber: { memberId: 'M1', firstName: 'Jane', lastName: 'Doe', dateOfBirth: '1980-01-31', gender: 'F' },
  dateOfService: '2026-06-15',
  serviceTypeCodes: ['30', '98'],
}

/** The lines between BHT and SE. */
function written(changes: Partial<Inquiry>): string[] {
  return writeInquiry({ ...inquiry, ...changes }, address)
    .split('~')
    .slice(4, -4)
}

function read(text: string): Inquiry[] {
  return readEnvelope(text).transactions.flatMap(readInquiries)
}

describe('writeInquiry', () => {
  it('writes an inquiry about a subscriber', () => {
    expect(writeInquiry(inquiry, address).split('~')).toEqual([
      'ISA*00*          *00*          *ZZ*ANTEROOM       *ZZ*PAYER          *260601*1200*^*00501*000000042*0*P*:',
      'GS*HS*ANTEROOM*PAYER*20260601*1200*42*X*005010X279A1',
      'ST*270*0001*005010X279A1',
      'BHT*0022*13*REF1*20260601*1200',
      'HL*1**20*1',
      'NM1*PR*2*AETNA*****PI*60054',
      'HL*2*1*21*1',
      'NM1*1P*2*BONE & JOINT CLINIC*****XX*1234567893',
      'HL*3*2*22*0',
      'TRN*1*TRACE1*9ANTEROOM0',
      'NM1*IL*1*DOE*JANE****MI*M1',
      'DMG*D8*19800131*F',
      'DTP*291*D8*20260615',
      'EQ*30^98',
      'SE*13*0001',
      'GE*1*42',
      'IEA*1*000000042',
      '',
    ])
  })

  it('writes an inquiry about a dependent at the dependent’s level only', () => {
    const dependent = { firstName: 'Baby', lastName: 'Doe', dateOfBirth: '2024-02-29', relationshipCode: '19' as const }
    expect(written({ dependent }).slice(4)).toEqual([
      'HL*3*2*22*1',
      'NM1*IL*1*DOE*JANE****MI*M1',
      'DMG*D8*19800131*F',
      'HL*4*3*23*0',
      'TRN*1*TRACE1*9ANTEROOM0',
      'NM1*03*1*DOE*BABY',
      'DMG*D8*20240229',
      'INS*N*19',
      'DTP*291*D8*20260615',
      'EQ*30^98',
    ])
  })

  it('sends a dependent with their own member id as the subscriber', () => {
    const dependent = { memberId: 'M2', firstName: 'Baby', lastName: 'Doe' }
    expect(written({ dependent }).slice(4)).toEqual([
      'HL*3*2*22*0',
      'TRN*1*TRACE1*9ANTEROOM0',
      'NM1*IL*1*DOE*BABY****MI*M2',
      'DTP*291*D8*20260615',
      'EQ*30^98',
    ])
    expect(written({ dependent: { ...dependent, memberId: 'M1' } })).toContain('NM1*03*1*DOE*BABY')
  })

  it('leaves out unknown values, and uses ids for the required names of payer and provider', () => {
    const lines = written({
      payer: { id: '1' },
      provider: { npi: '2' },
      subscriber: { memberId: 'M1' },
      dateOfService: '',
      serviceTypeCodes: [],
    })
    expect(lines.slice(1)).toEqual([
      'NM1*PR*2*1*****PI*1',
      'HL*2*1*21*1',
      'NM1*1P*2*2*****XX*2',
      'HL*3*2*22*0',
      'TRN*1*TRACE1*9ANTEROOM0',
      'NM1*IL*1******MI*M1',
      'EQ*30',
    ])
  })

  it('writes names without an id, an individual provider, group numbers and social security numbers', () => {
    const subscriber = {
      firstName: 'Jane',
      lastName: 'Doe',
      middleName: 'A',
      suffix: 'Jr',
      groupNumber: 'G1',
      ssn: '123-45-6789',
      dateOfBirth: '31/01/1980',
      gender: 'M' as const,
    }
    const lines = written({ subscriber, provider: { npi: '1', firstName: 'Marcus', lastName: 'Jones' } })
    expect(lines).toContain('NM1*1P*1*JONES*MARCUS****XX*1')
    expect(lines).toContain('NM1*IL*1*DOE*JANE*A**JR')
    expect(lines).toContain('REF*6P*G1')
    expect(lines).toContain('REF*SY*123456789')
    expect(lines).toContain('DMG***M')
  })

  it('writes no qualifier without its value', () => {
    const subscriber = { memberId: ' ', lastName: 'Doe', groupNumber: '~', ssn: '-', dateOfBirth: 'unknown' }
    const lines = written({ subscriber, payer: { id: ' ', name: 'Aetna' } })
    expect(lines).toContain('NM1*PR*2*AETNA')
    expect(lines).toContain('NM1*IL*1*DOE')
    expect(lines.filter((line) => /^(?:REF|DMG)/.test(line))).toEqual([])
  })

  it('cuts names to the length of their elements, and writes Medicare numbers without dashes', () => {
    const subscriber = {
      memberId: '1EG4-TE5-MK73',
      lastName: `${'Lang'.repeat(14)}e ß Müller`,
      firstName: 'Ann '.repeat(12),
      middleName: 'M'.repeat(40),
    }
    const [line] = written({ subscriber }).filter((each) => each.startsWith('NM1*IL'))
    const [, , , lastName, firstName, middleName] = (line ?? '').split('*')
    expect([lastName, firstName?.length, middleName]).toEqual([
      `${'LANG'.repeat(14)}E SS`.slice(0, 60),
      35,
      'M'.repeat(25),
    ])
    expect(line).toContain('*MI*1EG4TE5MK73')
  })
})

describe('readInquiries', () => {
  it('reads the subscriber and the dependent of one ST as two patients when both have an EQ', () => {
    const segments = inquirySegments({ ...inquiry, dependent: { firstName: 'Baby' } }, address)
    const both = segments.flatMap((segment) => (segment[1] === '4' ? [['EQ', '35'] as const, segment] : [segment]))
    const text = writeInterchange({ address, functionalId: 'HS', transactions: [both] })
    expect(read(text)).toMatchObject([
      { subscriber: { firstName: 'JANE' }, serviceTypeCodes: ['35'] },
      { subscriber: { firstName: 'JANE' }, dependent: { firstName: 'BABY' }, serviceTypeCodes: ['30', '98'] },
    ])
    expect(read(text)[0]?.dependent).toBeUndefined()
  })

  it('uses the transaction date for a missing DTP, and no service types for a missing EQ', () => {
    const segments = inquirySegments(inquiry, address).filter(([id]) => id !== 'DTP' && id !== 'EQ')
    const text = writeInterchange({ address, functionalId: 'HS', transactions: [segments] })
    expect(read(text)).toMatchObject([{ dateOfService: '2026-06-01', serviceTypeCodes: [] }])
  })

  it('reads a request without any HL', () => {
    const segments = inquirySegments(inquiry, address).filter(([id]) => id !== 'HL')
    const text = writeInterchange({ address, functionalId: 'HS', transactions: [segments] })
    expect(read(text)).toMatchObject([
      { payer: { id: '60054' }, subscriber: { memberId: 'M1' }, serviceTypeCodes: ['30', '98'] },
    ])
  })

  it('reads back every inquiry that writeInquiry writes', () => {
    const text = fc.stringMatching(/^[A-Z0-9]([A-Z0-9 .'-]{0,20}[A-Z0-9])?$/)
    const date = fc
      .date({ min: new Date('1900-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
      .map((day) => day.toISOString().slice(0, 10))
    const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
    const person = {
      firstName: optional(text),
      lastName: optional(text),
      middleName: optional(text),
      suffix: optional(fc.stringMatching(/^[A-Z]{1,10}$/)),
      dateOfBirth: optional(date),
      gender: optional(fc.constantFrom('M' as const, 'F' as const)),
      groupNumber: optional(text),
      ssn: optional(fc.stringMatching(/^\d{9}$/)),
    }
    const subscriber: fc.Arbitrary<InquiryMember> = fc.record({ ...person, memberId: optional(text) })
    const dependent = fc.record({
      ...person,
      relationshipCode: optional(fc.constantFrom('01' as const, '19' as const, '34' as const)),
    })
    const provider = fc.oneof(
      fc.record({ npi: text, organizationName: text }),
      fc.record({ npi: text, lastName: text, firstName: optional(text) }),
    )
    const inquiries: fc.Arbitrary<Inquiry> = fc.record({
      reference: text,
      traceNumber: text,
      payer: fc.record({ id: text, name: text }),
      provider,
      subscriber,
      dependent: optional(dependent),
      dateOfService: date,
      serviceTypeCodes: fc.array(fc.constantFrom('30', '98', 'UC', '1'), { minLength: 1 }),
    })
    fc.assert(
      fc.property(inquiries, (inquiry) => {
        const { warnings, transactions } = readEnvelope(writeInquiry(inquiry, address))
        expect([...warnings, ...transactions.flatMap((transaction) => transaction.warnings)]).toEqual([])
        expect(transactions.flatMap(readInquiries)).toEqual([{ ...inquiry, traceOriginator: '9ANTEROOM0' }])
      }),
    )
  })
})
