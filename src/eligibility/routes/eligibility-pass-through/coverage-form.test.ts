import { expect, it } from 'vitest'
import { answerText } from '../../../../test/support/answers.ts'
import { turnsOf } from '../../../../test/support/turns.ts'
import { readAnswer, turnsFor } from '../../answers/read-answer.ts'
import { toInquiry } from '../../inquiries/check-inquiry.ts'
import { toCoverage } from './coverage-form.ts'

const request = {
  payerId: 'N',
  provider: { npi: '1999999984' },
  subscriber: { memberId: 'NW-100200', firstName: 'Iris', lastName: 'Marlowe', dateOfBirth: '1984-02-29' },
  dateOfService: '2026-06-15',
  serviceTypeCodes: ['30'],
}
const frame = {
  id: 'check',
  createdAt: new Date(0),
  payerId: 'N',
  dateOfService: '2026-06-15',
  serviceTypeCodes: ['30'],
}
const outcomeOf = (rows: string) =>
  readAnswer(
    { rawResponse: answerText(`EB*1**30~${rows}`) },
    { request, inquiry: toInquiry(request, 'TRACE-1'), organizationId: 'A', checkId: 'check' },
  )

const LETTERS = [...'ABCDEFGHIJ']
/** 1,000 services. */
const services = LETTERS.flatMap((one) => LETTERS.flatMap((two) => LETTERS.map((three) => one + two + three))).join('^')

it('an answer that would be written as gigabytes, because the form lists a row under each of its services, is a failure that says so', async () => {
  const listed = await toCoverage(await outcomeOf(`EB*B*IND*${services}***27*20*****Y~MSG*SPECIALIST~`), frame)
  expect(listed).toMatchObject({ status: 'Complete', plans: [{ benefits: expect.any(Array) }] })
  const beyond = await toCoverage(
    await outcomeOf(`EB*B*IND*${services}***27*20*****Y~MSG*${'SPECIALIST '.repeat(500)}~`),
    frame,
  )
  expect(beyond).toMatchObject({
    id: 'check',
    status: 'Request Error',
    validationMessages: [{ code: 'AnswerTooLarge' }],
  })
})

it('a long answer is written in this form in turns', async () => {
  const outcome = await outcomeOf('EB*B*IND*98***27*20*****Y~MSG*SPECIALIST~'.repeat(300))
  expect(await turnsOf(() => toCoverage(outcome, frame))).toBeLessThan(2)
  const turns = turnsFor({ rawResponse: 'x'.repeat(60_000) }, 'A')
  expect(await turnsOf(() => toCoverage(outcome, frame, turns))).toBeGreaterThan(1)
})
