// How a statement comes to a connection: from a pool that the organizations share fairly, or from one that has another purpose.
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { backOffMs } from '../back-off.ts'
import { createFairShare } from '../fair-share.ts'
import { DatabaseBusy, isConnectionFailure, isOutOfConnections } from './errors.ts'

/** A connection for one statement or one transaction. */
export interface Lease {
  client: pg.PoolClient
  /** With an error the connection is closed and never used again. */
  release(broken?: Error): void
}

/** Connects on behalf of an organization; '' is for none. @throws DatabaseBusy when its turn does not come. */
export type Connect = (organization: string) => Promise<Lease>

export const CONNECT_TIMEOUT_MS = 5_000
/** What waits for a connection beyond this many is refused at once: it would give up before its turn. */
const MAX_WAITING = 1000

/** While PostgreSQL has no connection free, of whoever uses it: how soon it is asked again. */
const NONE_FREE = { firstMs: 40, longestMs: 500 }
/** An attempt that ends this much after its own limit says that this process stood still: it has not looked at what came meanwhile. */
const STOOD_STILL_MS = 500

/**
 * Makes a connection. PostgreSQL that has none free for the moment is asked again until the limit, as a pool waits for one of its own;
 * an attempt whose limit passed while this process stood still is repeated once. Nothing has been sent before.
 * decisions/0051-steady-tests.md
 */
export async function untilConnected<T>(connect: () => Promise<T>, timeoutMs: number): Promise<T> {
  const startedAt = performance.now()
  let stoodStill = false
  for (let failures = 1; ; failures++) {
    const triedAt = performance.now()
    try {
      return await connect()
    } catch (error) {
      const now = performance.now()
      const isLate = isConnectionFailure(error) && now - triedAt > timeoutMs + STOOD_STILL_MS
      const waitMs = backOffMs(NONE_FREE, failures)
      if (isLate && !stoodStill) stoodStill = true
      else if (isOutOfConnections(error) && now + waitMs - startedAt < timeoutMs) await delay(waitMs)
      else throw error
    }
  }
}

export function openPool(config: pg.PoolConfig, onError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool(config)
  // An idle connection that the server closed must not end the process; the pool makes a new one.
  pool.on('error', onError)
  // Neither must one that dies in the middle of a transaction: its statement fails, and that is told.
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}

const connectPool = (pool: pg.Pool) =>
  untilConnected(() => pool.connect(), pool.options.connectionTimeoutMillis ?? CONNECT_TIMEOUT_MS)

/** First come, first served: for what does not act for one organization. */
export function connectTo(pool: pg.Pool): Connect {
  return async () => {
    if (pool.waitingCount >= MAX_WAITING) throw new DatabaseBusy()
    const client = await connectPool(pool)
    return { client, release: (broken) => client.release(broken) }
  }
}

/** No organization takes all connections, however long its statements run, and those that wait take turns. decisions/0019-fairness.md */
export function connectFairly(pool: pg.Pool): Connect {
  const share = createFairShare({ places: pool.options.max, maxWaiting: MAX_WAITING })
  const waitForTurn = async (organization: string) => {
    try {
      await share.enter(organization, AbortSignal.timeout(CONNECT_TIMEOUT_MS))
    } catch (cause) {
      throw new DatabaseBusy('no connection became free', { cause })
    }
  }
  return async (organization) => {
    if (!share.tryEnter(organization)) await untilConnected(() => waitForTurn(organization), CONNECT_TIMEOUT_MS)
    try {
      const client = await connectPool(pool)
      return {
        client,
        release(broken) {
          client.release(broken)
          share.leave(organization)
        },
      }
    } catch (error) {
      share.leave(organization)
      throw error
    }
  }
}
