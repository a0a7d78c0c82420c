import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AddressRefused, guardedConnector, isAllowed, readNetworks } from '../platform/outbound/public-address.ts'
import { askNameServers, type ResolveName } from '../platform/outbound/resolve-name.ts'
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
  ['168.63.129.16', false],
  ['::ffff:168.63.129.16', false],
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

describe('a name server that an organization owns', () => {
  const A = 1
  /** The addresses of a name, or none for a server that never answers. */
  let answer: (name: string) => string[] | undefined = () => []
  let asked: string[] = []
  let ask: ResolveName
  const server = createSocket('udp4', (query, from) => {
    const nameEnd = query.indexOf(0, 12)
    const name = query.toString('latin1', 13, nameEnd).replaceAll(/[^\w-]/g, '.')
    const isA = query.readUInt16BE(nameEnd + 1) === A
    if (isA) asked.push(name)
    const found = answer(name)
    if (!found) return
    const records = (isA ? found : []).map((address) =>
      Buffer.from([0xc0, 12, 0, A, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
    )
    const head = Buffer.from([...query.subarray(0, 2), 0x81, 0x80, 0, 1, 0, records.length, 0, 0, 0, 0])
    server.send(Buffer.concat([head, query.subarray(12, nameEnd + 5), ...records]), from.port, from.address)
  })
  beforeAll(async () => {
    server.bind(0, '127.0.0.1')
    await once(server, 'listening')
    ask = askNameServers([`127.0.0.1:${server.address().port}`])
  })
  afterAll(() => {
    server.close()
  })

  /** The error of a connection to this name; connections to public addresses are not made. */
  async function connect(hostname: string): Promise<Error | null> {
    const connector = await guardedConnector([], 1_000, {}, ask)
    return new Promise((resolve) =>
      connector({ hostname, protocol: 'http:', port: '9' }, (...[error]) => resolve(error)),
    )
  }

  it('that never answers for many names holds up no other name', async () => {
    answer = (name) => (name === 'good.test' ? ['127.0.0.1'] : undefined)
    const silent = Promise.all(Array.from({ length: 100 }, (_, n) => ask(`silent${n}.test`, 1_000).catch(() => 'none')))
    await expect.poll(() => asked.filter((name) => name.startsWith('silent')).length).toBe(100)
    expect(await ask('good.test', 60_000)).toEqual(['127.0.0.1'])
    expect(new Set(await silent)).toEqual(new Set(['none']))
  })

  it('that answers with a private address, alone or beside a public one, is refused', async () => {
    for (const addresses of [['127.0.0.1'], ['93.184.216.34', '10.0.0.1'], ['169.254.169.254'], ['100.64.0.1']]) {
      answer = () => addresses
      expect(await connect('name.test')).toBeInstanceOf(AddressRefused)
    }
  })

  it.each([
    ['several addresses of which the first are not in use', ['127.0.0.2', '127.0.0.3', '127.0.0.1'], '127.0.0.1'],
    ['no address in use', ['127.0.0.2', '127.0.0.3'], undefined],
    ['more addresses than are tried', ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5', '127.0.0.1'], undefined],
  ])('that has %s', async (_, addresses, reached) => {
    answer = () => addresses
    const receiver = createServer((_request, response) => response.end()).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    const port = String((receiver.address() as AddressInfo).port)
    const connector = await guardedConnector(readNetworks('NETWORKS', '127.0.0.0/8'), 5_000, {}, ask)
    const connected = await new Promise<Socket | Error | null>((resolve) =>
      connector({ hostname: 'name.test', protocol: 'http:', port }, (error, socket) => resolve(error ?? socket)),
    )
    if (connected instanceof Socket) connected.destroy()
    receiver.close()
    expect(connected instanceof Socket ? addresses.at(-1) : undefined).toBe(reached)
    if (reached === undefined) expect(connected).toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('is asked once for each connection: a second, different answer has no effect', async () => {
    const answers = [['10.0.0.1'], ['93.184.216.34']]
    answer = (name) => (asked.filter((each) => each === name).length > 1 ? answers[1] : answers[0])
    asked = []
    expect(await connect('flip.test')).toBeInstanceOf(AddressRefused)
    expect(asked).toEqual(['flip.test'])
  })

  it('cannot give localhost another address, and is not asked', async () => {
    answer = () => ['93.184.216.34']
    asked = []
    for (const name of ['localhost', 'LOCALHOST.', 'x.localhost']) {
      expect(await connect(name)).toBeInstanceOf(AddressRefused)
    }
    expect(asked).toEqual([])
  })
})
