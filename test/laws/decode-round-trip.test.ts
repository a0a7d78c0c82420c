// Messages in every spelling that the standard allows are read as they were written.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeResponse } from '../../src/eligibility/answers/decode.ts'
import { stediResponse } from '../../src/eligibility/answers/stedi-form/stedi-response.ts'
import { readEnvelope } from '../../src/x12/envelope.ts'
import {
  composite,
  type SegmentContent,
  type WrittenDelimiters,
  writeInterchange,
} from '../../src/x12/interchange-writer.ts'
import type { BenefitRow } from '../../src/x12/model.ts'
import { readResponse } from '../../src/x12/response-reader.ts'
import { rounds } from '../support/rounds.ts'

/** One EB with the segments below it, as intended. */
type Meant = Pick<BenefitRow, 'code' | 'serviceTypeCodes' | 'messages' | 'additionalInformation' | 'entities'> &
  Partial<Pick<BenefitRow, 'coverageLevel' | 'planDescription' | 'timeQualifier' | 'amount' | 'percent'>> &
  Partial<Pick<BenefitRow, 'quantityQualifier' | 'quantity' | 'networkIndicator' | 'procedure'>>

const words = fc.stringMatching(/^[A-Z0-9]([A-Z0-9. ]{0,14}[A-Z0-9])?$/)
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined })
const amount = fc.integer({ min: 0, max: 999_999 }).map((cents) => (cents / 100).toFixed(2))

const meantRow: fc.Arbitrary<Meant> = fc.record({
  code: fc.constantFrom('1', '6', 'A', 'B', 'C', 'G', 'F', 'I', 'D', 'R', 'L', 'CB'),
  coverageLevel: maybe(fc.constantFrom('IND', 'FAM', 'ESP', 'EMP')),
  serviceTypeCodes: fc.uniqueArray(fc.constantFrom('30', '1', '33', '35', '48', '98', 'AL', 'UC', 'ZQ'), {
    maxLength: 5,
  }),
  planDescription: maybe(words),
  timeQualifier: maybe(fc.constantFrom('23', '24', '25', '27', '29', '32')),
  amount: maybe(amount),
  percent: maybe(fc.integer({ min: 0, max: 100 }).map((percent) => String(percent / 100))),
  quantityQualifier: maybe(fc.constantFrom('VS', 'DY')),
  quantity: maybe(fc.nat(99).map(String)),
  networkIndicator: maybe(fc.constantFrom('Y', 'N', 'W', 'U')),
  procedure: maybe(fc.tuple(fc.constantFrom('HC', 'AD'), fc.stringMatching(/^[A-Z]\d{4}$/)).map((parts) => [...parts])),
  messages: fc.array(words, { maxLength: 3 }),
  additionalInformation: fc.array(fc.record({ qualifier: fc.constant('ZZ'), code: fc.constantFrom('11', '22') }), {
    maxLength: 2,
  }),
  entities: fc.array(
    fc
      .record({ entityCode: fc.constantFrom('P3', 'PR', 'IL', '1P'), entityType: fc.constant('2'), lastName: words })
      .map((party) => ({ ...party, references: [], dates: [], contacts: [], traces: [], rejections: [] })),
    { maxLength: 2 },
  ),
})

function segmentsOf(row: Meant): SegmentContent[] {
  const { coverageLevel, serviceTypeCodes, planDescription, timeQualifier, amount, percent, procedure } = row
  const eb: SegmentContent = [
    ...(['EB', row.code, coverageLevel, serviceTypeCodes, undefined, planDescription, timeQualifier] as const),
    ...[amount, percent, row.quantityQualifier, row.quantity, undefined, row.networkIndicator],
    procedure && composite(...procedure),
  ]
  return [
    eb,
    ...row.messages.map((message): SegmentContent => ['MSG', message]),
    ...row.additionalInformation.map(({ qualifier, code }): SegmentContent => ['III', qualifier, code]),
    ...(row.entities.length > 0 ? [['LS', '2120'] as const] : []),
    ...row.entities.map((party): SegmentContent => ['NM1', party.entityCode, party.entityType, party.lastName]),
    ...(row.entities.length > 0 ? [['LE', '2120'] as const] : []),
  ]
}

const delimiters: fc.Arbitrary<WrittenDelimiters> = fc
  .shuffledSubarray([...'*|+!#$%&@^~`;<>=?\\{}:\x1c\x1d\x1e\x1f'], { minLength: 4, maxLength: 4 })
  .map(([element, component, repetition, segment]) => ({
    element: element!,
    component: component!,
    repetition: repetition!,
    segment: segment!,
  }))

function write(rows: readonly Meant[], delimiters?: WrittenDelimiters): string {
  return writeInterchange({
    address: {
      senderQualifier: 'ZZ',
      senderId: 'PAYER',
      receiverQualifier: 'ZZ',
      receiverId: 'CLINIC',
      usage: 'T',
      controlNumber: 7,
      at: new Date('2026-03-01T12:00:00Z'),
    },
    functionalId: 'HB',
    ...(delimiters && { delimiters }),
    transactions: [
      [
        ['BHT', '0022', '11', 'REF1', '20260301', '1200'],
        ['HL', '1', undefined, '20', '1'],
        ['NM1', 'PR', '2', 'PAYER', undefined, undefined, undefined, undefined, 'PI', 'P1'],
        ['HL', '2', '1', '21', '1'],
        ['NM1', '1P', '2', 'CLINIC', undefined, undefined, undefined, undefined, 'XX', '1999999984'],
        ['HL', '3', '2', '22', '0'],
        ['NM1', 'IL', '1', 'DOE', 'JANE', undefined, undefined, undefined, 'MI', 'M1'],
        ['DMG', 'D8', '19800101', 'F'],
        ...rows.flatMap(segmentsOf),
      ],
    ],
  })
}

/** Everything derived from a message, except the message itself, as JSON. */
function understand(text: string): string {
  const [response] = readEnvelope(text).transactions.map(readResponse)
  const { x12, ...raw } = stediResponse(response!, response!.patients[0]!, { raw: text }) as Record<string, unknown>
  expect(x12).toBe(text)
  return JSON.stringify({ decoded: decodeResponse(text), raw })
}

/** Objects are made of what differs alone: to make and compare them took longer than to decode. */
function expectSame(one: string, other: string): void {
  if (one !== other) expect(JSON.parse(one)).toEqual(JSON.parse(other))
}

const rows = fc.array(meantRow, { minLength: 1, maxLength: 12 })

test('every element that was written is read', () => {
  fc.assert(
    fc.property(rows, delimiters, (meant, delimiters) => {
      const { warnings, transactions } = readEnvelope(write(meant, delimiters))
      const [patient] = readResponse(transactions[0]!).patients
      expect([...warnings, ...transactions[0]!.warnings]).toEqual([])
      expect(JSON.parse(JSON.stringify(patient?.benefits))).toMatchObject(JSON.parse(JSON.stringify(meant)))
      expect(patient?.benefits).toHaveLength(meant.length)
    }),
    { numRuns: rounds(1500) },
  )
})

test('delimiters, line ends and indentation change nothing', () => {
  const layout = fc.constantFrom('', '\n', '\r\n', '\n    ', ' \n', '\r\n\r\n')
  fc.assert(
    fc.property(rows, delimiters, layout, (meant, delimiters, blanks) => {
      const text = write(meant, delimiters).replaceAll(delimiters.segment, delimiters.segment + blanks)
      expectSame(understand(text), understand(write(meant)))
    }),
    { numRuns: rounds(1500) },
  )
})

test('a version 4010 and an undeclared repetition separator change nothing', () => {
  fc.assert(
    fc.property(rows, (meant) => {
      const modern = write(meant)
      const old = modern.replace('*^*00501*', '*U*00401*').replaceAll('005010X279A1', '004010X092A1')
      const undeclared = modern.replace('*^*00501*', '*>*00501*')
      const expected = understand(modern)
      expectSame(understand(old), expected)
      expectSame(understand(undeclared), expected)
    }),
    { numRuns: rounds(500) },
  )
})

test('two hundred patients in one file yield two hundred separate answers', () => {
  const text = write([])
  const transaction = (index: number) =>
    text
      .slice(text.indexOf('ST*'), text.indexOf('GE*'))
      .replaceAll('0001~', `${String(index).padStart(4, '0')}~`)
      .replace('*0001*', `*${String(index).padStart(4, '0')}*`)
      .replace('MI*M1~', `MI*M${index}~EB*${index % 3 === 0 ? 6 : 1}**30~`)
      .replace(/SE\*(\d+)/, (_, count) => `SE*${Number(count) + 1}`)
  const numbers = Array.from({ length: 200 }, (_, index) => index + 1)
  const file = text.slice(0, text.indexOf('ST*')) + numbers.map(transaction).join('') + text.slice(text.indexOf('GE*'))
  const decoded = decodeResponse(
    file.replace('GE*1*', 'GE*200*') + write([], { element: '|', component: '>', repetition: '!', segment: '\\' }),
  )
  expect(decoded.envelope_warnings).toEqual([])
  expect(decoded.transactions).toHaveLength(201)
  const answers = decoded.transactions.slice(0, 200).flatMap(({ patients }) => patients)
  expect(answers.map(({ plan_metadata }) => plan_metadata?.member_id)).toEqual(numbers.map((index) => `M${index}`))
  expect(answers.map(({ eligibility_status }) => eligibility_status)).toEqual(
    numbers.map((index) => (index % 3 === 0 ? 'INACTIVE' : 'ACTIVE')),
  )
  expect(decoded.transactions.flatMap(({ warnings }) => warnings)).toEqual([])
})
