// The indexes of words and numbers take up to fifty entries of one patient. A write puts them into a list at the end of the index, and the list
// is merged into the index for many patients at once. Every search reads the list, so it is merged soon and is short by its definition.
// decisions/0134-index-entries-in-lists.md
import type { FastifyBaseLogger } from 'fastify'
import { repeat } from '../repeat.ts'
import type { SystemDatabase } from './database.ts'

const MERGE_EVERY_MS = 5_000

/** Only the owner of an index may; elsewhere PostgreSQL merges the list when it is full, and in vacuum. */
const mergeStatement = {
  name: 'index_entries_merge',
  text: `select sum(gin_clean_pending_list(c.oid)) from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'i' and c.reloptions @> array['fastupdate=on']
      and pg_has_role(c.relowner, 'usage')`,
}

/** Returns the number of pages that the lists had. */
export async function mergeIndexEntries(database: SystemDatabase): Promise<number> {
  const row = await database.row(mergeStatement)
  return Number(row?.[0] ?? 0)
}

/** Merges the lists every few seconds. Any number of processes may do so: they wait for each other, and no write waits for them. */
export function startMerging(database: SystemDatabase, log: FastifyBaseLogger): { stop(): void } {
  const failure = 'the new entries of indexes could not be merged'
  return repeat(() => mergeIndexEntries(database), { everyMs: MERGE_EVERY_MS, failure, log })
}
