// The program with the settings of an S3 bucket, through the published client.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pngOf } from '../support/image-samples.ts'
import { publishedClient } from '../support/published-client.ts'
import { type S3Server, startS3Server } from '../support/s3-server.ts'
import { newDataFolder, type StartedServer, startServerOnClone } from '../support/started-server.ts'
import { bodyOf } from './requests.ts'

let bucket: S3Server
let server: StartedServer
let folder: Awaited<ReturnType<typeof newDataFolder>>

beforeAll(async () => {
  bucket = await startS3Server()
  folder = await newDataFolder()
  server = await startServerOnClone({
    DATA_DIR: folder.path,
    S3_BUCKET: bucket.settings.bucket,
    S3_ENDPOINT: bucket.settings.endpoint,
    S3_ACCESS_KEY_ID: bucket.settings.credentials?.accessKeyId ?? '',
    S3_SECRET_ACCESS_KEY: bucket.settings.credentials?.secretAccessKey ?? '',
    S3_FORCE_PATH_STYLE: 'true',
  })
})
afterAll(async () => {
  await server?.stop()
  await bucket?.close()
  await folder?.remove()
})

test('an image is stored in the bucket and read from it, and leaves no file on the machine', async () => {
  const { images } = publishedClient(server, await server.newCredentials()).preEncounter
  const body = { fileName: 'card.png', displayName: 'Card', fileType: 'image/png', status: 'PENDING' } as const
  const created = bodyOf(await images.v1.create(body))
  const bytes = pngOf(3_000_000, 5)
  expect((await fetch(created.signedUrl, { method: 'PUT', body: bytes })).status).toBe(200)
  const updated = bodyOf(await images.v1.update(created.id, '1', { ...body, status: 'UPLOADED' }))
  expect([updated.version, updated.status]).toEqual([2, 'UPLOADED'])
  const answer = await fetch(updated.signedUrl)
  expect(bytes.equals(Buffer.from(await answer.arrayBuffer()))).toBe(true)
  const left = await readdir(join(folder.path, 'images'), { recursive: true })
  expect(left).toEqual(['incoming'])
})
