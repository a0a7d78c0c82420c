import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../test/support/rounds.ts'
import { type EnvelopeFindings, readEnvelope, readTransactions } from './envelope.ts'
import { readInquiries } from './inquiry-reader.ts'
import { readResponse } from './response-reader.ts'

const isa = 'ISA*00*          *00*          *ZZ*PAYER          *ZZ*CLINIC         *260601*1200*^*00501*000000007*0*P*:~'
const opening = `${isa}GS*HB*PAYER*CLINIC*20260601*1200*7*X*005010X279A1~ST*271*0001*005010X279A1~`
const answer = `${opening}BHT*0022*11*REF1~HL*1**20*1~NM1*PR*2*PAYER*****PI*P1~PER*IC*DESK*TE*8005551212~HL*2*1*21*1~NM1*1P*2*CLINIC*****XX*1~HL*3*2*22*1~TRN*2*T1*9CLINIC000~NM1*IL*1*DOE*JANE****MI*M1~N3*1 ST~N4*TOWN*OH*43215~DMG*D8*19800101*F~INS*Y*18*001*25~HI*BK:123~DTP*291*RD8*20260101-20261231~HL*4*3*23*0~NM1*03*1*DOE*BABY~AAA*N**58*C~EB*1*FAM*30^98*HM*GOLD*27*25*.2*VS*12*Y*Y*HC:99213*1:2~HSD*VS*12***29~MSG*TEXT~III*ZZ*11~LS*2120~NM1*P3*1*ROE*SAM~PRV*PE*PXC*1~LE*2120~SE*28*0001~GE*1*7~IEA*1*000000007~`
const request = `${opening.replace('HB', 'HS').replace('271', '270')}BHT*0022*13*REF1*20260601~HL*1**20*1~NM1*PR*2*PAYER~HL*2*1*21*1~NM1*1P*2*CLINIC~HL*3*2*22*0~TRN*1*T1~NM1*IL*1*DOE*JANE~EQ*30^98~SE*11*0001~GE*1*7~IEA*1*000000007~`

const samples = fileURLToPath(new URL('../../../shared/eligibility/samples/', import.meta.url))
const seeds = [answer, request]
for (const kind of existsSync(samples) ? ['270', '271'] : []) {
  for (const file of readdirSync(samples + kind)) seeds.push(readFileSync(`${samples}${kind}/${file}`, 'latin1'))
}

/** Runs every reader on a text. */
function understand(text: string): number {
  let understood = 0
  for (const transaction of readEnvelope(text).transactions) {
    understood += readResponse(transaction).patients.length + readInquiries(transaction).length
  }
  return understood
}

const position = fc.double({ min: 0, max: 1, noNaN: true })
const piece = fc.oneof(
  fc.constantFrom(
    '~',
    '*',
    '^',
    ':',
    '\n',
    '\r\n',
    ' ',
    'ISA',
    isa,
    'IEA*1*1~',
    'SE*1*1~',
    'ST*271*2~',
    'HL*1*1*23~',
    'HL~',
    'NM1*IL~',
    'EB~',
    'LS~',
    'AAA~',
    'TRN~',
    '\0',
    '\ufeff',
    '\ud800',
  ),
  fc.string({ unit: 'binary', maxLength: 6 }),
)
/** One change: replace the text between two positions by a piece, or repeat it. */
const change = fc.record({ from: position, length: fc.nat(40), piece, repeats: fc.boolean() })

function mutate(text: string, changes: { from: number; length: number; piece: string; repeats: boolean }[]): string {
  return changes.reduce((current, { from, length, piece, repeats }) => {
    const start = Math.floor(from * current.length)
    const cut = current.slice(start, start + length)
    return current.slice(0, start) + (repeats ? cut + cut : piece) + current.slice(start + length)
  }, text)
}

describe('any input', () => {
  it('that is a damaged message is parsed without an error', () => {
    fc.assert(
      fc.property(fc.constantFrom(...seeds), fc.array(change, { minLength: 1, maxLength: 12 }), (seed, changes) => {
        expect(() => understand(mutate(seed, changes))).not.toThrow()
      }),
      { numRuns: rounds(3000) },
    )
  })

  it('that is cut off anywhere is parsed without an error, and loses only its end', () => {
    for (const seed of seeds) {
      const whole = understand(seed)
      for (let end = 0; end < seed.length; end += 1 + Math.floor(seed.length / 500)) {
        expect(understand(seed.slice(0, end))).toBeLessThanOrEqual(whole)
      }
    }
  })

  it('that is arbitrary text or bytes is parsed without an error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        expect(() => understand(text)).not.toThrow()
        expect(() => understand(isa + text)).not.toThrow()
        expect(() => understand(opening + text)).not.toThrow()
      }),
      { numRuns: rounds(2000) },
    )
  })
})

describe('a large input built to be slow', () => {
  const times = (text: string, bytes = 2_000_000) => text.repeat(Math.ceil(bytes / text.length))
  it.each<[string, () => string]>([
    ['ISA everywhere', () => times('ISA*')],
    ['interchanges without content', () => times(isa)],
    [
      'interchanges of ever new terminators that never come',
      () =>
        Array.from(
          { length: 15_000 },
          (_, index) => `${isa.slice(0, -1)}${String.fromCharCode(0x4e00 + index)}GS*HB`,
        ).join(''),
    ],
    ['line breaks only', () => isa + times('\n')],
    ['one segment of empty elements', () => opening + times('*')],
    ['transactions without SE', () => isa + times('ST*271*1~')],
    ['one EB with endless repetitions', () => `${opening}EB*1**${times('30^')}`],
    ['one EQ with endless repetitions', () => `${opening}HL***22~EQ*${times('30^')}`],
    ['one HI with endless codes', () => `${opening}HL***22~HI${times('*BK:1')}`],
    ['traces that wait for a person', () => `${opening}HL***20~${times('TRN*2*1~')}HL***22~`],
    [
      'rejections above endless subscribers',
      () => `${opening}HL***20~${times('AAA*N**42~', 1e6)}${times('HL***22~', 1e6)}`,
    ],
    [
      'rejections above endless dependents',
      () => `${opening}HL***22~${times('AAA*N**72~', 1e6)}${times('HL***23~', 1e6)}`,
    ],
    ['a date with endless blanks', () => `${opening}HL***22~EB*1~DTP*291*RD8*20260101${times(' ')}x~`],
    ['insured persons without end', () => `${opening}HL***22~EB*R~${times('NM1*IL*1~')}`],
    [
      'a level of dependents with echoes',
      () => `${opening}HL***22~${times('TRN*2*A~', 1e6)}EB*1~${times('HL***23~TRN*2*B~EB*1~', 1e6)}`,
    ],
    // Quadratic work on these sizes would run into the test runner's time limit.
  ])('is parsed to its end: %s', (_, build) => {
    expect(() => understand(build())).not.toThrow()
  })

  it('is streamed: the first transaction of a batch is yielded before the rest is parsed', () => {
    const transaction = answer.slice(answer.indexOf('ST*'), answer.indexOf('GE*'))
    const findings: EnvelopeFindings = { warnings: [], acknowledgements: [] }
    const transactions = readTransactions(isa + transaction.repeat(20_000), findings)
    expect(transactions.next().value?.warnings).toEqual([])
    expect(findings.warnings).not.toContain('no IEA')
    expect([...transactions]).toHaveLength(19_999)
    expect(findings.warnings).toContain('no IEA')
  })
})
