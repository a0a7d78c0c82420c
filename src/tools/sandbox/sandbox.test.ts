import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ClearinghouseError } from '../../clearinghouses/clearinghouse.ts'
import { type CoreSettings, createCoreClearinghouse } from '../../clearinghouses/core/core-clearinghouse.ts'
import { readCoreMessage, writeEnvelope } from '../../clearinghouses/core/envelope.ts'
import type { CoreFields, CoreForm } from '../../clearinghouses/core/fields.ts'
import { usesSandbox } from '../../clearinghouses/uses-sandbox.ts'
import { readConfig } from '../../config.ts'
import { createStandardConnection } from '../../main/standard-connection.ts'
import { readEnvelope } from '../../x12/envelope.ts'
import { inquirySegments } from '../../x12/inquiry-writer.ts'
import { writeInterchange } from '../../x12/interchange-writer.ts'
import type { Inquiry, InterchangeAddress, PatientResponse, Response } from '../../x12/model.ts'
import { readResponse } from '../../x12/response-reader.ts'
import { type Roster, type RosterMember, readRoster } from './roster.ts'
import { type Sandbox, startSandbox } from './sandbox.ts'

const forms: CoreForm[] = ['soap12', 'soap11', 'mime']
const at = new Date('2026-01-31T12:00:00Z')
const address: InterchangeAddress = {
  senderQualifier: 'ZZ',
  senderId: 'ANTEROOM',
  receiverQualifier: '30',
  receiverId: 'SANDBOX',
  usage: 'T',
  controlNumber: 7,
  at,
}

let sandbox: Sandbox
let guarded: Sandbox
let roster: Roster
const pauses: number[] = []

beforeAll(async () => {
  roster = await readRoster()
  const pause = async (milliseconds: number) => pauses.push(milliseconds)
  sandbox = await startSandbox({ port: 0, clock: () => at, pause })
  guarded = await startSandbox({ port: 0, clock: () => at, credentials: { username: 'me', password: 'right' } })
})
afterAll(async () => {
  await sandbox.close()
  await guarded.close()
})

function connect(settings: Partial<CoreSettings> = {}) {
  return createCoreClearinghouse({
    url: sandbox.url,
    senderId: 'ANTEROOM',
    receiverId: 'SANDBOX',
    timeoutMs: 30_000,
    ...settings,
  })
}

interface Asked {
  payer?: string
  memberId: string
  name: string
  born?: string
  dependent?: Inquiry['dependent']
  npi?: string
  on?: string
  services?: string[]
}

function inquire(asked: Asked): Inquiry {
  const [firstName, lastName] = asked.name.split(' ')
  return {
    reference: 'REF1',
    traceNumber: 'TRACE1',
    payer: { id: asked.payer ?? '60054' },
    provider: { npi: asked.npi ?? '1999999984', organizationName: 'Clinic' },
    subscriber: { memberId: asked.memberId, firstName, lastName, dateOfBirth: asked.born },
    ...(asked.dependent && { dependent: asked.dependent }),
    dateOfService: asked.on ?? '2026-01-31',
    serviceTypeCodes: asked.services ?? ['30'],
  }
}

function inquireMember(member: RosterMember): Inquiry {
  const { payer, memberId, firstName, lastName, birthDate } = member
  const inquiry = inquire({ payer, memberId, name: '', born: birthDate })
  return { ...inquiry, subscriber: { memberId, firstName, lastName, dateOfBirth: birthDate } }
}

async function answerTo(inquiry: Inquiry, form: CoreForm = 'soap12'): Promise<Response> {
  const { rawResponse } = await connect({ form }).checkEligibility(inquiry, { controlNumber: 7, at })
  const { transactions, warnings } = readEnvelope(rawResponse)
  expect(warnings).toEqual([])
  expect(transactions).toHaveLength(1)
  const response = readResponse(transactions[0]!)
  expect(response.warnings).toEqual([])
  return response
}

async function patientOf(asked: Asked): Promise<PatientResponse> {
  return (await answerTo(inquire(asked))).patients[0]!
}

const jane = { memberId: 'AETNA12345', name: 'Jane Doe', born: '2004-04-04' }
const john = { memberId: 'AETNA9wcSu', name: 'John Doe', born: '2000-01-01' }
const jordan = { firstName: 'Jordan', lastName: 'Doe', dateOfBirth: '2001-07-14' }

describe('the published mocks', () => {
  test('Aetna subscriber only is active and echoes reference and trace', async () => {
    const response = await answerTo(inquire(jane))
    const [patient] = response.patients
    expect(response.reference).toBe('REF1')
    expect(patient?.subscriber).toMatchObject({ id: 'AETNA12345', firstName: 'JANE', birthDate: '20040404' })
    expect(patient?.subscriber.traces.find(({ type }) => type === '2')?.number).toBe('TRACE1')
    expect(patient?.benefits[0]).toMatchObject({ code: '1', serviceTypeCodes: ['30'], insuranceType: 'PR' })
  })

  test('Aetna with dependent is active at the dependent', async () => {
    const patient = await patientOf({ ...john, dependent: { ...jordan, relationshipCode: '19' } })
    expect(patient.dependent).toMatchObject({ firstName: 'JORDAN', relationshipCode: '19' })
    expect(patient.dependent?.traces.map(({ number }) => number)).toContain('TRACE1')
    expect(patient.benefits[0]?.code).toBe('1')
  })

  test.each([
    ['42', 'Jane Doe', '2001-01-01', '2100A'],
    ['43', 'Jane Doe', '1970-01-01', '2100B'],
    ['72', 'John Doe', '1990-01-01', '2100C'],
    ['73', 'John Doe', '1990-01-01', '2100C'],
    ['75', 'Jane Doe', '1990-01-01', '2100C'],
    ['79', 'John Doe', '1970-01-01', '2100A'],
  ])('UHCAAA%s is rejected at its level, regardless of the birth date', async (code, name, born, loop) => {
    for (const birthDate of [born, '1999-09-09']) {
      const asked = { payer: '87726', memberId: `UHCAAA${code}`, name, born: birthDate }
      const response = await answerTo(inquire(asked))
      expect(response.rejections).toMatchObject([{ reasonCode: code, loop }])
      expect(response.patients[0]?.benefits).toEqual([])
    }
  })

  test('BAD_PAYER_ID is rejected with HTTP 400 and code 79, and the body is stored', async () => {
    const check = connect().checkEligibility(inquire({ ...jane, payer: 'BAD_PAYER_ID', born: '20040404' }), {
      controlNumber: 7,
      at,
    })
    const failure = await check.catch((error: ClearinghouseError) => error)
    expect(failure).toBeInstanceOf(ClearinghouseError)
    expect(failure).toMatchObject({
      code: '79',
      retryable: false,
      rawResponse: expect.stringContaining('not configured'),
    })
  })

  test.each([
    ['another first name', { name: 'Janet Doe' }],
    ['another last name', { name: 'Jane Dough' }],
    ['another birth date', { born: '2004-04-05' }],
    ['no birth date', { born: undefined }],
    ['another member id', { memberId: 'AETNA12346' }],
  ])('%s is not found (75)', async (_, change) => {
    expect((await answerTo(inquire({ ...jane, ...change }))).rejections).toMatchObject([
      { reasonCode: '75', loop: '2100C' },
    ])
  })

  test('another dependent is not found (67), at the dependent', async () => {
    const response = await answerTo(inquire({ ...john, dependent: { ...jordan, firstName: 'Jo' } }))
    expect(response.rejections).toMatchObject([{ reasonCode: '67', loop: '2100D' }])
  })

  test('an NPI with a wrong check digit is rejected (43) at the provider', async () => {
    expect((await answerTo(inquire({ ...jane, npi: '1999999985' }))).rejections).toMatchObject([
      { reasonCode: '43', loop: '2100B' },
    ])
  })
})

describe('the benefits', () => {
  test('of a service outside the core list come only on request', async () => {
    const codesOf = (patient: PatientResponse) => new Set(patient.benefits.flatMap((row) => row.serviceTypeCodes))
    expect(codesOf(await patientOf(jane)).has('PT')).toBe(false)
    const asked = codesOf(await patientOf({ ...jane, services: ['30', 'PT'] }))
    expect(asked.has('PT') && asked.has('98')).toBe(true)
    expect(codesOf(await patientOf({ ...jane, services: ['PT'] }))).toEqual(new Set(['30', 'PT']))
  })

  test.each([
    ['U7712345602', 'Owen Gallagher', '1966-08-25', '2023-12-31', '1'],
    ['U7712345602', 'Owen Gallagher', '1966-08-25', '2024-01-01', '6'],
    ['U7712345603', 'Mei Chen', '1998-02-11', '2089-12-31', '6'],
    ['U7712345603', 'Mei Chen', '1998-02-11', '2090-01-01', '1'],
  ])('of %s depend on the date of service: on %4$s EB*%5$s', async (memberId, name, born, on, code) => {
    const patient = await patientOf({ payer: '62308', memberId, name, born, on })
    expect(patient.benefits[0]?.code).toBe(code)
    expect(patient.subscriber.dates[0]).toMatchObject({ qualifier: '346' })
    if (code === '6') expect(patient.benefits).toHaveLength(1)
  })

  test('of the usual plans are 20 to 45 rows', async () => {
    const usual = ['choice-ppo', 'care-hmo', 'hsa-hdhp', 'tiered-ppo', 'medicare-a-b', 'medicaid-full', 'advantage-hmo']
    for (const plan of usual) {
      const member = roster.members.find((one) => one.plan === plan && !one.answer && one.from < '2026' && !one.to)!
      const [patient] = (await answerTo(inquireMember(member))).patients
      expect(patient?.benefits.length, plan).toBeGreaterThanOrEqual(20)
      expect(patient?.benefits.length, plan).toBeLessThanOrEqual(45)
    }
  })

  test('are found with the corrected data as well, and then without a correction', async () => {
    for (const member of roster.members.filter(({ corrections }) => corrections)) {
      const { corrections, ...rest } = member
      const [patient] = (await answerTo(inquireMember({ ...rest, ...corrections }))).patients
      expect(patient?.benefits.length, member.about).toBeGreaterThan(1)
      expect(patient?.subscriber.maintenanceTypeCode, member.about).toBeUndefined()
    }
  })

  test('include corrections, another payer and a Medicare Advantage enrollment', async () => {
    const byId = (memberId: string) => inquireMember(roster.members.find((member) => member.memberId === memberId)!)
    const [renamed] = (await answerTo(byId('XEB204518835'))).patients
    expect(renamed?.subscriber).toMatchObject({
      lastName: 'ORTEGA RUIZ',
      maintenanceTypeCode: '001',
      maintenanceReasonCode: '25',
    })
    const [recarded] = (await answerTo(byId('XEB204518836'))).patients
    expect(recarded?.subscriber.id).toBe('XEB304518836')
    const [dual] = (await answerTo(byId('XEB204518833'))).patients
    expect(dual?.benefits.find(({ code }) => code === 'R')?.entities[0]?.entityCode).toBe('PRP')
    const [advantage] = (await answerTo(byId('1EG4TE5MK73'))).patients
    const enrolment = advantage?.benefits.find(({ code, insuranceType }) => code === 'R' && insuranceType === 'HN')
    expect(enrolment?.references[0]).toMatchObject({ qualifier: '18', value: 'H1036 137' })
  })
})

/** The result that the connector derives from each faulty answer: a failure's code by form, or undefined for an X12 answer. */
const faultCodes: Record<string, Record<CoreForm, string>> = {
  nothing: { soap12: 'Timeout', soap11: 'Timeout', mime: 'Timeout' },
  html: { soap12: 'HtmlResponse', soap11: 'HtmlResponse', mime: 'HtmlResponse' },
  empty: { soap12: 'EmptyResponse', soap11: 'EmptyResponse', mime: 'EmptyResponse' },
  'half-envelope': { soap12: 'TruncatedResponse', soap11: 'TruncatedResponse', mime: 'TruncatedResponse' },
  'error-code': { soap12: 'PayloadIDIllegal', soap11: 'PayloadIDIllegal', mime: 'PayloadIDIllegal' },
  'soap-fault': { soap12: 'Receiver', soap11: 'Server', mime: 'HTTP 500' },
  'http-503': { soap12: 'HTTP 503', soap11: 'HTTP 503', mime: 'HTTP 503' },
}

describe.each(forms)('over %s', (form) => {
  test('every member and dependent is answered as the roster specifies', async () => {
    for (const member of roster.members.filter(({ answer }) => !answer)) {
      const [patient] = (await answerTo(inquireMember(member), form)).patients
      expect(patient?.benefits.length, member.memberId).toBeGreaterThan(0)
      for (const { firstName, lastName, birthDate } of member.dependents ?? []) {
        const dependent = { firstName, lastName, dateOfBirth: birthDate }
        const response = await answerTo({ ...inquireMember(member), dependent }, form)
        expect(response.patients[0]?.dependent?.firstName).toBe(firstName.toUpperCase())
      }
    }
  })

  test('every member with a faulty answer causes the failure that the roster specifies', async () => {
    const [patient, impatient] = [connect({ form }), connect({ form, timeoutMs: 250 })]
    for (const member of roster.members) {
      const instead = member.answer?.instead
      const expected = instead && faultCodes[instead]?.[form]
      if (!expected) continue
      const clearinghouse = expected === 'Timeout' ? impatient : patient
      const check = clearinghouse.checkEligibility(inquireMember(member), { controlNumber: 7, at })
      await expect(check, member.memberId).rejects.toMatchObject({ name: 'ClearinghouseError', code: expected })
    }
  })

  test('a slow member is answered after the specified delay', async () => {
    pauses.length = 0
    const slow = roster.members.find(({ answer }) => answer?.afterMs)!
    await answerTo(inquireMember(slow), form)
    expect(pauses).toEqual([slow.answer?.afterMs])
  })

  test('a truncated 271, a 999, a TA1 and another patient are passed on as sent, for the engine to evaluate', async () => {
    const raw = async (instead: string) => {
      const member = roster.members.find(({ answer }) => answer?.instead === instead)!
      return (await connect({ form }).checkEligibility(inquireMember(member), { controlNumber: 7, at })).rawResponse
    }
    expect(readEnvelope(await raw('truncated-271')).warnings).toContain('no IEA')
    expect(readEnvelope(await raw('999')).acknowledgements).toMatchObject([{ kind: '999', accepted: false }])
    expect(readEnvelope(await raw('TA1')).acknowledgements).toMatchObject([{ kind: 'TA1', accepted: false }])
    const another = await raw('another-patient')
    expect(another).not.toContain('TRACE1')
    expect(readEnvelope(another).warnings).toEqual([])
  })

  const sound: CoreFields = {
    PayloadType: 'X12_270_Request_005010X279A1',
    ProcessingMode: 'RealTime',
    PayloadID: '5f0e7e4c-6d4e-4b9d-9d3a-0c3b8b1c9f11',
    TimeStamp: '2026-01-31T12:00:00Z',
    SenderID: 'A',
    ReceiverID: 'B',
    CORERuleVersion: '2.2.0',
    Payload: writeInterchange({ address, functionalId: 'HS', transactions: [inquirySegments(inquire(jane), address)] }),
  }

  async function postFields(url: string, fields: CoreFields) {
    const message = writeEnvelope(form, 'Request', fields)
    const response = await fetch(url, { method: 'POST', headers: message.headers, body: new Uint8Array(message.body) })
    const body = Buffer.from(await response.arrayBuffer())
    const reading = readCoreMessage(response.headers.get('content-type') ?? '', body)
    return reading.kind === 'envelope' ? reading.fields : reading
  }

  test.each<[string, CoreFields]>([
    ['PayloadTypeRequired', { PayloadType: '' }],
    ['PayloadIDRequired', { PayloadID: undefined }],
    ['PayloadRequired', { Payload: ' ' }],
    ['VersionMismatch', { CORERuleVersion: '4.0.0' }],
    ['PayloadTypeIllegal', { PayloadType: 'X12_276_Request_005010X212' }],
    ['ProcessingModeIllegal', { ProcessingMode: 'Batch' }],
    ['TimeStampIllegal', { TimeStamp: 'yesterday' }],
    ['SenderIDIllegal', { SenderID: 'x'.repeat(51) }],
    ['PayloadNotUnderstood', { Payload: 'ISA' }],
  ])('a faulty envelope gets ErrorCode %s', async (ErrorCode, change) => {
    const fields = Object.fromEntries(
      Object.entries({ ...sound, ...change }).filter(([, value]) => value !== undefined),
    )
    expect(await postFields(sandbox.url, fields)).toMatchObject({ PayloadType: 'CoreEnvelopeError', ErrorCode })
  })

  test('credentials are required when configured', async () => {
    const withPassword = (Password: string) => ({ ...sound, UserName: 'me', Password })
    expect(await postFields(guarded.url, sound)).toMatchObject({ ErrorCode: 'UnAuthorized' })
    expect(await postFields(guarded.url, withPassword('wrong'))).toMatchObject({ ErrorCode: 'UnAuthorized' })
    expect(await postFields(guarded.url, withPassword('right'))).toMatchObject({ ErrorCode: 'Success' })
    const refused = connect({ form, url: guarded.url }).checkEligibility(inquire(jane), { controlNumber: 7, at })
    await expect(refused).rejects.toMatchObject({ code: 'UnAuthorized', retryable: false })
  })

  test('an interchange of several inquiries is answered with one transaction each, addressed to the sender', async () => {
    const transactions = [jane, john, jane].map((asked) => inquirySegments(inquire(asked), address))
    const fields = await postFields(sandbox.url, {
      ...sound,
      Payload: writeInterchange({ address, functionalId: 'HS', transactions }),
    })
    const payload = (fields as CoreFields).Payload ?? ''
    expect(payload).toMatch(/^ISA\*00\* {10}\*00\* {10}\*30\*SANDBOX {8}\*ZZ\*ANTEROOM {7}\*/)
    const ids = readEnvelope(payload).transactions.map((one) => readResponse(one).patients[0]?.subscriber.id)
    expect(ids).toEqual(['AETNA12345', 'AETNA9WCSU', 'AETNA12345'])
  })
})

describe('the server', () => {
  test('answers SOAP without an envelope or of another version with a fault', async () => {
    const post = (type: string, body: string) =>
      fetch(sandbox.url, { method: 'POST', headers: { 'content-type': type }, body })
    const version = await post('application/soap+xml', '<Envelope xmlns="http://schemas.xmlsoap.org/soap/envelope/"/>')
    expect(await version.text()).toContain('VersionMismatch')
    const nothing = await post('text/xml', '<Envelope xmlns="http://schemas.xmlsoap.org/soap/envelope/"/>')
    expect([nothing.status, await nothing.text()]).toEqual([500, expect.stringContaining('Client')])
    expect((await post('application/json', '{}')).status).toBe(415)
  })

  test('shows an overview of its members at its root and at its address, and nothing at other paths', async () => {
    for (const address of [new URL('/', sandbox.url), sandbox.url])
      expect(await (await fetch(address)).text()).toContain('<td>AETNA12345</td>')
    expect((await fetch(new URL('/other', sandbox.url))).status).toBe(404)
    expect((await fetch(sandbox.url, { method: 'PUT' })).status).toBe(405)
  })

  test('reports a port in use', async () => {
    await expect(startSandbox({ port: sandbox.port })).rejects.toThrow('EADDRINUSE')
  })

  test('closes immediately even while a caller waits', async () => {
    const own = await startSandbox({ port: 0 })
    const never = roster.members.find(({ answer }) => answer?.instead === 'nothing')!
    const check = connect({ url: own.url }).checkEligibility(inquireMember(never), { controlNumber: 7, at })
    const failed = expect(check).rejects.toMatchObject({ retryable: true })
    await own.close()
    await failed
  })

  test('logs an exchange without patient data', async () => {
    const lines: string[] = []
    const own = await startSandbox({
      port: 0,
      log: (message, fields) => lines.push(`${message} ${JSON.stringify(fields)}`),
    })
    await connect({ url: own.url }).checkEligibility(inquire(jane), { controlNumber: 7, at })
    await own.close()
    expect(lines).toEqual(['sandbox exchange {"form":"soap12","outcome":"answered","status":200}'])
  })
})

describe('the list of connectors', () => {
  const settings = readConfig({
    CLEARINGHOUSE_FORM: 'mime',
    CLEARINGHOUSE_ISA_RECEIVER_QUALIFIER: '30',
    CLEARINGHOUSE_USAGE: 'T',
    CLEARINGHOUSE_TIMEOUT_MS: '3000',
  })

  test('uses the sandbox when no other clearinghouse is configured', async () => {
    const { clearinghouse } = createStandardConnection(settings, sandbox.url)
    expect(clearinghouse.name).toBe('sandbox')
    const { rawInquiry } = await clearinghouse.checkEligibility(inquire(jane), { controlNumber: 9, at })
    expect(rawInquiry).toContain('*30*CLEARINGHOUSE  *')
  })

  test.each([
    [{ CLEARINGHOUSE_URL: 'https://core.example/rt' }],
    [{ CLEARINGHOUSE_KIND: 'stedi', CLEARINGHOUSE_API_KEY: 'key' }],
    [{ CLEARINGHOUSE_KIND: 'availity', CLEARINGHOUSE_USERNAME: 'id', CLEARINGHOUSE_PASSWORD: 'pass' }],
  ])('prefers the configured clearinghouse: %j', (environment) => {
    const connection = createStandardConnection(readConfig({ CLEARINGHOUSE_NAME: 'main', ...environment }), sandbox.url)
    expect([connection.name, connection.clearinghouse.name]).toEqual(['main', 'main'])
  })

  test.each([
    [{ CLEARINGHOUSE_KIND: 'stedi' }, /CLEARINGHOUSE_API_KEY/],
    [{ CLEARINGHOUSE_KIND: 'availity', CLEARINGHOUSE_USERNAME: 'id' }, /CLEARINGHOUSE_PASSWORD/],
    [{ CLEARINGHOUSE_URL: 'https://core.example', CLEARINGHOUSE_CA_FILE: '/nowhere.pem' }, /CLEARINGHOUSE_CA_FILE/],
    [
      { CLEARINGHOUSE_URL: 'https://me:secret@core.example' },
      /CLEARINGHOUSE_URL must be an http or https address without/,
    ],
  ])('does not start with %j and reports what is missing or wrong', (environment, message) => {
    expect(() => createStandardConnection(readConfig(environment))).toThrow(message)
  })

  test.each([
    ['starts in production only when it is named', { NODE_ENV: 'production' }, false],
    ['starts in production when it is named', { NODE_ENV: 'production', CLEARINGHOUSE_KIND: 'sandbox' }, true],
    ['starts on a laptop', {}, true],
    ['does not start beside a real one', { CLEARINGHOUSE_URL: 'https://core.example/rt' }, false],
  ])('%s', (_, environment, expected) => {
    const config = readConfig(environment)
    expect(usesSandbox(config)).toBe(expected)
    // No inquiry goes to a running sandbox that was not configured.
    expect(createStandardConnection(config, sandbox.url).clearinghouse.name === 'sandbox').toBe(expected)
  })

  test('cannot be configured together with the address of another clearinghouse', () => {
    const both = { CLEARINGHOUSE_KIND: 'sandbox', CLEARINGHOUSE_URL: 'https://core.example/rt' }
    expect(() => readConfig(both)).toThrow('CLEARINGHOUSE_KIND')
  })

  test('without any clearinghouse fails a check with an error that names the setting', async () => {
    const { clearinghouse } = createStandardConnection(settings)
    const check = clearinghouse.checkEligibility(inquire(jane), { controlNumber: 9, at })
    await expect(check).rejects.toMatchObject({
      code: 'NotConfigured',
      message: expect.stringContaining('CLEARINGHOUSE_URL'),
    })
  })
})
