// Over real connections: the bytes of an image, in a folder and in a bucket.
import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { imageBody } from '../../../test/support/bodies.ts'
import { imageSamples, pngOf } from '../../../test/support/image-samples.ts'
import { get, LIMIT_BYTES, listening, names, png, put, withLimit } from '../../../test/support/image-uploads.ts'
import { startS3Server } from '../../../test/support/s3-server.ts'
import { type Caller, testService } from '../../../test/support/service.ts'
import type { Deps } from '../../deps.ts'
import { openS3Storage } from '../../platform/storage/s3.ts'

let closeS3: (() => Promise<void>) | undefined

describe.each([
  ['a folder', withLimit],
  [
    'an S3 bucket',
    async (deps: Deps) => {
      const server = await startS3Server()
      closeS3 = server.close
      return { ...withLimit(deps), storage: await openS3Storage(server.settings, deps.storage.incomingFolder) }
    },
  ],
])('with %s', (_what, overrides) => {
  const service = testService(overrides)
  const { host } = listening(service)
  beforeAll(() => () => closeS3?.())
  const show = (caller: Caller, id: string) => caller.call('GET', `/images/v1/${id}`, undefined, { host: host() })
  const create = (caller: Caller) => caller.call('POST', '/images/v1', imageBody(), { host: host() })

  it('the published flow works: create, upload, PUT with UPLOADED on version 1, read', async () => {
    const caller = await service.newCaller()
    const { body: created } = await create(caller)
    expect((await put(created.signed_url, png)).status).toBe(200)
    const uploaded = imageBody({ status: 'UPLOADED' })
    const { status, body } = await caller.call('PUT', `/images/v1/${created.id}/1`, uploaded, { host: host() })
    expect([status, body.version, body.status]).toEqual([200, 2, 'UPLOADED'])
    expect(png.equals(await get(body.signed_url))).toBe(true)
    expect(png.equals(await get(created.signed_url))).toBe(true)
  })

  it('an upload alone writes version 2 with status UPLOADED, on behalf of the client the URL was issued to', async () => {
    const caller = await service.newCaller()
    const { body: created } = await create(caller)
    await put(created.signed_url, png)
    const { body } = await show(caller, created.id)
    expect(body).toMatchObject({ version: 2, status: 'UPLOADED', updating_user_id: created.updating_user_id })
    const versions = await service.database.rows('select version from image_history where id = $1 order by 1', [
      created.id,
    ])
    expect(versions).toEqual([['1'], ['2']])
  })

  it('every accepted type is returned byte for byte with its detected content type, regardless of the declared one, also when that is no media type', async () => {
    const caller = await service.newCaller()
    for (const [type, bytes] of Object.entries(imageSamples)) {
      const { body } = await create(caller)
      const sent = await put(body.signed_url, bytes, { 'content-type': 'text/html' })
      expect([sent.status, await sent.text()], type).toEqual([200, ''])
      // A client may declare what it wrote into `file_type`, which is any text.
      for (const declared of ['PNG', 'scan of a card', ';', 'application/json', '']) {
        const other = (await create(caller)).body
        expect((await put(other.signed_url, bytes, { 'content-type': declared })).status, declared).toBe(200)
      }
      const answer = await fetch(body.signed_url)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type])
      expect(answer.headers.get('content-length')).toBe(String(bytes.length))
      expect(bytes.equals(Buffer.from(await answer.arrayBuffer()))).toBe(true)
    }
  })

  it('HEAD returns the headers without the bytes, and a matching ETag returns 304', async () => {
    const { body } = await create(await service.newCaller())
    await put(body.signed_url, png)
    const opened = vi.spyOn(service.deps.storage, 'open')
    const head = await fetch(body.signed_url, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '50000', ''])
    const bytes = await opened.mock.results[0]?.value
    await expect.poll(() => [bytes?.destroyed, bytes?.readableDidRead]).toEqual([true, false])
    opened.mockRestore()
    const again = await fetch(body.signed_url, { headers: { 'if-none-match': head.headers.get('etag') ?? '' } })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  it('an ETag that a proxy has weakened, one of several and * return 304, and If-Match with another ETag 412', async () => {
    const { body } = await create(await service.newCaller())
    await put(body.signed_url, png)
    const tag = (await fetch(body.signed_url, { method: 'HEAD' })).headers.get('etag') ?? ''
    const ask = async (headers: Record<string, string>) => (await fetch(body.signed_url, { headers })).status
    for (const header of [`W/${tag}`, `"other", ${tag}`, '*']) expect(await ask({ 'if-none-match': header })).toBe(304)
    expect(await ask({ 'if-none-match': '"other"' })).toBe(200)
    expect(await ask({ 'if-match': `"other", ${tag}` })).toBe(200)
    expect(await ask({ 'if-match': '"other"' })).toBe(412)
  })

  it('a part of an image never becomes the image, and an upload keeps the condition that it states', async () => {
    const caller = await service.newCaller()
    const { body: image } = await create(caller)
    const part = await put(image.signed_url, png.subarray(0, 20_000), { 'content-range': 'bytes 0-19999/50000' })
    expect([part.status, (await fetch(image.signed_url)).status]).toEqual([400, 404])
    expect((await put(image.signed_url, png, { 'if-match': '*' })).status).toBe(412)
    expect((await put(image.signed_url, png, { 'if-none-match': '*' })).status).toBe(200)
    const { body: again } = await show(caller, image.id)
    const other = pngOf(50_000, 8)
    expect((await put(again.signed_url, other, { 'if-none-match': '*' })).status).toBe(412)
    expect((await put(again.signed_url, other, { 'if-match': '"other"' })).status).toBe(412)
    expect(png.equals(await get(again.signed_url))).toBe(true)
    const tag = (await fetch(again.signed_url, { method: 'HEAD' })).headers.get('etag') ?? ''
    expect((await put(again.signed_url, other, { 'if-match': tag })).status).toBe(200)
    expect(other.equals(await get(again.signed_url))).toBe(true)
  })

  it('accepts a chunked upload without a length, and one of exactly the limit', async () => {
    const caller = await service.newCaller()
    const bytes = pngOf(LIMIT_BYTES, 3)
    const { body } = await create(caller)
    const stream = new Blob([bytes]).stream()
    const answer = await fetch(body.signed_url, { method: 'PUT', body: stream, duplex: 'half' } as RequestInit)
    expect(answer.status).toBe(200)
    expect(bytes.equals(await get(body.signed_url))).toBe(true)
  })

  it('keeps nothing of a refused upload', async () => {
    const caller = await service.newCaller()
    const { body: image } = await create(caller)
    const refused: [RequestInit['body'], number][] = [
      [Buffer.alloc(LIMIT_BYTES + 1), 413],
      [pngOf(LIMIT_BYTES + 1), 413],
      [pngOf(30_000_000), 413],
      [new Blob([pngOf(5_000_000)]).stream() as never, 413],
      ['<svg onload="alert(1)"/>', 415],
      [randomBytes(100_000), 415],
      ['', 400],
    ]
    for (const [body, status] of refused) {
      const answer = await fetch(image.signed_url, { method: 'PUT', body, duplex: 'half' } as RequestInit)
      expect(answer.status).toBe(status)
      expect(await answer.json()).toEqual({ errorName: expect.any(String), content: { message: expect.any(String) } })
    }
    expect(await names(service.deps.storage.incomingFolder)).toEqual([])
    expect((await fetch(image.signed_url)).status).toBe(404)
    expect((await show(caller, image.id)).body).toMatchObject({ version: 1, status: 'PENDING' })
    expect((await put(image.signed_url, png)).status).toBe(200)
  })
})
