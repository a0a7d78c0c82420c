import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openPool } from './connections.ts'
import { followPrimary, readServers } from './servers.ts'

const read = (connectionString: string) => readServers({ connectionString })

describe('a connection string with several servers', () => {
  it.each([
    [
      'hosts with ports',
      'postgres://u:p@a:1,b:2/db?sslmode=require',
      [
        ['a', 1],
        ['b', 2],
      ],
    ],
    [
      'hosts without',
      'postgresql://u:p@a,b/db',
      [
        ['a', 5432],
        ['b', 5432],
      ],
    ],
    [
      'addresses of IPv6',
      'postgres://[::1]:1,[fe80::2]/db',
      [
        ['::1', 1],
        ['fe80::2', 5432],
      ],
    ],
    [
      'parameters',
      'postgres://u@/db?host=%2Frun%2Fa,%2Frun%2Fb&port=1,2',
      [
        ['/run/a', 1],
        ['/run/b', 2],
      ],
    ],
    [
      'one port for all',
      'postgres://u@/db?host=a,b&port=7',
      [
        ['a', 7],
        ['b', 7],
      ],
    ],
    [
      'the required kind of server',
      'postgres://a,b/db?target_session_attrs=primary',
      [
        ['a', 5432],
        ['b', 5432],
      ],
    ],
  ])('names %s', (_, text, servers) => {
    expect(read(text)?.servers.map(({ host, port }) => [host, port])).toEqual(servers)
  })

  it('keeps its other options, without a host that the driver could use', () => {
    const { connection } = read('postgres://u:p%40@a:1,b:2/db?sslmode=require&target_session_attrs=read-write') ?? {}
    expect(connection?.connectionString).toBe('postgres://u:p%40@localhost/db?sslmode=require')
  })

  it.each(['postgres://u:p@a:1/db', 'postgresql:///db?host=%2Frun', 'postgres://a/db?sslmode=disable'])(
    'is not a list with one server: %s',
    (text) => expect(read(text)).toBeUndefined(),
  )

  it.each([
    ['more ports than one and fewer than hosts', 'postgres://u@/db?host=a,b,c&port=1,2', /3 hosts and 2 ports/],
    ['a host that cannot be read', 'postgres://%zz,b/db', /host that cannot be read/],
    ['an invalid port', 'postgres://a:x,b/db', /port/],
    ['a standby', 'postgres://a,b/db?target_session_attrs=standby', /read-write or primary/],
  ])('is refused with %s', (_, text, words) => {
    expect(() => read(text)).toThrow(words)
  })
})

const message = (kind: string, ...parts: (string | number[])[]) => {
  const body = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(`${part}\0`) : Buffer.from(part))),
  )
  const head = Buffer.from([0, 0, 0, 0, 0])
  head.write(kind)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
const AUTHENTICATED = message('R', [0, 0, 0, 0])
const READY = message('Z', [73])
const SYNC = message('S')
const TIMELINE = Buffer.from('00000001')
const ROW = [
  message('1'),
  message('2'),
  message('T', [0, 1], 'timeline', [0, 0, 0, 0, 0, 0, 0, 0, 0, 25, 255, 255, 255, 255, 255, 255, 0, 0]),
  message('D', [0, 1, 0, 0, 0, 8], [...TIMELINE]),
  message('C', 'SELECT 1'),
  READY,
]
const ENDS = message('E', [83], 'FATAL', [67], '57P02', [77], 'terminating connection', [0])

it('reports a connection that the server ends in the message in which it accepts it, which ended the process', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (startup) => {
      // The connection that looks for the primary is answered.
      if (!startup.includes('anteroom primary')) return socket.end(Buffer.concat([AUTHENTICATED, READY, ENDS]))
      socket.write(Buffer.concat([AUTHENTICATED, READY]))
      return socket.on('data', (part) => part.subarray(-5).equals(SYNC) && socket.write(Buffer.concat(ROW)))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const primary = followPrimary({ connectionString: `postgres://u@127.0.0.1:${port},127.0.0.1:${port}/db` })
  const pool = openPool({ ...primary.connection, connectionTimeoutMillis: 30_000 }, () => {})
  await expect(pool.connect()).rejects.toThrow('terminating connection')
  await pool.end()
  await primary.close()
})
