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
export const watchReplica = (
  primary: Database,
  replica: Replica,
  onChange: (standing: ReplicaStanding) => void,
): ReplicaWatch => new Watch(primary, replica, onChange)

class Watch implements ReplicaWatch {
  readonly #primary: Database
  readonly #replica: Replica
  readonly #onChange: (standing: ReplicaStanding) => void
  readonly #beats: ReturnType<typeof createBeats>
  /** Rejects the reads that the replica is answering. */
  readonly #inFlight = new Set<(error: Error) => void>()
  readonly #askPrimary = gathered(() => this.#readPosition())
  readonly #askReplica = gathered(() => this.#lookAtReplica())
  #standing: ReplicaStanding = 'unknown'
  #replayed = 0n
  #beatAt = Number.NaN
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined

  constructor(primary: Database, replica: Replica, onChange: (standing: ReplicaStanding) => void) {
    this.#primary = primary
    this.#replica = replica
    this.#onChange = onChange
    this.#beats = createBeats(primary)
  }

  isInUse(): boolean {
    return this.#standing === 'in use'
  }

  standing(): ReplicaStanding {
    return this.#standing
  }

  lagSeconds(): number {
    return Math.max(0, this.#beats.latestAt() - this.#beatAt)
  }

  start(): void {
    this.#lookNow()
    this.#timer ??= setInterval(() => this.#lookNow(), LOOK_EVERY_MS).unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#looking
  }

  async catchUp(): Promise<Wanted> {
    const wanted = await this.#askPrimary()
    if (await this.#reach(wanted.position)) return wanted
    // Reads until the next look do not wait for nothing.
    this.#become('behind')
    throw new ReplicaBehind('the replica has not replayed what the read must see')
  }

  whileItAnswers<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#inFlight.add(reject)
      work.then(resolve, reject).finally(() => this.#inFlight.delete(reject))
    })
  }

  #lookNow(): void {
    this.#looking ??= this.#look()
      // The standing says it.
      .catch(() => {})
      .finally(() => (this.#looking = undefined))
  }

  async #look(): Promise<void> {
    let wanted: Wanted
    try {
      await this.#beats.renew()
      wanted = await this.#askPrimary()
    } catch {
      return this.#become('unknown')
    }
    const first = await this.#askReplica()
    if (first.replayed === undefined) return this.#become('primary')
    if (!first.isRestricted) return this.#become('unprotected')
    if (!(await this.#reach(wanted.position))) return this.#become('behind')
    this.#become(shows(await this.#askReplica(), wanted) ? 'in use' : 'foreign')
  }

  #become(next: ReplicaStanding): void {
    if (next === this.#standing) return
    this.#standing = next
    this.#onChange(next)
  }

  async #readPosition(): Promise<Wanted> {
    const [timeline = '', position = '0/0'] = (await this.#primary.row(positionStatement)) ?? []
    return { position: readPosition(position), isOwn: (token) => this.#beats.isOwn(token, timeline) }
  }

  async #lookAtReplica() {
    try {
      const state = await this.#replica.look()
      this.#replayed = state.replayed ?? 0n
      this.#beatAt = state.beatAt
      return state
    } catch (error) {
      this.#become('unreachable')
      this.#beatAt = Number.NaN
      this.#replica.breakOff()
      for (const leave of this.#inFlight) leave(error as Error)
      throw error
    }
  }

  /** Whether the replica has replayed up to `position`, or does so within CATCH_UP_MS. */
  async #reach(position: bigint): Promise<boolean> {
    const deadline = performance.now() + CATCH_UP_MS
    while (this.#replayed < position) {
      await this.#askReplica()
      if (this.#replayed >= position) break
      if (performance.now() > deadline) return false
      await delay(POLL_MS)
    }
    return true
  }
}
