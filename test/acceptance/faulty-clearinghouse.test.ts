// Checks when the clearinghouse misbehaves: a 200 with errors, in bounded time, and never unconfirmed coverage.
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { CandidApiClient } from 'candidhealth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publishedClient } from '../support/published-client.ts'
import { type StartedServer, startServerOnClone } from '../support/started-server.ts'
import { activeCheck, bodyOf, type EligibilityResponse, errorOf } from './requests.ts'

const TIMEOUT_MS = 2_000
/** Long after the time limit, also on a busy machine, and before the client gives up. */
const LATE_MS = 30_000

/** A clearinghouse that behaves as a test specifies, at the address in the settings. */
const clearinghouse: { server: Server; behave: RequestListener } = {
  server: createServer((request, response) => clearinghouse.behave(request, response)),
  behave: (_request, response) => response.writeHead(500).end(),
}

let server: StartedServer
let client: CandidApiClient

beforeAll(async () => {
  clearinghouse.server.listen(0, '127.0.0.1')
  await once(clearinghouse.server, 'listening')
  const { port } = clearinghouse.server.address() as AddressInfo
  server = await startServerOnClone({
    CLEARINGHOUSE_URL: `http://127.0.0.1:${port}/core`,
    CLEARINGHOUSE_TIMEOUT_MS: String(TIMEOUT_MS),
    CLEARINGHOUSE_USERNAME: 'harbor',
    CLEARINGHOUSE_PASSWORD: 'test-password',
  })
  client = publishedClient(server, await server.newCredentials())
})
afterAll(async () => {
  clearinghouse.server.close()
  clearinghouse.server.closeAllConnections()
  await server?.stop()
})

async function check(behave: RequestListener): Promise<EligibilityResponse> {
  clearinghouse.behave = behave
  return bodyOf(await client.preEncounter.eligibilityChecks.v1.post(irisMarlowe))
}

/** With a clearinghouse that answers at once: where the machine is so busy that an exchange takes longer than the time limit, again. */
async function checkInTime(behave: RequestListener): Promise<EligibilityResponse> {
  for (;;) {
    const answer = await check(behave)
    if (!answer.errors?.some(({ errorDetails }) => errorDetails.code === 'Timeout')) return answer
  }
}

function expectFailed(answer: EligibilityResponse): void {
  expect(answer.errors?.length).toBeGreaterThan(0)
  for (const { source, errorDetails } of answer.errors ?? []) {
    expect(source).toBe('STEDI')
    expect(errorDetails.description).toMatch(/\w/)
  }
  expect(answer.parsedResponse?.eligibilityStatus).not.toBe('ACTIVE')
}

const irisMarlowe = activeCheck({
  payerId: 'NWH01',
  subscriber: { memberId: 'NW-100200', firstName: 'Iris', lastName: 'Marlowe', dateOfBirth: '1984-02-29' },
})

/** An active answer about the member of these segments, in the envelope that CORE 2.2.0 requires. */
function answerAbout(member: string): string {
  const transaction = `ST*271*0001*005010X279A1~BHT*0022*11*REF-1*20260301*0930~HL*1**20*1~NM1*PR*2*NORTHWIND HEALTH*****PI*NWH01~HL*2*1*21*1~NM1*1P*2*HARBOR CLINIC*****XX*1999999984~HL*3*2*22*0~${member}EB*1**30**GOLD~`
  const segments = transaction.split('~').length
  return `ISA*00*          *00*          *ZZ*CLEARINGHOUSE  *ZZ*ANTEROOM       *260301*0930*^*00501*000000042*0*T*:~GS*HB*CLEARINGHOUSE*ANTEROOM*20260301*0930*42*X*005010X279A1~${transaction}SE*${segments}*0001~GE*1*42~IEA*1*000000042~`
}

function envelopeOf(payload: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="http://www.w3.org/2003/05/soap-envelope"><soapenv:Body><cor:COREEnvelopeRealTimeResponse xmlns:cor="http://www.caqh.org/SOAP/WSDL/CORERule2.2.0.xsd"><PayloadType>X12_271_Response_005010X279A1</PayloadType><ProcessingMode>RealTime</ProcessingMode><PayloadID>5f0e7e4c-6d4e-4b9d-9d3a-0c3b8b1c9f11</PayloadID><TimeStamp>2026-03-01T09:30:00Z</TimeStamp><SenderID>CLEARINGHOUSE</SenderID><ReceiverID>ANTEROOM</ReceiverID><CORERuleVersion>2.2.0</CORERuleVersion><Payload><![CDATA[${payload}]]></Payload><ErrorCode>Success</ErrorCode><ErrorMessage>None</ErrorMessage></cor:COREEnvelopeRealTimeResponse></soapenv:Body></soapenv:Envelope>`
}

const iris = 'NM1*IL*1*MARLOWE*IRIS****MI*NW-100200~DMG*D8*19840229*F~'
const someoneElse = 'NM1*IL*1*OKAFOR*NGOZI****MI*NW-777001~DMG*D8*19710613*F~'

const saying =
  (body: string, status = 200, type = 'application/soap+xml; charset=UTF-8'): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': type }).end(body)

describe('a check with a clearinghouse', () => {
  test('that answers about the right patient is active, and the inquiry had the configured credentials', async () => {
    let asked = ''
    const answer = await checkInTime(async (request, response) => {
      asked = await text(request)
      saying(envelopeOf(answerAbout(iris)))(request, response)
    })
    expect([answer.parsedResponse?.eligibilityStatus, answer.errors]).toEqual(['ACTIVE', undefined])
    expect(asked).toMatch(/NM1\*IL\*1\*MARLOWE\*IRIS/)
    expect(asked).toMatch(/harbor[\s\S]*test-password/)
  })

  test('that answers about another patient fails and reveals no data of that patient', async () => {
    const answer = await checkInTime(saying(envelopeOf(answerAbout(someoneElse))))
    expectFailed(answer)
    expect(JSON.stringify(answer)).not.toMatch(/okafor|777001/i)
  })

  test.each<[string, RequestListener]>([
    ['that sends a web page', saying('<!DOCTYPE html><html><body>Back soon</body></html>', 200, 'text/html')],
    ['that sends half an envelope', saying(envelopeOf(answerAbout(iris)).slice(0, 700))],
    ['that sends an empty body', saying('')],
    ['that sends an envelope without a payload', saying(envelopeOf(''))],
    ['that sends text that is not X12', saying(envelopeOf('see the portal'))],
    ['that fails with HTTP 500', saying('Internal Server Error', 500, 'text/plain')],
    ['that refuses us with HTTP 401', saying('', 401, 'text/plain')],
    ['that closes the connection', (request) => request.socket.destroy()],
    ['that accepts the inquiry and never answers', () => {}],
    [
      'that answers active long after the time limit',
      (request, response) => {
        const late = setTimeout(() => saying(envelopeOf(answerAbout(iris)))(request, response), LATE_MS)
        response.on('close', () => clearTimeout(late))
      },
    ],
    [
      'that sends single bytes slowly',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/soap+xml' })
        const drip = setInterval(() => response.write(' '), 50)
        response.on('close', () => clearInterval(drip))
      },
    ],
  ])('%s fails', async (_, behave) => {
    expectFailed(await check(behave))
  })

  test('that answers active with an HTTP 500 fails', async () => {
    expectFailed(await checkInTime(saying(envelopeOf(answerAbout(iris)), 500)))
  })

  test('that refuses the credentials fails with an explanation for the operator', async () => {
    const answer = await checkInTime(saying('', 401, 'text/plain'))
    expect(answer.errors?.[0]?.errorDetails.description).toMatch(/credentials|password/)
  })

  test('writes no data of the patient and no password to the log', () => {
    expect(server.output()).not.toMatch(/marlowe|NW-100200|okafor|test-password/i)
  })

  // Last, because the clearinghouse is stopped.
  test('that is unavailable fails', async () => {
    clearinghouse.server.close()
    clearinghouse.server.closeAllConnections()
    await once(clearinghouse.server, 'close')
    expectFailed(await check(() => {}))
    expect(errorOf(await client.preEncounter.patients.v1.getByMrn('nobody')).errorName).toBe('NotFoundError')
  })
})
