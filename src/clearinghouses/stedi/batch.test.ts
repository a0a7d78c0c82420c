import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { answerText } from '../../../test/support/answers.ts'
import { otherSide } from '../../../test/support/other-side.ts'
import { type BatchItem, ClearinghouseError } from '../clearinghouse.ts'
import { createStediClearinghouse } from './stedi-clearinghouse.ts'

const { serveAlways, serveInTurn } = otherSide()
const at = new Date('2026-01-31T18:00:00.000Z')
const x12 = answerText('EB*1**30~')

function item(submitterTransactionIdentifier: string): BatchItem {
  return {
    submitterTransactionIdentifier,
    inquiry: {
      reference: 'REF1',
      traceNumber: 'TRACE1',
      payer: { id: '60054' },
      provider: { npi: '1999999984', organizationName: 'Clinic' },
      subscriber: { memberId: 'AETNA12345', lastName: 'Doe', dateOfBirth: '2004-04-04' },
      dateOfService: '2026-02-15',
      serviceTypeCodes: ['30'],
    },
  }
}

const connect = (managerUrl: string) => createStediClearinghouse({ managerUrl, apiKey: 'key-1', timeoutMs: 5000 })

describe('a batch', () => {
  test('carries every question with the id under which its answer comes back', async () => {
    const { url, asked } = await serveInTurn({ batchId: 'b1', submittedAt: '2026-01-31T18:00:01Z' })
    const options = { at, name: 'tomorrow', maxRetryHours: 12 }
    const submitted = await connect(url).submitBatch([item('one'), item('two')], options)
    expect(submitted).toEqual({ batchId: 'b1', submittedAt: '2026-01-31T18:00:01Z' })
    expect(asked[0]).toMatchObject({ method: 'POST', url: '/eligibility-manager/batch-eligibility' })
    expect(asked[0]?.json).toMatchObject({ name: 'tomorrow', maxRetryHours: 12 })
    expect(asked[0]?.json.items).toMatchObject([
      {
        submitterTransactionIdentifier: 'one',
        tradingPartnerServiceId: '60054',
        encounter: { dateOfService: '20260215' },
      },
      { submitterTransactionIdentifier: 'two', subscriber: { memberId: 'AETNA12345', dateOfBirth: '20040404' } },
    ])
  })

  test('of which one item is wrong is refused as a whole, and says which', async () => {
    const fault = { message: 'bad', fieldList: [{ path: '/items/1/subscriber/dateOfBirth', message: 'no date' }] }
    const submitting = connect(await serveAlways(400, fault)).submitBatch([item('one'), item('two')], { at })
    await expect(submitting).rejects.toMatchObject({
      code: 'HTTP 400',
      retryable: false,
      message: 'The clearinghouse finds fault with what was sent: items.1.subscriber.dateOfBirth',
    })
  })

  test('without questions, with too many, or without an id is none', async () => {
    const { url, asked } = await serveInTurn({})
    const stedi = connect(url)
    await expect(stedi.submitBatch([], { at })).rejects.toMatchObject({ code: 'BatchSize' })
    const tooMany = Array.from({ length: 10_001 }, (_, index) => item(`${index}`))
    await expect(stedi.submitBatch(tooMany, { at })).rejects.toMatchObject({ code: 'BatchSize', retryable: false })
    expect(asked).toHaveLength(0)
    await expect(stedi.submitBatch([item('one')], { at })).rejects.toMatchObject({ code: 'UnknownResponse' })
  })
})

describe('a poll', () => {
  test('reads compressed pages of answers, each read like a single one', async () => {
    const page = {
      items: [
        { submitterTransactionIdentifier: 'one', x12 },
        {
          submitterTransactionIdentifier: 'two',
          errors: [{ field: 'AAA', code: '75' }],
          subscriber: { lastName: 'DOE' },
        },
        { submitterTransactionIdentifier: 'three', status: 'ERROR', errors: [{ description: 'unreachable' }] },
      ],
      nextPageToken: 'p2',
    }
    const url = await serveAlways(200, gzipSync(JSON.stringify(page)), { 'content-encoding': 'gzip' })
    const { items, nextPageToken } = await connect(url).pollBatch('b1', { at })
    expect(nextPageToken).toBe('p2')
    expect(items).toMatchObject([
      { submitterTransactionIdentifier: 'one', answer: { rawResponse: x12 } },
      { submitterTransactionIdentifier: 'two', answer: { responses: [{ rejections: [{ reasonCode: '75' }] }] } },
      { submitterTransactionIdentifier: 'three', failure: { code: 'ERROR', detail: 'unreachable' } },
    ])
    expect(items[2]?.failure).toBeInstanceOf(ClearinghouseError)
  })

  test('asks for its page, within what Stedi gives at a time, and takes gzip', async () => {
    const { url, asked } = await serveInTurn({ items: [] })
    await connect(url).pollBatch('b 1', { at, pageToken: 'p&2', pageSize: 5000 })
    expect(asked[0]?.url).toBe(
      '/eligibility-manager/polling/batch-eligibility?batchId=b+1&pageSize=200&pageToken=p%262',
    )
    expect(asked[0]?.headers['accept-encoding']).toContain('gzip')
  })

  test('of a batch that nobody knows fails', async () => {
    const url = await serveAlways(404, { message: 'no such batch' })
    await expect(connect(url).pollBatch('b1', { at })).rejects.toMatchObject({ code: 'HTTP 404', retryable: false })
  })
})
