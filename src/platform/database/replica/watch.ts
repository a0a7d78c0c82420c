// Whether the replica may answer reads: watched every second. decisions/0070-reads-from-a-replica.md
import { setTimeout as delay } from 'node:timers/promises'
import { gathered } from '../../gathered.ts'
import type { Database } from '../database.ts'
import { createBeats } from './beats.ts'
import { type Replica, ReplicaBehind, readPosition, shows, type Wanted } from './replica.ts'

/**
 * `foreign`: it does not show the signs of life of our primary. `primary`: it accepts writes, because it was promoted.
 * `unknown`: the primary could not be asked.
 */
export type ReplicaStanding = 'in use' | 'behind' | 'unreachable' | 'primary' | 'foreign' | 'unprotected' | 'unknown'

interface ReplicaWatch {
  isInUse(): boolean
  /** What a read that begins now must see, once the replica has replayed it. @throws ReplicaBehind */
  catchUp(): Promise<Wanted>
  /** The result of `work`, or an error as soon as the replica is found not to answer. */
  whileItAnswers<T>(work: Promise<T>): Promise<T>
  standing(): ReplicaStanding
  /** How much older the replica's state is than the primary's, to a second. */
  lagSeconds(): number
  start(): void
  stop(): Promise<void>
}

const LOOK_EVERY_MS = 1_000
/** A read that would wait longer goes to the primary. */
const CATCH_UP_MS = 50
const POLL_MS = 2

/**
 * Everything that is visible at the primary is in its log up to here. Without synchronous commits it may not have been
 * flushed yet.
 */
const positionStatement = {
  name: 'replica_position',
  text: `select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8),
    case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end`,
}

/** Asks both servers every second from `start` to `stop`. `onChange` is called with every new standing. */
export function watchReplica(
  primary: Database,
  replica: Replica,
  onChange: (standing: ReplicaStanding) => void,
): ReplicaWatch {
  const beats = createBeats(primary)
  const inFlight = new Set<(error: Error) => void>()
  let standing: ReplicaStanding = 'unknown'
  let replayed = 0n
  let beatAt = Number.NaN
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined

  const become = (next: ReplicaStanding) => {
    if (next === standing) return
    standing = next
    onChange(next)
  }

  const askPrimary = gathered(async (): Promise<Wanted> => {
    const [timeline = '', position = '0/0'] = (await primary.row(positionStatement)) ?? []
    return { position: readPosition(position), isOwn: (token) => beats.isOwn(token, timeline) }
  })

  const askReplica = gathered(async () => {
    try {
      const state = await replica.look()
      replayed = state.replayed ?? 0n
      beatAt = state.beatAt
      return state
    } catch (error) {
      become('unreachable')
      beatAt = Number.NaN
      replica.breakOff()
      for (const leave of inFlight) leave(error as Error)
      throw error
    }
  })

  async function reach(position: bigint): Promise<boolean> {
    const deadline = performance.now() + CATCH_UP_MS
    while (replayed < position) {
      await askReplica()
      if (replayed >= position) break
      if (performance.now() > deadline) return false
      await delay(POLL_MS)
    }
    return true
  }

  async function look(): Promise<void> {
    let wanted: Wanted
    try {
      await beats.renew()
      wanted = await askPrimary()
    } catch {
      return become('unknown')
    }
    const first = await askReplica()
    if (first.replayed === undefined) return become('primary')
    if (!first.isRestricted) return become('unprotected')
    if (!(await reach(wanted.position))) return become('behind')
    become(shows(await askReplica(), wanted) ? 'in use' : 'foreign')
  }

  const lookNow = () => {
    looking ??= look()
      // The standing says it.
      .catch(() => {})
      .finally(() => (looking = undefined))
  }

  return {
    isInUse: () => standing === 'in use',
    async catchUp() {
      const wanted = await askPrimary()
      if (await reach(wanted.position)) return wanted
      // Reads until the next look do not wait for nothing.
      become('behind')
      throw new ReplicaBehind('the replica has not replayed what the read must see')
    },
    whileItAnswers: (work) =>
      new Promise((resolve, reject) => {
        inFlight.add(reject)
        work.then(resolve, reject).finally(() => inFlight.delete(reject))
      }),
    standing: () => standing,
    lagSeconds: () => Math.max(0, beats.latestAt() - beatAt),
    start() {
      lookNow()
      timer ??= setInterval(lookNow, LOOK_EVERY_MS).unref()
    },
    async stop() {
      clearInterval(timer)
      await looking
    },
  }
}
