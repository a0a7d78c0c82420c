// Measures a JSON text while it arrives, so that a text beyond its reader's limits is never parsed.

export interface JsonBounds {
  /** The maximum nesting of objects and arrays. */
  depth: number
  /** The maximum number of values and keys, regardless of their length. */
  nodes: number
}

type JsonExcess = 'depth' | 'nodes'

/** Scans a text in pieces. Bytes of UTF-8 may be passed as latin1, because only ASCII characters matter. */
export class JsonScan {
  /** The limit that was exceeded; nothing more is scanned then. */
  excess: JsonExcess | undefined
  /** The number of keys of a text that is valid JSON: each has a colon, and nothing else does. */
  keys = 0
  private readonly bounds: JsonBounds
  private readonly onTop: ((code: number, at: number) => void) | undefined
  private depth = 0
  private nodes = 0
  private isInString = false
  private isEscaped = false
  private before = 0

  /**
   * `onTop` is called where the outermost value opens, has commas and closes; each part between the commas then has its
   * own limits.
   */
  constructor(bounds: JsonBounds, onTop?: (code: number, at: number) => void) {
    this.bounds = bounds
    this.onTop = onTop
  }

  read(piece: string): void {
    for (let index = 0; index < piece.length && this.excess === undefined; index++) {
      const code = piece.charCodeAt(index)
      if (this.isInString) this.readText(code)
      else if (code === QUOTE) this.isInString = true
      else if (code === OPEN_BRACE || code === OPEN_BRACKET) this.open(code, index)
      else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) this.close(code, index)
      else if (code === COMMA || code === COLON) this.count(code, index)
    }
    this.before += piece.length
  }

  private readText(code: number): void {
    if (this.isEscaped) this.isEscaped = false
    else if (code === BACKSLASH) this.isEscaped = true
    else if (code === QUOTE) this.isInString = false
  }

  private open(code: number, index: number): void {
    if (++this.depth > this.bounds.depth) this.excess = 'depth'
    else if (++this.nodes > this.bounds.nodes) this.excess = 'nodes'
    if (this.depth === 1) this.onTop?.(code, this.before + index)
  }

  private close(code: number, index: number): void {
    if (--this.depth === 0) this.onTop?.(code, this.before + index)
  }

  private count(code: number, index: number): void {
    if (code === COLON) this.keys++
    if (this.depth === 1 && code === COMMA && this.onTop) {
      this.nodes = 0
      this.onTop(code, this.before + index)
    } else if (++this.nodes > this.bounds.nodes) this.excess = 'nodes'
  }
}

/** The limit that a text exceeds, if any. */
export function excessOf(text: string, bounds: JsonBounds): JsonExcess | undefined {
  const scan = new JsonScan(bounds)
  scan.read(text)
  return scan.excess
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d]
