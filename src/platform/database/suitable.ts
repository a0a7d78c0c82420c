import { StartupError } from '../startup-error.ts'
import type { Database } from './database.ts'

const OLDEST_POSTGRES = 15
/** What the migrations create, and expect in the schema public. */
const EXTENSIONS = "'pg_trgm', 'btree_gist', 'btree_gin'"

/** What an administrator would have to do before the tables are built; null where there is nothing, and once they are built. */
const properties = `select current_setting('server_version_num')::int / 10000, current_setting('server_encoding'), work.* from (select
    (select string_agg(extension, ', ') from unnest(array[${EXTENSIONS}]) as wanted (extension)
      where not exists (select from pg_available_extensions a where a.name = wanted.extension)) as missing,
    (select string_agg(format('alter extension %I set schema public;', extname), ' ') from pg_extension
      where extname in (${EXTENSIONS}) and extnamespace is distinct from to_regnamespace('public')) as elsewhere,
    case when has_database_privilege(current_database(), 'create') and has_schema_privilege(to_regnamespace('public'), 'create') then null
      else format('grant create on database %1$I to %2$I; grant create on schema public to %2$I;', current_database(), current_user) end as lacking
  ) work right join (select) one on to_regclass('public.patient') is null`

/**
 * Ensures that the migrations can build their tables in this database: another encoding lacks most letters, an older PostgreSQL lacks statements,
 * and extensions may be missing or where no statement finds them.
 * Returns the major version.
 * @throws StartupError
 */
export async function requireSuitable(database: Pick<Database, 'row'>): Promise<number> {
  const [version, encoding, missing, elsewhere, lacking] = (await database.row(properties)) ?? []
  if (Number(version) < OLDEST_POSTGRES)
    throw new StartupError(`PostgreSQL ${version} is too old: ${OLDEST_POSTGRES} or newer is required`)
  if (encoding !== 'UTF8')
    throw new StartupError(
      `the database has the encoding ${encoding}: make one with UTF8 (create database anteroom encoding 'UTF8' template template0)`,
    )
  if (missing)
    throw new StartupError(
      `this PostgreSQL lacks the extension ${missing}: install its contributed modules (the package postgresql-contrib, or the provider's setting)`,
    )
  if (elsewhere)
    throw new StartupError(
      `the database has extensions outside the schema public, where Anteroom expects them. Their owner runs once: ${elsewhere}`,
    )
  if (lacking)
    throw new StartupError(
      `the login of DATABASE_URL may not create what Anteroom needs. Make it the owner of the database, or, as its owner, run once: ${lacking}`,
    )
  return Number(version)
}
