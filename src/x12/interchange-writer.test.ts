import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readEnvelope } from './envelope.ts'
import { cleanData, composite, standardDelimiters, writeInterchange } from './interchange-writer.ts'
import type { InterchangeAddress } from './model.ts'

const address: InterchangeAddress = {
  senderQualifier: 'ZZ',
  senderId: 'PAYER',
  receiverQualifier: '30',
  receiverId: '123456789',
  applicationReceiver: 'CLINIC',
  usage: 'T',
  controlNumber: 7,
  at: new Date('2026-06-01T23:05:00Z'),
}

describe('writeInterchange', () => {
  it('writes an ISA of 106 characters and correct counts', () => {
    const text = writeInterchange({
      address,
      functionalId: 'HB',
      transactions: [
        [['BHT', '0022', '11', 'R1'], ['EB', '1', undefined, ['30', '98'], undefined, '', undefined], ['REF']],
        [
          ['BHT', '0022', '11', 'R2'],
          ['EQ', undefined, composite('HC', '99213', undefined)],
        ],
      ],
    })
    expect(text.split('~')).toEqual([
      'ISA*00*          *00*          *ZZ*PAYER          *30*123456789      *260601*2305*^*00501*000000007*0*T*:',
      'GS*HB*PAYER*CLINIC*20260601*2305*7*X*005010X279A1',
      'ST*271*0001*005010X279A1',
      'BHT*0022*11*R1',
      'EB*1**30^98',
      'SE*4*0001',
      'ST*271*0002*005010X279A1',
      'BHT*0022*11*R2',
      'EQ**HC:99213',
      'SE*4*0002',
      'GE*2*7',
      'IEA*1*000000007',
      '',
    ])
    expect(readEnvelope(text).warnings).toEqual([])
  })

  it('rejects a control number or an id that does not fit its element', () => {
    const write = (part: Partial<InterchangeAddress>) =>
      writeInterchange({ address: { ...address, ...part }, functionalId: 'HS', transactions: [] })
    for (const controlNumber of [0, -1, 1.5, 1_000_000_000, Number.NaN]) {
      expect(() => write({ controlNumber })).toThrow('control number must be an integer from 1 to 999999999')
    }
    expect(() => write({ receiverId: '1234567890123456' })).toThrow('ISA08 must have at most 15 characters')
  })

  it('lets no data break the interchange, regardless of delimiters and text', () => {
    const marks = fc.shuffledSubarray([...'*|~^:>!\\\x1d\x1e'], { minLength: 4, maxLength: 4 })
    fc.assert(
      fc.property(
        marks,
        fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 4 }),
        ([e, c, r, s], values) => {
          const delimiters = { element: e!, component: c!, repetition: r!, segment: s! }
          const text = writeInterchange({
            address,
            functionalId: 'HB',
            delimiters,
            transactions: [
              [
                ['NM1', ...values, 'END'],
                ['EB', values, composite(...values), 'END'],
              ],
            ],
          })
          const { warnings, transactions } = readEnvelope(text)
          expect(warnings).toEqual([])
          expect(transactions[0]?.warnings).toEqual([])
          const [, name, benefit] = transactions[0]!.segments
          expect(name?.elements).toEqual(['NM1', ...values.map((value) => cleanData(value, delimiters)), 'END'])
          expect(benefit?.elements).toHaveLength(4)
        },
      ),
    )
  })
})

describe('cleanData', () => {
  it.each([
    ['José Müller-Łukasz', 'JOSE MULLER-LUKASZ'],
    ['Weiß', 'WEISS'],
    ['Ærø Þór', 'AERO THOR'],
    ['O’Brien – Smith', "O'BRIEN - SMITH"],
    ['a*b~c:d^e', 'A B C D E'],
    [' tab\tnew\r\nline ', 'TAB NEW LINE'],
    ['O`Brien O´Brien ʻOkina', "O'BRIEN O'BRIEN 'OKINA"],
    ['Ə ẞ Đặng İnönü Şükrü Ÿ', 'E SS DANG INONU SUKRU Y'],
    ['Петров-Щербаков, Юлия Андреевна', 'PETROV-SHCHERBAKOV, YULIYA ANDREEVNA'],
    ['Подъячев Ольга', 'PODYACHEV OLGA'],
    ['Παπαδόπουλος Γιώργος', 'PAPADOPOYLOS GIORGOS'],
    ['王明', 'WANGMING'],
    ['𠮷田 佐々木', 'KICHITIAN ZUOZUOMU'],
    ['김민수', 'GIMMINSU'],
    ['محمد علي', 'MHMD LY'],
    ['مُحَمَّد', 'MHMD'],
    ['משה כֹּהֵן', 'MSHH KHN'],
    ['राम', 'RAM'],
    ['😀 Ann\u200f\ud800', 'ANN'],
    ['名', 'MING'],
    ['Ｆｕｌｌ', 'FULL'],
  ])('turns %j into %j', (text, clean) => {
    expect(cleanData(text)).toBe(clean)
  })

  it('returns printable upper-case ASCII without delimiters, and is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const clean = cleanData(text)
        expect(clean).toMatch(/^[\x20-\x7e]*$/)
        expect(Object.values(standardDelimiters).some((mark) => clean.includes(mark))).toBe(false)
        expect(clean).toBe(clean.toUpperCase().trim())
        expect(cleanData(clean)).toBe(clean)
      }),
    )
  })
})
