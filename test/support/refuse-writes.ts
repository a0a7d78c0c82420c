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
