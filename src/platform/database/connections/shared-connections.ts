import type { Writable } from 'node:stream'
import type pg from 'pg'
import { CONNECT_TIMEOUT_MS, notConnected, untilConnected } from './connections.ts'

/** Connections that carry the statements of many callers at once, answered in order. */
export interface SharedConnections {
  /**
   * For statements that read a row or two by key: one that waits would delay all statements behind it. A promise only while it is being
   * opened.
   */
  client(): pg.Client | Promise<pg.Client>
  close(): Promise<void>
}

/** The connections whose statements wait for the end of the turn. */
const held = new WeakSet<pg.Client>()

/**
 * Holds what is written to a connection until the end of this turn of the event loop, and sends it at once: the driver itself makes
 * a system call of each statement, and PostgreSQL wakes up for each (bench/peers.md).
 */
function sendTogether(client: pg.Client): void {
  if (held.has(client)) return
  held.add(client)
  // The driver's types do not have its connection.
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection
  stream.cork()
  setImmediate(() => {
    held.delete(client)
    stream.uncork()
  })
}

/** Two connections keep two cores of PostgreSQL busy; more would only split the batches. */
const CONNECTIONS = 2

/**
 * Point reads without a separate round trip: statements of the same moment are sent in one packet and answered in one.
 * Measured at half the CPU time of a read over a pooled connection (bench/results.md). A lost connection is reopened by
 * the next statement.
 */
export function openSharedConnections(
  config: pg.ClientConfig & { Client: typeof pg.Client },
  onError: (error: Error) => void,
  connections = CONNECTIONS,
): SharedConnections {
  const slots: (pg.Client | Promise<pg.Client> | undefined)[] = Array.from({ length: connections })
  let turn = 0

  async function openClient(slot: number): Promise<pg.Client> {
    const client = new config.Client(config)
    client.on('error', onError)
    await client.connect()
    client.once('end', () => {
      if (slots[slot] === client) slots[slot] = undefined
    })
    slots[slot] = client
    return client
  }

  function connect(slot: number): Promise<pg.Client> {
    const connecting = untilConnected(
      () => openClient(slot),
      config.connectionTimeoutMillis ?? CONNECT_TIMEOUT_MS,
    ).catch((error) => {
      slots[slot] = undefined
      return notConnected(error)
    })
    slots[slot] = connecting
    return connecting
  }

  const together = (client: pg.Client) => {
    sendTogether(client)
    return client
  }

  return {
    client() {
      turn = (turn + 1) % connections
      const slot = slots[turn] ?? connect(turn)
      return slot instanceof Promise ? slot.then(together) : together(slot)
    },
    async close() {
      const open = await Promise.allSettled(slots)
      await Promise.all(open.map((slot) => (slot.status === 'fulfilled' ? slot.value?.end() : undefined)))
    },
  }
}
