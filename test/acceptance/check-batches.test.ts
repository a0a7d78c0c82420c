// Batches of eligibility checks through the published client, answered by the workers of a started server.
import { setTimeout as delay } from 'node:timers/promises'
import { CandidApi, type CandidApiClient } from 'candidhealth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publishedClient } from '../support/published-client.ts'
import { type StartedServer, startServerOnClone } from '../support/started-server.ts'
import { bodyOf, type EligibilityRequest, type EligibilityResponse, errorOf } from './requests.ts'

let server: StartedServer
let client: CandidApiClient['preEncounter']['eligibilityChecks']['v1']
beforeAll(async () => {
  server = await startServerOnClone()
  client = publishedClient(server, await server.newCredentials()).preEncounter.eligibilityChecks.v1
})
afterAll(() => server?.stop())

const mock = (payerId: string, memberId: string, firstName: string): EligibilityRequest => ({
  submitterTransactionIdentifier: memberId,
  payerId: CandidApi.preEncounter.PayerId(payerId),
  provider: { npi: '1999999984' },
  subscriber: { memberId, firstName, lastName: 'Doe', dateOfBirth: '2004-04-04' },
})

/** Polls like a client until every item is answered. */
async function answersOf(batchId: string, count: number): Promise<EligibilityResponse[]> {
  for (;;) {
    const page = bodyOf(await client.pollBatch(batchId))
    if (page.total === count) return page.items
    await delay(100)
  }
}

describe('a batch of checks', () => {
  test('is answered in order, with the same results as real-time checks', async () => {
    const requests = [
      mock('60054', 'AETNA12345', 'Jane'),
      mock('87726', 'UHCAAA42', 'Jane'),
      mock('87726', 'UHCAAA72', 'John'),
      mock('BAD_PAYER_ID', 'AETNA12345', 'Jane'),
      mock('87726', 'UHCAAA75', 'Jane'),
    ]
    const { batchId, submittedAt } = bodyOf(await client.batch(requests))
    expect(submittedAt.getTime()).toBeLessThanOrEqual(Date.now() + 1000)
    const answers = await answersOf(batchId, requests.length)
    expect(answers.map(({ request }) => request?.submitterTransactionIdentifier)).toEqual(
      requests.map(({ submitterTransactionIdentifier }) => submitterTransactionIdentifier),
    )
    expect(answers.map((answer) => answer.batchId)).toEqual(requests.map(() => batchId))
    expect(answers.map(({ errors }) => errors?.map(({ errorDetails }) => errorDetails.code))).toEqual([
      undefined,
      ['42'],
      ['72'],
      ['79'],
      ['75'],
    ])
    expect(answers[0]?.parsedResponse?.eligibilityStatus).toBe('ACTIVE')
  })

  test('that is empty is refused, and an unknown one is not found', async () => {
    const [empty, unknown] = [errorOf(await client.batch([])), errorOf(await client.pollBatch('nothing'))]
    expect(JSON.stringify(empty.content)).toContain('BadRequestError')
    expect(JSON.stringify(unknown.content)).toContain('NotFoundError')
  })

  test('can be read page by page', async () => {
    const requests = Array.from({ length: 130 }, () => mock('60054', 'AETNA12345', 'Jane'))
    const { batchId } = bodyOf(await client.batch(requests))
    await answersOf(batchId, requests.length)
    const first = bodyOf(await client.pollBatch(batchId))
    const second = bodyOf(await client.pollBatch(batchId, { pageToken: first.nextPageToken! }))
    expect([first.items.length, second.items.length, second.nextPageToken]).toEqual([100, 30, undefined])
  })
})
