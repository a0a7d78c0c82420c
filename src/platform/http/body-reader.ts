import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { scan as withoutPrototypes } from 'secure-json-parse'
import { badRequest, invalidContentType, payloadTooLarge, requestTimeout } from '../../contract/errors.ts'
import { DISCARD_LIMIT_BYTES } from '../discard-limit.ts'
import { takeTurn } from '../event-loop.ts'
import { type JsonBounds, JsonScan } from '../json-scan.ts'

export const BODY_LIMIT_BYTES = 1024 * 1024
/** A longer body takes parts of a millisecond for each step, and so is read and handled in turns. */
export const LONG_BODY_BYTES = 8 * 1024
/** A longer one takes a turn before it is parsed: an organization may send hundreds at the same moment. */
const SHORT_BODY_BYTES = 512
/**
 * The wire types are at most eight levels deep; free-form values may be a little deeper. The largest records that
 * clients send, coverages with all their benefits, have some thousand values.
 */
const BODY_BOUNDS: JsonBounds = { depth: 32, nodes: 50_000 }
/** More items than any operation accepts, with their commas; each operation states its own limit. */
const ITEMS_MAX = 100_000
/**
 * A client that sends more slowly than half a megabit per second after these first seconds only occupies a place that
 * others need.
 */
const BODY_TIMEOUT_MS = 15_000
const SLOWEST_BYTES_A_MS = 64

/**
 * Accepts JSON bodies only, for every route: Fastify itself would accept `text/plain` too (design.md, traps 2 and 3).
 */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
    const { bodyLimit = BODY_LIMIT_BYTES, config } = request.routeOptions
    return (config.readsItems ? readItems : readJson)(payload, bodyLimit, request.actor?.organizationId)
  })
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    payload.resume()
    // Some HTTP clients name a type on every call; the type of no content has no meaning (RFC 9110 8.3).
    if (request.routeOptions.config.takesNoBody && hasNoContent(request)) return undefined
    throw invalidContentType('the body must be application/json')
  })
}

/** Source: RFC 9112 6.3. */
const hasNoContent = ({ headers }: FastifyRequest) =>
  (headers['content-length'] ?? '0') === '0' && headers['transfer-encoding'] === undefined

async function readJson(payload: IncomingMessage, limitBytes: number, organizationId = ''): Promise<unknown> {
  const scan = new JsonScan(BODY_BOUNDS)
  const look = (bytes: Buffer) => {
    scan.read(bytes.toString('latin1'))
    return scan.excess === undefined
  }
  const body = Buffer.concat(await readBytes(payload, limitBytes, { look, organizationId }))
  if (body.length > SHORT_BODY_BYTES) await takeTurn(organizationId)
  return parseBody(toText(body), scan)
}

/**
 * An array as the JSON texts of its items, for an operation that parses them one by one: the array may be long, and
 * each item has the limits of any other body.
 */
export async function readItems(
  payload: IncomingMessage,
  limitBytes: number,
  organizationId = '',
): Promise<Buffer[] | undefined> {
  // The positions of the opening bracket, the commas and the closing bracket.
  const marks: { code: number; at: number }[] = []
  const scan = new JsonScan(BODY_BOUNDS, (code, at) => {
    if (marks.length <= ITEMS_MAX) marks.push({ code, at })
  })
  const look = (bytes: Buffer) => {
    scan.read(bytes.toString('latin1'))
    return scan.excess === undefined && marks.length <= ITEMS_MAX
  }
  const body = new Pieces(await readBytes(payload, limitBytes, { look, organizationId }))
  refuseExcess(scan)
  if (marks.length > ITEMS_MAX) throw badRequest(`the body must not have more than ${ITEMS_MAX} items`)
  if (body.length === 0) return undefined
  const [opening, closing] = [marks[0], marks.at(-1)]
  const isArray = opening?.code === OPEN_BRACKET && closing?.code === CLOSE_BRACKET
  if (!isArray || !body.isBlank(0, opening.at) || !body.isBlank(closing.at + 1, body.length)) {
    // The text may also be no JSON at all; finding out is not worth parsing it.
    throw badRequest('the body must be a JSON array')
  }
  const items: Buffer[] = []
  for (const [index, { at }] of marks.slice(1).entries()) {
    await takeTurn(organizationId)
    const start = (marks[index]?.at ?? 0) + 1
    if (at - start > BODY_LIMIT_BYTES) throw payloadTooLarge(BODY_LIMIT_BYTES)
    const item = body.cut(start, at)
    if (!isUtf8(item)) throw notUtf8()
    items.push(item)
  }
  return items.length === 1 && body.isBlank(opening.at + 1, closing.at) ? [] : items
}

/**
 * The body as text. @throws BadRequestError when it ends early or is not UTF-8, 413 beyond `limitBytes`, 408 when it
 * arrives too slowly.
 */
export async function readText(payload: IncomingMessage, limitBytes: number): Promise<string> {
  return toText(Buffer.concat(await readBytes(payload, limitBytes)))
}

interface Reading {
  /** Sees the bytes as they arrive; false when the body will be refused, so that the rest of it is not kept. */
  look?: (bytes: Buffer) => boolean
  /** Whose turns of the event loop a long body takes. */
  organizationId?: string
}

/**
 * Listens to the request, since an iterator over it costs a short body more than everything else that is done with it.
 * decisions/0154-what-a-token-costs.md
 */
function readBytes(
  payload: IncomingMessage,
  limitBytes: number,
  { look = () => true, organizationId = '' }: Reading = {},
): Promise<Buffer[]> {
  const chunks: Buffer[] = []
  let size = 0
  let isWanted = true

  function take(chunk: Buffer): void {
    isWanted &&= size <= limitBytes && look(chunk)
    if (isWanted) chunks.push(chunk)
    else chunks.length = 0
    if (size > DISCARD_LIMIT_BYTES) payload.destroy()
  }

  return new Promise((resolve, reject) => {
    const end = (error?: Error) => {
      clearTimeout(timer)
      if (size > limitBytes) reject(payloadTooLarge(limitBytes))
      else if (error) reject(error)
      else resolve(chunks)
    }
    // The caller disconnected, so this answer is not read, and it is not a server error.
    const leave = (cause?: Error) => end(badRequest('the request ended before its body did', cause))
    const timeUp = () => {
      isWanted = false
      reject(requestTimeout())
    }
    const timer = setTimeout(timeUp, BODY_TIMEOUT_MS + limitBytes / SLOWEST_BYTES_A_MS)
    // It may have left while a hook before this one waited.
    if (payload.destroyed) return leave()
    let waiting: Promise<void> | undefined
    payload.on('data', (chunk: Buffer) => {
      size += chunk.length
      const turn = size > LONG_BODY_BYTES ? takeTurn(organizationId) : undefined
      if (!turn) return take(chunk)
      payload.pause()
      waiting = turn.then(() => {
        take(chunk)
        payload.resume()
      })
    })
    // The end may come while the last bytes still wait for their turn.
    payload.once('end', () => (waiting ? waiting.then(() => end()) : end()))
    payload.once('error', leave)
    payload.once('close', () => payload.readableEnded || leave())
  })
}

/** Bytes that arrived in pieces. Joining twenty megabytes would hold the thread, and the memory twice. */
class Pieces {
  readonly length: number
  readonly #pieces: readonly Buffer[]
  /** Where each piece begins. */
  readonly #starts: number[] = []
  /** The piece of the latest cut: cuts are made from the start to the end. */
  #current = 0

  constructor(pieces: readonly Buffer[]) {
    this.#pieces = pieces
    this.length = pieces.reduce((start, { length }) => {
      this.#starts.push(start)
      return start + length
    }, 0)
  }

  /** The bytes from `from` to before `to`; a copy where they are in several pieces. */
  cut(from: number, to: number): Buffer {
    if ((this.#starts[this.#current] ?? 0) > from) this.#current = 0
    while ((this.#starts[this.#current + 1] ?? Infinity) <= from) this.#current++
    const parts: Buffer[] = []
    for (let index = this.#current; (this.#starts[index] ?? Infinity) < to; index++) {
      const start = this.#starts[index] ?? 0
      parts.push((this.#pieces[index] as Buffer).subarray(Math.max(0, from - start), to - start))
    }
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
  }

  /** Source: RFC 8259 2. */
  isBlank(from: number, to: number): boolean {
    return to - from <= BODY_LIMIT_BYTES && /^[ \t\r\n]*$/.test(this.cut(from, to).toString('latin1'))
  }
}

function toText(body: Buffer): string {
  if (!isUtf8(body)) throw notUtf8()
  return body.toString('utf8')
}

const notUtf8 = () => badRequest('the body is not UTF-8 text')

/**
 * A JSON body as a value; undefined for an empty one. `scan` has read the text if that happened while it arrived.
 * @throws BadRequestError for text that is not JSON, for an object with a key twice, and for deeper nesting or more
 * values than any type of the interface has, also in parts without a schema.
 */
export function parseBody(text: string, scan = scanned(text)): unknown {
  refuseExcess(scan)
  if (text === '') return undefined
  const value = parseJson(text)
  // Readers differ in which of the two values counts (RFC 8259 4). The key may be the client's own text, so no name.
  if (countKeys(value) !== scan.keys) throw badRequest('an object in the body has the same key twice')
  if (typeof value !== 'object' || value === null) return value
  // A `__proto__` key is dropped like any other key that no schema knows.
  return withoutPrototypes(value, { protoAction: 'remove', constructorAction: 'remove' })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text)
  } catch {
    // The parser's own message quotes the body.
    throw badRequest('the body is not valid JSON')
  }
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const values: unknown[] = Array.isArray(value) ? value : Object.values(value)
  return values.reduce<number>((sum, each) => sum + countKeys(each), Array.isArray(value) ? 0 : values.length)
}

/** An item of `readsItems` as a value. @throws BadRequestError as `parseBody`. */
export function parseItem(text: Buffer): unknown {
  if (text.length === 0) throw badRequest('the body is not valid JSON')
  return parseBody(text.toString('utf8'))
}

function scanned(text: string): JsonScan {
  const scan = new JsonScan(BODY_BOUNDS)
  scan.read(text)
  return scan
}

function refuseExcess({ excess }: JsonScan): void {
  if (excess === 'depth') throw badRequest('the body is nested too deeply')
  if (excess === 'nodes') throw badRequest(`the body must not contain more than ${BODY_BOUNDS.nodes} values and keys`)
}

const [OPEN_BRACKET, CLOSE_BRACKET] = [0x5b, 0x5d]

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is an array; the operation receives the JSON text of each item. */
    readsItems?: boolean
  }
}
