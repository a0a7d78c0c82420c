import { createHash } from 'node:crypto'

/** What the database knows of an upload's bytes. */
export interface UploadedBytes {
  sizeBytes: number
  /** In hexadecimal; undefined for uploads of releases that did not note it. */
  sha256: string | undefined
}

export class NotAsUploaded extends Error {
  constructor() {
    super('the stored bytes are not those that were uploaded')
  }
}

/**
 * Passes the bytes of an upload on, the last ones only when all of them are those that were uploaded: a file without encryption, as early
 * releases stored them, could have been put there by anyone who can write to the folder or the bucket, and a bucket may answer with
 * something else.
 * @throws NotAsUploaded
 */
export async function* unchanged(
  bytes: AsyncIterable<Buffer>,
  { sizeBytes, sha256 }: UploadedBytes,
): AsyncGenerator<Buffer> {
  const digest = createHash('sha256')
  let length = 0
  let last: Buffer | undefined
  for await (const piece of bytes) {
    if (last) yield last
    last = piece
    length += piece.length
    if (length > sizeBytes) break
    digest.update(piece)
  }
  if (length !== sizeBytes || (sha256 !== undefined && digest.digest('hex') !== sha256)) throw new NotAsUploaded()
  if (last) yield last
}
