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

/** The fields one message carries. In SOAP, UserName and Password travel as the WS-Security UsernameToken. */
export type CoreFields = Partial<Record<CoreFieldName, string>>

/** How the fields travel: SOAP 1.2, SOAP 1.1 or HTTP MIME multipart. */
export type CoreForm = 'soap12' | 'soap11' | 'mime'

/** What HTTP needs to send a message. */
export interface CoreMessage {
  headers: Record<string, string>
  body: Buffer
}

/** What arrived, whatever it was. Reading never throws. */
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

/** The wire's spelling of a field name, whatever capitals the other side used. */
export function coreFieldName(name: string): CoreFieldName | undefined {
  return canonicalNames.get(name.toLowerCase())
}

/** Keeps the first value of a field. Everything but the payload is trimmed. */
export function keepField(fields: CoreFields, name: CoreFieldName, value: string): void {
  fields[name] ??= name === 'Payload' ? value : value.trim()
}

/** The envelope that these fields make, when they are enough to be one. */
export function envelopeOf(fields: CoreFields): CoreReading | undefined {
  const isEnvelope = fields.Payload !== undefined || fields.ErrorCode !== undefined || fields.PayloadType !== undefined
  return isEnvelope ? { kind: 'envelope', fields } : undefined
}
