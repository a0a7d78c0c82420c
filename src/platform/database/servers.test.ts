import { describe, expect, it } from 'vitest'
import { readServers } from './servers.ts'

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
