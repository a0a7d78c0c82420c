import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { StartupError } from '../startup-error.ts'
import type { FileStorage } from '../storage/storage.ts'
import { damagedBackup } from './refusals.ts'

export interface ImageRestoring {
  restore(key: string, data: AsyncIterable<Buffer>): Promise<void>
  /** Removes the images that this restore has added, and no others. */
  undo(): Promise<void>
}

/** Stores images that the restored rows name, with the size that they state. */
export function restoreImagesInto(storage: FileStorage, client: pg.Client): ImageRestoring {
  const added: string[] = []
  return {
    async restore(key, data) {
      const { contentType, sizeBytes } = await findUpload(client, key)
      await mkdir(storage.incomingFolder, { recursive: true, mode: 0o700 })
      const path = join(storage.incomingFolder, `restored-${randomUUID()}`)
      try {
        await pipeline(ofSize(data, sizeBytes), createWriteStream(path, { flags: 'wx', mode: 0o600 }))
        if (await isThere(storage, key, path)) return
        added.push(key)
        await storage.keep(key, { path, contentType, sizeBytes })
      } finally {
        await rm(path, { force: true })
      }
    },
    async undo() {
      for (const key of added) await storage.remove(key).catch(() => {})
    },
  }
}

async function findUpload(client: pg.Client, key: string): Promise<{ contentType: string; sizeBytes: number }> {
  const { rows } = await client.query<{ content_type: string; size_bytes: number }>(
    'select content_type, size_bytes from image_content where (organization_id, upload_id) = ($1, $2)',
    key.split('/'),
  )
  const [row] = rows
  if (!row) throw damagedBackup()
  return { contentType: row.content_type, sizeBytes: row.size_bytes }
}

/** @throws StartupError as soon as there are more bytes, and at the end when there are fewer. */
async function* ofSize(data: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let left = size
  for await (const piece of data) {
    left -= piece.length
    if (left < 0) throw damagedBackup()
    yield piece
  }
  if (left > 0) throw damagedBackup()
}

/**
 * True when the storage contains the same bytes already: a bucket outlives the database that referred to it.
 * @throws StartupError when it contains other bytes, which must not be replaced.
 */
async function isThere(storage: FileStorage, key: string, path: string): Promise<boolean> {
  const held = await storage.open(key)
  if (held === undefined) return false
  if (await isSame(held, createReadStream(path))) return true
  throw new StartupError(
    `the image ${key} is already in the storage, with other bytes or under another key: restore into another folder or bucket`,
  )
}

async function isSame(one: AsyncIterable<Buffer>, other: AsyncIterable<Buffer>): Promise<boolean> {
  const rest = other[Symbol.asyncIterator]()
  let waiting: Buffer = Buffer.alloc(0)
  for await (const piece of one) {
    while (waiting.length < piece.length) {
      const { done, value } = await rest.next()
      if (done) return false
      waiting = Buffer.concat([waiting, value])
    }
    if (!waiting.subarray(0, piece.length).equals(piece)) return false
    waiting = waiting.subarray(piece.length)
  }
  return waiting.length === 0 && (await rest.next()).done === true
}
