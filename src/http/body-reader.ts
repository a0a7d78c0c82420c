import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parse as parseJson } from 'secure-json-parse'
import { badRequest, invalidContentType, payloadTooLarge } from '../errors.ts'

export const BODY_LIMIT_BYTES = 1024 * 1024
/** What is read and thrown away past the limit, so that a client that is still sending gets to read the 413. */
const DISCARD_LIMIT_BYTES = 64 * 1024 * 1024

/** JSON bodies and nothing else, whatever the route: Fastify itself would take `text/plain` too (design.md, traps 2 and 3). */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) =>
    parse(await readText(payload, request.routeOptions.bodyLimit ?? BODY_LIMIT_BYTES)),
  )
  app.addContentTypeParser('*', async (_request: FastifyRequest, payload: IncomingMessage) => {
    payload.resume()
    throw invalidContentType('the body must be application/json')
  })
}

/** The body as text. @throws BadRequestError (413) past `limitBytes`, BadRequestError when it is not UTF-8. */
export async function readText(payload: IncomingMessage, limitBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of payload as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= limitBytes) chunks.push(chunk)
    else chunks.length = 0
    if (size > DISCARD_LIMIT_BYTES) break
  }
  if (size > limitBytes) throw payloadTooLarge(limitBytes)
  const body = Buffer.concat(chunks)
  if (!isUtf8(body)) throw badRequest('the body is not UTF-8 text')
  return body.toString('utf8')
}

function parse(text: string): unknown {
  if (text === '') return undefined
  try {
    // A `__proto__` key is dropped like any other key that no schema knows.
    return parseJson(text, { protoAction: 'remove', constructorAction: 'remove' })
  } catch {
    // The parser's own message quotes the body.
    throw badRequest('the body is not valid JSON')
  }
}
