import { timingSafeEqual } from 'node:crypto'
import { type CoreFieldName, type CoreFields, coreRuleVersion } from '../../clearinghouses/core/fields.ts'

export interface Credentials {
  username: string
  password: string
}

export interface EnvelopeRefusal {
  code: string
  message: string
}

const requiredFields: readonly CoreFieldName[] = [
  'PayloadType',
  'ProcessingMode',
  'PayloadID',
  'TimeStamp',
  'SenderID',
  'ReceiverID',
  'CORERuleVersion',
  'Payload',
]

/** The first reason to reject an envelope, as a CORE ErrorCode; undefined when it is valid. Source: clearinghouse.md B1, B4. */
export function refuseEnvelope(fields: CoreFields, credentials: Credentials | undefined): EnvelopeRefusal | undefined {
  if (credentials && !isAuthorized(fields, credentials)) {
    return { code: 'UnAuthorized', message: 'The username or the password is not known' }
  }
  const missing = requiredFields.find((name) => !fields[name]?.trim())
  if (missing) return { code: `${missing}Required`, message: `${missing} is missing` }
  if (fields.CORERuleVersion !== coreRuleVersion) {
    return { code: 'VersionMismatch', message: `CORERuleVersion must be ${coreRuleVersion}` }
  }
  const illegal = [...illegalFields(fields)][0]
  return illegal && { code: `${illegal.name}Illegal`, message: illegal.message }
}

function* illegalFields(fields: CoreFields): Generator<{ name: CoreFieldName; message: string }> {
  // Trading partners write blanks for underscores, or only `270`.
  if (!/270/.test(fields.PayloadType ?? '')) yield { name: 'PayloadType', message: 'Only 270 inquiries are answered' }
  if (!/^real\s?time$/i.test(fields.ProcessingMode ?? '')) {
    yield { name: 'ProcessingMode', message: 'Only RealTime is answered' }
  }
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(fields.TimeStamp ?? '')) {
    yield { name: 'TimeStamp', message: 'TimeStamp must be like 2026-01-31T12:00:00Z' }
  }
  for (const name of ['PayloadID', 'SenderID', 'ReceiverID'] as const) {
    if ((fields[name] ?? '').length > 50) yield { name, message: `${name} must have at most 50 characters` }
  }
}

function isAuthorized(fields: CoreFields, { username, password }: Credentials): boolean {
  return isSame(fields.UserName ?? '', username) && isSame(fields.Password ?? '', password)
}

/** Compares in constant time. */
export function isSame(given: string, expected: string): boolean {
  const a = Buffer.from(given)
  const b = Buffer.from(expected)
  return a.length === b.length && timingSafeEqual(a, b)
}
