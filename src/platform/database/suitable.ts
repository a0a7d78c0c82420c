import { StartupError } from '../startup-error.ts'
import type { Database } from './database.ts'

const OLDEST_POSTGRES = 15

/**
 * Ensures that the migrations can build their tables in this database: another encoding lacks most letters, and an older PostgreSQL lacks statements.
 * Returns the major version.
 * @throws StartupError
 */
export async function requireSuitable(database: Pick<Database, 'row'>): Promise<number> {
  const [version, encoding] =
    (await database.row(
      `select current_setting('server_version_num')::int / 10000, current_setting('server_encoding')`,
    )) ?? []
  if (Number(version) < OLDEST_POSTGRES)
    throw new StartupError(`PostgreSQL ${version} is too old: ${OLDEST_POSTGRES} or newer is required`)
  if (encoding !== 'UTF8')
    throw new StartupError(
      `the database has the encoding ${encoding}: make one with UTF8 (create database anteroom encoding 'UTF8' template template0)`,
    )
  return Number(version)
}
