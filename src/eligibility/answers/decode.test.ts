import { createRequire } from 'node:module'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { answerText, interchangeOf, SUBSCRIBER } from '../../../test/support/answers.ts'
import { readEnvelope } from '../../x12/envelope.ts'
import type { BenefitRow, PatientResponse } from '../../x12/model.ts'
import { emptyParty } from '../../x12/party.ts'
import { type DecodedFile, decodePatient, decodeResponse, findRefusal, UnreadableInterchangeError } from './decode.ts'
import { stediResponse } from './stedi-form/stedi-response.ts'
import type { ParsedResponse } from './wire.ts'

interface Serializer {
  parseOrThrow(value: unknown, options: { unrecognizedObjectKeys: 'fail' }): unknown
}

/** The published client's own reader of `parsed_response` verifies our spelling. */
const { ParsedResponse: publishedReader }: { ParsedResponse: Serializer } = createRequire(import.meta.url)(
  'candidhealth/serialization/resources/preEncounter/resources/eligibilityChecks/resources/v1/types/ParsedResponse',
)

/** Reads the object strictly, after a round trip through JSON, as a client does. */
function readAsClient(parsed: ParsedResponse): void {
  publishedReader.parseOrThrow(JSON.parse(JSON.stringify(parsed)), { unrecognizedObjectKeys: 'fail' })
}

function numbersOf(value: unknown): number[] {
  if (typeof value === 'number') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersOf) : []
}

describe('a file', () => {
  test('is decoded transaction by transaction, patient by patient', () => {
    const decoded = decodeResponse(answerText('EB*1**30**HARBOR GOLD~EB*B*IND*98***27*25*****Y~'))
    expect(decoded.envelope_warnings).toEqual([])
    expect(decoded.transactions).toMatchObject([
      {
        warnings: [],
        errors: [],
        patients: [
          {
            eligibility_status: 'ACTIVE',
            plan_metadata: { plan_name: 'HARBOR GOLD' },
            benefits: {
              service_specific_coverage: [{ service_code: '98', in_network: { copay: { individual: 25 } } }],
            },
          },
        ],
      },
    ])
  })

  test('lists every rejection with all four keys, null where the payer left an element out', () => {
    const rejected = decodeResponse(answerText('', `${SUBSCRIBER}AAA*N**72*C~AAA*N***~AAA*Y**RC~`))
    expect(rejected.transactions[0]?.errors).toEqual([
      {
        code: '72',
        followup_action: 'C',
        location: 'Loop 2100C',
        description: 'Invalid/Missing Subscriber/Insured ID',
      },
      { code: null, followup_action: null, location: 'Loop 2100C', description: null },
      { code: 'RC', followup_action: null, location: 'Loop 2100C', description: null },
    ])
    expect(rejected.transactions[0]?.patients[0]?.eligibility_status).toBe('UNKNOWN')
  })

  test('rejected before any lookup still has one patient, of unknown status', () => {
    const [transaction] = decodeResponse(
      interchangeOf('HL*1**20*1~NM1*PR*2*NORTHWIND*****PI*N~AAA*N**42*R~'),
    ).transactions
    expect(transaction?.patients).toEqual([
      { eligibility_status: 'UNKNOWN', plan_metadata: { payer_name: 'NORTHWIND', trading_partner: 'N' } },
    ])
  })

  test('is evaluated on the given date of service', () => {
    const text = answerText('EB*1**30~', `${SUBSCRIBER}DTP*347*D8*20251231~`)
    const statusOn = (dateOfService: string) =>
      decodeResponse(text, { dateOfService }).transactions[0]?.patients[0]?.eligibility_status
    expect(statusOn('2025-12-31')).toBe('ACTIVE')
    expect(statusOn('2026-01-01')).toBe('INACTIVE')
  })

  test('with an inquiry in it reports the inquiry instead of dropping it', () => {
    const [transaction] = decodeResponse(interchangeOf('HL*1**20*1~', { setId: '270' })).transactions
    expect(transaction).toMatchObject({ errors: [], patients: [] })
    expect(transaction?.warnings).toContain('transaction set 270 is an inquiry, not an answer: nothing to decode')
  })

  test.each(['', 'no interchange', '<html>503</html>', 'ISA*00'])('that is not X12 (%s) is rejected', (text) => {
    expect(() => decodeResponse(text)).toThrow(UnreadableInterchangeError)
  })

  test('that is an acknowledgement has no transactions and reports the rejection', () => {
    const rejected = interchangeOf('AK1*HS*42~AK2*270*0001~IK5*R*5~AK9*R*1*1*0~', { setId: '999' })
    const decoded = decodeResponse(rejected)
    expect(decoded.transactions).toEqual([])
    expect(decoded.envelope_warnings.join()).toMatch(/999: transaction rejected.*5/)
    expect(findRefusal(readEnvelope(rejected))).toMatchObject({ kind: '999', accepted: false })
    expect(findRefusal(readEnvelope(rejected.replace('IK5*R*5', 'IK5*A').replace('AK9*R', 'AK9*A')))).toBeUndefined()
  })
})

test('a truncated answer is never ACTIVE, wherever it ends, and says why', () => {
  const text = answerText('EB*1**30**GOLD~EB*6**30**SILVER~')
  const end = text.indexOf('SE*')
  expect(decodeResponse(text).transactions[0]?.patients[0]?.eligibility_status).toBe('ACTIVE')
  for (let length = text.indexOf('EB*1**30'); length < end; length += 1) {
    const [patient] = decodeResponse(text.slice(0, length)).transactions[0]?.patients ?? []
    expect(patient?.eligibility_status).toBe('UNKNOWN')
    expect(patient?.benefits?.notes).toMatch(/^ATTENTION: the answer is truncated/)
  }
})

test('the published reader rejects misspelled keys, so the checks with it are meaningful', () => {
  for (const wrong of [
    { eligibility_status: 'ACTIVE', benefits: { in_network: {} } },
    { eligibility_status: 'MAYBE' },
    { eligibility_status: 'ACTIVE', benefits: { service_specific_coverage: [{ service_code: 'ZQ' }] } },
  ]) {
    expect(() => readAsClient(wrong as ParsedResponse)).toThrow()
  }
})

describe('any message of a payer', () => {
  const code = fc.constantFrom('1', '6', 'A', 'B', 'C', 'G', 'F', 'I', 'E', 'D', 'R', 'L', '', '9', 'constructor')
  const text = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.constantFrom('.2', '20', '1e9', '-3', '100.50', '9'.repeat(30)),
  )
  const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined })
  const date = fc.record({
    qualifier: fc.constantFrom('291', '307', '346', '347', '999', '__proto__'),
    format: fc.constantFrom('D8', 'RD8', 'DT', ''),
    raw: text,
    start: maybe(fc.constantFrom('20260101', '20261340', '99991231', '')),
    end: maybe(fc.constantFrom('20251231', '20260101', 'x')),
  })
  const row: fc.Arbitrary<BenefitRow> = fc.record({
    code,
    coverageLevel: maybe(fc.constantFrom('IND', 'FAM', 'ESP', 'ECH', 'EMP', 'toString')),
    serviceTypeCodes: fc.array(fc.constantFrom('30', '98', '35', 'ZQ', '__proto__', ''), { maxLength: 3 }),
    insuranceType: maybe(fc.constantFrom('MA', 'MB', 'C1', 'valueOf')),
    planDescription: maybe(text),
    timeQualifier: maybe(fc.constantFrom('23', '24', '25', '27', '29', '32', '33', 'zz', 'constructor')),
    amount: maybe(text),
    percent: maybe(text),
    quantityQualifier: maybe(fc.constantFrom('VS', 'DY', 'S7', 'hasOwnProperty')),
    quantity: maybe(text),
    networkIndicator: maybe(fc.constantFrom('Y', 'N', 'W', 'U', 'x')),
    procedure: maybe(fc.array(text, { maxLength: 8 })),
    deliveries: fc.array(
      fc.record({
        quantityQualifier: maybe(fc.constantFrom('VS', 'DY')),
        quantity: maybe(text),
        periodCount: maybe(text),
      }),
      { maxLength: 3 },
    ),
    references: fc.constant([]),
    dates: fc.array(date, { maxLength: 2 }),
    messages: fc.array(text, { maxLength: 2 }),
    additionalInformation: fc.array(fc.record({ qualifier: maybe(text), code: maybe(text), text: maybe(text) }), {
      maxLength: 2,
    }),
    entities: fc.array(
      fc.record({ entityCode: maybe(text), lastName: maybe(text), entityType: maybe(text) }).map((party) => ({
        ...emptyParty(),
        ...party,
      })),
      { maxLength: 2 },
    ),
    rejections: fc.constant([]),
  })
  const patient: fc.Arbitrary<PatientResponse> = fc.record({
    subscriber: fc
      .record({
        lastName: maybe(text),
        birthDate: maybe(text),
        gender: maybe(text),
        dates: fc.array(date, { maxLength: 3 }),
      })
      .map((party) => ({ ...emptyParty(), ...party })),
    rejections: fc.array(fc.record({ reasonCode: maybe(text), loop: fc.constantFrom('2100A', '2100C', '2110C') })),
    benefits: fc.array(row, { maxLength: 12 }),
  })

  test('decodes without a throw into what the published client reads, with real numbers and no invented coverage', () => {
    fc.assert(
      fc.property(patient, maybe(fc.constantFrom('2026-03-01', 'never')), (answer, dateOfService) => {
        const parsed = decodePatient(answer, { dateOfService })
        readAsClient(parsed)
        expect(numbersOf(parsed).every(Number.isFinite)).toBe(true)
        if (parsed.eligibility_status === 'ACTIVE')
          expect(answer.benefits.some((row) => /^[1-5]$/.test(row.code))).toBe(true)
        const response = { controlNumber: '1', warnings: [], rejections: [], patients: [answer] }
        expect(JSON.stringify(stediResponse(response, answer, { raw: '' }))).toContain('errors')
      }),
      { numRuns: 500 },
    )
  })

  test('decodes or is rejected when damaged, and never becomes coverage that it does not state', () => {
    const whole = answerText('EB*6**30~EB*C*IND*30***23*500*****Y~MSG*X~LS*2120~NM1*PR*2*OTHER~LE*2120~')
    const cut = fc.record({ at: fc.nat(whole.length), length: fc.nat(40), insert: fc.string({ maxLength: 10 }) })
    fc.assert(
      fc.property(fc.array(cut, { minLength: 1, maxLength: 4 }), (cuts) => {
        const damaged = cuts.reduce(
          (text, { at, length, insert }) => text.slice(0, at) + insert + text.slice(at + length),
          whole,
        )
        let decoded: DecodedFile
        try {
          decoded = decodeResponse(damaged)
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadableInterchangeError)
          return
        }
        for (const parsed of decoded.transactions.flatMap(({ patients }) => patients)) {
          readAsClient(parsed)
          if (!/EB.[1-5]\b/.test(damaged)) expect(parsed.eligibility_status).not.toBe('ACTIVE')
        }
      }),
      { numRuns: 500 },
    )
  })
})
