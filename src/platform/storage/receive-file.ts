import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { badRequest, invalidContentType, payloadTooLarge, unavailable, type WireError } from '../../contract/errors.ts'
import { DISCARD_LIMIT_BYTES } from '../discard-limit.ts'
import { MEDIA_TYPE_BYTES, mediaTypeOf } from './media-type.ts'
import type { WholeFile } from './storage.ts'

/** Far longer than a request may last: an older file belongs to a process that has ended. */
const STALE_AFTER_MS = 60 * 60 * 1000

export interface ReceivedFile extends WholeFile {
  /** SHA-256 of its bytes. */
  sha256: Buffer
}

/**
 * Writes a stream to a file of the folder in chunks, and returns the file once it is complete; otherwise nothing is
 * kept.
 * @throws BadRequestError when it is empty or cut off, 413 beyond the limit, InvalidContentTypeError for its content, 503 when it cannot be
 * written.
 */
export async function receiveFile(
  source: Readable,
  target: { folder: string; name: string; limitBytes: number },
): Promise<ReceivedFile> {
  const path = join(target.folder, target.name)
  const file = await createFile(target.folder, path).catch((error: Error) => error)
  const write = async (chunk: Buffer) => {
    if (file instanceof Error) throw file
    await file.writeFile(chunk)
  }
  try {
    return { path, ...(await writeAll(source, write, target.limitBytes)) }
  } catch (error) {
    if (!(file instanceof Error)) await rm(path, { force: true })
    throw error
  } finally {
    if (!(file instanceof Error)) await file.close()
  }
}

async function createFile(folder: string, path: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return open(path, 'wx', 0o600)
}

async function writeAll(
  source: Readable,
  write: (chunk: Buffer) => Promise<void>,
  limitBytes: number,
): Promise<Omit<ReceivedFile, 'path'>> {
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
    await write(chunk).catch((error) => {
      fault = unavailable('the image cannot be received right now', error)
    })
  }
  if (fault) throw fault
  if (sizeBytes === 0) throw badRequest('the body is empty: send the image')
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

/** Removes the files of killed processes. */
export async function removeStaleFiles(folder: string, now: Date): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names) {
    const path = join(folder, name)
    const age = now.getTime() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? now.getTime())
    if (age > STALE_AFTER_MS) await rm(path, { force: true })
  }
}
