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
  ['a provider who is not enrolled is told apart', rejecting('50'), true, /--npi.*AAA 50/],
  ['a payer that is down is told apart', rejecting('42'), true, /payer did not answer.*AAA 42/],
  [
    'no 271 is no answer',
    { rawResponse: interchangeOf('', { setId: '270' }) },
    false,
    /without an eligibility response/,
  ],
  [
    'a refused interchange names what to check',
    { rawResponse: `${interchangeOf('').split('~', 1)[0]}~TA1*000000001*260131*1200*R*006~IEA*0*000000042~` },
    false,
    /refused our X12 \(TA1.*ISA and GS/,
  ],
  [
    'a refusal is told with what the other side says',
    new ClearinghouseError('It refuses us', { code: 'HTTP 403', retryable: false, detail: 'Unknown client' }),
    false,
    /^It refuses us \[HTTP 403\]; it says: Unknown client\.$/,
  ],
  [
    'an outage is told as what may pass',
    new ClearinghouseError('It is down', { code: 'HTTP 500', retryable: true }),
    false,
    /may pass: try again/,
  ],
] as const)('%s', async (_, answer, works, explanation) => {
  const trial = await tryConnector(answering(answer), asked)
  expect(trial).toEqual({ works, explanation: expect.stringMatching(explanation) })
})

test('one that lists its payers needs no payer to be tried; another does', async () => {
  async function* listPayers() {
    yield { displayName: 'Northwind Health' }
  }
  const trial = await tryConnector({ ...answering(rejecting('75')), listPayers }, { at })
  expect(trial).toEqual({ works: true, explanation: expect.stringContaining('Northwind Health') })
  expect(await tryConnector(answering(rejecting('75')), { at })).toBeUndefined()
})

test('what is not the other side’s doing is not explained away', async () => {
  const broken: Clearinghouse = { name: 'x', checkEligibility: () => Promise.reject(new TypeError('a fault of ours')) }
  await expect(tryConnector(broken, asked)).rejects.toThrow('a fault of ours')
})
