// A clearinghouse for every kind of connector that fails in every way and quotes the inquiry, and whose payers send a social security number
// in every place where payers put one.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { writeCoverage } from '../../src/clearinghouses/availity/write-coverage.ts'
import type { ConnectorKindName } from '../../src/clearinghouses/connector-kind-names.ts'
import { writeEnvelope } from '../../src/clearinghouses/core/envelope.ts'
import { stediResponse } from '../../src/eligibility/answers/stedi-form/stedi-response.ts'
import { answerText, readAnswer } from './answers.ts'

type Reply = [status: number, body: string]

/** The person of an inquiry in X12 form: `LAST*FIRST****MI*ID`. */
const askedNames: Record<ConnectorKindName, (asked: string) => string> = {
  core: (asked) => /NM1\*IL\*1\*([^~]*)~/.exec(asked)?.[1] ?? '',
  stedi: (asked) => {
    const { lastName = '', firstName = '', memberId = '' } = JSON.parse(asked).subscriber ?? {}
    return `${lastName}*${firstName}****MI*${memberId}`
  },
  availity: (asked) => {
    const form = new URLSearchParams(asked)
    return `${form.get('patientLastName')}*${form.get('patientFirstName')}****MI*${form.get('memberId')}`
  },
}

/** The payer's answer about the patient of the inquiry. */
function writeAnswer(door: ConnectorKindName, asked: string, socialSecurityNumber: string): string {
  const digits = socialSecurityNumber.replaceAll('-', '')
  const [, trace = 'NONE'] = /TRN\*1\*(\w+)/.exec(asked) ?? []
  const member = `HL*3*2*22*0~TRN*2*${trace}*9ANTEROOM1~NM1*IL*1*${askedNames[door](asked)}~REF*SY*${digits}~`
  const rows = `EB*1**30**PLAN~MSG*SSN ${socialSecurityNumber}~MSG*ALSO ${digits}~LS*2120~NM1*P3*1*DOC*A****34*${digits}~LE*2120~`
  return forms[door](answerText(rows, member))
}

const forms: Record<ConnectorKindName, (x12: string) => string> = {
  core(Payload) {
    const fields = {
      PayloadType: 'X12_271_Response_005010X279A1',
      ProcessingMode: 'RealTime',
      PayloadID: randomUUID(),
      TimeStamp: '2026-03-01T00:00:00Z',
      SenderID: 'THEM',
      ReceiverID: 'US',
      CORERuleVersion: '2.2.0',
      ErrorCode: 'Success',
      ErrorMessage: '',
      Payload,
    }
    return writeEnvelope('soap12', 'Response', fields).body.toString('utf8')
  },
  stedi(raw) {
    const response = readAnswer(raw)
    return JSON.stringify(stediResponse(response, response.patients[0]!, { raw, id: randomUUID() }))
  },
  availity(raw) {
    const frame = {
      id: 'coverage-1',
      createdAt: new Date(),
      payerId: 'NWH01',
      dateOfService: '2026-03-01',
      serviceTypeCodes: ['30'],
      controlNumber: '0001',
    }
    return JSON.stringify(writeCoverage(readAnswer(raw).patients[0]!, frame))
  },
}

/** The answers to inquiries, in turn for each connector; undefined closes the connection. */
const ways: ((asked: string, answer: () => string) => Reply | undefined)[] = [
  (asked) => [500, `cannot process ${asked}`],
  (asked) => [401, asked],
  (asked) => [
    400,
    JSON.stringify({ code: 'BAD', message: asked, errors: [{ description: asked }], userMessage: asked }),
  ],
  (asked) => [200, `<html>${asked}</html>`],
  (asked) => [200, `<Envelope><Payload>${asked}</Payload>`],
  (_asked, answer) => [200, answer()],
  () => undefined,
]

export interface QuotingClearinghouse {
  url(door: ConnectorKindName): string
  /** The number of inquiries for each connector. */
  asked: Record<ConnectorKindName, number>
  ways: number
  close(): void
}

export async function startQuotingClearinghouse(socialSecurityNumber: string): Promise<QuotingClearinghouse> {
  const asked: Record<ConnectorKindName, number> = { core: 0, stedi: 0, availity: 0 }
  const reply = async (request: IncomingMessage): Promise<Reply | undefined> => {
    const [door, ...place] = (request.url ?? '/').slice(1).split('/') as [ConnectorKindName, ...string[]]
    const sent = await text(request)
    if (place.at(-1) === 'token') return [200, JSON.stringify({ access_token: 'any', expires_in: 300 })]
    const way = ways[asked[door]++ % ways.length]
    return way?.(sent, () => writeAnswer(door, sent, socialSecurityNumber))
  }
  const server = createServer(async (request, response) => {
    const answer = await reply(request)
    if (!answer) return request.socket.destroy()
    const [status, body] = answer
    const type = body.startsWith('{') ? 'application/json' : 'application/soap+xml'
    response.writeHead(status, { 'content-type': type }).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: (door) => `http://127.0.0.1:${port}/${door}`,
    asked,
    ways: ways.length,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
