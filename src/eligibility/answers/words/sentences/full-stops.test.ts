import { describe, expect, test } from 'vitest'
import { MOST_TEXTS, partsOf } from '../../payer-text.ts'
import { withFullStops } from './full-stops.ts'
import { statementsWithin } from './run-on-sentences.ts'

describe('a text with full stops', () => {
  test.each([
    ['COPAY APPLIES * MEMBER TERMED', 'COPAY APPLIES. MEMBER TERMED'],
    ['Copay applies ~ Member termed', 'Copay applies. Member termed'],
    ['<p>Copay applies</p><p>Member <b>termed</b></p>', 'Copay applies. Member  termed'],
    ['COVERAGE\u00a0TERM\u00adINATED', 'COVERAGE TERMINATED'],
    ['Copay applies，Member termed', 'Copay applies, Member termed'],
    ['GRACE PERIOD: NO | MEMBER TERMED', 'GRACE PERIOD: NO. MEMBER TERMED'],
    ['1) COPAY APPLIES 2) MEMBER TERMED', 'COPAY APPLIES. MEMBER TERMED'],
  ])('divides %j', (text, divided) => {
    expect(withFullStops(text)).toBe(divided)
  })

  test.each([
    ['COPAY* APPLIES', 'COPAY* APPLIES'],
    ['LIMIT 20) PER YEAR', 'LIMIT 20) PER YEAR'],
    ['COVERAGE ENDS\nUNLESS PAID', 'COVERAGE ENDS UNLESS PAID'],
    ['COVERAGE HAS NOT\nTERMINATED', 'COVERAGE HAS NOT TERMINATED'],
    ['Coverage ends\nsoon after', 'Coverage ends soon after'],
    ['ACUPUNCTURE | NOT COVERED', 'ACUPUNCTURE NOT COVERED'],
    ['GOLD PPO | NOT COVERED', 'GOLD PPO - NOT COVERED'],
    ['A - B, C', 'A - B, C'],
  ])('joins %j', (text, joined) => {
    expect(withFullStops(text)).toBe(joined)
  })

  test.each([' ', '\n', '\t', '|', '*', '.', '_', '<br>', '&nbsp;', '\u00a0', '\u200b', '\u00ad', '- ', 'x '])(
    'leaves nothing unread and unannounced behind 100,000 times %j',
    (filler) => {
      const parts = partsOf(withFullStops(`ACTIVE COVERAGE.${filler.repeat(100_000)} COVERAGE TERMINATED`))
      expect(parts.length > MOST_TEXTS || parts.some((part) => part.includes('COVERAGE TERMINATED'))).toBe(true)
    },
  )

  test('reads a bounded part of a text', () => {
    expect(withFullStops('COPAY | '.repeat(200_000)).length).toBeLessThan(200_000)
  })
})

describe('the statements within a sentence', () => {
  const NOTICE =
    'THIS INFORMATION IS PROVIDED AS A COURTESY TO PROVIDERS AND MAY CHANGE WITH EACH CLAIM THAT WE PROCESS'
  test.each([
    ['COVERAGE TERMINATED 02/28/2026', true],
    ['AND THE MEMBER IS NOT ELIGIBLE', true],
    ['IF COVERAGE TERMINATED 02/28/2026', false],
    ['WHEN THE PREMIUM IS LATE COVERAGE IS TERMINATED', false],
    ['DENTAL COVERAGE TERMINATED 02/28/2026', false],
    ['OF THE SPOUSES PLAN THAT THE MEMBER HAS', false],
  ])('with %j at the end', (end, isFound) => {
    const found = statementsWithin(`${NOTICE} ${end}`)
    expect(found.includes(end.replace(/^AND /, ''))).toBe(isFound)
  })
})
