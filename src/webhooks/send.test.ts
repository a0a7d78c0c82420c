import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { sendChunks } from '../../test/support/send-chunks.ts'
import { readNetworks } from '../platform/outbound/public-address.ts'
import { createSender } from './send.ts'

const secrets = [`whsec_${Buffer.alloc(24, 1).toString('base64')}`]

it('an answer in more than a few chunks counts by its status and is not read on: the attempt ends although the answer does not', async () => {
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      sendChunks(response, 200)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const hour = 3_600_000
  const sender = createSender(readNetworks('x', '127.0.0.0/8'), () => new Date(), hour)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  try {
    const attempt = sender.send({ url, secrets, id: 'one', body: '{}' })
    expect(await attempt).toMatchObject({ isDelivered: true, status: 200 })
  } finally {
    await sender.close()
    server.close()
  }
})

it.each([
  [1, 'writeContinue', { isDelivered: true, status: 200 }],
  [1, 'writeProcessing', { isDelivered: true, status: 200 }],
  [100, 'writeContinue', { isDelivered: false, error: 'the receiver sent too many interim responses' }],
  [100, 'writeProcessing', { isDelivered: false, error: 'the receiver sent too many interim responses' }],
] as const)('a receiver that sends %i interim responses (%s) before its answer', async (count, write, outcome) => {
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      for (let sent = 0; sent < count; sent++) response[write]()
      response.end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sender = createSender(readNetworks('x', '127.0.0.0/8'), () => new Date())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  try {
    expect(await sender.send({ url, secrets, id: 'one', body: '{}' })).toMatchObject(outcome)
  } finally {
    await sender.close()
    server.close()
  }
})
