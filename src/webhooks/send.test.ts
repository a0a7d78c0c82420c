import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { readNetworks } from '../platform/outbound/public-address.ts'
import { createSender } from './send.ts'

it.each([
  [1, { isDelivered: true, status: 200 }],
  [100, { isDelivered: false, error: 'the receiver sent too many interim responses' }],
])('a receiver that sends %i interim responses before its answer', async (count, outcome) => {
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      for (let sent = 0; sent < count; sent++) response.writeProcessing()
      response.end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sender = createSender(readNetworks('x', '127.0.0.0/8'), () => new Date())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const secrets = [`whsec_${Buffer.alloc(24, 1).toString('base64')}`]
  try {
    expect(await sender.send({ url, secrets, id: 'one', body: '{}' })).toMatchObject(outcome)
  } finally {
    await sender.close()
    server.close()
  }
})
