import type { Database } from '../../src/platform/database/database.ts'

/**
 * Lets PostgreSQL refuse these writes, as it does where a row cannot be read or written. Resolves to a function that ends it.
 * @param when as in `create trigger`: `before update on eligibility_check`.
 * @param condition over the row `old` or `new`, without other tables.
 */
export async function refuseWrites(
  database: Pick<Database, 'rows'>,
  when: string,
  condition: string,
): Promise<() => Promise<void>> {
  await database.rows(`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`)
  await database.rows(`create trigger refuse ${when} for each row when (${condition}) execute function refuse()`)
  return async () => {
    await database.rows('drop function refuse cascade')
  }
}

/**
 * Lets PostgreSQL refuse every statement that reads a row of this organization in the table, as it does where the row is damaged. Resolves to a
 * function that ends it.
 */
export async function refuseReads(
  database: Pick<Database, 'transaction'>,
  table: string,
  organizationId: string,
): Promise<() => Promise<void>> {
  await database.transaction(async ({ rows }) => {
    await rows(`create function refuse_read(id uuid) returns boolean language plpgsql as
      $$ begin if id = '${organizationId}' then raise 'a damaged row'; end if; return true; end $$`)
    await rows(`create policy refuse_read on ${table} using (refuse_read(organization_id))`)
    await rows(`alter table ${table} force row level security`)
  })
  return () =>
    database.transaction(async ({ rows }) => {
      await rows('drop function refuse_read cascade')
      await rows(`alter table ${table} no force row level security`)
    })
}
