// Limits the calls of a subject in a window, over all processes on one database.
// decisions/0012-permissions-and-limits.md.

import { createHash } from 'node:crypto'
import type { Database, Statement } from '../../database/database.ts'
import { type RecentlyUsed, recentlyUsed } from '../../recently-used.ts'

/** The verdict on one call. */
export interface Verdict {
  isGranted: boolean
  limit: number
  windowSeconds: number
  /** The permits that this process knows of in the current window; other processes may use them up. */
  remaining: number
  /** The time until the window ends and a full one starts. */
  resetMs: number
}

export interface RateLimit {
  /**
   * Counts one call: immediately while there are permits in memory or none left in the window, otherwise with a query.
   * A subject is short: a verified id, or an address.
   */
  take(subject: string): Verdict | Promise<Verdict>
  /** Takes back one call of the current window that turned out not to count. */
  giveBack(subject: string): Promise<void>
  /** The number of subjects in memory. */
  readonly subjects: number
}

export interface RateLimitOptions {
  database: Database
  /** Distinguishes the subjects of this limit from those of others. */
  name: string
  limit: number
  windowMs: number
  /** `one by one`: no process keeps permits in reserve. For calls that cost more than the counting. */
  grants?: 'in blocks' | 'one by one'
  /** A clock that is never set. */
  monotonicMs?(): number
}

/** This process's part of a subject's current window. */
interface Share {
  permits: number
  /** The permits left for all processes when the last block was granted. */
  left: number
  /** The number of calls that this process granted: it determines the size of the next block. */
  used: number
  endsAtMs: number
  /** The query in progress. */
  asking: Promise<void> | undefined
  waiting: number
}

/** A block is at most this part of what is left, so that few permits are idle in one process while another refuses. */
const BLOCK_PART = 16
/**
 * Far more subjects than call within a window. Beyond it the least recently used one is dropped, so that unknown
 * callers cannot fill the memory: some 3 MB.
 */
export const SUBJECTS_MAX = 10_000
/** Rows of ended windows are removed at most this often, by any process that grants a block. */
const SWEEP_MS = 60_000

/**
 * A window starts with its subject's first call. Permits are taken in blocks from one row per subject and counted down
 * in memory: never more than the limit over all processes, and up to a sixteenth fewer when several processes share a
 * subject. The database's clock decides when a window ends.
 */
export function createRateLimit(options: RateLimitOptions): RateLimit {
  const { limit, windowMs, grants = 'in blocks', monotonicMs = () => performance.now() } = options
  const shares = recentlyUsed<Share>(SUBJECTS_MAX)
  const askForBlock = blockStatement(options)
  let sweptAt = monotonicMs()

  const verdict = (share: Share, isGranted: boolean): Verdict => ({
    isGranted,
    limit,
    windowSeconds: windowMs / 1000,
    remaining: share.permits + share.left,
    resetMs: Math.max(0, share.endsAtMs - monotonicMs()),
  })
  const grant = (share: Share) => {
    share.permits--
    share.used++
    return verdict(share, true)
  }

  async function ask(subject: string, share: Share): Promise<void> {
    const wanted = grants === 'in blocks' ? Math.max(share.used, share.waiting) : share.waiting
    // Taken before the query, so that our end of the window is never later than the database's.
    const askedAtMs = monotonicMs()
    const [granted, left, endsInMs] = await askForBlock(subject, wanted)
    share.permits = granted
    share.left = left
    share.endsAtMs = askedAtMs + endsInMs
    if (askedAtMs - sweptAt > SWEEP_MS) {
      sweptAt = askedAtMs
      await options.database.rows(sweepStatement)
    }
  }

  async function takeFromDatabase(subject: string, share: Share): Promise<Verdict> {
    share.waiting++
    try {
      while (share.permits === 0) {
        share.asking ??= ask(subject, share).finally(() => {
          share.asking = undefined
        })
        await share.asking
        if (share.permits === 0 && share.left === 0) return verdict(share, false)
      }
      return grant(share)
    } finally {
      share.waiting--
    }
  }

  return {
    take(subject) {
      const share = shareOf(shares, subject, monotonicMs())
      if (share.permits > 0) return grant(share)
      if (share.left === 0 && share.asking === undefined) return verdict(share, false)
      return takeFromDatabase(subject, share)
    },
    async giveBack(subject) {
      await options.database.rows(giveBackStatement, [digestOf(options.name, subject)])
      const share = shares.get(subject)
      if (share) share.left++
    },
    get subjects() {
      return shares.size
    },
  }
}

/** The share of the current window. A new one has granted nothing yet, so that its first call queries the database. */
function shareOf(shares: RecentlyUsed<Share>, subject: string, nowMs: number): Share {
  const known = shares.get(subject)
  if (known && (known.endsAtMs > nowMs || known.asking)) return known
  const share: Share = {
    permits: 0,
    left: Number.POSITIVE_INFINITY,
    used: 0,
    endsAtMs: Number.POSITIVE_INFINITY,
    asking: undefined,
    waiting: 0,
  }
  shares.set(subject, share)
  return share
}

const digestOf = (name: string, subject: string) => createHash('sha256').update(`${name} ${subject}`).digest()

const giveBackStatement: Statement = {
  name: 'call_window_give_back',
  text: 'update call_window set granted = granted - 1 where subject = $1 and granted > 0 and ends_at > clock_timestamp()',
}

/**
 * Skips windows that are being counted in: this statement must not wait while holding locks
 * (decisions/0021-lock-order.md).
 */
const sweepStatement = `with over as materialized (select subject from call_window where ends_at < now() for update skip locked)
  delete from call_window using over where call_window.subject = over.subject`

/** Requests a block: returns its number of permits, the permits left after it, and the end of the window. */
function blockStatement({ database, name, limit, windowMs, grants }: RateLimitOptions) {
  const part = grants === 'one by one' ? 1 : BLOCK_PART
  return async (subject: string, wanted: number): Promise<[number, number, number]> => {
    const row = await database.row(grantStatement, [digestOf(name, subject), windowMs, limit, wanted, part])
    return row?.map(Number) as [number, number, number]
  }
}

/**
 * One statement for a current window, an ended one and a new one. A window that ends later than possible is from before
 * the database's clock was set back.
 */
const grantStatement: Statement = {
  name: 'call_window_grant',
  text: `insert into call_window as known (subject, ends_at, granted, block)
    select $1, clock_timestamp() + $2::float8 * interval '1 ms', block, block
    from (select least($3::int, greatest(1, least($4::int, $3::int / $5::int)))) first (block)
    on conflict (subject) do update set (ends_at, granted, block) = (
      select case when is_over then excluded.ends_at else known.ends_at end, taken + block, block
      from (select known.ends_at <= clock_timestamp() or known.ends_at > excluded.ends_at + $2::float8 * interval '1 ms') ended (is_over),
        lateral (select case when is_over then 0 else known.granted end) granted (taken),
        lateral (select greatest(0, least($3::int - taken, greatest(1, least($4::int, ($3::int - taken) / $5::int))))) present (block))
    returning block, greatest(0, $3::int - granted), extract(epoch from ends_at - clock_timestamp()) * 1000`,
}
