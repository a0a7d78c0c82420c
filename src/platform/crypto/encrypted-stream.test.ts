import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { EncryptedStreamError, encryptStream, openStream } from './encrypted-stream.ts'

const streamKey = { key: randomBytes(32), header: Buffer.from('a header') }
const CHUNK = 64 * 1024
const SEALED_CHUNK = CHUNK + 16

/** The bytes in pieces of these sizes, repeatedly. */
async function* inPieces(bytes: Buffer, sizes: number[]): AsyncGenerator<Buffer> {
  for (let from = 0, turn = 0; from < bytes.length; turn += 1) {
    const to = from + (sizes[turn % sizes.length] ?? 1)
    yield bytes.subarray(from, to)
    from = to
  }
}

async function whole(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces = []
  for await (const piece of stream) pieces.push(piece)
  return Buffer.concat(pieces)
}

const encrypted = (bytes: Buffer, sizes = [100_000]) => whole(encryptStream(inPieces(bytes, sizes), streamKey))
const opened = (bytes: Buffer, sizes = [100_000], key = streamKey) => whole(openStream(inPieces(bytes, sizes), key))

it('returns every byte, for any length and any pieces', async () => {
  const length = fc.oneof(fc.integer({ min: 0, max: 200 }), fc.constantFrom(CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK))
  const sizes = fc.array(fc.integer({ min: 500, max: 90_000 }), { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(length, sizes, sizes, async (count, in_, out) => {
      const bytes = randomBytes(count)
      expect((await opened(await encrypted(bytes, in_), out)).equals(bytes)).toBe(true)
    }),
    { numRuns: 60 },
  )
})

it('refuses a stream with altered, truncated, moved, repeated or added parts', async () => {
  const bytes = await encrypted(randomBytes(3 * CHUNK))
  const flipped = (at: number) => {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    return changed
  }
  const [a, b, c] = [0, 1, 2].map((chunk) => bytes.subarray(chunk * SEALED_CHUNK, (chunk + 1) * SEALED_CHUNK))
  const damaged = {
    'a bit of the text': flipped(10),
    'a bit of a tag': flipped(SEALED_CHUNK - 1),
    'the last bit': flipped(bytes.length - 1),
    'the last byte gone': bytes.subarray(0, -1),
    'the last chunk gone': bytes.subarray(0, 2 * SEALED_CHUNK),
    'everything gone': Buffer.alloc(0),
    'chunks exchanged': Buffer.concat([b!, a!, c!]),
    'a chunk twice': Buffer.concat([a!, a!, b!, c!]),
    'a byte more': Buffer.concat([bytes, Buffer.from([0])]),
  }
  for (const [what, wrong] of Object.entries(damaged)) {
    await expect(opened(wrong), what).rejects.toThrow(EncryptedStreamError)
  }
  const otherHeader = { ...streamKey, header: Buffer.from('A header') }
  await expect(opened(bytes, [100_000], otherHeader)).rejects.toThrow(EncryptedStreamError)
})
