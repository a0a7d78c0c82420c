import { decodeText } from '../decode-text.ts'
import type { CoreFieldName, CoreFields, CoreForm, CoreMessage, CoreReading } from './fields.ts'
import { coreFieldName, envelopeOf, storeField } from './fields.ts'
import { type MimePart, type Multipart, readMultipart, writeMultipart } from './mime.ts'
import { readSoap, writeSoap } from './soap.ts'

/** The order that the strictest known receivers require in a form-data body (clearinghouse.md B3). */
const mimeOrder: readonly CoreFieldName[] = [
  'ProcessingMode',
  'TimeStamp',
  'PayloadID',
  'CORERuleVersion',
  'ReceiverID',
  'SenderID',
  'PayloadType',
  'UserName',
  'Password',
  'ErrorCode',
  'ErrorMessage',
  'Payload',
]

type LineEnding = 'crlf' | 'lf'

/**
 * Writes a real-time envelope. `lineEnding` applies to MIME only. The MIME boundary is derived from PayloadID, a UUID. Source: CORE 270
 * rule 4.2.1 (MIME) and 4.2.2 (SOAP).
 */
export function writeEnvelope(
  form: CoreForm,
  element: 'Request' | 'Response',
  fields: CoreFields,
  lineEnding: LineEnding = 'crlf',
): CoreMessage {
  if (form !== 'mime') return writeSoap(form, element, fields)
  const boundary = `core-${(fields.PayloadID ?? '').replace(/[^A-Za-z0-9-]/g, '').slice(0, 50)}`
  const present = mimeOrder.flatMap((name) => {
    const value = fields[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: writeMultipart(present, boundary, lineEnding === 'lf' ? '\n' : '\r\n'),
  }
}

/**
 * Reads a real-time envelope in any form. The body determines the form and the content type is only a hint, because servers label SOAP as
 * `text/plain` and multipart as `text/html`. Never throws. The caller bounds the size of `body`.
 */
export function readCoreMessage(contentType: string, body: Buffer): CoreReading {
  const text = decodeText(contentType, body).trimStart()
  if (text === '') return { kind: 'unreadable', because: 'empty' }
  if (text.startsWith('ISA')) return { kind: 'envelope', fields: { Payload: text } }
  if (text.startsWith('<')) return looksLikeHtml(text) ? { kind: 'unreadable', because: 'html' } : readSoap(text)
  if (isBeginning(text)) return { kind: 'unreadable', because: 'truncated' }
  const mayBeMultipart = text.startsWith('--') || /^multipart\//i.test(contentType)
  const multipart = mayBeMultipart ? readMultipart(contentType, body) : undefined
  return multipart ? readParts(multipart) : { kind: 'unreadable', because: 'unknown' }
}

/** Of an interchange, or of a multipart body: a connection without a stated length may end at any byte. */
const isBeginning = (text: string) => 'ISA'.startsWith(text) || /^-(?:-[^\n]*)?$/.test(text)

function looksLikeHtml(text: string): boolean {
  return /^(?:\s|<!--[^>]{0,500}-->)*<(?:!doctype\s+html|html|head|body)\b/i.test(text.slice(0, 2000))
}

const SUCCESS = 'Success'

function readParts({ parts, isClosed }: Multipart): CoreReading {
  const soapPart = parts.find((part) => part.name === undefined && decodePart(part).trimStart().startsWith('<'))
  if (soapPart) {
    return readSoap(decodePart(soapPart), (contentId) => {
      const attachment = parts.find((part) => part.contentId === contentId)
      return attachment && decodePart(attachment)
    })
  }
  const fields: CoreFields = {}
  for (const part of parts) {
    const name = coreFieldName(part.name ?? '')
    if (name) storeField(fields, name, decodePart(part))
  }
  // Some servers leave out the final boundary; then only the end of the interchange proves that nothing was cut off.
  const isCut = fields.Payload !== undefined && !/IEA/i.test(fields.Payload.slice(-100))
  const { ErrorCode: code = '' } = fields
  const isCodeCut = code !== '' && code !== SUCCESS && SUCCESS.startsWith(code)
  if (!isClosed && (isCut || isCodeCut)) return { kind: 'unreadable', because: 'truncated' }
  return envelopeOf(fields) ?? { kind: 'unreadable', because: parts.length > 0 ? 'truncated' : 'unknown' }
}

function decodePart(part: MimePart): string {
  return decodeText(part.contentType, part.body)
}
