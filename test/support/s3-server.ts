// An S3 server for a test: it verifies signatures (AWS Signature Version 4) and stores objects in a folder.
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { S3Settings } from '../../src/platform/storage/s3.ts'

/** The part of the package that is used; it has no types. */
type S3rverClass = new (options: object) => { run(): Promise<AddressInfo>; close(): Promise<void> }

const S3rver: S3rverClass = createRequire(import.meta.url)('@20minutes/s3rver')

export interface S3Server {
  settings: S3Settings & { endpoint: string }
  close(): Promise<void>
}

/** Starts a server with one empty bucket on a free port of loopback. */
export async function startS3Server(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'anteroom-s3-'))
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: 'images', configs: [] }],
  })
  const { port } = await server.run()
  return {
    settings: {
      bucket: 'images',
      region: 'us-east-1',
      endpoint: `http://127.0.0.1:${port}`,
      credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
      forcePathStyle: true,
    },
    async close() {
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
