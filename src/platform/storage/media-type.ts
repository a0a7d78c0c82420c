/** The number of leading bytes that `mediaTypeOf` reads. */
export const MEDIA_TYPE_BYTES = 256

/**
 * The brands of an ISO base media file that is HEIC: HEVC-coded stills, and sequences of them. Source: ISO/IEC
 * 23008-12, annex B.
 */
const HEIC_BRANDS = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs'])

/**
 * The media type of the bytes, regardless of the declared one: JPEG, PNG, HEIC, WebP or PDF; undefined for anything
 * else. Our choice: a signature counts at the very start only. Some readers accept junk before it, which is how one
 * file can pass as two types.
 */
export function mediaTypeOf(head: Buffer): string | undefined {
  if (startsWith(head, [0xff, 0xd8, 0xff])) return 'image/jpeg'
  if (startsWith(head, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'image/png'
  if (textAt(head, 0) === 'RIFF' && textAt(head, 8) === 'WEBP') return 'image/webp'
  if (textAt(head, 0) === '%PDF' && head[4] === 0x2d) return 'application/pdf'
  if (isHeic(head)) return 'image/heic'
  return undefined
}

/** The `ftyp` box comes first; `mif1` and `msf1` only mean "an image", and the compatible brands are more specific. */
function isHeic(head: Buffer): boolean {
  if (head.length < 16 || textAt(head, 4) !== 'ftyp') return false
  const major = textAt(head, 8)
  if (HEIC_BRANDS.has(major)) return true
  if (major !== 'mif1' && major !== 'msf1') return false
  const end = Math.min(head.readUInt32BE(0), head.length, MEDIA_TYPE_BYTES)
  for (let at = 16; at + 4 <= end; at += 4) if (HEIC_BRANDS.has(textAt(head, at))) return true
  return false
}

const startsWith = (head: Buffer, signature: number[]) => signature.every((byte, index) => head[index] === byte)
const textAt = (head: Buffer, at: number) => head.toString('latin1', at, at + 4)
