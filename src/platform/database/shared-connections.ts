import type pg from 'pg'
import { CONNECT_TIMEOUT_MS, untilConnected } from './connections.ts'
import type { Statement, TextRow } from './database.ts'
import type { RowLevelSecurity } from './row-level-security.ts'

/** Connections on which many callers' statements are in flight at once, answered in order. */
export interface SharedConnections {
  /** For statements that read a row or two by key: one that waits would hold up all behind it. */
  rows(statement: Statement, values: unknown[]): Promise<TextRow[]>
  close(): Promise<void>
}

/** Two keep two cores of PostgreSQL busy; more only take statements from each other's batches. */
const CONNECTIONS = 2

/**
 * Point reads without a round trip of their own: statements of the same moment leave in one packet and come back in one. Measured
 * at half the CPU time a read of a pooled connection (bench/results.md). A lost connection is made again at the next statement.
 */
export function openSharedConnections(
  config: pg.ClientConfig & { Client: typeof pg.Client },
  security: RowLevelSecurity,
  onError: (error: Error) => void,
): SharedConnections {
  const slots: (Promise<pg.Client> | undefined)[] = Array.from({ length: CONNECTIONS })
  let turn = 0

  async function openClient(onEnd: () => void): Promise<pg.Client> {
    const client = new config.Client(config)
    client.on('error', onError)
    await client.connect()
    client.once('end', onEnd)
    return client
  }

  function connect(slot: number): Promise<pg.Client> {
    const forget = () => {
      if (slots[slot] === connecting) slots[slot] = undefined
    }
    const connecting = untilConnected(
      () => openClient(forget),
      config.connectionTimeoutMillis ?? CONNECT_TIMEOUT_MS,
    ).catch((error) => {
      forget()
      throw error
    })
    slots[slot] = connecting
    return connecting
  }

  return {
    async rows(statement, values) {
      turn = (turn + 1) % CONNECTIONS
      const client = await (slots[turn] ?? connect(turn))
      return security.ask(client, statement, values)
    },
    async close() {
      const open = await Promise.allSettled(slots)
      await Promise.all(open.map((slot) => (slot.status === 'fulfilled' ? slot.value?.end() : undefined)))
    },
  }
}
