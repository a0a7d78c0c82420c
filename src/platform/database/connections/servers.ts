// Several PostgreSQL servers of one cluster, one of which accepts writes. decisions/0052-failover.md
import pg from 'pg'
import { StartupError } from '../../startup-error.ts'
import { GuardedSocket } from './guarded-socket.ts'

export interface Server {
  host: string
  port: number
}

/** Connections that lead to the server that currently accepts writes. */
interface Primary {
  /** The options of a pool or a client; `Client` is the class to create it from. */
  connection: pg.PoolConfig & { Client: typeof pg.Client }
  close(): Promise<void>
}

/** How often the state of every server is queried, and how long its answer may take. */
const LOOK_EVERY_MS = 1_000
const ANSWER_LIMIT_MS = 1_000
const CONNECT_LIMIT_MS = 5_000

/** `scheme://user@`, hosts, `/database`, parameters. Source: PostgreSQL manual, 34.1.1.2 (connection URIs). */
const URI = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)([^?#]*)(?:\?(.*))?$/s
const DEFAULT_PORT = 5432

/**
 * The servers of a connection string with several hosts, as libpq reads it (`h1:5432,h2:5432`, or
 * `?host=h1,h2&port=5432,5433`), and its other options, for a driver that supports one host only. Undefined when it
 * names one server.
 * @throws StartupError for a list that cannot be read.
 */
export function readServers(connection: pg.PoolConfig): { servers: Server[]; connection: pg.PoolConfig } | undefined {
  const [, start = '', authority = '', path = '', query] = URI.exec(connection.connectionString ?? '') ?? []
  const parameters = new URLSearchParams(query)
  const hosts = (parameters.get('host') ?? '').split(',').filter(Boolean)
  const named = hosts.length > 0 ? withPorts(hosts, parameters.get('port')) : authority.split(',').map(readServer)
  if (named.length < 2) return undefined
  const wanted = parameters.get('target_session_attrs') ?? 'read-write'
  if (wanted !== 'read-write' && wanted !== 'primary')
    throw new StartupError('target_session_attrs of DATABASE_URL must be read-write or primary')
  for (const each of ['host', 'port', 'target_session_attrs']) parameters.delete(each)
  const text = [`${start}localhost${path}`, `${parameters}`].filter(Boolean).join('?')
  return { servers: named, connection: { ...connection, connectionString: text } }
}

function readServer(text: string): Server {
  const [, host = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(text) ?? []
  return { host: readHost(host).replace(/^\[(.*)\]$/, '$1') || 'localhost', port: readPort(port) }
}

function readHost(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (cause) {
    throw new StartupError('DATABASE_URL names a host that cannot be read', { cause })
  }
}

function withPorts(hosts: string[], text: string | null): Server[] {
  const ports = text === null ? [] : text.split(',')
  if (ports.length > 1 && ports.length !== hosts.length)
    throw new StartupError(`DATABASE_URL names ${hosts.length} hosts and ${ports.length} ports`)
  return hosts.map((host, index) => ({ host, port: readPort(ports[index] ?? ports[0]) }))
}

/** What to do about an address that cannot be read. */
export const ENCODED =
  'in a username or a password, the characters # / ? [ ] and % are written %23 %2F %3F %5B %5D and %25'

function readPort(text: string | undefined): number {
  const port = text ? Number(text) : DEFAULT_PORT
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new StartupError(`DATABASE_URL names an invalid port; ${ENCODED}`)
  return port
}

/**
 * Finds the server that accepts writes and keeps watching it. When another server takes over, connections to the
 * previous one are broken at once: their callers get a 503 now and not after a timeout. `onMove` is called for every
 * change.
 */
export function followPrimary(connection: pg.PoolConfig, options: { onMove?(server: Server): void } = {}): Primary {
  const read = readServers(connection)
  if (!read) return { connection: { ...connection, Client: pg.Client }, close: async () => {} }
  const probes = read.servers.map((server) => openProbe(server, read.connection))
  const search = searchPrimary(probes, options.onMove ?? (() => {}))

  class PrimaryClient extends pg.Client {
    readonly #limitMs: number

    constructor(config: pg.ClientConfig = {}) {
      super(config)
      this.#limitMs = config.connectionTimeoutMillis ?? CONNECT_LIMIT_MS
    }

    override connect(): Promise<this>
    override connect(callback: (error: Error) => void): void
    override connect(callback?: (error: Error) => void): Promise<this> | undefined {
      const connected = this.#connectToPrimary()
      if (!callback) return connected
      connected.then(() => (callback as () => void)(), callback)
      return undefined
    }

    async #connectToPrimary(): Promise<this> {
      const server = await search.find(this.#limitMs)
      // The driver reads both when it connects.
      Object.assign(this, server)
      const leave = search.use(server, () => breakOff(this))
      this.once('end', leave)
      // The driver's message that it is connected and one that the server ends can arrive together, before the pool listens: an error that nobody
      // hears would end the process.
      let lost: Error | undefined
      this.on('error', (error) => {
        lost ??= error
      })
      try {
        await super.connect()
        if (lost) throw lost
        return this
      } catch (error) {
        leave()
        search.lookNow()
        throw error
      }
    }
  }
  return { connection: { ...read.connection, Client: PrimaryClient }, close: search.close }
}

/** Callers that wait for an answer get a lost connection; a pool drops it. */
export function breakOff(client: pg.Client): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } }
  connection.stream.destroy()
}

/** One server, queried over a connection that stays open. */
interface Probe {
  server: Server
  /**
   * The timeline that it writes, which rises with each promotion; undefined when it does not accept writes or does not
   * answer.
   */
  look(): Promise<number | undefined>
  close(): Promise<void>
}

/** The timeline is in the first eight hexadecimal digits of the name of a WAL file. */
const LOOK = {
  name: 'primary_look',
  text: `select case when not pg_is_in_recovery() and current_setting('default_transaction_read_only') = 'off'
    then substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end`,
  rowMode: 'array' as const,
}

function openProbe(server: Server, connection: pg.PoolConfig): Probe {
  let open: pg.Client | undefined

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      stream: () => new GuardedSocket(),
      ...connection,
      application_name: 'anteroom primary',
      connectionTimeoutMillis: ANSWER_LIMIT_MS,
      query_timeout: ANSWER_LIMIT_MS,
    })
    Object.assign(client, server)
    const forget = () => {
      if (open === client) open = undefined
    }
    client.on('error', forget)
    client.on('end', forget)
    await client.connect()
    return client
  }

  return {
    server,
    async look() {
      try {
        open ??= await connect()
        const { rows } = await open.query<[string | null]>(LOOK)
        const timeline = rows[0]?.[0]
        return timeline ? Number.parseInt(timeline, 16) : undefined
      } catch {
        if (open) breakOff(open)
        open = undefined
        return undefined
      }
    },
    async close() {
      await open?.end().catch(() => {})
    },
  }
}

interface Search {
  /** The server that accepts writes, once one is found. @throws Error when there is none within the limit. */
  find(limitMs: number): Promise<Server>
  lookNow(): void
  /** Calls `breakOff` when another server takes over. Returns the function that ends this. */
  use(server: Server, breakOff: () => void): () => void
  close(): Promise<void>
}

function searchPrimary(probes: Probe[], onMove: (server: Server) => void): Search {
  const users = new Map<Server, Set<() => void>>(probes.map(({ server }) => [server, new Set()]))
  let primary: Server | undefined
  const waiting = new Set<(server: Server) => void>()
  let looking: Promise<void> | undefined

  async function look(): Promise<void> {
    const timelines = await Promise.all(probes.map((probe) => probe.look()))
    // A former primary that was restarted still accepts writes, on its old timeline.
    const newest = Math.max(...timelines.map((each) => each ?? 0))
    const isCurrent = primary && timelines[probes.findIndex(({ server }) => server === primary)] === newest
    if (newest === 0 || isCurrent) return
    move(probes[timelines.indexOf(newest)]!.server)
  }

  function move(to: Server): void {
    const before = primary
    primary = to
    for (const resolve of waiting) resolve(to)
    waiting.clear()
    if (before) {
      for (const breakOff of [...(users.get(before) ?? [])]) breakOff()
      onMove(to)
    }
  }

  const lookNow = () => {
    looking ??= look().finally(() => (looking = undefined))
  }
  lookNow()
  const timer = setInterval(lookNow, LOOK_EVERY_MS).unref()

  return {
    find: (limitMs) =>
      new Promise((resolve, reject) => {
        if (primary) return resolve(primary)
        // The driver's own message for a connection timeout.
        const timer = setTimeout(() => reject(new Error('timeout expired')), limitMs)
        waiting.add((server) => {
          clearTimeout(timer)
          resolve(server)
        })
      }),
    lookNow,
    use(server, breakOff) {
      users.get(server)?.add(breakOff)
      return () => users.get(server)?.delete(breakOff)
    },
    async close() {
      clearInterval(timer)
      await looking
      await Promise.all(probes.map((probe) => probe.close()))
    },
  }
}
