// Webhooks while the server, the worker and the receiver are killed: no event is missed, and each record keeps its order.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { webhookBody } from '../support/bodies.ts'
import { type Desk, openDesk } from '../support/desk.ts'
import { newClonePlace, runCommand, type StartedProgram, startProgram, startServer } from '../support/started-server.ts'

const NOTES = 12
const VERSIONS = 6

const closers: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

test('no version is lost or reordered through kill -9 of every process and an outage of the receiver', async () => {
  const arrived: { webhookId: string; id: string; version: number }[] = []
  let isDown = false
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      if (isDown) return void request.socket.destroy()
      const { id, data } = JSON.parse(Buffer.concat(chunks).toString())
      arrived.push({ webhookId: id, id: data.id, version: data.version })
      response.writeHead(204).end()
    })
  }).listen(0, '127.0.0.1')
  closers.push(
    () => receiver.close(),
    () => receiver.closeAllConnections(),
  )
  await expect.poll(() => receiver.listening).toBe(true)
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`

  const place = await newClonePlace()
  closers.push(place.remove)
  const settings = { ...place.settings, WEBHOOK_PRIVATE_NETWORKS: '127.0.0.0/8', LOG_LEVEL: 'silent', RATE_LIMIT: '0' }
  await runCommand(['organization', 'create', 'Harbor'], settings)
  const made = await runCommand(['client', 'create', 'desk', '--organization', 'Harbor', '--json'], settings)
  const credentials = JSON.parse(made.stdout)

  // The server does not send deliveries, so that server and worker can be killed separately.
  const server = () => startServer({ ...settings, PORT: '0', WORKER_CONCURRENCY: '0' })
  const worker = () => startProgram(['worker'], { ...settings, WORKER_CONCURRENCY: '1' }, /^Anteroom works on (\d+)/m)
  let serving = await server()
  let working: StartedProgram = await worker()
  closers.push(
    () => serving.kill(),
    () => working.kill(),
  )
  let desk: Desk = await openDesk(serving.url, credentials)
  const webhook = await desk.call('POST', '/anteroom/v1/webhooks', { ...webhookBody(), url, event_types: ['note.*'] })
  expect(webhook.status).toBe(200)

  const written = new Map<string, number>()
  for (let version = 1; version <= VERSIONS; version++) {
    isDown = version === 3 || version === 4
    if (version % 2 === 0) {
      const dying = delay(30).then(() => working.kill())
      await writeAll(desk, written, version)
      await dying
      working = await worker()
    } else await writeAll(desk, written, version)
    if (version === 5) {
      await serving.kill()
      serving = await server()
      desk = await openDesk(serving.url, credentials)
    }
  }
  await vi.waitFor(
    () => {
      const seen = new Set(arrived.map(({ id, version }) => `${id} ${version}`))
      expect(seen.size).toBe([...written.values()].reduce((sum, version) => sum + version, 0))
    },
    { timeout: 180_000, interval: 200 },
  )
  for (const [id, latest] of written) {
    const known = new Set<string>()
    const first = arrived.filter((each) => each.id === id && !known.has(each.webhookId) && known.add(each.webhookId))
    expect(first.map(({ version }) => version)).toEqual(Array.from({ length: latest }, (_, index) => index + 1))
  }
})

/** Writes the next version of every note and records what was acknowledged. */
async function writeAll(desk: Desk, written: Map<string, number>, version: number): Promise<void> {
  if (version === 1) {
    for (let index = 0; index < NOTES; index++) {
      const { body } = await desk.call('POST', '/notes/v1', { value: `note ${index}` })
      written.set(String(body.id), 1)
    }
    return
  }
  await Promise.all(
    [...written.keys()].map(async (id) => {
      const { status } = await desk.call('PUT', `/notes/v1/${id}/${version - 1}`, { value: `version ${version}` })
      expect(status).toBe(200)
      written.set(id, version)
    }),
  )
}
