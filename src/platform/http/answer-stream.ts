// Long answers, sent in parts as fast as the client reads them.
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/** A client that reads less than a part (about a megabyte) in this time only occupies a place that others need. */
const READER_PATIENCE_MS = 30_000

/** The text before and after the items of a list. */
export interface Around {
  before: string
  /** Read when all items have come, so that it may depend on them. */
  readonly after: string
}

export const ARRAY: Around = { before: '[', after: ']' }

/**
 * The texts, separated by commas, between two others. All are joined at once: a text that is added to a long one makes V8 copy the long one
 * again, into new memory. decisions/0143-what-a-page-costs.md
 */
export function enclosed(before: string, texts: readonly string[], after = ''): string {
  if (texts.length === 0) return before + after
  const parts = [...texts]
  parts[0] = before + parts[0]
  parts[parts.length - 1] += after
  return parts.join(',')
}

/**
 * A list whose items come in chunks. The array is closed only when all have come, so that no client mistakes a part for
 * the whole.
 */
export function listStream(first: string[][], rest: AsyncIterable<string[]>, around: Around = ARRAY): Readable {
  return Readable.from(partsOf(first, rest, around))
}

async function* partsOf(first: string[][], rest: AsyncIterable<string[]>, around: Around): AsyncGenerator<string> {
  const { before } = around
  let separator = before
  for (const texts of first) {
    // Rows that have left the list since it started are missing, which may be a whole chunk.
    if (texts.length === 0) continue
    yield enclosed(separator, texts)
    separator = ','
  }
  for await (const texts of rest) {
    if (texts.length === 0) continue
    yield enclosed(separator, texts)
    separator = ','
  }
  yield separator === before ? before + around.after : around.after
}

/** From this length on it is less work to make the bytes of a text once than to let Node add it to the headers and copy both. */
const LONG_CHARACTERS = 64 * 1024

/** Sends a long answer as bytes. Register it after the hooks that read the text. decisions/0143-what-a-page-costs.md */
export function sendLongTextsAsBytes(app: FastifyInstance): void {
  app.addHook('onSend', (_request, _reply, payload, done) => {
    done(null, typeof payload === 'string' && payload.length >= LONG_CHARACTERS ? Buffer.from(payload) : payload)
  })
}

/** The parts as a stream that ends, and with it the response, when the client reads nothing for this long. */
export function streamToReader(parts: AsyncIterable<string>, patienceMs = READER_PATIENCE_MS): Readable {
  let timer: NodeJS.Timeout | undefined
  const stream = Readable.from(timed())
  stream.once('close', () => clearTimeout(timer))
  return stream

  async function* timed(): AsyncGenerator<string> {
    for await (const part of parts) {
      timer = setTimeout(() => stream.destroy(new Error('the reader of an answer has stopped reading')), patienceMs)
      yield part
      clearTimeout(timer)
    }
  }
}
