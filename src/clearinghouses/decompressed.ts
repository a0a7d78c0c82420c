// Compressed answers: a few bytes may become as many as an answer may have. decisions/0184-what-partners-send.md
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'
import { codeOf } from '../platform/error-code.ts'
import { createFairShare, QueueFull } from '../platform/fair-share.ts'
import { type HeldBytes, NoRoom } from './answers-in-memory.ts'

export class ResponseTooLarge extends Error {}
export class BrokenCompression extends Error {}

type Decompressor = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>

const [unzipped, inflated, inflatedRaw, ofBrotli] = [
  promisify(gunzip),
  promisify(inflate),
  promisify(inflateRaw),
  promisify(brotliDecompress),
] as const satisfies readonly Decompressor[]

const decompressors: Readonly<Record<string, (bytes: Buffer) => Decompressor | undefined>> = {
  gzip: () => unzipped,
  'x-gzip': () => unzipped,
  // Many servers leave out the header of RFC 1950, which a multiple of 31 in the first two bytes shows.
  deflate: (bytes) => (isZlib(bytes) ? inflated : inflatedRaw),
  br: () => ofBrotli,
  identity: () => undefined,
}

const isZlib = (bytes: Buffer) => bytes.length > 1 && (bytes[0]! & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0

/**
 * Whether bytes that cannot be decompressed begin as JSON, XML, MIME or X12 does: a proxy that decompresses may leave the header. Not asked before, because compressed
 * bytes may begin so, too: those of Brotli with `[` for 64 KB and more.
 */
const isPlain = (bytes: Buffer) =>
  /^\s{0,20}(?:[[{]\s{0,20}["{[\]}]|<[?!a-zA-Z]|--[\w-]{3}|ISA[^\w])/.test(bytes.toString('latin1', 0, 60))

/** A client asks for one, and a chain of proxies adds one or two. */
const ENCODINGS_MAX = 3

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
  const names =
    encoding
      ?.toLowerCase()
      .split(',')
      .map((name) => name.trim()) ?? []
  if (bytes.length === 0 || names.length > ENCODINGS_MAX || !names.every((name) => Object.hasOwn(decompressors, name)))
    return bytes
  return decompressions
    .pass(bounds.origin, undefined, () => inTurn(bytes, names.reverse(), bounds))
    .catch((error) => {
      throw error instanceof QueueFull ? new NoRoom('too many answers are decompressed', { cause: error }) : error
    })
}

/** The last encoding was applied last. */
async function inTurn(bytes: Buffer, names: readonly string[], bounds: Bounds): Promise<Buffer> {
  let body = bytes
  for (const name of names) {
    const decompressor = decompressors[name]?.(body)
    if (!decompressor) continue
    try {
      body = await decompress(body, decompressor, bounds)
    } catch (error) {
      if (!(error instanceof BrokenCompression && isPlain(body))) throw error
    }
  }
  return body
}

async function decompress(bytes: Buffer, decompressor: Decompressor, { held, maxBytes }: Bounds): Promise<Buffer> {
  const body = await decompressor(bytes, { maxOutputLength: maxBytes }).catch((cause: unknown) => {
    if (codeOf(cause) === 'ERR_BUFFER_TOO_LARGE') throw new ResponseTooLarge('too large', { cause })
    throw new BrokenCompression('the body cannot be decompressed', { cause })
  })
  held.add(body.length)
  return body
}
