// At most so many calls of a subject in a window, over all processes on one database. decisions/0012-permissions-and-limits.md.

import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Database, Statement } from '../database/database.ts'

/** What became of one call. */
export interface Verdict {
  isGranted: boolean
  limit: number
  windowSeconds: number
  /** How many more this process knows of in the present window: other processes may use them up. */
  remaining: number
  /** Until the window ends and a full one begins. */
  resetMs: number
}

export interface RateLimit {
  /**
   * Counts one call: at once while there are permits in memory or none in the window, else by way of the database. A subject is short:
   * an id that was looked at, an address.
   */
  take(subject: string): Verdict | Promise<Verdict>
  /** Undoes one call of the present window that turned out not to count. */
  giveBack(subject: string): Promise<void>
  /** How many subjects are kept in memory. */
  readonly subjects: number
}

export interface RateLimitOptions {
  database: Database
  /** Tells the subjects of one limit from those of another. */
  name: string
  limit: number
  windowMs: number
  /** `one by one`: no process keeps permits that another may want. For calls that cost more than the counting. */
  grants?: 'in blocks' | 'one by one'
  /** A clock that nobody sets. */
  monotonicMs?(): number
}

/** What this process holds of a subject's present window. */
interface Share {
  permits: number
  /** Left for all processes when the last block was granted. */
  left: number
  /** How many calls it granted itself: the measure of the next block. */
  used: number
  endsAtMs: number
  /** The query that is under way. */
  asking: Promise<void> | undefined
  waiting: number
}

/** A block is at most this part of what is left, so that little lies idle in one process while another refuses. */
const BLOCK_PART = 16
/** Far more than call within a window; beyond it the longest unused is forgotten, so that strangers cannot fill the memory: some 3 MB. */
export const SUBJECTS_MAX = 10_000
/** Rows of windows that have ended are removed at most this often, by whichever process grants something. */
const SWEEP_MS = 60_000

/**
 * A window begins with its subject's first call. Permits come in blocks from one row a subject and are counted down in memory: never
 * more than the limit over all processes, up to a sixteenth fewer where several share a subject. The database's clock decides
 * when a window ends.
 */
export function createRateLimit(options: RateLimitOptions): RateLimit {
  const { limit, windowMs, grants = 'in blocks', monotonicMs = () => performance.now() } = options
  const shares = new LRUCache<string, Share>({ max: SUBJECTS_MAX })
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
    // Before the query, so that our end of the window never comes after the database's.
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

/** The share of the present window; a new one has everything left and nothing granted, so that its first call asks. */
function shareOf(shares: LRUCache<string, Share>, subject: string, nowMs: number): Share {
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

/** A window that is counted in at this moment is left to the next sweep: nobody waits here while holding rows (decisions/0021-lock-order.md). */
const sweepStatement = `with over as materialized (select subject from call_window where ends_at < now() for update skip locked)
  delete from call_window using over where call_window.subject = over.subject`

/** Asks for a block: how many permits it has, how many are left after it, and when the window ends. */
function blockStatement({ database, name, limit, windowMs, grants }: RateLimitOptions) {
  const part = grants === 'one by one' ? 1 : BLOCK_PART
  return async (subject: string, wanted: number): Promise<[number, number, number]> => {
    const row = await database.row(grantStatement, [digestOf(name, subject), windowMs, limit, wanted, part])
    return row?.map(Number) as [number, number, number]
  }
}

/**
 * One statement for a window that goes on, one that has ended, and one that never was. A window that ends later than any can is
 * one from before the database's clock was put back.
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
