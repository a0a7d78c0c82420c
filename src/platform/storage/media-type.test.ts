import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { imageSamples, isoFile } from '../../../test/support/image-samples.ts'
import { MEDIA_TYPE_BYTES, mediaTypeOf } from './media-type.ts'

describe('mediaTypeOf', () => {
  it.each(Object.entries(imageSamples))('recognizes %s by its first bytes', (type, bytes) => {
    expect(mediaTypeOf(bytes)).toBe(type)
  })

  it.each(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs'])(
    'recognizes HEIC with the brand %s',
    (brand) => {
      expect(mediaTypeOf(isoFile(brand))).toBe('image/heic')
    },
  )

  it('recognizes HEIC by a compatible brand when the major brand only means "an image"', () => {
    expect(mediaTypeOf(isoFile('mif1', ['mif1', 'heic']))).toBe('image/heic')
    expect(mediaTypeOf(isoFile('msf1', ['msf1', 'hevc']))).toBe('image/heic')
    expect(mediaTypeOf(isoFile('mif1', ['mif1', 'avif']))).toBeUndefined()
    expect(mediaTypeOf(isoFile('avif', ['mif1', 'heic']))).toBeUndefined()
    expect(mediaTypeOf(isoFile('isom', ['mp42', 'heic']))).toBeUndefined()
  })

  it('does not search for brands beyond their box', () => {
    const file = Buffer.concat([isoFile('mif1', ['mif1']), Buffer.from('heic')])
    expect(mediaTypeOf(file)).toBeUndefined()
  })

  it.each([
    ['nothing', ''],
    ['a web page', '<!doctype html><script>alert(1)</script>'],
    ['a drawing with scripts', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['a program', '\x7fELF\x02\x01\x01'],
    ['a GIF', 'GIF89a'],
    ['a sound in the container of WebP', 'RIFF\x24\x00\x00\x00WAVEfmt '],
    ['a PDF behind something else', '<html>%PDF-1.7'],
    ['a PNG that went through a text conversion', '\x89PNG\n\x1a\n'],
  ])('does not accept %s', (_what, text) => {
    expect(mediaTypeOf(Buffer.from(text, 'latin1'))).toBeUndefined()
  })

  it('does not accept part of a signature', () => {
    for (const bytes of Object.values(imageSamples)) expect(mediaTypeOf(bytes.subarray(0, 2))).toBeUndefined()
  })

  it('never fails, and depends only on the bytes that it may read', () => {
    const starts = fc.constantFrom(...Object.values(imageSamples), Buffer.alloc(0))
    const rest = fc.uint8Array({ maxLength: 2 * MEDIA_TYPE_BYTES })
    fc.assert(
      fc.property(starts, rest, (start, tail) => {
        const bytes = Buffer.concat([start, tail])
        expect(mediaTypeOf(bytes.subarray(0, MEDIA_TYPE_BYTES))).toBe(mediaTypeOf(bytes))
      }),
    )
  })
})
