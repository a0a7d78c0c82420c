// Over real connections: what a signed URL permits and what it must not permit.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createConnection } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { imageBody } from '../../../test/support/bodies.ts'
import { imageSamples, pngOf } from '../../../test/support/image-samples.ts'
import { get, type Image, listening, names, png, put, withLimit } from '../../../test/support/image-uploads.ts'
import { type Caller, testService } from '../../../test/support/service.ts'
import { encryptFiles } from '../../platform/storage/encrypted-files.ts'
import { openS3Storage } from '../../platform/storage/s3.ts'

describe('a signed URL', () => {
  let aheadMs = 0
  const service = testService((deps) => ({ ...withLimit(deps), now: () => new Date(Date.now() + aheadMs) }))
  const { host } = listening(service)
  const images = () => join(service.deps.storage.incomingFolder, '..')

  async function newImage(caller?: Caller, overrides = {}): Promise<{ caller: Caller; image: Image }> {
    const owner = caller ?? (await service.newCaller())
    const { body } = await owner.call('POST', '/images/v1', imageBody(overrides), { host: host() })
    return { caller: owner, image: body }
  }
  const show = async (caller: Caller, id: string): Promise<Image> =>
    (await caller.call('GET', `/images/v1/${id}`, undefined, { host: host() })).body
  const change = (caller: Caller, image: Image, version: number, overrides = {}) =>
    caller.call('PUT', `/images/v1/${image.id}/${version}`, imageBody(overrides), { host: host() })

  /** Expects that the URL permits neither reading nor writing, and that both refusals use the error envelope. */
  async function expectRefused(url: string, status = 403) {
    for (const answer of [await fetch(url), await put(url, png)]) {
      expect(answer.status, url).toBe(status)
      expect(await answer.json()).toEqual({ errorName: expect.any(String), content: { message: expect.any(String) } })
    }
  }

  it('needs no access token, and cannot be replaced by one', async () => {
    const { caller, image } = await newImage()
    const bare = image.signed_url.split('?')[0] ?? ''
    const authorization = `Bearer ${caller.token}`
    expect((await fetch(bare, { headers: { authorization } })).status).toBe(403)
    expect((await put(image.signed_url, png)).status).toBe(200)
  })

  it('is refused when any part of it is altered, missing or repeated', async () => {
    const { image } = await newImage()
    const [other, stranger] = [(await newImage()).image, await service.newCaller()]
    await put(image.signed_url, png)
    const changed = (name: string, value: string) => {
      const url = new URL(image.signed_url)
      url.searchParams.set(name, value)
      return url.href
    }
    const foreign = new URL(other.signed_url).searchParams
    await expectRefused(image.signed_url.replace(image.id, other.id))
    await expectRefused(changed('organization', stranger.organizationId))
    await expectRefused(changed('user', randomUUID()))
    await expectRefused(changed('client', foreign.get('client') ?? ''))
    await expectRefused(changed('access', 'read'))
    await expectRefused(changed('version', '2'))
    await expectRefused(changed('version', '01'))
    await expectRefused(changed('expires', '99999999999'))
    await expectRefused(changed('signature', foreign.get('signature') ?? ''))
    await expectRefused(changed('signature', ''))
    for (const name of foreign.keys()) {
      const without = new URL(image.signed_url)
      without.searchParams.delete(name)
      await expectRefused(without.href)
      await expectRefused(`${image.signed_url}&${name}=${foreign.get(name)}`)
    }
  })

  /** Sets the client's scopes or revokes it, as `anteroom client` does. */
  const limit = (caller: Caller, scopes: string[]) =>
    service.database.rows('update client set scopes = $2 where id = $1', [caller.credentials.client_id, scopes])
  const revoke = (caller: Caller) =>
    service.database.rows('update client set revoked_at = now() where id = $1', [caller.credentials.client_id])
  const uploads = async ({ id }: Image) =>
    Number((await service.database.row('select count(*) from image_content where image_id = $1', [id]))?.[0])
  const patiently = { timeout: 60_000, interval: 500 }

  it('issued to a client with images:read alone permits reading but no upload, regardless of the operation that returned it', async () => {
    const { caller: owner, image } = await newImage()
    await put(image.signed_url, png)
    const reader = await service.newCaller({ beside: owner, scopes: ['images:read'] })
    const { body: listed } = await reader.call('GET', '/images/v1', undefined, { host: host() })
    const shown = [(await show(reader, image.id)).signed_url, listed[0].signed_url]
    for (const url of shown) {
      expect(png.equals(await get(url))).toBe(true)
      const claimed = new URL(url)
      claimed.searchParams.set('access', 'write')
      for (const forged of [url, claimed.href, `${url}&access=write`]) {
        const answer = await put(forged, pngOf(100, 1))
        expect([answer.status, await answer.json()]).toEqual([
          403,
          { errorName: 'UnauthorizedError', content: { message: expect.any(String) } },
        ])
      }
    }
    expect(await uploads(image)).toBe(1)
  })

  it('issued to a client with images:write by a create, a read, an update or a list accepts the upload', async () => {
    const writer = await service.newCaller({ scopes: ['images:write', 'images:read'] })
    const answers: ((image: Image) => Promise<string>)[] = [
      async (image) => image.signed_url,
      async (image) => (await show(writer, image.id)).signed_url,
      async (image) => (await change(writer, image, 1, { display_name: 'Front' })).body.signed_url,
      async () => (await writer.call('GET', '/images/v1', undefined, { host: host() })).body[0].signed_url,
    ]
    for (const urlFrom of answers) {
      const { image } = await newImage(writer)
      const url = await urlFrom(image)
      expect((await put(url, png)).status).toBe(200)
      expect(png.equals(await get(url))).toBe(true)
    }
  })

  it('permits nothing within ten seconds after its client is revoked', async () => {
    const { caller, image } = await newImage()
    const { image: empty } = await newImage(caller)
    await put(image.signed_url, png)
    await revoke(caller)
    await expect.poll(async () => (await fetch(image.signed_url)).status, patiently).toBe(403)
    for (const { signed_url } of [image, empty]) await expectRefused(signed_url)
    expect(await uploads(empty)).toBe(0)
  })

  it('stops accepting uploads within ten seconds after its client loses images:write, and can be read until it loses images:read', async () => {
    const { caller, image } = await newImage()
    const { image: empty } = await newImage(caller)
    await put(image.signed_url, png)
    await limit(caller, ['images:read', 'patients:write'])
    // A body that is not an image is refused with 415 while uploads are permitted, so this probe does not use up the
    // permission.
    const ask = async () => (await put(empty.signed_url, 'no image')).status
    await expect.poll(ask, patiently).toBe(403)
    expect((await put(empty.signed_url, png)).status).toBe(403)
    expect(png.equals(await get(image.signed_url))).toBe(true)
    await limit(caller, ['patients:write'])
    await expect.poll(async () => (await fetch(image.signed_url)).status, patiently).toBe(403)
    expect(await uploads(empty)).toBe(0)
  })

  it('writes nothing for a client that is revoked during the upload', async () => {
    const { caller, image } = await newImage()
    const { image: other } = await newImage(caller)
    const { pathname, search, port } = new URL(image.signed_url)
    const socket = createConnection(Number(port), '127.0.0.1')
    let answer = ''
    socket.on('data', (bytes) => (answer += String(bytes)))
    socket.write(`PUT ${pathname}${search} HTTP/1.1\r\nhost: x\r\ncontent-length: ${png.length}\r\n\r\n`)
    socket.write(png.subarray(0, 30_000))
    await expect.poll(() => names(service.deps.storage.incomingFolder)).toHaveLength(1)
    await revoke(caller)
    await expect.poll(async () => (await fetch(other.signed_url)).status, patiently).toBe(403)
    socket.write(png.subarray(30_000))
    await expect.poll(() => answer).toMatch(/^HTTP\/1.1 403 /)
    socket.destroy()
    expect(await uploads(image)).toBe(0)
    expect(await names(join(images(), caller.organizationId))).toEqual([])
  })

  it('does not let one client act as another: the audit trail names the client that reads and the client that uploads', async () => {
    const { caller, image } = await newImage()
    await put(image.signed_url, png)
    await get(image.signed_url)
    await service.deps.audit.flush(caller.organizationId)
    const { body } = await caller.call('GET', '/anteroom/v1/audit')
    for (const operation of ['images.uploadContent', 'images.readContent']) {
      const event = body.items.find((each: { operation: string }) => each.operation === operation)
      expect(event, operation).toMatchObject({ client_id: caller.credentials.client_id, record_ids: [image.id] })
    }
  })

  it('is refused when any single letter of its signature is altered', async () => {
    const { image } = await newImage()
    const signature = new URL(image.signed_url).searchParams.get('signature') ?? ''
    expect(signature).toHaveLength(43)
    await fc.assert(
      fc.asyncProperty(fc.nat(42), fc.constantFrom('A', '_', '9'), async (at, letter) => {
        fc.pre(signature[at] !== letter)
        const forged = signature.slice(0, at) + letter + signature.slice(at + 1)
        expect((await fetch(image.signed_url.replace(signature, forged))).status).toBe(403)
      }),
      { numRuns: 60 },
    )
  })

  it.each(['../../../etc/passwd', '%2e%2e%2f%2e%2e%2fetc%2fpasswd', '%00', 'x'.repeat(200)])(
    'gives no access to anything else: %s',
    async (id) => {
      const { image } = await newImage()
      const answer = await service.app.inject({ url: new URL(image.signed_url).pathname.replace(image.id, id) })
      expect([403, 404]).toContain(answer.statusCode)
      expect(JSON.parse(answer.body).errorName).toMatch(/Error$/)
    },
  )

  it('expires after IMAGE_URL_LIFETIME_SECONDS, and the image then has a new one', async () => {
    const { caller, image } = await newImage()
    await put(image.signed_url, png)
    try {
      aheadMs = 899_000 - 2_000
      expect((await fetch(image.signed_url)).status).toBe(200)
      aheadMs = 901_000
      await expectRefused(image.signed_url)
      expect(png.equals(await get((await show(caller, image.id)).signed_url))).toBe(true)
    } finally {
      aheadMs = 0
    }
  })

  it('accepts PUT and GET only', async () => {
    const { image } = await newImage()
    for (const method of ['POST', 'DELETE', 'PATCH']) {
      const answer = await fetch(image.signed_url, { method })
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'PUT, GET'])
    }
  })

  it('permits one upload: neither it nor any URL issued before can replace the uploaded bytes', async () => {
    const { caller, image } = await newImage()
    const { signed_url: second } = await show(caller, image.id)
    await put(image.signed_url, png)
    for (const url of [image.signed_url, second]) {
      const answer = await put(url, pngOf(100, 1))
      expect(answer.status).toBe(409)
      expect(await answer.json()).toMatchObject({ errorName: 'VersionConflictError', content: { latest_version: 2 } })
      expect(png.equals(await get(url))).toBe(true)
    }
    expect((await show(caller, image.id)).version).toBe(2)
  })

  it('accepts one of many concurrent uploads, and keeps the bytes of that one only', async () => {
    const { caller, image } = await newImage()
    const sent = Array.from({ length: 10 }, (_, index) => pngOf(50_000, index))
    const statuses = (await Promise.all(sent.map((bytes) => put(image.signed_url, bytes)))).map(({ status }) => status)
    expect([...statuses].sort()).toEqual([200, ...Array(9).fill(409)])
    expect(sent[statuses.indexOf(200)]?.equals(await get(image.signed_url))).toBe(true)
    expect(await names(join(images(), caller.organizationId))).toHaveLength(1)
    expect((await show(caller, image.id)).version).toBe(2)
  })

  it('answers a repeated upload of the same bytes like the first one, and writes nothing', async () => {
    const { caller, image } = await newImage()
    const { signed_url: second } = await show(caller, image.id)
    for (const url of [image.signed_url, image.signed_url, second]) {
      const answer = await put(url, png)
      expect([answer.status, await answer.text()]).toEqual([200, ''])
    }
    expect((await show(caller, image.id)).version).toBe(2)
    expect(await names(join(images(), caller.organizationId))).toHaveLength(1)
    const { signed_url: later } = await show(caller, image.id)
    await put(later, pngOf(100, 1))
    expect((await put(image.signed_url, png)).status).toBe(409)
  })

  it('answers many concurrent uploads of equal bytes with success, and keeps the bytes once', async () => {
    const { caller, image } = await newImage()
    const answers = await Promise.all(Array.from({ length: 10 }, () => put(image.signed_url, png)))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(await names(join(images(), caller.organizationId))).toHaveLength(1)
    expect((await show(caller, image.id)).version).toBe(2)
  })

  it('issued after an upload may replace it with a new version, and every URL then reads the new bytes', async () => {
    const { caller, image } = await newImage()
    await put(image.signed_url, png)
    const { signed_url: fresh } = await show(caller, image.id)
    const better = pngOf(60_000, 9)
    expect((await put(fresh, better)).status).toBe(200)
    expect(better.equals(await get(image.signed_url))).toBe(true)
    expect(await show(caller, image.id)).toMatchObject({ version: 3, status: 'UPLOADED' })
  })

  it('still accepts the upload after another change to the image', async () => {
    const { caller, image } = await newImage()
    await change(caller, image, 1, { display_name: 'Front' })
    expect((await put(image.signed_url, png)).status).toBe(200)
    expect(await show(caller, image.id)).toMatchObject({ version: 3, status: 'UPLOADED', display_name: 'Front' })
  })

  it('accepts the upload for a deactivated image, which stays deactivated', async () => {
    const { caller, image } = await newImage()
    await caller.call('DELETE', `/images/v1/${image.id}/1`)
    expect((await put(image.signed_url, png)).status).toBe(200)
    expect(await show(caller, image.id)).toMatchObject({ version: 3, deactivated: true })
  })

  it('returns 404 to a reader before the upload', async () => {
    expect((await fetch((await newImage()).image.signed_url)).status).toBe(404)
  })

  it('gives a browser nothing to execute: a detected content type, no sniffing, a PDF as a download, an escaped file name', async () => {
    const { image } = await newImage(undefined, { file_name: 'a"\r\nx: y\u{1F600}(1).html' })
    await put(image.signed_url, imageSamples['application/pdf'] ?? '')
    const { headers } = await fetch(image.signed_url)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': "attachment; filename*=UTF-8''a%22%0D%0Ax%3A%20y%F0%9F%98%80%281%29.html",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
    })
    const { image: picture } = await newImage()
    await put(picture.signed_url, png)
    expect((await fetch(picture.signed_url)).headers.get('content-disposition')).toBe(
      "inline; filename*=UTF-8''card.png",
    )
  })

  it('returns no bytes that were not uploaded, such as those that somebody with access to the storage put there', async () => {
    const { image } = await newImage()
    expect((await put(image.signed_url, png)).status).toBe(200)
    const { storage } = service.deps
    const others = [png.subarray(0, 40_000), Buffer.concat([png, png]), pngOf(png.length, 9), Buffer.from('<html>')]
    try {
      for (const bytes of others) {
        service.deps.storage = { ...storage, open: async () => Readable.from([bytes]) }
        const shown = await fetch(image.signed_url).then(async (answer) =>
          answer.ok ? answer.arrayBuffer().catch(() => 'broken off') : answer.status,
        )
        expect([500, 'broken off']).toContain(shown)
      }
    } finally {
      service.deps.storage = storage
    }
    expect(await get(image.signed_url)).toEqual(png)
  })

  it('is 503 with Retry-After when the bucket breaks off the file, and can be read when it no longer does', async () => {
    const { image } = await newImage()
    expect((await put(image.signed_url, png)).status).toBe(200)
    const bucket = createServer((_request, response) => {
      response.writeHead(200, { 'content-length': 1_000_000 }).write('x', () => response.destroy())
    }).listen(0, '127.0.0.1')
    await once(bucket, 'listening')
    const { storage } = service.deps
    try {
      const endpoint = `http://127.0.0.1:${(bucket.address() as AddressInfo).port}`
      const credentials = { accessKeyId: 'x', secretAccessKey: 'y' }
      const settings = { bucket: 'images', region: 'us-east-1', endpoint, credentials, forcePathStyle: true }
      service.deps.storage = encryptFiles(await openS3Storage(settings, storage.incomingFolder), service.deps.vault)
      const shown = await fetch(image.signed_url)
      expect([shown.status, shown.headers.get('retry-after')]).toEqual([503, '1'])
      expect(await shown.json()).toMatchObject({ errorName: 'InternalError' })
    } finally {
      service.deps.storage = storage
      bucket.close()
    }
    expect(await get(image.signed_url)).toEqual(png)
  })

  it('keeps nothing of an upload that is cut off', async () => {
    const { caller, image } = await newImage()
    const { pathname, search, port } = new URL(image.signed_url)
    const socket = createConnection(Number(port), '127.0.0.1')
    socket.write(`PUT ${pathname}${search} HTTP/1.1\r\nhost: x\r\ncontent-length: 50000\r\n\r\n`)
    socket.write(png.subarray(0, 30_000))
    const { incomingFolder } = service.deps.storage
    await expect.poll(() => names(incomingFolder)).toHaveLength(1)
    socket.destroy()
    await expect.poll(() => names(incomingFolder)).toEqual([])
    await delay(50)
    expect(await names(join(images(), caller.organizationId))).toEqual([])
    expect(await show(caller, image.id)).toMatchObject({ version: 1, status: 'PENDING' })
  })

  it("starts with PUBLIC_URL or else with the server's own address, regardless of the caller's Host header", async () => {
    const caller = await service.newCaller()
    const begin = async (headers: Record<string, string>) => {
      const { body } = await caller.call('POST', '/images/v1', imageBody(), headers)
      return body.signed_url.split('/anteroom/')[0]
    }
    const { config } = service.deps
    const { PUBLIC_URL: _, ...unnamed } = config
    service.deps.config = unnamed
    const forged = { 'x-forwarded-for': '10.9.8.7', 'x-forwarded-proto': 'https', forwarded: 'host=evil.example' }
    for (const host of ['evil.example', 'evil.example:8080', '127.0.0.1:666', '[::1]:4000', 'localhost']) {
      expect(await begin({ host })).toBe('http://127.0.0.1:4000')
      expect(await begin({ host, 'x-forwarded-host': host, ...forged })).toBe('http://127.0.0.1:4000')
    }
    service.deps.config = { ...config, PUBLIC_URL: 'https://clinic.example/anteroom-api/' }
    expect(await begin({ host: 'x' })).toBe('https://clinic.example/anteroom-api')
    service.deps.config = config
  })

  it('a DELETE accepts the version before the upload, and no older one', async () => {
    const { caller, image } = await newImage()
    await put(image.signed_url, png)
    expect((await caller.call('DELETE', `/images/v1/${image.id}/0`)).status).toBe(409)
    expect((await caller.call('DELETE', `/images/v1/${image.id}/1`)).status).toBe(200)
    expect((await caller.call('GET', `/images/v1/${image.id}`)).body).toMatchObject({ version: 3, deactivated: true })
    expect((await caller.call('DELETE', `/images/v1/${image.id}/1`)).status).toBe(409)
  })

  it('a DELETE with the version before another change is 409', async () => {
    const { caller, image } = await newImage()
    await put(image.signed_url, png)
    await change(caller, image, 2, { status: 'UPLOADED', display_name: 'Theirs' })
    expect((await caller.call('DELETE', `/images/v1/${image.id}/1`)).status).toBe(409)
    expect((await caller.call('DELETE', `/images/v1/${image.id}/2`)).status).toBe(409)
  })

  describe('and a PUT of the image with the version before the upload', () => {
    it('that changes more than the status writes another version', async () => {
      const { caller, image } = await newImage()
      await put(image.signed_url, png)
      const { status, body } = await change(caller, image, 1, { status: 'UPLOADED', display_name: 'Front' })
      expect([status, body.version, body.display_name]).toEqual([200, 3, 'Front'])
    })

    it('that would reset the status is 409, because its caller has not seen the upload', async () => {
      const { caller, image } = await newImage()
      await put(image.signed_url, png)
      for (const status of ['PENDING', 'FAILED']) {
        const reply = await change(caller, image, 1, { status })
        expect([reply.status, reply.body.content.latest_version]).toEqual([409, 2])
      }
    })

    it('is 409 after another caller has changed the image', async () => {
      const { caller, image } = await newImage()
      await put(image.signed_url, png)
      await change(caller, image, 2, { status: 'UPLOADED', display_name: 'Theirs' })
      expect((await change(caller, image, 1, { status: 'UPLOADED' })).status).toBe(409)
      expect((await change(caller, image, 2, { status: 'UPLOADED' })).status).toBe(409)
    })

    it('is 409 when the change in between was not an upload', async () => {
      const { caller, image } = await newImage()
      await change(caller, image, 1, { status: 'UPLOADED' })
      expect((await change(caller, image, 1, { status: 'UPLOADED' })).status).toBe(409)
    })

    it('succeeds exactly once, whether it arrives before, after or during the upload', async () => {
      for (let round = 0; round < 10; round++) {
        const { caller, image } = await newImage()
        const [sent, changed] = await Promise.all([
          put(image.signed_url, png),
          change(caller, image, 1, { status: 'UPLOADED' }),
        ])
        expect([sent.status, changed.status]).toEqual([200, 200])
        expect((await show(caller, image.id)).status).toBe('UPLOADED')
      }
    })
  })
})
