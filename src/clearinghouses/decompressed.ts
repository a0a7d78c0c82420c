// Compressed answers: a few bytes may become as many as an answer may have. decisions/0184-what-partners-send.md
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { codeOf } from '../platform/error-code.ts'
import { createFairShare, QueueFull } from '../platform/fair-share.ts'
import { type HeldBytes, NoRoom } from './answers-in-memory.ts'

export class ResponseTooLarge extends Error {}
export class BrokenCompression extends Error {}

const decompressors = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const

/**
 * The answers that are decompressed at a time, each to at most its limit: all of those that end together would be, each a little at a time, and what is decompressed
 * is counted only when its length is known.
 */
const decompressions = createFairShare({ places: 4, maxWaiting: 10_000 })

interface Bounds {
  /** Where the bytes of the answer are counted. */
  held: HeldBytes
  /** Whose place is taken. */
  origin: string
  maxBytes: number
}

/** The bytes as they were before the compression that the header names. @throws ResponseTooLarge, BrokenCompression, NoRoom */
export async function decompressed(bytes: Buffer, encoding: string | undefined, bounds: Bounds): Promise<Buffer> {
  const name = encoding?.trim().toLowerCase()
  if (bytes.length === 0 || name === undefined || !Object.hasOwn(decompressors, name)) return bytes
  const decompressor = decompressors[name as keyof typeof decompressors]
  return decompressions
    .pass(bounds.origin, undefined, () => decompress(bytes, decompressor, bounds))
    .catch((error) => {
      throw error instanceof QueueFull ? new NoRoom('too many answers are decompressed', { cause: error }) : error
    })
}

async function decompress(
  bytes: Buffer,
  decompressor: (typeof decompressors)[keyof typeof decompressors],
  { held, maxBytes }: Bounds,
): Promise<Buffer> {
  const body = await decompressor(bytes, { maxOutputLength: maxBytes }).catch((cause: unknown) => {
    if (codeOf(cause) === 'ERR_BUFFER_TOO_LARGE') throw new ResponseTooLarge('too large', { cause })
    throw new BrokenCompression('the body cannot be decompressed', { cause })
  })
  held.add(body.length)
  return body
}
