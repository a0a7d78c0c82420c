import { createReadStream } from 'node:fs'
import type { Dispatcher } from 'undici'
import { unavailable } from '../../contract/errors.ts'
import { steadyLookup } from '../outbound/steady-lookup.ts'
import { StatedReason } from '../stated-reason.ts'
import { explainedStream } from './derived-stream.ts'
import { type FileStorage, requireKey } from './storage.ts'

export interface S3Settings {
  bucket: string
  region: string
  /** The address of an S3-compatible service; absent for AWS. */
  endpoint?: string | undefined
  /** Absent: the machine's credentials are used (an instance role, AWS_* variables). */
  credentials?: { accessKeyId: string; secretAccessKey: string } | undefined
  /** `https://host/bucket/key` instead of `https://bucket.host/key`. */
  forcePathStyle: boolean
}

/** In seconds: presigned URLs are used at once and never given to clients. */
const lifetime = { expiresIn: 60 }
const timeouts = { headersTimeout: 30_000, bodyTimeout: 30_000 }
const NOT_FOUND = 404

/**
 * A bucket of any S3-compatible service. Every call uses a presigned URL (AWS Signature Version 4, one method, one
 * key), the part of S3 that all of these services support, and it streams. The SDK is loaded here and not at import, so
 * that a service without a bucket does not pay for it.
 */
export async function openS3Storage(settings: S3Settings, incomingFolder: string): Promise<FileStorage> {
  const { S3Client, PutObjectCommand, HeadObjectCommand, GetObjectCommand, DeleteObjectCommand } = await import(
    '@aws-sdk/client-s3'
  )
  const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner')
  const { Agent } = await import('../outbound/undici.ts')
  const dispatcher = new Agent({ connect: { lookup: steadyLookup } })
  const { bucket, ...connection } = settings
  // Some compatible services refuse the checksums that the SDK adds by default.
  const checksums = {
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  } as const
  const client = new S3Client({ ...definedOf(connection), ...checksums })
  const place = (key: string) => ({ Bucket: bucket, Key: requireKey(key) })

  return {
    incomingFolder,
    async keep(key, { path, sizeBytes, contentType }) {
      const command = new PutObjectCommand({ ...place(key), ContentLength: sizeBytes, ContentType: contentType })
      const { statusCode, body } = await ask(dispatcher, getSignedUrl(client, command, lifetime), {
        method: 'PUT',
        headers: { 'content-length': String(sizeBytes), 'content-type': contentType },
        file: path,
      })
      await body.dump()
      if (statusCode === NOT_FOUND) throw noBucket()
      // Whatever answers 200 to everything, such as a proxy or the console of an S3 server, would otherwise count as a bucket that has the file.
      const stored = await ask(dispatcher, getSignedUrl(client, new HeadObjectCommand(place(key)), lifetime), {
        method: 'HEAD',
      })
      await stored.body.dump()
      if (stored.statusCode === NOT_FOUND || Number(stored.headers['content-length']) !== sizeBytes) throw notStored()
    },
    async open(key) {
      const url = getSignedUrl(client, new GetObjectCommand(place(key)), lifetime)
      const { statusCode, body } = await ask(dispatcher, url, { method: 'GET' })
      if (statusCode !== NOT_FOUND) return explainedStream(body, unreachable)
      if ((await errorCodeIn(body)) === 'NoSuchBucket') throw noBucket()
      return undefined
    },
    async remove(key) {
      const url = getSignedUrl(client, new DeleteObjectCommand(place(key)), lifetime)
      const { body } = await ask(dispatcher, url, { method: 'DELETE' })
      await body.dump()
    },
  }
}

/** Sends the file, if there is one. @throws 503 for every status except success and 404. */
async function ask(
  dispatcher: Dispatcher,
  url: Promise<string>,
  {
    method,
    headers,
    file,
  }: { method: 'PUT' | 'HEAD' | 'GET' | 'DELETE'; headers?: Record<string, string>; file?: string },
) {
  try {
    const address = await url
    const body = file === undefined ? null : createReadStream(file)
    const { request } = await import('../outbound/undici.ts')
    const answer = await request(address, { ...timeouts, dispatcher, method, headers: headers ?? {}, body })
    if (answer.statusCode < 300 || answer.statusCode === NOT_FOUND) return answer
    const code = await errorCodeIn(answer.body)
    throw new StatedReason(`the bucket answered ${answer.statusCode}${code === undefined ? '' : ` (${code})`}`)
  } catch (error) {
    throw unreachable(error)
  }
}

/** Error responses have a few hundred bytes; a server that is not a bucket may send any amount. */
const FAULT_MAX_BYTES = 64 * 1024

/** The code of the fault. The rest of a longer answer is not read. Source: Amazon S3 API Reference, error responses. */
async function errorCodeIn(answer: AsyncIterable<Buffer>): Promise<string | undefined> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of answer) {
    parts.push(part)
    length += part.length
    if (length >= FAULT_MAX_BYTES) break
  }
  return /<Code>(\w{1,100})<\/Code>/.exec(Buffer.concat(parts).toString('utf8'))?.[1]
}

const unreachable = (cause: unknown) => unavailable('the image storage cannot be reached right now', cause)
const notStored = () =>
  unreachable(new StatedReason('the bucket answered that it stored the file, and does not have it'))
const noBucket = () => unreachable(new StatedReason('there is no such bucket'))

/** The SDK treats an undefined option as set. */
function definedOf(settings: Omit<S3Settings, 'bucket'>) {
  const { endpoint, credentials, ...rest } = settings
  return { ...rest, ...(endpoint !== undefined && { endpoint }), ...(credentials && { credentials }) }
}
