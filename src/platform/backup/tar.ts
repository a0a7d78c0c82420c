// Plain files in a tar archive, as streams in bounded memory.

import { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { extract, type Pack, pack } from 'tar-stream'

export interface TarFile {
  name: string
  size: number
  data: AsyncIterable<Buffer>
}

/** @throws Error when a file does not have the stated size, and the errors of its data. */
export async function* writeTar(files: AsyncIterable<TarFile>, mtime: Date): AsyncGenerator<Buffer> {
  const archive = pack()
  const filling = fill(archive, files, mtime).catch((error: Error) => archive.destroy(error))
  yield* archive as unknown as AsyncIterable<Buffer>
  await filling
}

async function fill(archive: Pack, files: AsyncIterable<TarFile>, mtime: Date): Promise<void> {
  for await (const { name, size, data } of files) {
    const entry = archive.entry({ name, size, mtime, mode: 0o600, type: 'file' })
    await pipeline(Readable.from(data, { objectMode: false }), entry)
  }
  archive.finalize()
}

/** Reads the files again. @throws Error for data that is not an archive, or contains anything but plain files. */
export async function* readTar(bytes: AsyncIterable<Buffer>): AsyncGenerator<TarFile> {
  const archive = extract()
  const reading = pipeline(bytes, archive)
  reading.catch(() => {})
  try {
    for await (const entry of archive) {
      const { name, size = 0, type } = entry.header
      if (type !== 'file') throw new Error('the archive contains an entry that is not a plain file')
      yield { name, size, data: entry as unknown as AsyncIterable<Buffer> }
    }
    await reading
  } finally {
    archive.destroy()
    await finished(archive).catch(() => {})
  }
}
