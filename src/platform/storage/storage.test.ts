import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startS3Server } from '../../../test/support/s3-server.ts'
import { readConfig } from '../../config.ts'
import { encryptStream } from '../crypto/encrypted-stream.ts'
import { createVault } from '../crypto/encryption.ts'
import { fixedRing } from '../crypto/key-ring.ts'
import { statedReasonOf } from '../stated-reason.ts'
import { encryptFiles } from './encrypted-files.ts'
import { openStorage } from './index.ts'
import { openLocalStorage } from './local.ts'
import { openS3Storage } from './s3.ts'
import type { FileStorage, WholeFile } from './storage.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'anteroom-storage-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const newKey = () => `${randomUUID()}/${randomUUID()}`

/** A complete file in the storage's incoming folder. */
async function incoming(storage: FileStorage, bytes: Buffer): Promise<WholeFile> {
  await mkdir(storage.incomingFolder, { recursive: true })
  const path = join(storage.incomingFolder, randomUUID())
  await writeFile(path, bytes)
  return { path, contentType: 'image/png', sizeBytes: bytes.length }
}

/** What the database notes of an upload of these bytes. */
const uploadOf = (bytes: Buffer) => ({
  sizeBytes: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
})

async function openBucket() {
  const server = await startS3Server()
  return { storage: await openS3Storage(server.settings, join(folder, 'incoming')), close: server.close }
}

const openFolder = async () => ({ storage: openLocalStorage(join(folder, 'images')), close: async () => {} })

const vault = createVault(randomBytes(32))

const encrypted = (openPlace: typeof openFolder | typeof openBucket) => async () => {
  const { storage, close } = await openPlace()
  return { storage: encryptFiles(storage, vault), close }
}

describe.each([
  ['a folder', openFolder],
  ['an S3 bucket', openBucket],
  ['an encrypted folder', encrypted(openFolder)],
  ['an encrypted S3 bucket', encrypted(openBucket)],
])('%s', (_what, openPlace) => {
  let storage: FileStorage
  beforeAll(async () => {
    const place = await openPlace()
    storage = place.storage
    return place.close
  })

  it('returns every byte that it stored', async () => {
    const bytes = randomBytes(3_000_000)
    const key = newKey()
    await storage.keep(key, await incoming(storage, bytes))
    const kept = await storage.open(key)
    expect(kept && bytes.equals(await buffer(kept))).toBe(true)
  })

  it('returns nothing for an unknown key', async () => {
    expect(await storage.open(newKey())).toBeUndefined()
  })

  it('removes a file, and ignores one that does not exist', async () => {
    const key = newKey()
    await storage.keep(key, await incoming(storage, Buffer.from('x')))
    await storage.remove(key)
    await storage.remove(key)
    expect(await storage.open(key)).toBeUndefined()
  })

  it.each(['../../etc/passwd', `${randomUUID()}/../${randomUUID()}`, '/etc/passwd', randomUUID(), '', `${newKey()}/x`])(
    'accepts only keys of two UUIDs: %s',
    async (key) => {
      const file = await incoming(storage, Buffer.from('x'))
      await expect(storage.open(key)).rejects.toThrow('two UUIDs')
      await expect(storage.keep(key, file)).rejects.toThrow('two UUIDs')
      await expect(storage.remove(key)).rejects.toThrow('two UUIDs')
    },
  )
})

describe('a folder', () => {
  it('can be read by the account of the service only', async () => {
    const place = join(folder, 'private')
    const storage = openLocalStorage(place)
    const key = newKey()
    await storage.keep(key, await incoming(storage, Buffer.from('x')))
    expect((await stat(join(place, key.slice(0, 36)))).mode & 0o077).toBe(0)
  })

  it('that cannot be written returns 503, and leaves no partial file', async () => {
    const place = join(folder, 'a-file')
    await writeFile(place, '')
    const storage = openLocalStorage(place)
    const file = { path: join(folder, 'missing'), contentType: 'image/png', sizeBytes: 1 }
    await expect(storage.keep(newKey(), file)).rejects.toMatchObject({ status: 503 })
    await expect(storage.open(newKey())).rejects.toMatchObject({ status: 503 })
  })

  it('that is empty although files were stored accepts none and reports none as missing, because its disk is not mounted', async () => {
    const place = join(folder, 'mounted')
    let isUsed = false
    const storage = openLocalStorage(place, async () => isUsed)
    const [key, later] = [newKey(), newKey()]
    await storage.keep(key, await incoming(storage, Buffer.from('x')))
    isUsed = true
    await rename(place, `${place}-elsewhere`)
    const file = await incoming(storage, Buffer.from('y'))
    await expect(storage.keep(later, file)).rejects.toMatchObject({ status: 503 })
    await expect(storage.open(key)).rejects.toMatchObject({ status: 503 })
    await expect(encryptFiles(storage, vault).reencrypt(key, uploadOf(Buffer.from('x')))).rejects.toMatchObject({
      status: 503,
    })
    await rm(place, { recursive: true })
    await rename(`${place}-elsewhere`, place)
    await storage.keep(later, await incoming(storage, Buffer.from('y')))
    expect(await text((await storage.open(key))!)).toBe('x')
    expect(await storage.open(newKey())).toBeUndefined()
  })

  it('that is empty accepts a file while another upload stores and records the first one', async () => {
    const place = join(folder, 'first-together')
    const other = openLocalStorage(place)
    const storage = openLocalStorage(place, async () => {
      await other.keep(newKey(), await incoming(other, Buffer.from('x')))
      return true
    })
    const key = newKey()
    await storage.keep(key, await incoming(storage, Buffer.from('y')))
    expect(await text((await storage.open(key))!)).toBe('y')
  })

  it('waits for the disk with one file at a time, and organizations take turns: many uploads leave the threads to those who read', async () => {
    const place = join(folder, 'slow')
    const order: string[] = []
    const ends: (() => void)[] = []
    const storage = openLocalStorage(place, undefined, (path) => {
      order.push(path)
      return new Promise((end) => ends.push(end))
    })
    const [hostile, other] = [randomUUID(), randomUUID()]
    const files = await Promise.all(Array.from({ length: 21 }, () => incoming(storage, Buffer.from('x'))))
    const [own, ...many] = files as [WholeFile, ...WholeFile[]]
    const kept = many.map((file) => storage.keep(`${hostile}/${randomUUID()}`, file))
    await expect.poll(() => order.length).toBeGreaterThan(0)
    kept.push(storage.keep(`${other}/${randomUUID()}`, own))
    await expect.poll(() => readdir(place)).toContain(other)
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
    expect(order).toHaveLength(1)
    ends.shift()?.()
    await expect.poll(() => order.length).toBe(2)
    expect(order[1]).toBe(own.path)
    let isOver = false
    const all = Promise.all(kept).finally(() => {
      isOver = true
    })
    while (!isOver) {
      await new Promise(setImmediate)
      expect(ends.length).toBeLessThanOrEqual(1)
      ends.shift()?.()
    }
    await all
    expect(order).toHaveLength(63)
  })
})

it('a bucket that does not exist returns 503 for reading, too, because its files are not missing', async () => {
  const server = await startS3Server()
  const storage = await openS3Storage({ ...server.settings, bucket: 'elsewhere' }, join(folder, 'incoming'))
  await expect(storage.open(newKey())).rejects.toMatchObject({ status: 503 })
  await server.close()
})

it('a folder keeps the file that another one could not replace', async () => {
  const storage = openLocalStorage(join(folder, 'replaced'))
  const key = newKey()
  await storage.keep(key, await incoming(storage, Buffer.from('x')))
  const gone = await incoming(storage, Buffer.from('y'))
  await rm(gone.path)
  await expect(storage.keep(key, gone)).rejects.toMatchObject({ status: 503 })
  expect(await text((await storage.open(key))!)).toBe('x')
})

describe('encrypted files', () => {
  const [old, present] = [randomBytes(32), randomBytes(32)]
  const open = async (storage: FileStorage, key: string) => buffer((await storage.open(key))!)

  it('are closed when a reader gives up before the first byte', async () => {
    const plain = openLocalStorage(join(folder, 'given-up'))
    const opened: (Readable | undefined)[] = []
    const watched = { ...plain, open: async (key: string) => opened[opened.push(await plain.open(key)) - 1] }
    const storage = encryptFiles(watched, vault)
    const key = newKey()
    await storage.keep(key, await incoming(storage, randomBytes(1_000_000)))
    const kept = await storage.open(key)
    kept?.destroy()
    await expect.poll(() => opened.map((each) => each?.destroyed)).toEqual([true])
  })

  it('reveal nothing of their content, and no unencrypted copy stays once they are stored', async () => {
    const plain = openLocalStorage(join(folder, 'encrypted-a'))
    const storage = encryptFiles(plain, vault)
    const key = newKey()
    const bytes = Buffer.from('a card of a member '.repeat(10_000))
    const file = await incoming(storage, bytes)
    await storage.keep(key, file)
    expect((await open(plain, key)).includes('member')).toBe(false)
    expect((await open(storage, key)).equals(bytes)).toBe(true)
    expect(await readdir(storage.incomingFolder)).toEqual([file.path.split('/').at(-1)])
  })

  it('that were stored before encryption existed are read unchanged, and encrypted by a rotation', async () => {
    const plain = openLocalStorage(join(folder, 'encrypted-b'))
    const storage = encryptFiles(plain, vault)
    for (const bytes of [randomBytes(100_000), Buffer.from('x'), Buffer.from('anteroom-sealed')]) {
      const key = newKey()
      await plain.keep(key, await incoming(plain, bytes))
      expect((await open(storage, key)).equals(bytes)).toBe(true)
      expect(await storage.reencrypt(key, uploadOf(bytes))).toBe(true)
      expect((await open(plain, key)).equals(bytes)).toBe(false)
      expect((await open(storage, key)).equals(bytes)).toBe(true)
    }
  })

  it('are re-encrypted one by one, and can be read with both keys meanwhile', async () => {
    const plain = openLocalStorage(join(folder, 'encrypted-c'))
    const [key, bytes] = [newKey(), randomBytes(200_000)]
    await encryptFiles(plain, createVault(old)).keep(key, await incoming(plain, bytes))
    const both = encryptFiles(plain, createVault(fixedRing([present, old])))
    expect((await open(both, key)).equals(bytes)).toBe(true)
    expect(await both.reencrypt(key, uploadOf(bytes))).toBe(true)
    expect(await both.reencrypt(key, uploadOf(bytes))).toBe(false)
    expect((await open(encryptFiles(plain, createVault(present)), key)).equals(bytes)).toBe(true)
    await expect(open(encryptFiles(plain, createVault(old)), key)).rejects.toThrow('another encryption key')
  })

  describe('during a key rotation', () => {
    /** A file under the old key, in a storage that both keys open. */
    const keptBefore = async (place: string, faults: Partial<FileStorage> = {}) => {
      const plain = openLocalStorage(join(folder, place))
      const [key, bytes] = [newKey(), randomBytes(200_000)]
      await encryptFiles(plain, createVault(old)).keep(key, await incoming(plain, bytes))
      const storage = encryptFiles({ ...plain, ...faults }, createVault(fixedRing([present, old])))
      return { key, bytes, storage, stored: () => open(encryptFiles(plain, createVault(old)), key) }
    }

    it.each([
      ['a web page', Buffer.from('<html>Please sign in to the bucket</html>')],
      ['nothing', Buffer.alloc(0)],
      ['the first bytes of it', Buffer.from('anteroom-file-2\n')],
    ])('are not replaced by %s that the storage answers in their place', async (what, answer) => {
      const { key, bytes, storage, stored } = await keptBefore(`answered-${what}`, {
        open: async () => Readable.from([answer]),
      })
      await expect(storage.reencrypt(key, uploadOf(bytes))).rejects.toThrow('not those that were uploaded')
      expect((await stored()).equals(bytes)).toBe(true)
    })

    it('do not count as encrypted when the storage takes the new file and still has the old one', async () => {
      const { key, bytes, storage, stored } = await keptBefore('taken', { keep: async () => {} })
      await expect(storage.reencrypt(key, uploadOf(bytes))).rejects.toMatchObject({
        status: 503,
        cause: { message: 'the storage took the new file and still has the old one' },
      })
      expect((await stored()).equals(bytes)).toBe(true)
    })

    it('fail by themselves when they are damaged, not as a fault of the storage that concerns all', async () => {
      const { key, bytes, storage } = await keptBefore('damaged')
      const path = join(folder, 'damaged', key)
      await writeFile(path, (await readFile(path)).subarray(0, -1))
      await expect(storage.reencrypt(key, uploadOf(bytes))).rejects.toThrow('altered or truncated')
    })
  })

  it('that were copied over the file of another image, of any organization, are refused', async () => {
    const place = join(folder, 'encrypted-e')
    const storage = encryptFiles(openLocalStorage(place), vault)
    const first = newKey()
    const others = [newKey(), `${first.slice(0, 36)}/${newKey().slice(37)}`]
    for (const key of [first, ...others]) await storage.keep(key, await incoming(storage, randomBytes(100_000)))
    for (const key of others) {
      await writeFile(join(place, key), await readFile(join(place, first)))
      await expect(open(storage, key)).rejects.toThrow('altered or truncated')
    }
  })

  it('of an earlier release, not bound to their image, can be read, and are bound by a rotation', async () => {
    const plain = openLocalStorage(join(folder, 'encrypted-f'))
    const [key, bytes, salt] = [newKey(), randomBytes(150_000), randomBytes(32)]
    const header = Buffer.concat([Buffer.from('anteroom-sealed\n'), Buffer.from(vault.keyId), salt])
    const stream = { key: vault.deriveKey(vault.keyId, 'anteroom files', salt), header }
    const pieces: Buffer[] = [header]
    for await (const piece of encryptStream(Readable.from([bytes]), stream)) pieces.push(piece)
    await plain.keep(key, await incoming(plain, Buffer.concat(pieces)))
    const storage = encryptFiles(plain, vault)
    expect((await open(storage, key)).equals(bytes)).toBe(true)
    const upload = uploadOf(bytes)
    expect([await storage.reencrypt(key, upload), await storage.reencrypt(key, upload)]).toEqual([true, false])
    expect((await open(storage, key)).equals(bytes)).toBe(true)
  })

  it('that were altered or truncated fail instead of returning wrong bytes', async () => {
    const place = join(folder, 'encrypted-d')
    const storage = encryptFiles(openLocalStorage(place), vault)
    const key = newKey()
    await storage.keep(key, await incoming(storage, randomBytes(200_000)))
    const path = join(place, key)
    const bytes = await readFile(path)
    bytes[100_000] = (bytes[100_000] ?? 0) ^ 1
    for (const damaged of [bytes, bytes.subarray(0, -1), bytes.subarray(0, 60)]) {
      await writeFile(path, damaged)
      await expect(open(storage, key)).rejects.toThrow('altered or truncated')
    }
  })
})

describe('the log of a storage that cannot be used', () => {
  const reasonIn = (asking: Promise<unknown>) =>
    asking.then(
      () => 'it can be used',
      (error: Error) => statedReasonOf(error.cause).reason,
    )

  it('states that the folder is empty, and which', async () => {
    const place = join(folder, 'not-mounted')
    const storage = openLocalStorage(place, async () => true)
    expect(await reasonIn(storage.open(newKey()))).toBe(`the folder of the images is empty: ${place}`)
  })

  it('states what the bucket answered', async () => {
    const server = await startS3Server()
    const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'wrong' }
    const storage = await openS3Storage({ ...server.settings, credentials }, join(folder, 'incoming'))
    const answered = 'the bucket answered 403 (SignatureDoesNotMatch)'
    expect(await reasonIn(storage.keep(newKey(), await incoming(storage, Buffer.from('x'))))).toBe(answered)
    await server.close()
  })
})

describe('an S3 bucket', () => {
  it('that refuses the signature, does not exist or does not answer returns 503', async () => {
    const server = await startS3Server()
    const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'wrong' }
    for (const wrong of [{ credentials }, { bucket: 'nobody-has-it' }, { endpoint: 'http://127.0.0.1:1' }]) {
      const storage = await openS3Storage({ ...server.settings, ...wrong }, join(folder, 'incoming'))
      const file = await incoming(storage, Buffer.from('x'))
      await expect(storage.keep(newKey(), file), Object.keys(wrong)[0]).rejects.toMatchObject({ status: 503 })
    }
    await server.close()
  })

  it('that says without end why it has no file, or refuses one, is not read to the end', async () => {
    const server = createServer((request, response) => {
      request.resume()
      response.writeHead(request.method === 'GET' ? 404 : 403).write(`<Code>NoSuchKey</Code>${'x'.repeat(100_000)}`)
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const credentials = { accessKeyId: 'x', secretAccessKey: 'y' }
    const endpoint = `http://127.0.0.1:${port}`
    const settings = { bucket: 'images', region: 'us-east-1', endpoint, credentials, forcePathStyle: true }
    const storage = await openS3Storage(settings, join(folder, 'incoming'))
    expect(await storage.open(newKey())).toBeUndefined()
    await expect(storage.remove(newKey())).rejects.toMatchObject({ status: 503 })
    server.closeAllConnections()
    server.close()
  })

  it.each([
    ['at its first bytes', 0],
    ['after some of them', 100_000],
  ])('that breaks off a file %s returns 503 then, because the file is not damaged', async (_when, sent) => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-length': 1_000_000 })
      response.write(Buffer.alloc(sent + 1), () => response.destroy())
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const endpoint = `http://127.0.0.1:${port}`
    const credentials = { accessKeyId: 'x', secretAccessKey: 'y' }
    const settings = { bucket: 'images', region: 'us-east-1', endpoint, credentials, forcePathStyle: true }
    const storage = encryptFiles(await openS3Storage(settings, join(folder, 'incoming')), vault)
    await expect(storage.open(newKey()).then((kept) => buffer(kept!))).rejects.toMatchObject({
      status: 503,
      headers: { 'retry-after': '1' },
    })
    server.close()
  })

  it('is called with presigned URLs: one method, one key, one minute, and no secret in them', async () => {
    const asked: { method: string | undefined; url: URL }[] = []
    const spy = createServer((request, response) => {
      asked.push({ method: request.method, url: new URL(request.url ?? '', 'http://bucket') })
      request.resume()
      request.on('end', () => response.setHeader('content-length', request.method === 'HEAD' ? 1 : 0).end())
    })
    await new Promise<void>((resolve) => spy.listen(0, '127.0.0.1', resolve))
    const credentials = { accessKeyId: 'KEY', secretAccessKey: 'very-secret' }
    const endpoint = `http://127.0.0.1:${(spy.address() as AddressInfo).port}`
    const settings = { bucket: 'images', region: 'eu-west-1', endpoint, credentials, forcePathStyle: true }
    const storage = await openS3Storage(settings, join(folder, 'incoming'))
    const key = newKey()
    await storage.keep(key, await incoming(storage, Buffer.from('x')))
    await (await storage.open(key))?.resume()
    await storage.remove(key)
    expect(asked.map(({ method }) => method)).toEqual(['PUT', 'HEAD', 'GET', 'DELETE'])
    for (const { url } of asked) {
      expect(url.pathname).toBe(`/images/${key}`)
      expect(url.searchParams.get('X-Amz-Expires')).toBe('60')
      expect(url.searchParams.get('X-Amz-Credential')).toContain('eu-west-1')
      expect(url.href).not.toContain('very-secret')
    }
    expect(asked[0]?.url.searchParams.get('X-Amz-SignedHeaders')).toContain('content-length')
    spy.closeAllConnections()
    await new Promise((resolve) => spy.close(resolve))
  })
})

it.each([
  ['nothing', 200, { 'content-length': 0 }],
  ['half of it', 200, { 'content-length': 5 }],
  ['a web page for everything', 200, { 'content-length': 5_000, 'content-type': 'text/html' }],
  ['a fault of the same length', 404, { 'content-length': 10 }],
])('a bucket that answers 200 to an upload and has %s is one that did not take it', async (_what, status, headers) => {
  const server = createServer((request, response) => {
    const isHead = request.method === 'HEAD'
    request.resume().on('end', () => response.writeHead(isHead ? status : 200, isHead ? headers : {}).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const credentials = { accessKeyId: 'KEY', secretAccessKey: 'SECRET' }
  const settings = { bucket: 'images', region: 'us-east-1', endpoint, credentials, forcePathStyle: true }
  const storage = await openS3Storage(settings, join(folder, 'incoming'))
  await expect(storage.keep(newKey(), await incoming(storage, Buffer.alloc(10)))).rejects.toMatchObject({
    status: 503,
    cause: expect.objectContaining({ message: expect.stringContaining('does not have it') }),
  })
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

describe('openStorage', () => {
  it('keeps files in DATA_DIR, or in the bucket of the settings', async () => {
    const server = await startS3Server()
    const { bucket, endpoint } = server.settings
    const both = [
      readConfig({ DATA_DIR: join(folder, 'data') }),
      readConfig({
        DATA_DIR: join(folder, 'data'),
        S3_BUCKET: bucket,
        S3_ENDPOINT: endpoint,
        S3_ACCESS_KEY_ID: 'S3RVER',
        S3_SECRET_ACCESS_KEY: 'S3RVER',
        S3_FORCE_PATH_STYLE: 'true',
      }),
    ]
    const [local, remote] = await Promise.all(
      both.map((config) => openStorage(config, vault, { now: new Date(), isUsed: async () => false })),
    )
    const key = newKey()
    for (const storage of [local, remote]) await storage?.keep(key, await incoming(storage, Buffer.from('x')))
    const organization = join(folder, 'data', 'images', key.slice(0, 36))
    expect(await readdir(organization)).toEqual([key.slice(37)])
    await rm(organization, { recursive: true })
    expect(await local?.open(key)).toBeUndefined()
    const kept = await remote?.open(key)
    expect(kept && (await text(kept))).toBe('x')
    await server.close()
  })
  it('refuses an incomplete access key at the start, naming the settings', async () => {
    const config = readConfig({ DATA_DIR: join(folder, 'data'), S3_BUCKET: 'images', S3_ACCESS_KEY_ID: 'KEY' })
    await expect(openStorage(config, vault, { now: new Date(), isUsed: async () => false })).rejects.toThrow(
      'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY',
    )
  })
})
