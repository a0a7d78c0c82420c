import { Readable } from 'node:stream'

/**
 * The bytes that `read` makes of a source. The source is destroyed with the result: a generator that is ended before its first step
 * runs none of its own code, so the file or connection of the source would stay open until garbage collection.
 */
export function derivedStream(source: Readable, read: (source: Readable) => AsyncGenerator<Buffer>): Readable {
  const derived = Readable.from(read(source), { objectMode: false })
  derived.once('close', () => {
    // The body of an HTTP answer that is destroyed before its end emits an error, which is no longer handled.
    source.on('error', () => {})
    source.destroy()
  })
  return derived
}

/** The bytes of a source, with the error that `explain` makes of one that breaks off. */
export const explainedStream = (source: Readable, explain: (cause: unknown) => Error): Readable =>
  derivedStream(source, async function* (bytes) {
    try {
      yield* bytes
    } catch (cause) {
      throw explain(cause)
    }
  })
