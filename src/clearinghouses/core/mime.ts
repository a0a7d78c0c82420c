import { headerParameter } from '../decode-text.ts'

/** One part of a multipart body, its bytes still encoded. */
export interface MimePart {
  /** Content-Disposition `name`. */
  name: string | undefined
  /** Content-ID without its angle brackets. */
  contentId: string | undefined
  contentType: string
  body: Buffer
}

export interface Multipart {
  parts: MimePart[]
  /** Whether the final boundary is present. */
  isClosed: boolean
}

/** An envelope has ten parts; a body with more parts than this is not an envelope. */
const maxParts = 100
/** Source: RFC 2046 5.1.1. Searching for a longer boundary would be slow. */
const maxBoundary = 70
const maxHeaders = 50

/**
 * Splits a multipart body leniently: accepts LF or CRLF, a quoted or undeclared boundary, extra headers, a preamble, and a missing final
 * boundary. Undefined when no boundary line is found. Source: RFC 2046 5.1, RFC 7578.
 */
export function readMultipart(contentType: string, bytes: Buffer): Multipart | undefined {
  // latin1 maps every byte to one character, so the encodings of the parts survive the splitting.
  const text = bytes.toString('latin1').trimStart()
  const delimiter = findDelimiter(text, headerParameter(contentType, 'boundary'))
  if (!delimiter) return undefined
  const parts: MimePart[] = []
  let start = nextDelimiter(text, delimiter, 0)
  while (start !== -1 && parts.length < maxParts) {
    const afterDelimiter = start + delimiter.length
    if (text.startsWith('--', afterDelimiter)) return { parts, isClosed: true }
    const contentStart = text.indexOf('\n', afterDelimiter) + 1
    if (contentStart === 0) break
    const next = nextDelimiter(text, delimiter, contentStart)
    const isLast = next === -1
    const content = text.slice(contentStart, isLast ? text.length : lineEndBefore(text, next, contentStart))
    parts.push(readPart(isLast ? withoutCutDelimiter(content, delimiter) : content))
    start = next
  }
  return { parts, isClosed: false }
}

/** Writes a form-data body with one part per field, in the given order. `boundary` must not occur in a value. */
export function writeMultipart(
  fields: readonly (readonly [string, string])[],
  boundary: string,
  lineEnd: string,
): Buffer {
  const parts = fields.map(([name, value]) =>
    [`--${boundary}`, `Content-Disposition: form-data; name="${name}"`, '', value].join(lineEnd),
  )
  return Buffer.from([...parts, `--${boundary}--`, ''].join(lineEnd), 'utf8')
}

function findDelimiter(text: string, boundary: string | undefined): string | undefined {
  if (boundary && boundary.length <= maxBoundary && nextDelimiter(text, `--${boundary}`, 0) !== -1)
    return `--${boundary}`
  // The declared boundary is missing or wrong: the first line that looks like a boundary is used.
  return /^\s*(--[^\s]{1,70}?)(?:--)?[ \t]*\r?\n/.exec(text.slice(0, 1000))?.[1]
}

function nextDelimiter(text: string, delimiter: string, from: number): number {
  let at = text.indexOf(delimiter, from)
  while (at > 0 && text[at - 1] !== '\n') at = text.indexOf(delimiter, at + 1)
  return at
}

/** The body may end within a delimiter. */
function withoutCutDelimiter(content: string, delimiter: string): string {
  const lineEnd = content.lastIndexOf('\n')
  const isCut = lineEnd >= 0 && lineEnd < content.length - 1 && delimiter.startsWith(content.slice(lineEnd + 1))
  return isCut ? content.slice(0, lineEnd) : content
}

function lineEndBefore(text: string, at: number, floor: number): number {
  const beforeNewline = text[at - 1] === '\n' ? at - 1 : at
  return Math.max(floor, text[beforeNewline - 1] === '\r' ? beforeNewline - 1 : beforeNewline)
}

function readPart(content: string): MimePart {
  const { headers, body } = splitHeaders(content)
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase()
  return {
    name: headerParameter(headers.get('content-disposition') ?? '', 'name'),
    contentId: headers.get('content-id')?.replace(/^<|>$/g, ''),
    contentType: headers.get('content-type') ?? '',
    body:
      encoding === 'base64'
        ? Buffer.from(body, 'base64')
        : Buffer.from(encoding === 'quoted-printable' ? unquoted(body) : body, 'latin1'),
  }
}

/** Mail libraries write a part with long lines so, which an interchange is: `=` ends a line that goes on, or begins a byte. Source: RFC 2045 6.7. */
function unquoted(body: string): string {
  return body
    .replace(/=[\t ]*\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/gi, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16)))
}

function splitHeaders(content: string): { headers: Map<string, string>; body: string } {
  const headers = new Map<string, string>()
  let lastName = ''
  let at = 0
  for (let lines = 0; at < content.length && lines < maxHeaders; lines++) {
    const newline = content.indexOf('\n', at)
    const line = content.slice(at, newline === -1 ? content.length : newline).trimEnd()
    at = newline === -1 ? content.length : newline + 1
    if (line === '') break
    const isFolded = line.startsWith(' ') || line.startsWith('\t')
    const colon = isFolded ? -1 : line.indexOf(':')
    if (isFolded) headers.set(lastName, `${headers.get(lastName) ?? ''} ${line.trim()}`)
    if (colon <= 0) continue
    lastName = line.slice(0, colon).trim().toLowerCase()
    headers.set(lastName, line.slice(colon + 1).trim())
  }
  return { headers, body: content.slice(at) }
}
