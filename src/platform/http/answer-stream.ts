// Long answers, sent in parts as fast as the client reads them.
import { Readable } from 'node:stream'

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
    yield separator + texts.join(',')
    separator = ','
  }
  for await (const texts of rest) {
    if (texts.length === 0) continue
    yield separator + texts.join(',')
    separator = ','
  }
  yield separator === before ? before + around.after : around.after
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
