// The sheet as a reader of PDF sees it: its text, its tags, its pages.
import { inflateSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import { PROHIBITION_TO_BILL } from '../../contract/answer-notes.ts'
import { makeBenefitSheet } from './benefit-sheet.ts'
import type { FinishedCheck } from './print-benefits.ts'
import { LETTER_WIDTH } from './sheet-text.ts'

const facts = { checkId: '0197a2c0-11aa-7b2c-8d3e-4f5061728394', organization: 'Harbor Clinic', askedAt: '03/02/2026' }

function checkOf(notes = '', name = 'Iris'): FinishedCheck {
  return {
    request: {
      payer_id: '60054',
      subscriber: { member_id: 'NW-100200', first_name: name, last_name: 'Marlowe', date_of_birth: '1984-02-29' },
      encounter: { date_of_service: '2026-03-02', service_type_codes: ['30'] },
    },
    parsed_response: {
      eligibility_status: 'ACTIVE',
      plan_metadata: { payer_name: 'Northwind Health', plan_name: 'Harbor PPO', member_id: 'NW-100200' },
      benefits: {
        plan_coverage: {
          in_network: { deductible: { individual: 1500 }, deductible_remaining: { individual: 620.5 } },
          in_network_flat: [
            { type: 'DEDUCTIBLE', coverageLevel: 'INDIVIDUAL', unit: 'CURRENCY', value: 1500 },
            { type: 'DEDUCTIBLE_REMAINING', coverageLevel: 'INDIVIDUAL', unit: 'CURRENCY', value: 620.5 },
          ],
        },
        ...(notes && { notes }),
      },
    },
  } as FinishedCheck
}

interface Shown {
  x: number
  y: number
  size: number
  text: string
  letters: number
  font: string
}

/** The file with its streams inflated, and the texts that it shows, in the order of the file and as a reader of PDF has them. */
async function read(check: FinishedCheck) {
  const file = (await makeBenefitSheet(check, facts)).toString('latin1')
  const objects = new Map(
    [...file.matchAll(/(\d+) 0 obj\n(.*?)\nendobj/gs)].map(([, number = '', body = '']) => [number, inflated(body)]),
  )
  const all = [...objects.values()]
  const fonts = new Map(
    all.flatMap((body) =>
      [...body.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name = '', at = '']) => {
        const [, map = ''] = /ToUnicode (\d+) 0 R/.exec(objects.get(at) ?? '') ?? []
        return [name, lettersOf(objects.get(map) ?? '')]
      }),
    ),
  )
  const streams = all.join('\n')
  const drawn = [...streams.matchAll(/1 0 0 1 ([\d.]+) ([\d.]+) Tm\n\/(F\d+) ([\d.]+) Tf\n\[(.*?)\] TJ/g)]
  const lines = drawn.map(([, x, y, font = '', size, parts = '']): Shown => {
    const glyphs = [...parts.matchAll(/<([0-9a-f]*)>/gi)].flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? [])
    const text = glyphs.map((glyph) => fonts.get(font)?.get(Number.parseInt(glyph, 16)) ?? '\u0000').join('')
    return { x: Number(x), y: Number(y), size: Number(size), text, letters: glyphs.length, font }
  })
  // The parts of one line that are drawn one after the other.
  const text = lines.map((line, at) => (lines[at - 1]?.y === line.y ? '' : '\n') + line.text).join('')
  return { file, objects, streams, lines, text: `${text}\n` }
}

function inflated(body: string): string {
  const [start] = /stream\r?\n/.exec(body) ?? []
  if (start === undefined || !body.includes('FlateDecode')) return body
  // By its length: the last byte of a stream may look like the end of a line.
  const from = body.indexOf(start) + start.length
  const bytes = body.slice(from, from + Number(/\/Length (\d+)/.exec(body)?.[1]))
  return inflateSync(Buffer.from(bytes, 'latin1')).toString('latin1')
}

/** The letters of a font's glyphs. Source: PDF 32000-1, 9.10.3. */
function lettersOf(map: string): Map<number, string> {
  const letters = new Map<number, string>()
  for (const [, first = '', , list = ''] of map.matchAll(/<([0-9a-f]+)> <([0-9a-f]+)> \[(.*?)\]/gi)) {
    for (const [at, [, hex = '']] of [...list.matchAll(/<([0-9a-f ]*)>/gi)].entries()) {
      const units = hex.replaceAll(' ', '').match(/.{4}/g) ?? []
      letters.set(
        Number.parseInt(first, 16) + at,
        String.fromCharCode(...units.map((unit) => Number.parseInt(unit, 16))),
      )
    }
  }
  return letters
}

/** The tables of the structure tree: each row as its cells, such as `TH Row` and `TD x2` (a cell of two columns). */
function tablesOf(objects: ReadonlyMap<string, string>): string[][][] {
  const kids = (body: string) => {
    const [, list = ''] = /\/K \[(.*?)\]/s.exec(body) ?? []
    return [...list.matchAll(/(\d+) 0 R/g)].map(([, at = '']) => objects.get(at) ?? '')
  }
  const cell = (body: string) =>
    [/\/S \/(T[HD])/, /\/Scope \/?\(?(\w+)/, /\/ColSpan (\d+)/]
      .map((part) => part.exec(body)?.[1] ?? '')
      .join(' ')
      .trim()
  const tables = [...objects.values()].filter((body) => /\/S \/Table\b/.test(body))
  return tables.map((table) => kids(table).map((row) => kids(row).map(cell)))
}

describe('a benefit sheet', () => {
  it('does not call limited coverage plainly active', async () => {
    expect((await read(checkOf())).text).toContain('Active\n')
    const limited = await read(checkOf('ATTENTION: active for Pharmacy only'))
    expect(limited.text).toContain('Active, but limited')
    expect(limited.text).toContain('with limits.')
    expect((await read(checkOf('ATTENTION: confirm with the patient: x'))).text).toContain('Active, not confirmed')
  })

  it('has days in the form of the console', async () => {
    const { text } = await read(
      checkOf('ATTENTION: another payer is primary: CIGNA, since 2020-01-01\nCARD 1234-56-78'),
    )
    for (const day of ['born 02/29/1984', 'on 03/02/2026', 'since 01/01/2020']) expect(text).toContain(day)
    expect(text).toContain('CARD 1234-56-78')
    expect(text.replace('1234-56-78', '')).not.toMatch(/\d{4}-\d{2}-\d{2}/)
  })

  it('states the patient, the payer and the day, with the figures of the plan', async () => {
    const { text } = await read(checkOf())
    expect(text).toContain('Benefit sheet')
    expect(text).toContain('Harbor Clinic. Inquiry sent at 03/02/2026.')
    expect(text).toContain('Active')
    expect(text).toContain('Iris Marlowe, born 02/29/1984')
    expect(text).toContain('Northwind Health (60054)')
    expect(text).toMatch(/\$620\.50/)
    expect(text).toContain(facts.checkId)
  })

  it('begins every line at the left margin, below the line before it, and ends it on the page', async () => {
    const long = 'PRIOR AUTHORIZATION IS NEEDED FOR IMAGING AND FOR SURGERY OF EVERY KIND; '.repeat(6)
    const { lines: parts } = await read(checkOf(`${long}\nA SHORT ONE\n${'X'.repeat(400)}`))
    const lines = parts.filter(({ y }, at) => parts[at - 1]?.y !== y)
    expect(lines.length).toBeGreaterThan(10)
    expect(new Set(lines.map(({ x }) => x))).toEqual(new Set([40]))
    const descending = lines.map(({ y }) => y)
    expect(descending).toEqual([...new Set(descending)].sort((a, b) => b - a))
    const ends = parts.map(({ x, letters, size }) => x + letters * LETTER_WIDTH * size)
    expect(Math.max(...ends)).toBeLessThanOrEqual(612 - 40)
  })

  it('is tagged: it has a language, a title, headings and paragraphs for a screen reader', async () => {
    const { file, streams } = await read(checkOf())
    expect(file).toMatch(/\/MarkInfo/)
    expect(file).toMatch(/\/Marked true/)
    expect(file).toMatch(/\/StructTreeRoot/)
    expect(file).toContain('/Lang (en-US)')
    expect(file).toContain('/DisplayDocTitle true')
    for (const tag of ['H1', 'H2', 'P']) expect(`${file}${streams}`).toMatch(new RegExp(`/${tag}\\b`))
  })

  it('has its tables as tables, with the names of columns and rows, for a screen reader', async () => {
    const check = checkOf()
    const { benefits } = check.parsed_response ?? {}
    const copay = (value: number) => ({ copay: { individual: value } })
    const service = { in_network: copay(25), out_of_network: copay(70) }
    const flat = [{ type: 'COPAY', coverageLevel: 'INDIVIDUAL', unit: 'CURRENCY', value: 40, notes: ['SPECIALIST'] }]
    Object.assign(benefits ?? {}, {
      service_specific_coverage: [
        { service_code: '98', ...service, in_network_flat: flat },
        { service_code: 'UC', in_network: copay(50), out_of_network: copay(50) },
      ],
    })
    const { objects, text } = await read(check)
    const heads = ['TD', 'TH Column', 'TH Column']
    expect(tablesOf(objects)).toEqual([
      [heads, ['TH Row', 'TD', 'TD'], ['TD  3'], ['TH Row', 'TD  2']],
      [[...heads, 'TH Column 2'], ['TD  5'], ['TH Row', 'TD', 'TD', 'TD', 'TD']],
    ])
    expect(text).toMatch(/\n {2}Professional \(Physician\) Visit - Office +\$25 copay +\$70 copay\n/)
    expect(text).not.toContain('\u0000')
  })

  it('continues on as many pages as the answer needs, each with the patient, the time and its number, and leaves nothing out', async () => {
    const notes = Array.from({ length: 150 }, (_, line) => `NOTE ${line} END`)
    const { file, text } = await read(checkOf(notes.join('\n')))
    for (const note of notes) expect(text).toContain(note)
    expect(text).not.toContain('more lines')
    const count = file.match(/\/Type \/Page\b/g)?.length ?? 0
    expect(count).toBe(3)
    expect(text.match(/^Iris Marlowe, born 02\/29\/1984/gm)).toHaveLength(count)
    expect(text.match(/Benefit sheet, inquiry sent at 03\/02\/2026, continued/g)).toHaveLength(count - 1)
    for (const page of [1, 2, 3]) expect(text).toContain(`Page ${page} of 3. `)
    // The section says on each page what it is.
    expect(text.match(/^Notes of the payer$/gm)).toHaveLength(count)
  })

  it('has a last page however long the answer is, and states how many lines were left out', async () => {
    const { file, text } = await read(checkOf(Array.from({ length: 1000 }, (_, line) => `NOTE ${line}`).join('\n')))
    expect(file.match(/\/Type \/Page\b/g)).toHaveLength(10)
    const [, left] = /(\d+) more lines do not fit on this sheet/.exec(text) ?? []
    expect((text.match(/NOTE \d+/g)?.length ?? 0) + Number(left)).toBe(1000)
  })

  it('states whom it was asked about, even where the payer answers about somebody else', async () => {
    const check = checkOf()
    Object.assign(check.parsed_response?.plan_metadata ?? {}, {
      subscriber: { first_name: 'Otto', last_name: 'Other' },
    })
    const { text } = await read(check)
    expect(text.indexOf('Iris Marlowe')).toBeGreaterThan(0)
    expect(text.indexOf('Iris Marlowe')).toBeLessThan(text.indexOf('Otto Other'))
  })

  it('shows without a color who may not be billed: white on black, before the status, and each alert bold', async () => {
    const { lines, streams, text } = await read(checkOf(`ATTENTION: ${PROHIBITION_TO_BILL}`))
    expect(text).toContain('Do not bill the patient (QMB).\n')
    expect(text.indexOf('Do not bill')).toBeLessThan(text.indexOf('\nActive'))
    const bar = lines.find((line) => line.text.includes('Do not bill'))
    expect(bar?.size).toBeGreaterThan(10)
    expect(streams).toMatch(/\b1 1 1 scn/)
    const fontOf = (part: string) => lines.find((line) => line.text.includes(part))?.font
    expect(fontOf('ATTENTION')).toBe(fontOf('Benefit sheet'))
    expect(fontOf('ATTENTION')).not.toBe(fontOf('The payer reports'))
    expect((await read(checkOf())).text).not.toContain('Do not bill')
  })

  it('says on the page what to do about a rejection: each line ends before the margin', async () => {
    const check = checkOf()
    const errorDetails = {
      field: 'AAA',
      code: '75',
      description: 'Subscriber/Insured Not Found',
      location: 'Loop 2100C',
    }
    const { lines, text } = await read({ ...check, errors: [{ errorDetails }] } as FinishedCheck)
    expect(text.replaceAll(/\s+/g, ' ')).toContain('Compare member ID, name and date of birth with the card')
    const ends = lines.map(({ x, letters, size }) => x + letters * LETTER_WIDTH * size)
    expect(Math.max(...ends)).toBeLessThanOrEqual(612 - 40)
    expect(text).not.toContain('transliterated')
  })

  it('shows what a payer writes as text: no operator, no link, no script of it reaches the file', async () => {
    const hostile =
      ') Tj ET Q /JS (app.alert(1)) <</S/URI/URI(https://attacker.invalid)>> endstream \u001b[1;31mRED\u001b[0m'
    const { file, streams, text } = await read(checkOf(hostile))
    expect(text).toContain('app.alert(1)')
    expect(`${file}${streams}`).not.toMatch(/\/JS \(|\/URI\(|app\.alert/)
  })

  it.each([
    ['Cyrillic', 'Ирина'],
    ['Greek', 'Αλέξανδρος'],
    ['Georgian', 'გიორგი'],
    ['Western, decomposed', 'Zoe\u0308'],
  ])('prints a name in %s letters as it is', async (_, name) => {
    const { text } = await read(checkOf('', name))
    expect(text).toContain(`${name.normalize('NFC')} Marlowe`)
    expect(text).not.toContain('transliterated')
  })

  it('prints an Arabic name from right to left, joined and as one name, and states its text for screen readers', async () => {
    const check = checkOf('', 'محمد')
    Object.assign(check.request?.subscriber ?? {}, { last_name: 'الخوارزمي' })
    const { lines, streams, text } = await read(check)
    const at = lines.findIndex((line) => line.text.includes('م'))
    expect([...(lines[at]?.text ?? '')].reverse().join('')).toBe('محمد الخوارزمي')
    expect(lines[at + 1]).toMatchObject({ y: lines[at]?.y, text: ', born 02/29/1984' })
    expect(lines[at + 1]?.x).toBeCloseTo((lines[at]?.x ?? 0) + (lines[at]?.letters ?? 0) * LETTER_WIDTH * 8.5, 1)
    const actual = Buffer.from('\ufeffمحمد الخوارزمي', 'utf16le').swap16().toString('latin1')
    expect(streams).toContain('/ActualText')
    expect(streams.includes(actual) || streams.replaceAll('\\', '').includes(actual.replaceAll('\\', ''))).toBe(true)
    expect(text).not.toContain('transliterated')
  })

  it('transliterates letters that its font lacks, with a note, and draws no box', async () => {
    const { text } = await read(checkOf('THE PAYER WRITES שלום 😀', '小明'))
    expect(text).toContain('XiaoMing Marlowe')
    expect(text).toContain('THE PAYER WRITES shlvm')
    expect(text).toContain('transliterated; the record keeps the original')
    expect(text).not.toContain('\u0000')
  })

  it('embeds every font that it uses', async () => {
    const { streams } = await read(checkOf('', 'محمد'))
    expect(streams.match(/\/FontFile2 /g)).toHaveLength(2)
    expect(streams).not.toMatch(/Helvetica|Courier/)
  })
})

it('reads each font once and takes a turn for each line, because a sheet took a third of a second at once', async () => {
  const { default: PDFDocument } = await import('pdfkit')
  const font = vi.spyOn(PDFDocument.prototype, 'font')
  let turns = 0
  try {
    await makeBenefitSheet(checkOf(), facts, async () => void turns++)
    expect(new Set(font.mock.calls.map(([source]) => source))).toEqual(new Set(['regular', 'bold']))
  } finally {
    font.mockRestore()
  }
  expect(turns).toBeGreaterThan(8)
})
