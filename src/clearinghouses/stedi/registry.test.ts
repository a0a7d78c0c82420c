// Stedi's operations besides a check of one patient: discovery, coordination of benefits, payers.
import { describe, expect, test } from 'vitest'
import { clearinghouseServers } from '../../../test/support/clearinghouse-servers.ts'
import type { CobInquiry, DiscoveryInquiry } from '../clearinghouse.ts'
import { createStediClearinghouse } from './stedi-clearinghouse.ts'
import type { StediSettings } from './stedi-settings.ts'

const { serve, serveAlways, serveInTurn } = clearinghouseServers()

function connect(url: string, settings: Partial<StediSettings> = {}) {
  return createStediClearinghouse({
    url,
    payersUrl: url,
    apiKey: 'key-1',
    timeoutMs: 30_000,
    pollEveryMs: 5,
    ...settings,
  })
}

describe('discovery', () => {
  const inquiry: DiscoveryInquiry = {
    provider: { npi: '1999999984' },
    subscriber: { firstName: 'Jane', lastName: 'Secretname', ssn: '900112222' },
    encounter: { dateOfService: '20260131' },
  }
  const pending = { discoveryId: 'd 1', status: 'PENDING' }
  const complete = {
    discoveryId: 'd 1',
    status: 'COMPLETE',
    coveragesFound: 1,
    items: [{ payer: { name: 'NORTHWIND' } }],
  }

  test('sends the search unchanged and returns the result', async () => {
    const { url, asked } = await serveInTurn(complete)
    expect(await connect(url).discoverInsurance(inquiry)).toEqual(complete)
    expect(asked).toMatchObject([{ method: 'POST', url: '/insurance-discovery/check/v1', json: inquiry }])
  })

  test('polls the result of a longer search until it is complete', async () => {
    const { url, asked } = await serveInTurn(pending, pending, complete)
    expect(await connect(url).discoverInsurance(inquiry)).toEqual(complete)
    const poll = { method: 'GET', url: '/insurance-discovery/check/v1/d%201' }
    expect(asked).toMatchObject([{ method: 'POST' }, poll, poll])
  })

  test('continues to poll after a temporary error', async () => {
    const answers = [pending, undefined, complete]
    const url = await serve((request, response) => {
      request.resume()
      const answer = answers.shift()
      response.writeHead(answer ? 200 : 503).end(JSON.stringify(answer ?? {}))
    })
    expect(await connect(url).discoverInsurance(inquiry)).toEqual(complete)
  })

  test('ends at the deadline when the search never does, and reports that', async () => {
    const url = await serveAlways(200, pending)
    // Long enough for the first answers to come on a busy machine: without one it would be another error.
    const search = connect(url, { timeoutMs: 1_000 }).discoverInsurance(inquiry)
    await expect(search).rejects.toMatchObject({
      code: 'Pending',
      retryable: true,
      message: 'The search for insurance was still running after 1 s',
    })
    const withoutId = connect(await serveAlways(200, { status: 'PENDING' })).discoverInsurance(inquiry)
    await expect(withoutId).rejects.toMatchObject({ code: 'Pending' })
  })

  test('ends when the caller aborts, and when the result is rejected', async () => {
    const giveUp = new AbortController()
    const url = await serve((request, response) => {
      request.resume()
      if (request.method === 'GET') giveUp.abort()
      else response.end(JSON.stringify(pending))
    })
    const search = connect(url).discoverInsurance(inquiry, { signal: giveUp.signal })
    await expect(search).rejects.toMatchObject({ code: 'Aborted' })
    const gone = await serve((request, response) => {
      request.resume()
      response.writeHead(request.method === 'GET' ? 404 : 200).end(JSON.stringify(pending))
    })
    await expect(connect(gone).discoverInsurance(inquiry)).rejects.toMatchObject({ retryable: false })
  })

  test('that fails names fields, and no patient data', async () => {
    const fault = { message: 'bad', fieldList: [{ path: '/subscriber/ssn', message: "'900112222' is none" }] }
    const search = connect(await serveAlways(400, fault)).discoverInsurance(inquiry)
    await expect(search).rejects.toMatchObject({
      code: 'HTTP 400',
      message: 'The clearinghouse rejected fields of the request: subscriber.ssn',
      rawInquiry: undefined,
    })
  })
})

describe('coordination of benefits', () => {
  const inquiry: CobInquiry = {
    tradingPartnerServiceId: '60054',
    provider: { npi: '1999999984', organizationName: 'Clinic' },
    subscriber: { firstName: 'Jane', lastName: 'Doe', dateOfBirth: '2004-04-04', memberId: 'AETNA12345' },
    encounter: { dateOfService: '2026-01-31' },
  }

  test('inquires about the plan as a whole, with Stedi’s payer id', async () => {
    const found = { coordinationOfBenefits: { classification: 'MemberFoundNoCob' } }
    const { url, asked } = await serveInTurn(found)
    expect(await connect(url, { payerIds: { '60054': 'AETNA' } }).coordinateBenefits(inquiry)).toEqual(found)
    expect(asked).toMatchObject([{ method: 'POST', url: '/coordination-of-benefits' }])
    expect(asked[0]?.json).toEqual({
      ...inquiry,
      tradingPartnerServiceId: 'AETNA',
      encounter: { dateOfService: '2026-01-31', serviceTypeCode: '30' },
    })
  })

  test.each([
    [400, { message: 'bad payer' }, 'HTTP 400', false],
    [429, {}, 'HTTP 429', true],
    [504, {}, 'HTTP 504', true],
    [200, { status: 'ERROR', errors: [{ description: 'down' }] }, 'ERROR', true],
    [200, '<html></html>', 'HtmlResponse', true],
    [200, '{"subscriber":', 'TruncatedResponse', true],
  ])('with HTTP %i %j fails', async (status, body, code, retryable) => {
    const asking = connect(await serveAlways(status, body)).coordinateBenefits(inquiry)
    await expect(asking).rejects.toMatchObject({ code, retryable })
  })
})

describe('the payers', () => {
  const listAll = async (url: string) => {
    const payers: object[] = []
    for await (const payer of connect(url).listPayers()) payers.push(payer)
    return payers
  }

  test('are fetched page by page until there are no more', async () => {
    const { url, asked } = await serveInTurn(
      { items: [{ stediId: 'AAAAA' }, { stediId: 'BBBBB' }], nextPageToken: 'two&more' },
      { items: [{ stediId: 'CCCCC' }] },
    )
    expect(await listAll(url)).toEqual([{ stediId: 'AAAAA' }, { stediId: 'BBBBB' }, { stediId: 'CCCCC' }])
    expect(asked.map((each) => each.url)).toEqual(['/payers?pageSize=100', '/payers?pageSize=100&pageToken=two%26more'])
  })

  test('are not fetched further than they are read', async () => {
    const { url, asked } = await serveInTurn({ items: [{ stediId: 'AAAAA' }], nextPageToken: 'two' }, { items: [] })
    for await (const payer of connect(url).listPayers()) {
      expect(payer).toEqual({ stediId: 'AAAAA' })
      break
    }
    expect(asked).toHaveLength(1)
  })

  test('end in a failure when a page fails or is repeated', async () => {
    await expect(listAll(await serveAlways(500, ''))).rejects.toMatchObject({ code: 'HTTP 500', retryable: true })
    const circle = await serveAlways(200, { items: [{}], nextPageToken: 'again' })
    await expect(listAll(circle)).rejects.toMatchObject({ code: 'RepeatedPage' })
  })
})
