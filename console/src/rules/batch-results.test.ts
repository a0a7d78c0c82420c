import { describe, expect, it } from 'vitest'
import { PROHIBITION_TO_BILL } from '../../../src/contract/answer-notes.ts'
import { csvCell, findingOf, needsAttention, writeCsv } from './batch-results.ts'

describe('the results', () => {
  const request = { payer_id: '60054', provider: { npi: '1' }, subscriber: { first_name: 'Ana', last_name: '=1+1' } }

  it('are active, not active or unknown, with a reason; only results other than active without changes are flagged', () => {
    const active = findingOf({ parsed_response: { eligibility_status: 'ACTIVE' } })
    const changed = findingOf({
      parsed_response: { eligibility_status: 'ACTIVE' },
      request_corrections: [{ property: 'subscriber.member_id', request_value: 'W1', corrected_value: 'W2' }],
    })
    const refused = findingOf({ errors: [{ source: 'STEDI', errorDetails: { code: '75' } }] })
    const silent = findingOf({ parsed_response: { eligibility_status: 'UNKNOWN' } })
    expect([active, changed, refused, silent].map(needsAttention)).toEqual([false, true, true, true])
    expect([active, changed, refused, silent].map(({ outcome }) => outcome)).toEqual([
      'active',
      'active',
      'unknown',
      'unknown',
    ])
    expect(changed.changes).toEqual(['subscriber member id: W2'])
    expect(refused.reason).not.toBe('')
  })

  it('say that active coverage is limited or not confirmed, or that the patient may not be billed, on the screen and in the file', () => {
    const noted = (notes: string) => ({
      request,
      parsed_response: { eligibility_status: 'ACTIVE' as const, benefits: { notes } },
    })
    const pharmacy = noted('ATTENTION: active for Pharmacy only\nCopays apply')
    const other = noted('ATTENTION: confirm with the patient: the payer has member id W2, the inquiry had W1')
    const notBilled = noted(`ATTENTION: ${PROHIBITION_TO_BILL}`)
    expect([pharmacy, other, notBilled].map(findingOf)).toMatchObject([
      { outcome: 'limited', word: 'Active, but limited', reason: 'active for Pharmacy only' },
      { outcome: 'limited', word: 'Active, not confirmed' },
      { outcome: 'active', isBillingProhibited: true },
    ])
    const limitedToo = noted(`ATTENTION: active for Pharmacy only\nATTENTION: ${PROHIBITION_TO_BILL}`)
    expect(findingOf(limitedToo)).toMatchObject({ isBillingProhibited: true, reason: 'active for Pharmacy only' })
    expect(writeCsv([limitedToo])).toContain('"Do not bill the patient (QMB); active for Pharmacy only"')
    expect(writeCsv([notBilled])).toContain(',Active,Do not bill the patient (QMB),')
    expect(needsAttention(findingOf(notBilled))).toBe(true)
    expect(writeCsv([pharmacy])).toContain('"Active, but limited",active for Pharmacy only')
    expect(needsAttention(findingOf(pharmacy))).toBe(true)
  })

  it.each(['=HYPERLINK("x")', '+1', '-1', '@SUM(1)', '\t=1', '  =1', '|cmd', '＝1', '\u200b=1'])(
    'are not formulas in a spreadsheet: %j',
    (text) => expect(csvCell(text)).toMatch(/^"?'/),
  )

  it.each(['a;=1+1;b', 'a; @SUM(1)', 'a\t=1', 'a\n=1', 'a\r\n -1', 'a;\u200b＝1'])(
    'are not formulas where another character than a comma separates cells: %j',
    (text) => {
      const cells = csvCell(text)
        .replaceAll('"', '')
        .split(/[;\t\r\n]/)
      expect(cells.filter((cell) => /^[\s\p{Cf}]*[=+\-@|%＝＋－＠]/u.test(cell))).toEqual([])
    },
  )

  it('are written as CSV with every quotation mark doubled', () => {
    const text = writeCsv([
      { request, parsed_response: { eligibility_status: 'INACTIVE', plan_metadata: { plan_name: 'Say "A", B' } } },
    ])
    expect(text).toContain(`,Ana,"'=1+1",,Not active,`)
    expect(text).toContain('"Say ""A"", B"')
  })
})
