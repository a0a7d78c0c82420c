import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isInterchangeHeader, tokenize } from './tokenizer.ts'

const segments = [
  'GS*HB*PAYER*CLINIC*20260601*1200*1*X*005010X279A1',
  'ST*271*0001*005010X279A1',
  'NM1*IL*1*DOE*JANE**** *MBR0001',
  'EB*1*IND*30^98**GOLD PPO',
  'SE*4*0001',
  'GE*1*1',
  'IEA*1*000000001',
]

interface Shape {
  element?: string
  component?: string
  repetition?: string
  /** The text after ISA16 and after every segment. */
  ending?: string
  version?: string
  sender?: string
}

function header({ element = '*', component = ':', repetition = '^', version = '00501', sender }: Shape): string {
  const isa = `ISA*00*          *00*          *ZZ*${(sender ?? 'PAYER').padEnd(15)}*ZZ*CLINIC         *260601*1200`
  return `${isa.replaceAll('*', element)}${element}${[repetition, version, '000000001', '0', 'P', component].join(element)}`
}

function interchange(shape: Shape = {}, body: string[] = segments): string {
  const { element = '*', repetition = '^', ending = '~' } = shape
  const lines = body.map((line) => line.replace(/[*^]/g, (mark) => (mark === '*' ? element : repetition)))
  return [header(shape), ...lines].map((line) => line + ending).join('')
}

/** The segments after the ISA, in the delimiters of the fixture. */
function understood(text: string): string[] {
  const found: string[] = []
  let repetition = '^'
  for (const segment of tokenize(text)) {
    if (isInterchangeHeader(segment)) repetition = segment.delimiters.repetition ?? '^'
    else found.push(segment.elements.map((element) => element.replaceAll(repetition, '^')).join('*'))
  }
  return found
}

function firstHeader(text: string) {
  const first = tokenize(text).next().value
  if (first === undefined || !isInterchangeHeader(first)) throw new Error('no header')
  return first
}

describe('delimiters', () => {
  it.each([
    '~',
    '\n',
    '\r\n',
    '\r',
    '!',
    '|',
    '\\',
    '\x1c',
    '\x1d',
    '\x1e',
    '\x1f',
    '~\n',
    '~\r\n',
    '~\n\n',
    ' ~',
    '  ~ \r\n',
    '~\n\t  ',
    '\n    ',
    "'",
  ])('ends segments at %j', (ending) => {
    expect(understood(interchange({ ending }))).toEqual(segments)
  })

  it('yields the same segments for any delimiters, line ends and indentation', () => {
    const punctuation = [...'*|+!#$%&@^~`;<>=?\\{}\x1c\x1d\x1e\x1f:']
    const layout = fc.constantFrom('', '\n', '\r\n', '\n\n', ' ', '\n    ', '\r\n\t', ' \n')
    fc.assert(
      fc.property(fc.shuffledSubarray(punctuation, { minLength: 4, maxLength: 4 }), layout, ([e, c, r, t], blanks) => {
        const shape = { element: e!, component: c!, repetition: r!, ending: t! + blanks }
        expect(firstHeader(interchange(shape)).delimiters).toEqual({
          element: e,
          component: c,
          repetition: r,
          segment: t,
        })
        expect(understood(interchange(shape))).toEqual(segments)
      }),
    )
  })

  it.each(['U', '1', ' ', 'z', ''])('declares no repetition separator and warns for ISA11 %j in 5010', (repetition) => {
    const { delimiters, warnings } = firstHeader(interchange({ repetition }, segments.slice(0, 3)))
    expect(delimiters.repetition).toBeUndefined()
    expect(warnings).toEqual([`ISA11 not usable as repetition separator: '${repetition.trim()}'`])
  })

  it('does not read the U of a 4010 as a repetition separator', () => {
    const { delimiters, warnings } = firstHeader(
      interchange({ repetition: 'U', version: '00401' }, segments.slice(0, 3)),
    )
    expect(delimiters.repetition).toBeUndefined()
    expect(warnings).toEqual([])
  })

  it.each(['A', '7', ' '])('falls back to the colon and warns for ISA16 %j', (component) => {
    const { delimiters, warnings } = firstHeader(interchange({ component }))
    expect(delimiters.component).toBe(':')
    expect(delimiters.segment).toBe('~')
    expect(warnings).toEqual(['ISA16 not usable as component separator'])
    expect(understood(interchange({ component }))).toEqual(segments)
  })

  it('reads an empty ISA16 before any terminator', () => {
    expect(understood(interchange({ component: '' }))).toEqual(segments)
    expect(understood(interchange({ component: '', ending: '~\n' }))).toEqual(segments)
    expect(understood(interchange({ component: '', ending: '\n' }))).toEqual(segments)
  })

  it('finds the terminator in the next line when only the ISA lacks it', () => {
    const text = interchange({ ending: '~\n' }).replace(':~\n', ':\n')
    expect(understood(text)).toEqual(segments)
  })
})

describe('an ISA that is not 106 characters', () => {
  it.each([
    ['short ids', interchange().replace('PAYER          ', 'PAYER').replace('CLINIC         ', 'CLINIC')],
    ['a long id', interchange({ sender: 'PAYER OF MORE THAN FIFTEEN' })],
    ['dots', interchange().replaceAll(/ {5,}/g, (blanks) => '.'.repeat(blanks.length))],
    ['tabs', interchange().replaceAll(/ {5,}/g, '\t\t')],
    ['a byte order mark', `\ufeff${interchange()}`],
    ['blank lines before it', `\r\n  \n ${interchange()}`],
    ['lower case', interchange().toLowerCase()],
  ])('is read with %s', (_, text) => {
    expect(understood(text).map((line) => line.toUpperCase())).toEqual(segments)
  })

  it.each([
    ['a separator too few', interchange().replace('*00*', '*00'), 'ISA has 15 elements'],
    ['a separator too many', interchange().replace('CLINIC ', 'CLIN*C '), 'ISA has 17 elements'],
  ])('is read with %s, with a warning', (_, text, warning) => {
    expect(understood(text)).toEqual(segments)
    expect(firstHeader(text).warnings).toEqual([warning])
    expect(firstHeader(text).delimiters).toEqual({ element: '*', component: ':', repetition: '^', segment: '~' })
  })

  it('is read from a file that is wrapped at a fixed width', () => {
    const wrapped = interchange().replaceAll(/(.{80})/g, '$1\r\n')
    expect(understood(wrapped)).toEqual(segments)
  })
})

describe('the letters ISA', () => {
  it.each(['NM1*IL*1*ISA*ISA****MI*ISA', 'MSG*VISA ISA*ISA', 'N3*1 ISA STREET', 'MSG*ISA'])(
    'are data in %s',
    (line) => {
      const body = [...segments.slice(0, 2), line, ...segments.slice(2)]
      expect(understood(interchange({}, body))).toEqual(body)
      expect(understood(interchange({ ending: '\n' }, body))).toEqual(body)
    },
  )
})

describe('several interchanges', () => {
  const other = { element: '|', component: '>', repetition: '!', ending: '\\' }

  it('are read each with its own delimiters', () => {
    const text = interchange() + interchange(other) + interchange({ ending: '\n' })
    expect(understood(text)).toEqual([...segments, ...segments, ...segments])
    expect([...tokenize(text)].filter((segment) => segment.id === 'ISA').map((segment) => segment.ordinal)).toEqual([
      1, 1, 1,
    ])
  })

  it('are separated without IEA, and without the terminator before the next ISA', () => {
    const open = segments.slice(0, -1)
    expect(understood(interchange({}, open) + interchange(other))).toEqual([...open, ...segments])
    expect(understood(`${interchange({}, open).slice(0, -1)}\n${interchange(other)}`)).toEqual([...open, ...segments])
    expect(understood(`${interchange({}, open).slice(0, -4)}${interchange(other)}`)).toEqual([
      ...open.slice(0, -1),
      'GE*',
      ...segments,
    ])
  })

  it('may stand within other text, which is skipped with a warning', () => {
    const boundary = '--boundary\r\nContent-Type: text/plain; name=VISA*1\r\n\r\n'
    const text = `${boundary}${interchange()}\r\n${boundary}${interchange(other)}\r\n--boundary--`
    expect(understood(text)).toEqual([...segments, ...segments])
    const warnings = [...tokenize(text)].filter(isInterchangeHeader).flatMap((isa) => isa.warnings)
    expect(warnings).toEqual(['text before ISA ignored', 'text between IEA and ISA ignored'])
  })
})

describe('segments', () => {
  it('are trimmed, but their elements are not', () => {
    const [, segment] = [...tokenize(interchange({ ending: ' ~\n ' }, ['NM1*IL*1*  DOE * JANE*  X']))]
    expect(segment).toEqual({ id: 'NM1', elements: ['NM1', 'IL', '1', '  DOE ', ' JANE', '  X'], ordinal: 2 })
  })

  it('are read up to the end of a truncated text', () => {
    expect(understood(`${header({})}~GS*HB~ST*271*0001~EB*1*I`)).toEqual(['GS*HB', 'ST*271*0001', 'EB*1*I'])
  })

  it.each([
    '',
    '   ',
    'ISA',
    'ISA*',
    'ISA*00*',
    'hello',
    '<html>ISA</html>',
    'ST*271*0001~SE*2*0001~',
    'ISA'.repeat(99),
    'ISA*'.repeat(99),
  ])('are not found in %j', (text) => {
    expect([...tokenize(text)]).toEqual([])
  })
})
