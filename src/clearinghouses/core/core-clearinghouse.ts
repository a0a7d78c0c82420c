import { randomUUID } from 'node:crypto'
import type { Static } from 'typebox'
import type { Networks } from '../../platform/outbound/public-address.ts'
import { writeInquiry } from '../../x12/inquiry-writer.ts'
import type { Inquiry } from '../../x12/model.ts'
import type { Clearinghouse, ClearinghouseAnswer } from '../clearinghouse.ts'
import { decodeText } from '../decode-text.ts'
import { EXCERPT_LENGTH, excerpt, failureOfExchange, toError } from '../failures.ts'
import { type HttpAnswer, openDispatcher, post } from '../http-exchange.ts'
import { createSemaphore } from '../semaphore.ts'
import { type CoreConnectorSettings, interchangeIds } from './core-settings.ts'
import { readCoreMessage, writeEnvelope } from './envelope.ts'
import { failureOfAnswer } from './failures.ts'
import { type CoreFields, type CoreMessage, coreRuleVersion, coreTimeStamp } from './fields.ts'

/** The settings for one trading partner. Source: clearinghouse.md B5. */
export type CoreSettings = Static<typeof CoreConnectorSettings> & {
  name?: string
  /** Set when the organization chose the address: the networks it may reach besides the public Internet. */
  allowedNetworks?: Networks
  /** Creates PayloadIDs, which must be UUIDs. */
  newId?: () => string
}

/**
 * A connector to any CAQH CORE 2.2.0 endpoint: raw X12 in a SOAP or MIME envelope.
 * @throws Error immediately when the settings are unusable.
 */
export function createCoreClearinghouse(settings: CoreSettings): Clearinghouse {
  const { form = 'soap12', usage = 'P', timeoutMs = 65_000, maxConcurrency = 5 } = settings
  requireUsable(settings)
  const newId = settings.newId ?? randomUUID
  const semaphore = createSemaphore(maxConcurrency)
  const ids = interchangeIds(settings)
  const dispatcher = openDispatcher({ ...settings, maxConcurrency, timeoutMs })
  const url = new URL(settings.url)

  const exchange = (message: CoreMessage, signal: AbortSignal | undefined): Promise<HttpAnswer> =>
    semaphore.pass(signal, () => post(dispatcher, url, message, { timeoutMs, signal }))

  return {
    name: settings.name ?? 'core',
    async checkEligibility(inquiry, { controlNumber, at, signal }) {
      const address = { usage, controlNumber, at, ...ids }
      const rawInquiry = writeInquiry(withPartnerPayerId(inquiry, settings), address)
      const message = writeEnvelope(
        form,
        'Request',
        requestFields(settings, rawInquiry, newId(), at),
        settings.lineEnding,
      )
      if (settings.forwardedFor) message.headers['x-forwarded-for'] = settings.forwardedFor
      message.headers['accept-encoding'] = 'gzip, deflate, br'

      const answer = await exchange(message, signal).catch((cause: unknown) => {
        const failure = failureOfExchange(cause, { timeoutMs, signal })
        throw toError(failure, { rawInquiry, cause })
      })
      return takeAnswer(answer, rawInquiry, at)
    },
  }
}

/**
 * @throws ClearinghouseError when the answer carries no X12. The PayloadID of an answer is not compared, because servers assign their own.
 */
function takeAnswer(answer: HttpAnswer, rawInquiry: string, at: Date): ClearinghouseAnswer {
  const reading = readCoreMessage(answer.contentType, answer.body)
  const payload = reading.kind === 'envelope' ? (reading.fields.Payload ?? '') : ''
  const failure = failureOfAnswer(answer, reading, at)
  if (failure) {
    const rawResponse = payload.trim() ? excerpt(payload) : excerptOf(answer)
    throw toError(failure, { rawInquiry, rawResponse })
  }
  return { rawInquiry, rawResponse: payload }
}

function requireUsable(settings: CoreSettings): void {
  const url = URL.canParse(settings.url) ? new URL(settings.url) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new Error('clearinghouse url must be an http or https URL')
  if (url.username || url.password)
    throw new Error('clearinghouse url must not carry credentials: use username and password')
  for (const name of ['senderId', 'receiverId'] as const) {
    const { length } = settings[name]
    if (length < 1 || length > 50) throw new Error(`clearinghouse ${name} must have 1 to 50 characters`)
  }
  for (const name of ['timeoutMs', 'maxConcurrency'] as const) {
    const value = settings[name]
    if (value !== undefined && !(value > 0)) throw new Error(`clearinghouse ${name} must be positive`)
  }
}

function withPartnerPayerId(inquiry: Inquiry, settings: CoreSettings): Inquiry {
  const { payer } = inquiry
  const { payerIds = {} } = settings
  return Object.hasOwn(payerIds, payer.id)
    ? { ...inquiry, payer: { ...payer, id: payerIds[payer.id] ?? payer.id } }
    : inquiry
}

function requestFields(settings: CoreSettings, payload: string, payloadId: string, at: Date): CoreFields {
  const { username, password = '', senderId, receiverId } = settings
  // The elements of the envelope are a sequence.
  const fields: CoreFields = {
    PayloadType: 'X12_270_Request_005010X279A1',
    ProcessingMode: 'RealTime',
    PayloadID: payloadId,
    TimeStamp: coreTimeStamp(at),
    SenderID: senderId,
    ReceiverID: receiverId,
    CORERuleVersion: coreRuleVersion,
    Payload: payload,
  }
  // The header of SOAP has them, and MIME has an order of its own.
  if (username !== undefined) {
    fields.UserName = username
    fields.Password = password
  }
  return fields
}

function excerptOf(answer: HttpAnswer): string {
  return decodeText(answer.contentType, answer.body.subarray(0, EXCERPT_LENGTH))
}
