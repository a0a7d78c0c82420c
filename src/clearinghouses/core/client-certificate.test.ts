import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packageFile } from '../../platform/package-root.ts'
import type { Inquiry } from '../../x12/model.ts'
import { connect, findSettingsFaults } from '../connector-kinds.ts'
import { readCoreMessage, writeEnvelope } from './envelope.ts'
import type { CoreReading } from './fields.ts'

const file = (name: string) => readFileSync(packageFile('test', 'support', 'tls', name), 'utf8')
const inquiry: Inquiry = {
  reference: 'REF1',
  traceNumber: 'TRACE1',
  payer: { id: '60054' },
  provider: { npi: '1999999984' },
  subscriber: { memberId: 'M1', lastName: 'Doe' },
  dateOfService: '2026-01-31',
  serviceTypeCodes: ['30'],
}
const ask = { controlNumber: 7, at: new Date('2026-01-31T12:34:56.789Z') }

let seen: { client: string; contentType: string; body: string; reading: CoreReading; from: string | undefined }
const server = createServer(
  {
    cert: file('server.pem'),
    key: file('server-key.pem'),
    ca: file('authority.pem'),
    requestCert: true,
    rejectUnauthorized: true,
  },
  async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const contentType = request.headers['content-type'] ?? ''
    const client = (request.socket as TLSSocket).getPeerCertificate().subject.CN?.toString() ?? ''
    const from = request.headers['x-forwarded-for'] as string | undefined
    seen = { client, contentType, body: body.toString(), reading: readCoreMessage(contentType, body), from }
    const fields = { PayloadID: 'x', Payload: 'ISA*00*~ST*271*0001~SE*2*0001~IEA*1*000000001~', ErrorCode: 'Success' }
    const reply = writeEnvelope('soap12', 'Response', fields)
    response.writeHead(200, reply.headers).end(reply.body)
  },
)

let url: string
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/core`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

const settings = (more: object = {}) => ({ url, senderId: 'HARBOR', receiverId: 'PARTNER', ...more })
const certificate = { ca: file('authority.pem'), cert: file('client.pem'), key: file('client-key.pem') }
const check = (given: object) => {
  return connect({ name: 'partner', kind: 'core', settings: given }).clearinghouse.checkEligibility(inquiry, ask)
}

test('a partner that requires a client certificate gets that of the settings', async () => {
  await check(settings({ tls: certificate }))
  expect(seen.client).toBe('Anteroom test client')
})

test('without a certificate that partner cannot be reached, and without its authority it is not trusted', async () => {
  await expect(check(settings({ tls: { ca: certificate.ca } }))).rejects.toMatchObject({ name: 'ClearinghouseError' })
  await expect(check(settings())).rejects.toMatchObject({
    retryable: false,
    message: expect.stringMatching(/not trusted/),
  })
})

test('every partner is addressed according to its settings: ISA, GS, usage, payer ids, forwarded-for and envelope', async () => {
  const interchange = {
    senderQualifier: '30',
    senderId: 'HARBORISA',
    receiverQualifier: '01',
    receiverId: 'PARTNERISA',
    applicationSender: 'HARBORGS',
    applicationReceiver: 'PARTNERGS',
  }
  const more = { interchange, usage: 'T', payerIds: { '60054': 'AET01' }, forwardedFor: '198.51.100.7' }
  const { rawInquiry } = await check(
    settings({ tls: certificate, form: 'soap11', username: 'u', password: 'p', ...more }),
  )
  expect(rawInquiry).toMatch(/^ISA\*00\* {10}\*00\* {10}\*30\*HARBORISA {6}\*01\*PARTNERISA {5}\*.*\*T\*:~/)
  expect(rawInquiry).toMatch(/GS\*HS\*HARBORGS\*PARTNERGS\*/)
  expect(rawInquiry).toContain('*PI*AET01~')
  expect(seen.contentType).toMatch(/^text\/xml/)
  expect(seen.from).toBe('198.51.100.7')
  expect(seen.reading).toMatchObject({ fields: { UserName: 'u', SenderID: 'HARBOR', ReceiverID: 'PARTNER' } })
})

test.each([
  ['crlf', true],
  ['lf', false],
])('a MIME body is written with %s line ends', async (lineEnding, hasReturns) => {
  await check(settings({ tls: certificate, form: 'mime', lineEnding }))
  expect(seen.body.includes('\r\n')).toBe(hasReturns)
  expect(seen.reading).toMatchObject({ kind: 'envelope', fields: { ReceiverID: 'PARTNER' } })
})

test.each([
  [{ cert: certificate.cert }, 'tls.cert and tls.key must be set together'],
  [{ ca: 'no certificate' }, 'tls.ca is not a PEM certificate'],
  [{ cert: 'no certificate', key: 'no key' }, 'tls.cert and tls.key are not a PEM certificate with its key'],
])('unusable certificates are rejected by name: %#', (tls, fault) => {
  expect(findSettingsFaults('core', settings({ tls }))).toEqual([fault])
})
