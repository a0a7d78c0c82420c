import { expect, test } from 'vitest'
import { answerText, interchangeOf } from '../../test/support/answers.ts'
import { type Clearinghouse, type ClearinghouseAnswer, ClearinghouseError } from './clearinghouse.ts'
import { tryConnector } from './try-connector.ts'

const at = new Date('2026-01-31T12:00:00.000Z')
const asked = { payerId: '60054', at }

function answering(answer: ClearinghouseAnswer | ClearinghouseError): Clearinghouse {
  return {
    name: 'direct',
    async checkEligibility() {
      if (answer instanceof ClearinghouseError) throw answer
      return answer
    },
  }
}

const rejecting = (code: string) => ({ rawResponse: answerText(`AAA*N**${code}*C~`) })

test.each([
  ['an unknown patient proves the connection', rejecting('75'), true, /AAA 75 .*: the connection works$/],
  [
    'a provider that is not enrolled is distinguished',
    rejecting('50'),
    true,
    /with the NPI of one that is enrolled.*AAA 50/,
  ],
  ['a payer outage is distinguished', rejecting('42'), true, /payer did not answer.*AAA 42/],
  [
    'without a 271 there is no answer',
    { rawResponse: interchangeOf('', { setId: '270' }) },
    false,
    /without an eligibility response/,
  ],
  [
    'a rejected interchange names what to check',
    { rawResponse: `${interchangeOf('').split('~', 1)[0]}~TA1*000000001*260131*1200*R*006~IEA*0*000000042~` },
    false,
    /rejected our X12 \(TA1.*ISA and GS/,
  ],
  [
    'a rejection is reported with the clearinghouse’s explanation',
    new ClearinghouseError('It refuses us', { code: 'HTTP 403', retryable: false, detail: 'Unknown client' }),
    false,
    /^It refuses us \[HTTP 403\]; details: Unknown client\.$/,
  ],
  [
    'a code that the explanation names already is not named twice',
    new ClearinghouseError('The name cannot be resolved (ENOTFOUND)', { code: 'ENOTFOUND', retryable: true }),
    false,
    /^The name cannot be resolved \(ENOTFOUND\)\. This may/,
  ],
  [
    'an outage is reported as temporary',
    new ClearinghouseError('It is down', { code: 'HTTP 500', retryable: true }),
    false,
    /may be temporary: try again/,
  ],
] as const)('%s', async (_, answer, works, explanation) => {
  const trial = await tryConnector(answering(answer), asked)
  expect(trial).toEqual({ works, explanation: expect.stringMatching(explanation) })
})

test('a connector that lists payers needs no payer id for its trial; others do', async () => {
  async function* listPayers() {
    yield { displayName: 'Northwind Health' }
  }
  const trial = await tryConnector({ ...answering(rejecting('75')), listPayers }, { at })
  expect(trial).toEqual({ works: true, explanation: expect.stringContaining('Northwind Health') })
  expect(await tryConnector(answering(rejecting('75')), { at })).toBeUndefined()
})

test('an error that is not the clearinghouse’s is not explained away', async () => {
  const broken: Clearinghouse = { name: 'x', checkEligibility: () => Promise.reject(new TypeError('a fault of ours')) }
  await expect(tryConnector(broken, asked)).rejects.toThrow('a fault of ours')
})
