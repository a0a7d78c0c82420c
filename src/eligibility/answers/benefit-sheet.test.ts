// The sheet as a reader of PDF sees it: its text, its tags, its one page.
import { inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { makeBenefitSheet } from './benefit-sheet.ts'
import type { FinishedCheck } from './print-benefits.ts'

const facts = { checkId: '0197a2c0-11aa-7b2c-8d3e-4f5061728394', organization: 'Harbor Clinic', askedAt: 'Mar 2, 2026' }

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

/** The file with its streams inflated, and the texts that it shows, in their order. */
async function read(check: FinishedCheck) {
  const file = (await makeBenefitSheet(check, facts)).toString('latin1')
  const streams = [...file.matchAll(/stream\r?\n(.*?)\r?\nendstream/gs)].map(([, bytes = '']) => {
    try {
      return inflateSync(Buffer.from(bytes, 'latin1')).toString('latin1')
    } catch {
      return bytes
    }
  })
  const shown = streams.flatMap((stream) =>
    [...stream.matchAll(/\[(.*?)\] TJ/g)].map(([, parts = '']) =>
      [...parts.matchAll(/<([0-9a-f]*)>/gi)].map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1')).join(''),
    ),
  )
  return { file, streams: streams.join('\n'), text: shown.join('\n') }
}

describe('a benefit sheet', () => {
  it('does not call limited coverage plainly active', async () => {
    expect((await read(checkOf())).text).toContain('Active\n')
    const limited = await read(checkOf('ATTENTION: active for Pharmacy only'))
    expect(limited.text).toContain('Active, but limited')
    expect(limited.text).toContain('with limits.')
    expect((await read(checkOf('ATTENTION: confirm with the patient: x'))).text).toContain('Active, not confirmed')
  })

  it('says who, what and when, with the figures of the plan', async () => {
    const { text } = await read(checkOf())
    expect(text).toContain('Benefit sheet')
    expect(text).toContain('Harbor Clinic. Inquiry sent at Mar 2, 2026.')
    expect(text).toContain('Active')
    expect(text).toMatch(/Iris Marlowe, born 1984-02-29/)
    expect(text).toContain('Northwind Health (60054)')
    expect(text).toMatch(/\$620\.50/)
    expect(text).toContain(facts.checkId)
  })

  it('begins every line at the left margin, below the line before it, and ends it on the page', async () => {
    const long = 'PRIOR AUTHORIZATION IS NEEDED FOR IMAGING AND FOR SURGERY OF EVERY KIND; '.repeat(6)
    const { streams } = await read(checkOf(`${long}\nA SHORT ONE\n${'X'.repeat(400)}`))
    const lines = [...streams.matchAll(/1 0 0 1 ([\d.]+) ([\d.]+) Tm\n\/F\d+ ([\d.]+) Tf\n\[(.*?)\] TJ/g)].map(
      ([, x, y, size, parts = '']) => {
        const letters = [...parts.matchAll(/<([0-9a-f]*)>/gi)].reduce((sum, [, hex = '']) => sum + hex.length / 2, 0)
        return { x: Number(x), y: Number(y), end: Number(x) + letters * 0.6 * Number(size) }
      },
    )
    expect(lines.length).toBeGreaterThan(10)
    expect(new Set(lines.map(({ x }) => x))).toEqual(new Set([40]))
    const descending = lines.map(({ y }) => y)
    expect(descending).toEqual([...new Set(descending)].sort((a, b) => b - a))
    // Of Courier, whose letters are six tenths of its size wide; the letters of the foot and the title are narrower.
    expect(Math.max(...lines.slice(3, -1).map(({ end }) => end))).toBeLessThanOrEqual(612 - 40)
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

  it('is one page regardless of the length of the answer, and states how many lines were left out', async () => {
    const { file, text } = await read(
      checkOf(Array.from({ length: 5000 }, (_, line) => `NOTE ${line} ${'X'.repeat(200)}`).join('\n')),
    )
    expect(file.match(/\/Type \/Page\b/g)).toHaveLength(1)
    expect(text).toMatch(/\d{4,} more lines do not fit on this page/)
  })

  it('shows what a payer writes as text: no operator, no link, no script of it reaches the file', async () => {
    const hostile =
      ') Tj ET Q /JS (app.alert(1)) <</S/URI/URI(https://attacker.invalid)>> endstream \u001b[1;31mRED\u001b[0m'
    const { file, streams, text } = await read(checkOf(hostile))
    expect(text).toContain('app.alert(1)')
    expect(`${file}${streams}`).not.toMatch(/\/JS \(|\/URI\(|app\.alert/)
  })

  it('transliterates names in other scripts, with a note; Western names are unchanged', async () => {
    const cyrillic = await read(checkOf('', 'Ирина'))
    expect(cyrillic.text).toContain('Irina Marlowe')
    expect(cyrillic.text).toContain('other scripts is transliterated here')
    const western = await read(checkOf('', 'Zoë'))
    expect(western.text).toContain('Zoë Marlowe')
    expect(western.text).not.toContain('other scripts is transliterated here')
  })
})
