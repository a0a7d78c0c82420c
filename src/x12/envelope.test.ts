import { describe, expect, it, test } from 'vitest'
import { type EnvelopeFindings, readEnvelope, readTransactions } from './envelope.ts'

const isa = 'ISA*00*          *00*          *ZZ*PAYER          *ZZ*CLINIC         *260601*1200*^*00501*000000007*0*P*:~'
const gs = 'GS*HB*PAYER*CLINIC*20260601*1200*7*X*005010X279A1~'
const body = 'BHT*0022*11*REF1*20260601*1200~HL*1**20*1~NM1*PR*2*PAYER*****PI*P1~'
const st = (number: string) => `ST*271*${number}*005010X279A1~${body}`
const se = (number: string) => `SE*5*${number}~`
const tail = (count: number) => `GE*${count}*7~IEA*1*000000007~`
const good = isa + gs + st('0001') + se('0001') + tail(1)

function warningsOf(text: string): { envelope: string[]; transactions: string[][] } {
  const { warnings, transactions } = readEnvelope(text)
  return { envelope: warnings, transactions: transactions.map((transaction) => transaction.warnings) }
}

describe('a correct interchange', () => {
  it('yields its transactions in file order without a warning', () => {
    const { warnings, transactions, acknowledgements } = readEnvelope(
      isa + gs + st('0001') + se('0001') + st('0002') + se('0002') + tail(2),
    )
    expect(warnings).toEqual([])
    expect(acknowledgements).toEqual([])
    expect(
      transactions.map(({ setId, controlNumber, version, warnings }) => [setId, controlNumber, version, warnings]),
    ).toEqual([
      ['271', '0001', '00501', []],
      ['271', '0002', '00501', []],
    ])
    expect(transactions[1]?.segments.map((segment) => [segment.id, segment.ordinal])).toEqual([
      ['ST', 8],
      ['BHT', 9],
      ['HL', 10],
      ['NM1', 11],
      ['SE', 12],
    ])
  })
})

test('a rejection after SE counts, and nothing else does that stands there', () => {
  const stray = good.replace('GE*', 'EB*1**30~AAA*N**75*C~GE*')
  const [transaction] = readEnvelope(stray).transactions
  expect(transaction?.segments.map(({ id }) => id)).toEqual(['ST', 'BHT', 'HL', 'NM1', 'SE', 'AAA'])
  expect(transaction?.warnings).toEqual(['segments after SE'])
  expect(readEnvelope(stray).warnings).toEqual([])
})

describe('a faulty envelope yields a warning', () => {
  it.each<[string, string, { envelope?: string[]; transactions?: string[][] }]>([
    ['a wrong SE01', good.replace('SE*5', 'SE*22'), { transactions: [['SE01=22 but 5 segments']] }],
    [
      'an SE01 without a number',
      good.replace('SE*5', 'SE*FIVE'),
      { transactions: [['SE01=(not a number) but 5 segments']] },
    ],
    ['a different SE02', good.replace('SE*5*0001', 'SE*5*0003'), { transactions: [['SE02 0003 != ST02 0001']] }],
    ['no SE', good.replace('SE*5*0001~', ''), { transactions: [['no SE']] }],
    ['a swallowed SE', isa + gs + st('0001') + st('0002') + se('0002') + tail(2), { transactions: [['no SE'], []] }],
    [
      'no ST',
      good.replace('ST*271*0001*005010X279A1~', ''),
      { transactions: [['no ST', 'SE01=5 but 4 segments', 'SE02 0001 != ST02 (none)']] },
    ],
    ['GS01 of a request', good.replace('GS*HB', 'GS*HS'), { envelope: ['GS01 is not HB for a 271'] }],
    ['no GS', good.replace(gs, ''), { envelope: ['no GS', 'GE without GS', 'IEA01=1 but 0 groups'] }],
    ['no GE', good.replace('GE*1*7~', ''), { envelope: ['no GE'] }],
    ['no IEA', good.replace('IEA*1*000000007~', ''), { envelope: ['no IEA'] }],
    ['a wrong GE01', good.replace('GE*1', 'GE*2'), { envelope: ['GE01=2 but 1 transactions'] }],
    ['a different GE02', good.replace('GE*1*7', 'GE*1*8'), { envelope: ['GE02 8 != GS06 7'] }],
    ['a wrong IEA01', good.replace('IEA*1', 'IEA*3'), { envelope: ['IEA01=3 but 1 groups'] }],
    ['a different IEA02', good.replace('IEA*1*000000007', 'IEA*1*9'), { envelope: ['IEA02 9 != ISA13 000000007'] }],
    [
      'a repetition separator of 5010 that is a digit',
      good.replace('*^*', '*1*'),
      { envelope: ["ISA11 not usable as repetition separator: '1'"] },
    ],
    ['a letter in ISA16', good.replace('*P*:~', '*P*Q~'), { envelope: ['ISA16 not usable as component separator'] }],
  ])('%s', (_, text, { envelope = [], transactions = [[]] }) => {
    expect(warningsOf(text)).toEqual({ envelope, transactions })
  })

  it('an IEA02 without leading zeros is accepted', () => {
    expect(warningsOf(good.replace('IEA*1*000000007', 'IEA*1*7'))).toEqual({ envelope: [], transactions: [[]] })
  })

  it('a truncated input still yields its content', () => {
    const cut = good.slice(0, good.indexOf('*PAYER*****'))
    expect(warningsOf(cut)).toEqual({
      envelope: ['input ends inside a segment', 'no GE', 'no IEA'],
      transactions: [['no SE']],
    })
  })

  it('a warning never shows a value that could be patient data', () => {
    const texts = [
      good.replace('SE*5*0001', 'SE*DOE*JANE'),
      good.replace('GE*1*7', 'GE*DOE*JANE'),
      good.replace('IEA*1*000000007', 'IEA*DOE*JANE'),
    ]
    for (const text of texts) expect(JSON.stringify(warningsOf(text))).not.toMatch(/DOE|JANE/)
  })
})

describe('input that is not an interchange', () => {
  it.each(['', 'ISA', '<soap:Fault/>', 'ST*271*0001~SE*2*0001~'])('yields nothing for %j', (text) => {
    expect(readEnvelope(text)).toEqual({ warnings: [], transactions: [], acknowledgements: [] })
  })
})

describe('several interchanges', () => {
  it('are counted separately', () => {
    expect(warningsOf(good + good.replaceAll('*', '|').replace('SE|5', 'SE|6'))).toEqual({
      envelope: [],
      transactions: [[], ['SE01=6 but 5 segments']],
    })
  })

  it('are separated when the first one lost its trailers', () => {
    expect(warningsOf(isa + gs + st('0001') + good)).toEqual({
      envelope: ['no GE', 'no IEA'],
      transactions: [['no SE'], []],
    })
  })

  it('are yielded one transaction at a time', () => {
    const findings: EnvelopeFindings = { warnings: [], acknowledgements: [] }
    const transactions = readTransactions(good + good.replace('IEA*1*000000007~', ''), findings)
    expect(transactions.next().value?.controlNumber).toBe('0001')
    expect(findings.warnings).toEqual([])
    expect([...transactions]).toHaveLength(1)
    expect(findings.warnings).toEqual(['no IEA'])
  })
})

describe('acknowledgements', () => {
  it('a rejecting TA1 carries its reason', () => {
    const text = `${isa}TA1*000000907*260601*1200*R*006~IEA*0*000000007~`
    expect(readEnvelope(text)).toEqual({
      warnings: [],
      transactions: [],
      acknowledgements: [
        {
          kind: 'TA1',
          accepted: false,
          codes: ['006'],
          description: 'interchange rejected: Invalid interchange sender id',
        },
      ],
    })
  })

  it('an accepting TA1 is not a rejection', () => {
    const [acknowledgement] = readEnvelope(`${isa}TA1*000000907*260601*1200*A*000~IEA*0*000000007~`).acknowledgements
    expect(acknowledgement).toMatchObject({ accepted: true, codes: ['000'] })
  })

  it('a rejecting 999 carries the segment, the element and the codes, but not the bad data', () => {
    const text = `${isa}${gs.replace('HB', 'FA')}ST*999*0001*005010X231A1~AK1*HS*7~AK2*270*0001~IK3*NM1*9*2100*8~IK4*9*67*7*DOE~IK5*R*5~AK9*R*1*1*0~SE*8*0001~${tail(1)}`
    const { warnings, transactions, acknowledgements } = readEnvelope(text)
    expect(warnings).toEqual([])
    expect(transactions.map((transaction) => [transaction.setId, transaction.warnings])).toEqual([['999', []]])
    expect(acknowledgements).toEqual([
      {
        kind: '999',
        accepted: false,
        codes: ['8', '7', '5'],
        description: 'transaction rejected: segment NM1 at position 9, element 9',
      },
    ])
  })

  it('an accepting 999 is not a rejection', () => {
    const text = `${isa}${gs.replace('HB', 'FA')}ST*999*0001~AK1*HS*7~AK2*270*0001~IK5*A~AK9*A*1*1*1~SE*6*0001~${tail(1)}`
    expect(readEnvelope(text).acknowledgements).toEqual([
      { kind: '999', accepted: true, codes: [], description: 'transaction accepted' },
    ])
  })
})
