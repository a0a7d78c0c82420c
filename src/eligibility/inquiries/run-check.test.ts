import { describe, expect, it } from 'vitest'
import { addressAt } from '../../../test/support/interchange-address.ts'
import { answersInMemory } from '../../clearinghouses/answers-in-memory.ts'
import type { Clearinghouse } from '../../clearinghouses/clearinghouse.ts'
import { ClearinghouseError } from '../../clearinghouses/clearinghouse.ts'
import { readEnvelope } from '../../x12/envelope.ts'
import { readInquiries } from '../../x12/inquiry-reader.ts'
import { writeInquiry } from '../../x12/inquiry-writer.ts'
import { type SegmentContent, writeInterchange } from '../../x12/interchange-writer.ts'
import type { Inquiry } from '../../x12/model.ts'
import type { CheckRequest } from './check-inquiry.ts'
import { runCheck } from './run-check.ts'

const request: CheckRequest = {
  payerId: '60054',
  provider: { npi: '1999999984', organizationName: 'Elm Clinic' },
  subscriber: { memberId: 'W1', firstName: 'Ana', lastName: 'Rivera', dateOfBirth: '1984-02-29' },
  dateOfService: '2026-06-15',
  serviceTypeCodes: ['30'],
}
const options = {
  organizationId: 'ORGANIZATION',
  checkId: '01a1fc1d-a51d-71d0-baa9-4bd4e756d543',
  controlNumber: 7,
  at: new Date('2026-06-15T12:00:00Z'),
}
const address = addressAt(options.at, options.controlNumber)

/** A payer that answers with these rows about the given person. */
function payer(rows: SegmentContent[], person?: Partial<Inquiry['subscriber']> & { trace?: string }): Clearinghouse {
  return answering((inquiry) => {
    const asked = { ...inquiry.subscriber, ...person }
    const trace = person?.trace ?? inquiry.traceNumber
    return writeInterchange({
      address,
      functionalId: 'HB',
      transactions: [
        [
          ['BHT', '0022', '11', person?.trace ? 'OTHER' : inquiry.reference, '20260615', '1200'],
          ['HL', '1', undefined, '20', '1'],
          ['NM1', 'PR', '2', 'AETNA', undefined, undefined, undefined, undefined, 'PI', '60054'],
          ['HL', '2', '1', '21', '1'],
          ['NM1', '1P', '2', 'ELM CLINIC', undefined, undefined, undefined, undefined, 'XX', '1999999984'],
          ['HL', '3', '2', '22', '0'],
          ['TRN', '2', trace, '9ANTEROOM0'],
          ['NM1', 'IL', '1', asked.lastName, asked.firstName, undefined, undefined, undefined, 'MI', asked.memberId],
          ['DMG', 'D8', asked.dateOfBirth?.replaceAll('-', '')],
          ...rows,
        ],
      ],
    })
  })
}

function answering(answer: (inquiry: Inquiry) => string): Clearinghouse {
  return {
    name: 'test',
    async checkEligibility(inquiry) {
      const rawInquiry = writeInquiry(inquiry, address)
      const [transaction] = readEnvelope(rawInquiry).transactions
      const [asked] = transaction ? readInquiries(transaction) : []
      if (!asked) throw new Error('our own inquiry must be readable')
      return { rawInquiry, rawResponse: answer(asked) }
    },
  }
}

const active: SegmentContent = ['EB', '1', 'IND', '30', 'PR', 'GOLD PPO']

describe('runCheck', () => {
  it('gives an answer up as an outage while answers of others that wait to be read fill the memory', async () => {
    const most = 128 * 1024 * 1024 - 1
    answersInMemory.add('another organization', most)
    const outcome = await runCheck(payer([active]), request, options)
    answersInMemory.add('another organization', -most)
    expect(outcome).toMatchObject({ status: 'FAILED', outage: { isAnswered: false, isOurs: true } })
    expect(outcome.errors[0]?.errorDetails.code).toBe('TooManyAnswers')
    expect((await runCheck(payer([active]), request, options)).status).toBe('COMPLETED')
    expect(answersInMemory.hasRoomFor('anyone', 10 * most)).toBe(true)
  })

  it('says whose an error is: the service’s own where no clearinghouse is configured, else the clearinghouse’s', async () => {
    for (const [code, source] of [
      ['NotConfigured', 'CANDID'],
      ['HTTP 503', 'STEDI'],
    ] as const) {
      const failing = async () => Promise.reject(new ClearinghouseError('it failed', { code, retryable: true }))
      const { errors } = await runCheck({ name: 'test', checkEligibility: failing }, request, options)
      expect(errors).toMatchObject([{ source, errorDetails: { code } }])
    }
  })

  it('sends an inquiry whose middle name is blank, and without it', async () => {
    const blank = { ...request, subscriber: { ...request.subscriber, middleName: ' ' } }
    const outcome = await runCheck(payer([active]), blank, options)
    expect(outcome).toMatchObject({ status: 'COMPLETED', errors: [] })
    expect(outcome.rawInquiry).toContain('NM1*IL*1*RIVERA*ANA****MI*W1~')
  })

  it('reads an answer about our patient', async () => {
    const outcome = await runCheck(payer([active]), request, options)
    expect(outcome).toMatchObject({ status: 'COMPLETED', errors: [], requestCorrections: [] })
    expect(outcome.parsedResponse?.eligibility_status).toBe('ACTIVE')
    expect(outcome.rawInquiry).toContain('TRN*1*01A1FC1DA51D71D0BAA94BD4E756D543')
  })

  it('renders the response when it is read or copied, by one getter for all: V8 would keep an answer in memory with a getter of its own', async () => {
    const outcome = await runCheck(payer([active]), request, options)
    const another = await runCheck(payer([active]), request, options)
    const [one, two] = [outcome, another].map((each) => Object.getOwnPropertyDescriptor(each, 'response')?.get)
    expect(one).toBeInstanceOf(Function)
    expect(two).toBe(one)
    expect({ ...outcome }.response).toEqual(outcome.response)
    expect(outcome.response).toMatchObject({ x12: outcome.rawResponse })
    const unread = await runCheck(payer([active]), request, { ...options, withoutResponse: true })
    expect(unread).toMatchObject({ status: 'COMPLETED', answerForm: 'x12' })
    expect(unread.response).toBeUndefined()
  })

  it('never accepts an answer about another person, and does not show it', async () => {
    const other = { firstName: 'JOHN', lastName: 'DOE', memberId: 'X9', dateOfBirth: '1950-01-01' }
    for (const person of [other, { ...other, trace: 'SOMEBODY' }]) {
      const outcome = await runCheck(payer([active], person), request, options)
      expect(outcome.status).toBe('FAILED')
      expect(outcome.parsedResponse).toBeUndefined()
      expect(outcome.response).toBeUndefined()
      expect(outcome.errors[0]?.errorDetails.code).toBe('PATIENT_MISMATCH')
    }
  })

  it('does not use the answer to another of our inquiries, which may be about the same person', async () => {
    const outcome = await runCheck(payer([active], { trace: '01A1FC1DA51D71D0BAA94BD4E756D544' }), request, options)
    expect(outcome).toMatchObject({ status: 'FAILED', outage: { isAnswered: false } })
    expect(outcome.errors[0]?.errorDetails.code).toBe('MISDIRECTED_ANSWER')
    expect(outcome.parsedResponse).toBeUndefined()
    expect(outcome.response).toBeUndefined()
  })

  it('does not use it with its reference alone, or beside an answer about somebody else, either', async () => {
    const other = '01A1FC1DA51D71D0BAA94BD4E756D544'
    const whole = (await runCheck(payer([active]), request, options)).rawResponse ?? ''
    const own = '01A1FC1DA51D71D0BAA94BD4E756D543'
    const referred = whole.replace(/TRN\*2\*[^~]*~\s*/, '').replaceAll(own, other)
    expect(referred).toContain(other)
    const stranger = ['HL*4*2*22*0', 'NM1*IL*1*DOE*JOHN****MI*X9', 'DMG*D8*19500101', 'EB*1**30']
    const beside = whole
      .replaceAll(own, other)
      .replace(/SE\*\d+/, `${stranger.join('~')}~SE*99`)
      .replace(/(BHT(?:\*[^*~]*){2}\*)[^*]*/, '$1THEIRS')
    expect(beside).toContain('X9')
    for (const [text, code] of [
      [referred, 'MISDIRECTED_ANSWER'],
      [beside, 'PATIENT_MISMATCH'],
    ] as const) {
      const outcome = await runCheck(
        answering(() => text),
        request,
        options,
      )
      expect(outcome).toMatchObject({ status: 'FAILED', errors: [{ errorDetails: { code } }] })
      expect([outcome.parsedResponse, outcome.response]).toEqual([undefined, undefined])
    }
  })

  it("reports a reject reason as UNKNOWN with the payer's words, not as inactive", async () => {
    const outcome = await runCheck(payer([['AAA', 'N', undefined, '75', 'C']]), request, options)
    expect(outcome.status).toBe('FAILED')
    expect(outcome.parsedResponse?.eligibility_status).toBe('UNKNOWN')
    expect(outcome.errors).toMatchObject([{ source: 'STEDI', errorDetails: { 'code?': '75', code: '75' } }])
  })

  it('does not trust a truncated answer, regardless of where it ends', async () => {
    const whole = await runCheck(payer([active, ['DTP', '347', 'D8', '20200101']]), request, options)
    const text = whole.rawResponse ?? ''
    for (let length = 0; length < text.indexOf('SE*'); length += 7) {
      const outcome = await runCheck(
        answering(() => text.slice(0, length)),
        request,
        options,
      )
      expect(outcome.status, `cut at ${length}`).toBe('FAILED')
      expect(outcome.parsedResponse?.eligibility_status).not.toBe('ACTIVE')
    }
  })

  it.each([
    ['HTML', '<html><body>Service unavailable</body></html>', 'UNREADABLE_ANSWER'],
    ['nothing', '', 'UNREADABLE_ANSWER'],
    ['a TA1', `${isa()}TA1*000000007*260615*1200*R*024~IEA*0*000000007~`, 'REFUSED'],
  ])('turns %s into an error', async (_what, answer, code) => {
    const outcome = await runCheck(
      answering(() => answer),
      request,
      options,
    )
    expect(outcome).toMatchObject({ status: 'FAILED', errors: [{ errorDetails: { code } }] })
  })

  it('reports the failure of a clearinghouse that sends JSON nested without end', async () => {
    const rawResponse = `${'{"a":['.repeat(20_000)}1${']}'.repeat(20_000)}`
    const failure = new ClearinghouseError('no answer', { code: 'UnknownResponse', retryable: false, rawResponse })
    const failing: Clearinghouse = { name: 'deep', checkEligibility: () => Promise.reject(failure) }
    const outcome = await runCheck(failing, request, options)
    expect(outcome).toMatchObject({ status: 'FAILED', errors: [{ errorDetails: { code: 'UnknownResponse' } }] })
  })

  it('stores the data sent and received when the clearinghouse fails', async () => {
    const failing: Clearinghouse = {
      name: 'down',
      checkEligibility: () =>
        Promise.reject(
          new ClearinghouseError('The clearinghouse did not answer', {
            code: 'Timeout',
            retryable: true,
            rawInquiry: 'ISA',
            rawResponse: '{"a":1}',
          }),
        ),
    }
    const outcome = await runCheck(failing, request, options)
    expect(outcome).toMatchObject({ status: 'FAILED', rawInquiry: 'ISA', rawResponse: '{"a":1}', response: { a: 1 } })
    expect(outcome.errors).toMatchObject([{ source: 'STEDI', errorDetails: { code: 'Timeout' } }])
  })
})

function isa(): string {
  return writeInterchange({ address, functionalId: 'HB', transactions: [] }).slice(0, 106)
}

describe('the place of a check at its payer', () => {
  const askedFor = async (messages: number) => {
    const events: string[] = []
    const rows: SegmentContent[] = [['EB', '1', undefined, '30']]
    for (let index = 0; index < messages; index++) rows.push(['MSG', `PLAN BENEFITS APPLY ${index}`])
    const asking = runCheck(payer(rows), request, { ...options, whenAnswered: () => events.push('free') })
    const { parsedResponse } = await asking.finally(() => events.push('read'))
    expect(parsedResponse?.eligibility_status).toBe('ACTIVE')
    return events
  }

  it('is free when the payer has answered, before the answer is read', async () => {
    expect(await askedFor(1)).toEqual(['free', 'read'])
  })

  it('is kept until a large answer is read, so that not many of them are in memory at once', async () => {
    expect(await askedFor(2_500)).toEqual(['read'])
  })
})
