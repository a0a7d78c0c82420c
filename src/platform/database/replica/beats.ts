// Signs of life of the primary, by which a standby shows that it follows this primary. decisions/0070-reads-from-a-replica.md
import type { Database } from '../database.ts'

interface Beats {
  /** Writes the next one, unless another process has just done so. */
  renew(): Promise<void>
  /** Whether our primary wrote this token a moment ago, on this timeline. */
  isOwn(token: string, timeline: string): boolean
  /** When the latest one was written, in seconds by the primary's clock. */
  latestAt(): number
}

const RENEW_SECONDS = 0.8
/** A standby that shows nothing newer is not in use. */
const VALID_MS = 5_000

/**
 * The commit does not wait for standbys, because a frozen one would hold the row against the other processes. The
 * timeline is in the first eight hexadecimal digits of the name of a WAL file.
 */
const renewStatement = {
  name: 'replica_beat_renew',
  text: `with present (timeline, at) as (
      select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8), clock_timestamp()
      from (select set_config('synchronous_commit', 'local', true)) setting
    ), renewed as (
      insert into replica_beat as last (timeline, at, token) select timeline, at, gen_random_uuid() from present
      on conflict (one) do update set timeline = excluded.timeline, at = excluded.at, token = excluded.token
        where last.timeline <> excluded.timeline
          or last.at not between excluded.at - interval '${RENEW_SECONDS} s' and excluded.at
      returning token, timeline, at
    )
    select token, timeline, extract(epoch from at) from renewed
    union all select token, timeline, extract(epoch from at) from replica_beat where not exists (select from renewed)`,
}

/** Writes nothing by itself: `renew` is called every second. Tokens of other processes count once `renew` has read them. */
export function createBeats(primary: Database): Beats {
  const known = new Map<string, { timeline: string; seenAt: number }>()
  let latest = Number.NaN
  return {
    async renew() {
      const [token, timeline, at] = (await primary.row(renewStatement)) ?? []
      const now = performance.now()
      for (const [each, { seenAt }] of known) if (now - seenAt > VALID_MS) known.delete(each)
      // Another process may have written the first one since this statement began.
      if (token === undefined || timeline === undefined) return
      known.set(token, { timeline, seenAt: now })
      latest = Number(at)
    },
    isOwn(token, timeline) {
      const beat = known.get(token)
      return beat?.timeline === timeline && performance.now() - beat.seenAt <= VALID_MS
    },
    latestAt: () => latest,
  }
}
