import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { imageSamples, pngOf } from '../../../test/support/image-samples.ts'
import { receiveFile, removeStaleFiles } from './receive-file.ts'

let folder = ''
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'anteroom-incoming-')), 'incoming')
})
afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }))

const receive = (source: Readable) => receiveFile(source, { folder, name: 'upload', limitBytes: 1000 })

const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest()

/** The bytes in chunks of this size. */
function chunked(bytes: Buffer, size: number): Readable {
  const count = Math.ceil(bytes.length / size)
  return Readable.from(Array.from({ length: count }, (_, index) => bytes.subarray(index * size, (index + 1) * size)))
}

describe('receiveFile', () => {
  it.each(Object.entries(imageSamples))(
    'stores %s completely, regardless of its chunks',
    async (contentType, bytes) => {
      for (const size of [1, 7, 10_000]) {
        const file = await receive(chunked(bytes, size))
        expect(file).toEqual({
          path: join(folder, 'upload'),
          contentType,
          sizeBytes: bytes.length,
          sha256: sha256Of(bytes),
        })
        expect(bytes.equals(await readFile(file.path))).toBe(true)
        await rm(file.path)
      }
    },
  )

  it('accepts a file of exactly the limit', async () => {
    expect(await receive(chunked(pngOf(1000), 300))).toMatchObject({ sizeBytes: 1000 })
  })

  it.each([
    ['one byte more than the limit', () => chunked(pngOf(1001), 300), 413],
    ['many bytes more than the limit', () => chunked(pngOf(1_000_000), 65_536), 413],
    ['nothing', () => Readable.from([]), 400],
    ['a short text', () => Readable.from([Buffer.from('hello')]), 415],
    ['a long text', () => chunked(Buffer.alloc(900, 'hello'), 100), 415],
    ['what breaks off', () => Readable.from(breaking()), 400],
  ])('refuses %s and leaves nothing', async (_what, source, status) => {
    await expect(receive(source())).rejects.toMatchObject({ status })
    expect(await readdir(folder)).toEqual([])
  })

  it('reads what is sent also when it cannot be written, so that the client gets the 503 and no reset', async () => {
    await writeFile(folder, 'a file where the folder should be')
    const source = chunked(pngOf(1000), 100)
    await expect(receive(source)).rejects.toMatchObject({ status: 503 })
    expect(source.readableEnded).toBe(true)
  })

  it('stops reading a source that does not end', async () => {
    let sent = 0
    async function* endless() {
      for (;;) {
        sent += 1_000_000
        yield pngOf(1_000_000)
      }
    }
    await expect(receive(Readable.from(endless()))).rejects.toMatchObject({ status: 413 })
    expect(sent).toBeLessThan(100_000_000)
    expect(await readdir(folder)).toEqual([])
  })

  it('is a 503 where the folder cannot be written', async () => {
    await writeFile(folder, '')
    await expect(receive(chunked(pngOf(100), 100))).rejects.toMatchObject({ status: 503 })
  })
})

describe('removeStaleFiles', () => {
  it('removes the files of killed processes, and none that may still be arriving', async () => {
    const now = new Date('2026-03-01T12:00:00Z')
    await mkdir(folder, { recursive: true })
    const ages = { 'still-coming': '2026-03-01T11:30:00Z', abandoned: '2026-03-01T10:30:00Z' }
    for (const [name, changed] of Object.entries(ages)) {
      await writeFile(join(folder, name), 'x')
      await utimes(join(folder, name), new Date(changed), new Date(changed))
    }
    await removeStaleFiles(folder, now)
    expect(await readdir(folder)).toEqual(['still-coming'])
  })

  it('accepts a folder that does not exist yet', async () => {
    await removeStaleFiles(join(folder, 'missing'), new Date())
    expect(await readdir(join(folder, '..'))).toEqual([])
  })
})

async function* breaking() {
  yield pngOf(500)
  throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
}
