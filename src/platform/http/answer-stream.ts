// Long answers, part by part, as fast as their reader takes them.
import { Readable } from 'node:stream'

/** Whoever takes less than a part, about a megabyte, in this time only holds a place that others need. */
const READER_PATIENCE_MS = 30_000

/** What stands before and after the items of a list. */
export interface Around {
  before: string
  after: string
}

export const ARRAY: Around = { before: '[', after: ']' }

/** A list whose items come chunk by chunk. Unless all have come it is never closed, so nobody takes a part for the whole. */
export function listStream(first: string[][], rest: AsyncIterable<string[]>, around: Around = ARRAY): Readable {
  return Readable.from(partsOf(first, rest, around))
}

async function* partsOf(
  first: string[][],
  rest: AsyncIterable<string[]>,
  { before, after }: Around,
): AsyncGenerator<string> {
  let separator = before
  for (const texts of first) {
    // Rows that have left the list since it began are missing, which may be a whole chunk.
    if (texts.length === 0) continue
    yield separator + texts.join(',')
    separator = ','
  }
  for await (const texts of rest) {
    if (texts.length === 0) continue
    yield separator + texts.join(',')
    separator = ','
  }
  yield separator === before ? before + after : after
}

/** The parts as a stream that breaks off, and with it the answer, when its reader takes nothing for so long. */
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
