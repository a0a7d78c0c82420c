import type { SystemDatabase } from './database.ts'

const clockStatement = { name: 'clock_read', text: 'select extract(epoch from clock_timestamp()) * 1000' }

/** The time of the database's clock, in milliseconds. */
export async function readClock(database: Pick<SystemDatabase, 'row'>): Promise<number> {
  return Number((await database.row(clockStatement, []))?.[0])
}

/**
 * The instant so many days ago, by the clock that is behind: the service's or the database's. Of several servers one with a clock that is ahead
 * would delete for all what is not old, and cannot be restored.
 */
export async function daysAgo(
  { systemDatabase, now }: { systemDatabase: SystemDatabase; now: () => Date },
  days: number,
): Promise<string> {
  const present = Math.min(now().getTime(), await readClock(systemDatabase))
  return new Date(present - days * 86_400_000).toISOString()
}
