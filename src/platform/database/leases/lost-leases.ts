// Leases that were not renewed in time. A lease also expires while the database does not answer: its holder still works, and renews the
// lease as soon as it can. So a row is taken from a holder only when its lease was expired, and is still, after the time in which every
// holder renews. decisions/0034-leases.md
import { RENEW_EVERY_MS } from './leases.ts'

/** A holder that works renews within this time of the first moment at which the database answers again. */
const RENEWED_WITHIN_MS = RENEW_EVERY_MS + 2_250
/** A row that was not taken by then was renewed; if it expires again, it is a new case. */
const FORGOTTEN_AFTER_MS = 2 * RENEWED_WITHIN_MS

/** The expired leases that one process has seen, by the id of the row. */
export interface LostLeases {
  /** Rows that are left to their holders for now. */
  left(): string[]
  /** Rows that may be taken from their holders. */
  lost(): string[]
  /** Notes rows whose leases have expired, and rows that were taken. */
  note(rows: { expired: readonly string[]; taken: readonly string[] }): void
}

/** `clock` counts milliseconds and is never set. */
export function createLostLeases(clock: () => number = () => performance.now()): LostLeases {
  const firstSeen = new Map<string, number>()
  const aged = (from: number, to: number) => {
    const now = clock()
    for (const [id, at] of firstSeen) if (now - at >= FORGOTTEN_AFTER_MS) firstSeen.delete(id)
    return [...firstSeen].filter(([, at]) => now - at >= from && now - at < to).map(([id]) => id)
  }
  return {
    left: () => aged(0, RENEWED_WITHIN_MS),
    lost: () => aged(RENEWED_WITHIN_MS, FORGOTTEN_AFTER_MS),
    note({ expired, taken }) {
      for (const id of taken) firstSeen.delete(id)
      for (const id of expired) if (!firstSeen.has(id)) firstSeen.set(id, clock())
    },
  }
}
