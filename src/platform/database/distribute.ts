// Distributes a migrated database over the servers of Citus: the rows of an organization are on one of them.
// decisions/0085-a-distributed-database.md, docs/citus.md
import { StartupError } from '../startup-error.ts'
import { APPLICATION_ROLE } from './application-role.ts'
import { SERVER_SETTINGS } from './connections/pool-settings.ts'
import type { Database, SystemDatabase } from './database.ts'
import { extensionStatement } from './distributed-isolation.ts'
import { changeSchema } from './migrate.ts'

/** The number of tables of each kind. */
interface Distribution {
  /** By organization. */
  distributed: number
  /** The same on every server. */
  reference: number
}

/** Statements of an organization, or a sign-in, which names none, join them, and nothing in the catalog says so. */
const JOINED = ['payer', 'payer_directory', 'user_second_factor']

/**
 * A table with an organization is distributed if each of its unique indexes has it, and the tables that refer to it can be. The others, and
 * those which they refer to, are reference tables. Tables without an organization stay on the coordinator.
 */
const tablesStatement = `with organized as (
    select c.oid, c.relname <> all($1::text[]) and not exists (
        select from pg_index i where i.indisunique and not a.attnum = any(i.indkey) and (i.indrelid = c.oid or i.indrelid in (
          select f.conrelid from pg_constraint f where f.confrelid = c.oid and f.contype = 'f'))) as by_organization
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
  )
  select c.oid::regclass::text, coalesce(o.by_organization, false), p.logicalrelid is not null
  from pg_class c left join organized o on o.oid = c.oid left join pg_dist_partition p on p.logicalrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and (o.oid is not null or c.relname = any($1::text[])
    or c.oid in (select f.confrelid from pg_constraint f join organized on organized.oid = f.conrelid where f.contype = 'f'))
  order by 1`

const foreignKeysStatement = `select conrelid::regclass::text, quote_ident(conname), pg_get_constraintdef(oid) from pg_constraint
  where contype = 'f' and conrelid = any($1::text[]::regclass[])`

/**
 * Distributes what is not distributed yet, in one transaction. Run again, it does the rest, such as tables of a later release.
 * @throws StartupError without the extension, without a server for the rows, or without the rights of a superuser.
 */
export async function distribute(database: SystemDatabase): Promise<Distribution> {
  await requireCitus(database)
  const distribution = await changeSchema(database, distributeTables)
  await settleServers(database)
  return distribution
}

/** After migrations: distributes the new tables of a distributed database, and leaves any other as it is. */
export async function distributeAgain(database: SystemDatabase): Promise<void> {
  const row = await database.row(extensionStatement)
  if (row?.[0] !== 't') return
  if (await database.row(`select from pg_dist_partition where logicalrelid = 'public.organization'::regclass`))
    await distribute(database)
}

async function distributeTables(transaction: Database): Promise<Distribution> {
  const rows = await transaction.rows(tablesStatement, [JOINED])
  const tables = rows.map(([name = '', byOrganization, isDone]) => ({
    name,
    isDistributed: byOrganization === 't',
    isDone: isDone === 't',
  }))
  await transaction.rows('set local citus.enable_unsafe_triggers = on')
  await transaction.rows(`alter role ${APPLICATION_ROLE} login`)
  await dropViews(transaction)
  const missing = tables.filter(({ isDone }) => !isDone)
  await withoutForeignKeys(transaction, missing, async () => {
    for (const { name } of missing.filter(({ isDistributed }) => !isDistributed))
      await transaction.rows(`select create_reference_table('${name}')`)
    let beside = tables.find(({ isDistributed, isDone }) => isDistributed && isDone)?.name ?? 'none'
    for (const { name } of missing.filter(({ isDistributed }) => isDistributed)) {
      await transaction.rows(
        `select create_distributed_table('${name}', 'organization_id', colocate_with => '${beside}')`,
      )
      beside = name
    }
  })
  const distributed = tables.filter(({ isDistributed }) => isDistributed).length
  return { distributed, reference: tables.length - distributed }
}

/** Citus does not write through views: on its servers the policies of the tables isolate organizations, alone. */
async function dropViews(transaction: Database): Promise<void> {
  const views = await transaction.rows(
    `select oid::regclass from pg_class where relnamespace = 'walled'::regnamespace and relkind = 'v'`,
  )
  for (const [view] of views) await transaction.rows(`drop view ${view}`)
}

/** Foreign keys would require two orders of distribution at once, so they are dropped before `work` and added again after it. */
async function withoutForeignKeys(
  transaction: Database,
  tables: { name: string }[],
  work: () => Promise<void>,
): Promise<void> {
  const keys = await transaction.rows(foreignKeysStatement, [tables.map(({ name }) => name)])
  for (const [table, name] of keys) await transaction.rows(`alter table ${table} drop constraint ${name}`)
  await work()
  for (const [table, name, definition] of keys)
    await transaction.rows(`alter table ${table} add constraint ${name} ${definition}`)
}

/**
 * What Citus does not pass on: rights on sequences, which it uses in the name of the role, and the settings that statements depend on, because
 * the sessions of workers begin with those of their own server.
 */
async function settleServers(database: Database): Promise<void> {
  const settings = Object.entries(SERVER_SETTINGS).map(
    ([name, value]) => `execute format('alter database %I set ${name} = %L', current_database(), '${value}');`,
  )
  const text = `do $$ declare s regclass; begin
    perform set_config('citus.enable_ddl_propagation', 'off', true);
    for s in select oid from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace loop
      execute format('grant usage on sequence %s to ${APPLICATION_ROLE}', s);
    end loop;
    ${settings.join('\n')}
  end $$`
  await database.rows(text)
  const failed = await database.row('select result from run_command_on_workers($1) where not success limit 1', [text])
  if (failed) throw new StartupError(`a worker could not be set up: ${failed[0]}`)
}

async function requireCitus(database: Database): Promise<void> {
  const [hasExtension, isSuperuser] =
    (await database.row(
      `select exists (select from pg_extension where extname = 'citus'), (select rolsuper from pg_roles where rolname = current_user)`,
    )) ?? []
  if (hasExtension !== 't')
    throw new StartupError(
      'the database does not have the extension citus: anteroom distribute is for a coordinator of Citus (docs/citus.md)',
    )
  if (isSuperuser !== 't')
    throw new StartupError('anteroom distribute needs a superuser in DATABASE_URL (docs/citus.md)')
  const row = await database.row('select from pg_dist_node where isactive and shouldhaveshards limit 1')
  if (!row) throw new StartupError('Citus has no server for rows: add one with citus_add_node (docs/citus.md)')
}
