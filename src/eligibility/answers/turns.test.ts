import { expect, test } from 'vitest'
import { answerText } from '../../../test/support/answers.ts'
import { turnsOf } from '../../../test/support/turns.ts'
import { toInquiry } from '../inquiries/check-inquiry.ts'
import { readAnswer } from './read-answer.ts'

const request = {
  payerId: 'N',
  provider: { npi: '1999999984' },
  subscriber: { memberId: 'NW-100200', firstName: 'Iris', lastName: 'Marlowe', dateOfBirth: '1984-02-29' },
  dateOfService: '2026-06-15',
  serviceTypeCodes: ['30'],
}

/** The turns that two answers take which arrive together. */
function turnsOfTwo(rows: string): Promise<number> {
  const read = () =>
    readAnswer(
      { rawResponse: answerText(`EB*1**30~${rows}`) },
      { request, inquiry: toInquiry(request, 'TRACE-1'), organizationId: 'A', checkId: 'id' },
    )
  return turnsOf(async () => {
    const outcomes = await Promise.all([read(), read()])
    expect(outcomes.map(({ parsedResponse }) => parsedResponse?.eligibility_status)).toEqual(['ACTIVE', 'ACTIVE'])
  })
}

test('short answers that arrive together are evaluated one after the other, and longer ones in pieces', async () => {
  const copay = 'EB*B*IND*98***27*20*****Y~MSG*SPECIALIST~'
  expect(await turnsOfTwo(copay)).toBeLessThan(6)
  expect(await turnsOfTwo(copay.repeat(300))).toBeGreaterThan(12)
})
