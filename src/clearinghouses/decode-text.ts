// The bytes of an answer as text, in whatever encoding they are.

const UTF_8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Decodes bytes in the encoding of their byte order mark, else the declared one, else UTF-8; bytes that are none of these are read as Windows-1252, which never
 * fails. Marks are not part of the text. Source: https://encoding.spec.whatwg.org/#decode.
 */
export function decodeText(contentType: string, bytes: Buffer): string {
  const marked = markedEncoding(bytes)
  for (const encoding of [marked, headerParameter(contentType, 'charset'), statedIn(bytes), 'utf-8']) {
    if (!encoding) continue
    try {
      const decoder = /^utf-?8$/i.test(encoding) ? UTF_8 : new TextDecoder(encoding, { fatal: true })
      // Bytes of UTF-16 show it. Programs on .NET declare it in documents that they send as UTF-8.
      if (encoding !== marked && decoder.encoding.startsWith('utf-16')) continue
      return decoder.decode(bytes)
    } catch {
      // An unknown encoding name, or bytes that contradict it: the next candidate is tried.
    }
  }
  return new TextDecoder('windows-1252').decode(bytes)
}

/** By the mark, or by the zero beside the first character: XML, JSON and X12 begin with one of ASCII. */
function markedEncoding(bytes: Buffer): string | undefined {
  const [first, second] = bytes
  if (first === undefined || second === undefined) return undefined
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le'
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return 'utf-16be'
  return undefined
}

/** The encoding that an XML document declares. */
function statedIn(bytes: Buffer): string | undefined {
  return /^\s*<\?xml[^>]{0,100}encoding=["']([\w-]{1,40})["']/.exec(bytes.toString('latin1', 0, 200))?.[1]
}

/** A parameter of a header value such as `boundary` or `charset`, unquoted. */
export function headerParameter(header: string, name: string): string | undefined {
  for (const piece of header.slice(0, 2000).split(';').slice(1)) {
    const equals = piece.indexOf('=')
    if (equals === -1 || piece.slice(0, equals).trim().toLowerCase() !== name) continue
    return unquote(piece.slice(equals + 1).trim())
  }
  return undefined
}

function unquote(value: string): string {
  const quote = value[0]
  return (quote === '"' || quote === "'") && value.endsWith(quote) && value.length > 1 ? value.slice(1, -1) : value
}
