// Inquiries on the wire: for any request, either a 270 that follows the guide, or a refusal that names the field.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Clearinghouse } from '../../src/clearinghouses/clearinghouse.ts'
import { WireError } from '../../src/contract/errors.ts'
import { findFaults, toCheckRequest } from '../../src/eligibility/checks/check-request.ts'
import type { CheckRequest, InquiryNames } from '../../src/eligibility/inquiries/check-inquiry.ts'
import { runCheck } from '../../src/eligibility/inquiries/run-check.ts'
import { readEnvelope } from '../../src/x12/envelope.ts'
import { readInquiries } from '../../src/x12/inquiry-reader.ts'
import { writeInquiry } from '../../src/x12/inquiry-writer.ts'
import type { Inquiry } from '../../src/x12/model.ts'
import { requests } from '../support/generated-requests.ts'
import { addressAt } from '../support/interchange-address.ts'
import { checkInterchange } from '../support/x12-guide/check-interchange.ts'

const TODAY = '2026-11-22'
const CHECK_ID = '01a1fc1d-a51d-71d0-baa9-4bd4e756d543'
const FIELD =
  /^(?:payer_id|(?:subscriber|dependent)(?:\.(?:member_id|first_name|last_name|date_of_birth))?|provider\.(?:npi|organization_name|first_name|last_name)|encounter\.(?:service_type_codes|date_of_service)) /

const address = addressAt(new Date('2026-11-22T12:00:00Z'))

/** The 270 that is sent, if the inquiry is not refused, and the outcome. */
async function send(asked: CheckRequest, names?: InquiryNames) {
  const sent: Inquiry[] = []
  const clearinghouse: Clearinghouse = {
    name: 'noted',
    async checkEligibility(inquiry) {
      sent.push(inquiry)
      return { rawResponse: '' }
    },
  }
  const options = {
    organizationId: 'ORGANIZATION',
    checkId: CHECK_ID,
    controlNumber: 1,
    at: address.at,
    ...(names && { names }),
  }
  const outcome = await runCheck(clearinghouse, asked, options)
  return { inquiry: sent[0], text: sent[0] && writeInquiry(sent[0], address), outcome }
}

const names = fc.record({
  payer: fc.constantFrom('AETNA', 'Ærzte-Kasse Ödön', '保険', 'P'.repeat(80)),
  receiver: fc.constantFrom('Harbor Clinic', 'Клиника', 'C'.repeat(90)),
})

describe('for any request', () => {
  test('either a 270 that follows the guide is sent, or the request is refused by field and nothing is sent', async () => {
    let sent = 0
    await fc.assert(
      fc.asyncProperty(requests, fc.option(names, { nil: undefined }), async (request, known) => {
        let asked: CheckRequest
        try {
          asked = toCheckRequest(request, TODAY)
        } catch (error) {
          expect(error).toBeInstanceOf(WireError)
          expect((error as Error).message).toMatch(FIELD)
          return
        }
        const faults = findFaults(asked)
        const { text, outcome } = await send(asked, known)
        for (const { field, problem } of faults) expect(`${field} ${problem}`).toMatch(FIELD)
        expect(text === undefined).toBe(faults.length > 0)
        if (text === undefined) {
          expect(outcome.status).toBe('FAILED')
          expect(outcome.errors.every(({ source }) => source === 'CANDID')).toBe(true)
          expect(outcome.errors.map(({ errorDetails }) => errorDetails.field)).toEqual(faults.map(({ field }) => field))
          return
        }
        sent += 1
        expect(checkInterchange(text)).toEqual([])
        const [inquiry] = readEnvelope(text).transactions.flatMap(readInquiries)
        expect(inquiry?.payer.name).toBeTruthy()
        expect(inquiry?.provider.organizationName ?? inquiry?.provider.lastName).toBeTruthy()
        // Every value of the request is in the 270.
        const { subscriber, dependent } = asked
        for (const [said, read] of [
          [subscriber, inquiry?.subscriber],
          [dependent, inquiry?.dependent],
        ] as const) {
          expect(Boolean(read?.lastName)).toBe(Boolean(said?.lastName.trim()))
          expect(Boolean(read?.firstName)).toBe(Boolean(said?.firstName.trim()))
          expect(read?.dateOfBirth).toBe(said?.dateOfBirth)
        }
      }),
      { numRuns: 3000 },
    )
    expect(sent).toBeGreaterThan(100)
  })

  const request: CheckRequest = {
    payerId: '60054',
    provider: { npi: '1999999984' },
    subscriber: { memberId: 'W123', firstName: 'Ana', lastName: 'Rivera', dateOfBirth: '1984-02-29' },
    dateOfService: TODAY,
    serviceTypeCodes: ['30'],
  }

  test('a name or number that is longer than any is refused by its field, and not transliterated', async () => {
    const long = 'é'.repeat(1001)
    const outcomes = [
      await send({ ...request, payerId: long }),
      await send({ ...request, provider: { ...request.provider, organizationName: long } }),
      await send({ ...request, subscriber: { ...request.subscriber, lastName: long } }),
      await send({ ...request, subscriber: { ...request.subscriber, memberId: long } }),
    ]
    expect(
      outcomes.map(({ text, outcome }) => [text, outcome.errors.map(({ errorDetails }) => errorDetails.field)]),
    ).toEqual(
      ['payer_id', 'provider.organization_name', 'subscriber.last_name', 'subscriber.member_id'].map((field) => [
        undefined,
        [field],
      ]),
    )
    const { text } = await send({ ...request, subscriber: { ...request.subscriber, lastName: 'é'.repeat(1000) } })
    expect(text).toContain(`NM1*IL*1*${'E'.repeat(60)}*`)
  })

  test('payer and clinic are named', async () => {
    const { text } = await send(request, { payer: 'Aetna', receiver: 'Harbor Clinic' })
    expect(text).toContain('NM1*PR*2*AETNA*****PI*60054~')
    expect(text).toContain('NM1*1P*2*HARBOR CLINIC*****XX*1999999984~')
  })

  test.each([
    ['1EG4-TE5-MK73', '1EG4TE5MK73'],
    ['1eg4–te5–mk73', '1EG4TE5MK73'],
    ['W1-23', 'W1-23'],
  ])('member id %s is sent as %s', async (memberId, sent) => {
    const { text } = await send({ ...request, subscriber: { ...request.subscriber, memberId } })
    expect(text).toContain(`*MI*${sent}~`)
  })

  test.each([
    ['payer_id', { payerId: 'AB*C' }],
    ['payer_id', { payerId: 'P' }],
    ['provider.npi', { provider: { npi: '1999999985' } }],
    ['subscriber.member_id', { subscriber: { ...request.subscriber, memberId: 'W1~2' } }],
    ['subscriber.member_id', { subscriber: { ...request.subscriber, memberId: 'Ж123' } }],
    ['subscriber.last_name', { subscriber: { ...request.subscriber, lastName: '😀' } }],
    ['dependent.first_name', { dependent: { firstName: '***', lastName: 'Rivera' } }],
    ['subscriber', { subscriber: { firstName: 'Ana', lastName: ' ' } }],
    ['encounter.service_type_codes', { serviceTypeCodes: ['30', 'EF'] }],
    ['encounter.service_type_codes', { serviceTypeCodes: ['31'] }],
    ['encounter.date_of_service', { dateOfService: '2026-02-30' }],
  ])('an invalid %s is refused without repeating the value', async (field, changes) => {
    const { text, outcome } = await send({ ...request, ...changes })
    expect(text).toBeUndefined()
    expect(outcome.errors).toMatchObject([{ source: 'CANDID', errorDetails: { code: 'INVALID_REQUEST', field } }])
    expect(outcome.errors[0]?.errorDetails.description).toMatch(new RegExp(`^${field} (?:must|needs|has)`))
  })
})

describe('a name in another script', () => {
  const people = [
    ['Петров', 'Иван', 'PETROV', 'IVAN'],
    ['王', '明', 'WANG', 'MING'],
    ['محمد', 'علي', 'MHMD', 'LY'],
    ['Παππάς', 'Άρης', 'PAPPAS', 'ARIS'],
  ] as const

  test.each(people)(
    '%s %s is sent in Latin letters, and the answer about %s %s is theirs, with a notice',
    async (last, first, sentLast, sentFirst) => {
      const asked: CheckRequest = {
        payerId: '60054',
        provider: { npi: '1999999984' },
        subscriber: { memberId: 'W123', firstName: first, lastName: last, dateOfBirth: '1984-02-29' },
        dateOfService: TODAY,
        serviceTypeCodes: ['30'],
      }
      const rows = 'EB*1**30**GOLD~'
      const outcome = await runCheck(answering(rows), asked, {
        organizationId: 'ORGANIZATION',
        checkId: CHECK_ID,
        controlNumber: 1,
        at: address.at,
      })
      expect(outcome.rawInquiry).toContain(`NM1*IL*1*${sentLast}*${sentFirst}*`)
      expect(outcome).toMatchObject({ status: 'COMPLETED', requestCorrections: [], errors: [] })
      expect(outcome.parsedResponse?.eligibility_status).toBe('ACTIVE')
      expect(outcome.readinessIssues).toBeUndefined()
      expect(outcome.parsedResponse?.benefits?.notes).toContain(
        `ATTENTION: subscriber.last_name is not in Latin letters and was transliterated: the inquiry was sent with "${sentLast}"`,
      )
    },
  )

  test('that the payer does not find is mentioned with the error, without the name itself', async () => {
    const asked: CheckRequest = {
      payerId: '60054',
      provider: { npi: '1999999984' },
      subscriber: { memberId: 'W123', firstName: 'Ivan', lastName: 'Петров', dateOfBirth: '1984-02-29' },
      dateOfService: TODAY,
      serviceTypeCodes: ['30'],
    }
    const outcome = await runCheck(answering('AAA*N**75*C~'), asked, {
      organizationId: 'ORGANIZATION',
      checkId: CHECK_ID,
      controlNumber: 1,
      at: address.at,
    })
    const [error] = outcome.errors
    expect(error?.errorDetails).toMatchObject({ code: '75' })
    expect(error?.errorDetails.possibleResolutions).toContain('subscriber.last_name is not in Latin letters')
    expect(error?.errorDetails['possibleResolutions?']).toBe(error?.errorDetails.possibleResolutions)
    expect(JSON.stringify(outcome.errors)).not.toMatch(/PETROV/i)
  })

  test('that the payer has only in its truncated form matches the person', async () => {
    const lastName = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(2)
    const asked: CheckRequest = {
      payerId: '60054',
      provider: { npi: '1999999984' },
      subscriber: { memberId: 'W123', firstName: 'Ana', lastName, dateOfBirth: '1984-02-29' },
      dateOfService: TODAY,
      serviceTypeCodes: ['30'],
    }
    const outcome = await runCheck(answering('EB*1**30~'), asked, {
      organizationId: 'ORGANIZATION',
      checkId: CHECK_ID,
      controlNumber: 1,
      at: address.at,
    })
    expect(outcome.requestCorrections).toEqual([])
    expect(outcome.parsedResponse?.benefits?.notes).toContain(
      'subscriber.last_name is longer than an inquiry allows and was truncated',
    )
  })
})

/** A payer that echoes the person in the 270 and returns these rows. */
function answering(rows: string): Clearinghouse {
  return {
    name: 'echo',
    async checkEligibility(inquiry) {
      const rawInquiry = writeInquiry(inquiry, address)
      const segments = rawInquiry.split('~')
      const name = segments.find((segment) => segment.startsWith('NM1*IL')) ?? ''
      const birth = segments.find((segment) => segment.startsWith('DMG')) ?? ''
      const isRefusal = rows.startsWith('AAA')
      const rawResponse = [
        ...segments.slice(0, 1),
        segments[1]?.replace('GS*HS', 'GS*HB'),
        'ST*271*0001*005010X279A1',
        `BHT*0022*11*${inquiry.reference}*20261122*1200`,
        ...segments.slice(4, 8),
        'HL*3*2*22*0',
        `TRN*2*${inquiry.traceNumber}*9CLINIC000`,
        name,
        ...(isRefusal ? [rows.replace('~', '')] : []),
        birth,
        ...(isRefusal ? [] : [rows.replace('~', '')]),
        `SE*13*0001`,
        'GE*1*1',
        'IEA*1*000000001',
        '',
      ].join('~')
      return { rawInquiry, rawResponse }
    },
  }
}
