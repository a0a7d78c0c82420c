import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { isAllowed, readNetworks } from '../platform/outbound/public-address.ts'
import { createSender } from './send.ts'

it.each([
  ['8.8.8.8', true],
  ['2606:4700:4700::1111', true],
  ['127.0.0.1', false],
  ['0.0.0.0', false],
  ['10.0.0.1', false],
  ['172.31.255.255', false],
  ['192.168.0.1', false],
  ['169.254.169.254', false],
  ['100.64.0.1', false],
  ['198.18.0.1', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['::1', false],
  ['::', false],
  ['::10.0.0.1', false],
  ['::ffff:169.254.169.254', false],
  ['64:ff9b::a9fe:a9fe', false],
  ['2002:a9fe:a9fe::', false],
  ['fd00:ec2::254', false],
  ['fe80::1', false],
  ['ff02::1', false],
  ['4000::1', false],
])('a webhook to %s is allowed: %s', (address, allowed) => {
  expect(isAllowed(address, [])).toBe(allowed)
})

it('a network that the operator names is allowed, in every spelling of its addresses', () => {
  const allowed = readNetworks('NETWORKS', '10.1.0.0/16, fd00:1::/32')
  expect(['10.1.2.3', '::ffff:10.1.2.3', 'fd00:1::5'].map((address) => isAllowed(address, allowed))).toEqual([
    true,
    true,
    true,
  ])
  expect(['10.2.0.1', 'fd00:2::5'].map((address) => isAllowed(address, allowed))).toEqual([false, false])
  expect(() => readNetworks('NETWORKS', '10.1.0.0')).toThrow('NETWORKS must be comma-separated networks')
})

it('a host name that resolves to a private address is refused when the connection is made, and nothing arrives there', async () => {
  let arrived = 0
  const server = createServer((_request, response) => {
    arrived += 1
    response.end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const message = { secrets: ['whsec_AAAA'], id: 'x', body: '{}', url: `http://localhost:${port}/` }
  const guarded = createSender([], () => new Date())
  expect(await guarded.send(message)).toMatchObject({
    isDelivered: false,
    error: expect.stringContaining('not public'),
  })
  expect(arrived).toBe(0)
  const open = createSender(readNetworks('NETWORKS', '127.0.0.0/8,::1/128'), () => new Date())
  expect(await open.send(message)).toMatchObject({ isDelivered: true, status: 200 })
  await Promise.all([guarded.close(), open.close()])
  server.close()
})
