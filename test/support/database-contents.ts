// The complete content of a service, for comparisons: every row of every table, and the consistency between tables.
import type { Database } from '../../src/platform/database/database.ts'

/** The number of rows of every table and a digest over all of them, which does not depend on their order. */
export async function digestTables(database: Database): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const table of await tableNames(database)) {
    const row = await database.row(
      `select count(*), md5(coalesce(string_agg(md5(t::text), '' order by md5(t::text)), '')) from public.${table} t`,
    )
    found[table] = (row ?? []).join(' ')
  }
  return found
}

/** The tables of a backup: unlogged ones are excluded, because a crash empties them too. */
export async function tableNames(database: Database): Promise<string[]> {
  const rows = await database.rows(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relpersistence = 'p' order by 1`,
  )
  return rows.map(([name]) => name ?? '')
}

/**
 * Inconsistencies of a partial copy: a head without its history, a history without its head or with a gap, a clock with a wrong
 * count, an upload without its version. Returns those that it finds.
 */
export async function findInconsistencies(database: Database): Promise<string[]> {
  const tables = await tableNames(database)
  const heads = tables.filter((table) => tables.includes(`${table}_history`))
  const tears: string[] = []
  const count = async (what: string, sql: string) => {
    const row = await database.row(`select count(*) from (${sql}) torn`)
    if (row?.[0] !== '0') tears.push(`${row?.[0]} ${what}`)
  }
  for (const head of heads) {
    await count(
      `${head} whose history is not 1 to its version`,
      `select from ${head} h where (select array_agg(version order by version) from ${head}_history v
        where v.organization_id = h.organization_id and v.id = h.id)
        is distinct from (select array_agg(n) from generate_series(1, h.version) n)`,
    )
    await count(
      `${head} that differ from their latest version`,
      `select from ${head} h join ${head}_history v using (organization_id, id, version) where h.body <> v.body`,
    )
    await count(
      `versions of ${head} without it`,
      `select from ${head}_history v where not exists (select from ${head} h where (h.organization_id, h.id) = (v.organization_id, v.id))`,
    )
    await count(
      `clocks that do not count every ${head}`,
      `select from change_clock c where record_type = '${head}'
        and total <> (select count(*) from ${head} h where h.organization_id = c.organization_id)`,
    )
  }
  await count(
    'uploads without the version that they wrote',
    `select from image_content c where not exists (select from image_history v
      where (v.organization_id, v.id, v.version) = (c.organization_id, c.image_id, c.version))`,
  )
  return tears
}
