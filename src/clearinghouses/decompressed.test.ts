import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { decompressed } from './decompressed.ts'

test.each(['[', '{', '"', ']', '}'])(
  'Brotli that begins as a list of JSON does, with [%s, is decompressed',
  async (second) => {
    // RFC 7932 9.2: of 64 KB and more the first byte is `[`, and the second one the lower half of the length less one.
    const length = 0x10000 + second.charCodeAt(0) + 1
    const text = `{"memberId":"${'x'.repeat(length)}`.slice(0, length - 2).concat('"}')
    const bytes = brotliCompressSync(text)
    expect(bytes.toString('latin1', 0, 2)).toBe(`[${second}`)
    const held = { add() {} }
    const read = await decompressed(bytes, 'br', {
      held: held as never,
      origin: 'https://payer.example',
      maxBytes: 1_000_000,
    })
    expect(read.toString()).toBe(text)
  },
)
