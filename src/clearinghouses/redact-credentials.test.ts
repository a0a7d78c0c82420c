import { expect, it } from 'vitest'
import type { Inquiry } from '../x12/model.ts'
import { ClearinghouseError } from './clearinghouse.ts'
import { redactCredentials } from './redact-credentials.ts'

const inquiry = {} as Inquiry
const at = new Date()

/** Rejects with a message that quotes the inquiry. */
const quoting = (quote: string) => ({
  name: 'quoting',
  checkEligibility: () =>
    Promise.reject(
      new ClearinghouseError(`refused ${quote}`, {
        code: quote,
        retryable: true,
        retryAfterMs: 5,
        detail: `cannot process ${quote}`,
        rawInquiry: 'ISA*',
        rawResponse: `<fault>${quote}</fault>`,
      }),
    ),
})

async function failureOf(quote: string, secrets: string[], portal?: { username: string; password: string }) {
  const { checkEligibility } = redactCredentials(quoting(quote), secrets)
  const options = { controlNumber: 1, at, ...(portal && { portal }) }
  return checkEligibility(inquiry, options).catch((error: ClearinghouseError) => error)
}

it.each([
  ['as it is', 'hunter&2"<', 'hunter&2"<'],
  ['in XML', 'hunter&2"<', 'hunter&amp;2&quot;&lt;'],
  ['in XML with plain quotation marks', 'hunter&2"<', 'hunter&amp;2"&lt;'],
  ['in JSON', 'hunter&2"<', 'hunter&2\\"<'],
  ['in a form', "it's (2)!", 'it%27s+%282%29%21'],
  ['in a URL', 'hunter &2"<', 'hunter%20%262%22%3C'],
])('a secret that is quoted %s is removed from every text of the failure', async (_, secret, quote) => {
  expect(await failureOf(quote, ['other', secret])).toMatchObject({
    message: 'refused (removed)',
    code: '(removed)',
    detail: 'cannot process (removed)',
    rawResponse: '<fault>(removed)</fault>',
    rawInquiry: 'ISA*',
    retryable: true,
    retryAfterMs: 5,
  })
})

it("a caller's own password at the payer's portal is removed, too", async () => {
  const failure = await failureOf('Tr0ub4dor', [], { username: 'desk', password: 'Tr0ub4dor' })
  expect(failure).toMatchObject({ detail: 'cannot process (removed)' })
})

it('other text stays, and so does an answer', async () => {
  expect(await failureOf('AAA 42', ['abc'])).toMatchObject({ detail: 'cannot process AAA 42' })
  const answer = { rawResponse: 'ISA*secret' }
  const clearinghouse = redactCredentials({ name: 'sound', checkEligibility: async () => answer }, ['secret'])
  expect([clearinghouse.name, await clearinghouse.checkEligibility(inquiry, { controlNumber: 1, at })]).toEqual([
    'sound',
    answer,
  ])
})
