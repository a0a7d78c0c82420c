import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parse as parseJson } from 'secure-json-parse'
import { badRequest, invalidContentType, payloadTooLarge, requestTimeout } from '../errors.ts'

export const BODY_LIMIT_BYTES = 1024 * 1024
/** The wire types are at most eight levels deep; free-form values may go a little deeper. */
const MAX_DEPTH = 32
/** What is read and thrown away past the limit, so that a client that is still sending gets to read the 413. */
const DISCARD_LIMIT_BYTES = 64 * 1024 * 1024
/** Whoever sends slower than half a megabit a second after these first seconds only holds a place that others need. */
const BODY_TIMEOUT_MS = 15_000
const SLOWEST_BYTES_A_MS = 64

/** JSON bodies and nothing else, whatever the route: Fastify itself would take `text/plain` too (design.md, traps 2 and 3). */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) =>
    parseBody(await readText(payload, request.routeOptions.bodyLimit ?? BODY_LIMIT_BYTES)),
  )
  app.addContentTypeParser('*', async (_request: FastifyRequest, payload: IncomingMessage) => {
    payload.resume()
    throw invalidContentType('the body must be application/json')
  })
}

/**
 * The body as text.
 * @throws BadRequestError, as 413 past `limitBytes`, as 408 when it comes too slowly, when it breaks off, and when it is not UTF-8.
 */
export async function readText(payload: IncomingMessage, limitBytes: number): Promise<string> {
  let timer: NodeJS.Timeout | undefined
  const timeIsUp = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(requestTimeout()), BODY_TIMEOUT_MS + limitBytes / SLOWEST_BYTES_A_MS)
  })
  try {
    return await Promise.race([collectText(payload, limitBytes), timeIsUp])
  } finally {
    clearTimeout(timer)
  }
}

async function collectText(payload: IncomingMessage, limitBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of payload as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size <= limitBytes) chunks.push(chunk)
      else chunks.length = 0
      if (size > DISCARD_LIMIT_BYTES) break
    }
  } catch (error) {
    // The caller hung up: nobody reads this, and it is no fault of ours.
    throw badRequest('the request ended before its body did', error)
  }
  if (size > limitBytes) throw payloadTooLarge(limitBytes)
  const body = Buffer.concat(chunks)
  if (!isUtf8(body)) throw badRequest('the body is not UTF-8 text')
  return body.toString('utf8')
}

/**
 * A JSON body as a value; undefined for an empty one.
 * @throws BadRequestError for text that is no JSON and for nesting that no type of the interface has, also where no schema looks.
 */
export function parseBody(text: string): unknown {
  if (text === '') return undefined
  if (isDeep(text)) throw badRequest('the body is nested too deeply')
  try {
    // A `__proto__` key is dropped like any other key that no schema knows.
    return parseJson(text, { protoAction: 'remove', constructorAction: 'remove' })
  } catch {
    // The parser's own message quotes the body.
    throw badRequest('the body is not valid JSON')
  }
}

/** Counts brackets outside of strings, before anything recurses into them: 3 µs a kilobyte. */
function isDeep(text: string): boolean {
  let depth = 0
  let isInString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (isInString) {
      if (code === BACKSLASH) index++
      else if (code === QUOTE) isInString = false
    } else if (code === QUOTE) isInString = true
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--
    if (depth > MAX_DEPTH) return true
  }
  return false
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d]
