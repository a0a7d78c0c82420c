// The tables that exist, the parts of them that go into a backup, and the order in which they are restored.
import type pg from 'pg'

export interface TableShape {
  name: string
  /** The columns that the database does not generate. */
  columns: string[]
}

/**
 * Every table of the schema, referenced tables before the tables that refer to them. Unlogged tables are left out: the
 * database itself may lose their content.
 */
export async function listTables(client: pg.Client): Promise<TableShape[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; refers_to: string[] }>(
    `select c.relname as name,
      (select coalesce(json_agg(a.attname order by a.attnum), '[]') from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      (select coalesce(json_agg(f.confrelid::regclass::name), '[]') from pg_constraint f
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as refers_to
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p'
    order by c.relname`,
  )
  const tables = new Map(rows.map((row) => [row.name, row]))
  const ordered = new Map<string, TableShape>()
  const place = ({ name, columns, refers_to }: (typeof rows)[number]) => {
    if (ordered.has(name)) return
    for (const other of refers_to) {
      const table = tables.get(other)
      if (table) place(table)
    }
    ordered.set(name, { name, columns })
  }
  for (const row of rows) place(row)
  return [...ordered.values()]
}

/** The state of each sequence. Sequences are not transactional, so they are never behind the rows of a snapshot. */
export async function readSequences(client: pg.Client): Promise<Record<string, [value: string, isCalled: boolean]>> {
  const { rows } = await client.query<{ name: string }>(
    `select sequencename as name from pg_sequences where schemaname = 'public' order by 1`,
  )
  const found: Record<string, [string, boolean]> = {}
  for (const { name } of rows) {
    const state = await client.query<{ last_value: string; is_called: boolean }>(
      `select last_value::text, is_called from ${quoted(name)}`,
    )
    const [row] = state.rows
    if (row) found[name] = [row.last_value, row.is_called]
  }
  return found
}

/** A name as an identifier of SQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** For SQL: quoted, in the order of the table. */
export function columnList({ columns }: Pick<TableShape, 'columns'>): string {
  return columns.map(quoted).join(', ')
}

/** `table (columns)` for COPY. */
export function copyTarget({ name, columns }: TableShape): string {
  return `public.${quoted(name)} (${columnList({ columns })})`
}
