// The smallest files with valid signatures; the tests do not decode them.

/** A `ftyp` box with its brands, the beginning of a HEIC file. */
export function isoFile(major: string, compatible: string[] = [major]): Buffer {
  const brands = Buffer.from(`ftyp${major}\0\0\0\0${compatible.join('')}`, 'latin1')
  const size = Buffer.alloc(4)
  size.writeUInt32BE(4 + brands.length)
  return Buffer.concat([size, brands])
}

/** One file of every accepted type, by its media type. */
export const imageSamples: Record<string, Buffer> = {
  'image/jpeg': Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10, ...Buffer.from('JFIF\0')]),
  'image/png': Buffer.from([0x89, ...Buffer.from('PNG\r\n\x1a\n'), 0, 0, 0, 0x0d, ...Buffer.from('IHDR')]),
  'image/heic': isoFile('heic', ['mif1', 'heic']),
  'image/webp': Buffer.from('RIFF\x1a\0\0\0WEBPVP8L', 'latin1'),
  'application/pdf': Buffer.from('%PDF-1.7\n'),
}

/** A PNG of this many bytes. */
export function pngOf(sizeBytes: number, fill = 0): Buffer {
  const bytes = Buffer.alloc(sizeBytes, fill)
  imageSamples['image/png']?.copy(bytes)
  return bytes
}
