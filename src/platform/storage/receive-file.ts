import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { badRequest, invalidContentType, payloadTooLarge, unavailable, type WireError } from '../../contract/errors.ts'
import { MEDIA_TYPE_BYTES, mediaTypeOf } from './media-type.ts'
import type { WholeFile } from './storage.ts'

/** How much is read and discarded beyond the limit, so that a client that is still sending gets to read the 413. */
const DISCARD_LIMIT_BYTES = 64 * 1024 * 1024
/** Far longer than a request may last: an older file belongs to a process that has ended. */
const STALE_AFTER_MS = 60 * 60 * 1000

export interface ReceivedFile extends WholeFile {
  /** SHA-256 of its bytes. */
  sha256: Buffer
}

/**
 * Writes a stream to a file of the folder in chunks, and returns the file once it is complete; otherwise nothing is
 * kept.
 * @throws BadRequestError when it is empty or cut off, 413 beyond the limit, InvalidContentTypeError for its content.
 */
export async function receiveFile(
  source: Readable,
  target: { folder: string; name: string; limitBytes: number },
): Promise<ReceivedFile> {
  const path = join(target.folder, target.name)
  const file = await createFile(target.folder, path)
  try {
    return { path, ...(await writeAll(source, file, target.limitBytes)) }
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

async function createFile(folder: string, path: string): Promise<FileHandle> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return await open(path, 'wx', 0o600)
  } catch (error) {
    throw unavailable('the image cannot be received right now', error)
  }
}

async function writeAll(source: Readable, file: FileHandle, limitBytes: number): Promise<Omit<ReceivedFile, 'path'>> {
  let sizeBytes = 0
  const digest = createHash('sha256')
  let head: Buffer = Buffer.alloc(0)
  let fault: WireError | undefined
  for await (const chunk of unbroken(source)) {
    sizeBytes += chunk.length
    if (head.length < MEDIA_TYPE_BYTES) {
      head = Buffer.concat([head, chunk.subarray(0, MEDIA_TYPE_BYTES - head.length)])
      if (head.length === MEDIA_TYPE_BYTES && !mediaTypeOf(head)) fault ??= unknownType()
    }
    if (sizeBytes > limitBytes) fault ??= payloadTooLarge(limitBytes)
    if (sizeBytes > DISCARD_LIMIT_BYTES && fault) break
    if (fault) continue
    digest.update(chunk)
    await write(file, chunk)
  }
  if (fault) throw fault
  if (sizeBytes === 0) throw badRequest('the body is empty: send the bytes of the image')
  const contentType = mediaTypeOf(head)
  if (!contentType) throw unknownType()
  return { contentType, sizeBytes, sha256: digest.digest() }
}

const unknownType = () => invalidContentType('the content must be a JPEG, PNG, HEIC, WebP or PDF')

/** @throws BadRequestError for any error that ends a request early. */
async function* unbroken(source: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of source) yield chunk
  } catch (error) {
    throw badRequest('the upload was interrupted', error)
  }
}

async function write(file: FileHandle, chunk: Buffer): Promise<void> {
  try {
    await file.writeFile(chunk)
  } catch (error) {
    throw unavailable('the image cannot be received right now', error)
  }
}

/** Removes the files of killed processes. */
export async function removeStaleFiles(folder: string, now: Date): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names) {
    const path = join(folder, name)
    const age = now.getTime() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? now.getTime())
    if (age > STALE_AFTER_MS) await rm(path, { force: true })
  }
}
