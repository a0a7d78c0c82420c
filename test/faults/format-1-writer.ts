// Writes backups of format 1, like earlier releases, and as an attacker with the passphrase may forge them.
import { createHash, createHmac, randomBytes, scryptSync } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { encryptStream } from '../../src/platform/crypto/encrypted-stream.ts'

/** A file with these heads and a byte of data each, under the smallest work factor. */
export async function writeFormat1(heads: object[], passphrase: string): Promise<Buffer> {
  const data = Buffer.from('x')
  const proofs = heads.map((head) => ({ head, bytes: 1, sha256: createHash('sha256').update(data).digest('hex') }))
  const entries = heads.flatMap((head) => [lengthed(JSON.stringify(head)), lengthed(data), length(0)])
  const manifest = [lengthed('{"type":"manifest"}'), lengthed(JSON.stringify(proofs)), length(0)]
  const content = gzipSync(Buffer.concat([...entries, ...manifest]))

  const salt = randomBytes(32)
  const cost = { N: 2, r: 8, p: 1 }
  const header = JSON.stringify({
    version: 1,
    created_at: '2026-01-01T00:00:00.000Z',
    sealed_under: { passphrase: cost },
    salt: salt.toString('base64url'),
  })
  const key = scryptSync(passphrase, salt, 32, cost)
  const check = createHmac('sha256', key).update('anteroom backup').digest().subarray(0, 16)
  const start = Buffer.concat([Buffer.from('ANTEROOM BACKUP\n'), lengthed(header), check])
  const source = async function* () {
    yield content
  }
  return Buffer.concat([start, await buffer(encryptStream(source(), { key, header: start }))])
}

function lengthed(text: string | Buffer): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([length(bytes.length), bytes])
}

function length(count: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(count)
  return bytes
}
