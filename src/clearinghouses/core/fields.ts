// The fields of a CORE 2.2.0 envelope, under the names they have on the wire (clearinghouse.md B1).

const coreFieldNames = [
  'PayloadType',
  'ProcessingMode',
  'PayloadID',
  'TimeStamp',
  'UserName',
  'Password',
  'SenderID',
  'ReceiverID',
  'CORERuleVersion',
  'Payload',
  'ErrorCode',
  'ErrorMessage',
] as const

export type CoreFieldName = (typeof coreFieldNames)[number]

/** The fields of one message. In SOAP, UserName and Password travel as the WS-Security UsernameToken. */
export type CoreFields = Partial<Record<CoreFieldName, string>>

/** The transport of the fields: SOAP 1.2, SOAP 1.1 or HTTP MIME multipart. */
export type CoreForm = 'soap12' | 'soap11' | 'mime'

/** The headers and body of an HTTP message. */
export interface CoreMessage {
  headers: Record<string, string>
  body: Buffer
}

/** The result of reading any message. Reading never throws. */
export type CoreReading =
  | { kind: 'envelope'; fields: CoreFields }
  | { kind: 'fault'; code: string; subcode?: string; reason: string }
  | { kind: 'unreadable'; because: 'empty' | 'html' | 'truncated' | 'unknown' }

export const coreRuleVersion = '2.2.0'

/** `YYYY-MM-DDTHH:MM:SSZ`, UTC. */
export function coreTimeStamp(at: Date): string {
  return `${at.toISOString().slice(0, 19)}Z`
}

const canonicalNames = new Map<string, CoreFieldName>(coreFieldNames.map((name) => [name.toLowerCase(), name]))

/** The standard spelling of a field name, ignoring case. */
export function coreFieldName(name: string): CoreFieldName | undefined {
  return canonicalNames.get(name.toLowerCase())
}

/**
 * Stores the first value of a field. Everything but the payload is trimmed. A second payload is added to the first: which of two answers is
 * valid is for their reader to decide, and not for their order.
 */
export function storeField(fields: CoreFields, name: CoreFieldName, value: string): void {
  if (name !== 'Payload') fields[name] ??= value.trim()
  else fields.Payload = fields.Payload === undefined ? value : `${fields.Payload}\n${value}`
}

/** The envelope with these fields; undefined when they are not sufficient for one. */
export function envelopeOf(fields: CoreFields): CoreReading | undefined {
  const isEnvelope = fields.Payload !== undefined || fields.ErrorCode !== undefined || fields.PayloadType !== undefined
  return isEnvelope ? { kind: 'envelope', fields } : undefined
}
