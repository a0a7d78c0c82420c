// How a statement gets a connection: from a pool that organizations share fairly, or from a pool with another purpose.
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { backOffMs } from '../../back-off.ts'
import { createFairShare } from '../../fair-share.ts'
import { breaksConnection, DatabaseBusy, isConnectionFailure, isOutOfConnections, NotConnected } from '../errors.ts'
import { cancelWhen } from './cancel-statement.ts'

/** A connection for one statement or one transaction. */
export interface Lease {
  client: pg.PoolClient
  /** With an error the connection is closed and never reused. */
  release(broken?: Error): void
}

/**
 * Connects on behalf of an organization; '' is for none. When `gone` is aborted, the caller stops waiting, and a statement of the lease that
 * is still running is cancelled.
 * @throws DatabaseBusy when its turn does not come, and the reason of `gone`.
 */
export type Connect = (organization: string, gone?: AbortSignal) => Promise<Lease>

export const CONNECT_TIMEOUT_MS = 5_000
/** Beyond this many waiting calls, further ones are refused at once, because they would time out before their turn. */
const MAX_WAITING = 1000

/** How soon to try again while PostgreSQL has no free connection. */
const NONE_FREE = { firstMs: 40, longestMs: 500 }
/**
 * An attempt that ends this long after its own limit shows that this process was suspended, and has not seen what
 * arrived meanwhile.
 */
const STOOD_STILL_MS = 500

/**
 * Opens a connection. While PostgreSQL has none free, it retries until the limit, as a pool does when its own are
 * taken. An attempt whose limit passed while this process was suspended is repeated once. Nothing has been sent at that
 * point. decisions/0051-steady-tests.md
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

/** Connects at the first statement. A lost connection is reported to `onError` and replaced by a new one. The caller ends the pool. */
export function openPool(config: pg.PoolConfig, onError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool(config)
  // An idle connection that the server closed must not end the process; the pool opens a new one.
  pool.on('error', onError)
  // Nor must a connection that is lost within a transaction: its statement fails, and that is reported.
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}

/** Rejects with NotConnected. */
export const notConnected = (error: Error): never => {
  throw new NotConnected(error)
}

const connectPool = (pool: pg.Pool) =>
  untilConnected(() => pool.connect(), pool.options.connectionTimeoutMillis ?? CONNECT_TIMEOUT_MS).catch(notConnected)

/**
 * Runs `work` on a connection. One that fails is not used again: the pool would drop it once its socket has closed,
 * which may happen long after PostgreSQL's last message, or never.
 */
export async function onConnection<T>(
  connect: Connect,
  organization: string,
  work: (client: pg.PoolClient) => Promise<T>,
  gone?: AbortSignal,
): Promise<T> {
  const { client, release } = await connect(organization, gone)
  let broken: Error | undefined
  try {
    return await work(client)
  } catch (error) {
    if (breaksConnection(error)) broken = error as Error
    throw error
  } finally {
    release(broken)
  }
}

/** Cancels the statement that runs when the caller leaves; the connection is free again when it can no longer hit another statement. */
function leaseOf(lease: Lease, gone: AbortSignal | undefined): Lease {
  if (!gone) return lease
  const settle = cancelWhen(gone, lease.client)
  return {
    client: lease.client,
    release(broken) {
      const cancelling = settle()
      if (cancelling) void cancelling.then((lost) => lease.release(broken ?? lost))
      else lease.release(broken)
    },
  }
}

/** `waiting` is the number of calls that wait for their organization's turn; the pool does not know of them. */
export type FairConnect = Connect & { waiting(): number }

/** First come, first served: for work that is not done for one organization. */
export function connectTo(pool: pg.Pool): Connect {
  return async (_organization, gone) => {
    if (pool.waitingCount >= MAX_WAITING) throw new DatabaseBusy()
    const client = await connectPool(pool)
    return leaseOf({ client, release: (broken) => client.release(broken) }, gone)
  }
}

/**
 * No organization takes all connections, however long its statements run, and waiting organizations take turns.
 * decisions/0019-fairness.md
 */
export function connectFairly(pool: pg.Pool): FairConnect {
  const share = createFairShare({
    places: pool.options.max,
    maxWaiting: MAX_WAITING,
    patienceMs: CONNECT_TIMEOUT_MS,
  })
  const waitForTurn = async (organization: string, gone: AbortSignal | undefined) => {
    try {
      await share.enter(organization, gone)
    } catch (cause) {
      gone?.throwIfAborted()
      throw new DatabaseBusy('timed out waiting for a database connection', { cause })
    }
  }
  const connect: Connect = async (organization, gone) => {
    gone?.throwIfAborted()
    if (!share.tryEnter(organization)) await untilConnected(() => waitForTurn(organization, gone), CONNECT_TIMEOUT_MS)
    try {
      const client = await connectPool(pool)
      const release = (broken?: Error) => {
        client.release(broken)
        share.leave(organization)
      }
      return leaseOf({ client, release }, gone)
    } catch (error) {
      share.leave(organization)
      throw error
    }
  }
  return Object.assign(connect, { waiting: () => share.waiting })
}
