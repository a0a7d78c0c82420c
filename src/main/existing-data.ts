// Most commands require existing data: only serve, migrate and restore create a new database
// (decisions/0017-command-line.md).
import { readdirSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import type { Config } from '../config.ts'
import { keyFileOf } from '../platform/crypto/key-ring.ts'
import type { Database } from '../platform/database/database.ts'
import { codeOf } from '../platform/error-code.ts'
import { StartupError } from '../platform/startup-error.ts'
import { imageFolderOf } from '../platform/storage/image-folder.ts'

type Place = Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>

/** @throws StartupError when the folder has no embedded database, before anything is created there. */
export function refuseEmptyFolder({ DATABASE_URL, DATA_DIR }: Place): void {
  if (DATABASE_URL !== undefined || holdsDatabase({ DATA_DIR })) return
  throw new StartupError(
    `there is no data in ${resolve(DATA_DIR)}: start a server there with anteroom serve, or set DATA_DIR or DATABASE_URL to where the data are`,
  )
}

/**
 * A new database must not take the place of one whose folder is missing: a data folder that has keys or images had a database, whose disk is
 * not mounted or whose DATABASE_URL is not set. They are looked for first, because a start that runs beside this one makes its database before them.
 * @throws StartupError
 */
export function refuseLostDatabase(config: Config): void {
  if (config.DATABASE_URL !== undefined) return
  const left = [keyFileOf(config), imageFolderOf(config)].filter((path) => mayHold(path) && !isNewDisk(path, config))
  if (left.length === 0 || holdsDatabase(config)) return
  const folder = resolve(config.DATA_DIR)
  throw new StartupError(
    `the database of ${folder} is missing, which has ${left.map((path) => basename(path)).join(' and ')} left: put ${join(folder, 'postgresql')} back (is its disk mounted?), ` +
      'set the DATABASE_URL that was used, or restore a backup. To begin with an empty database, move what is left elsewhere',
  )
}

/** Whether there is an embedded database in the data folder, as far as this user may see. */
export const holdsDatabase = ({ DATA_DIR }: Pick<Place, 'DATA_DIR'>): boolean => mayHold(clusterOf(DATA_DIR))

/** Removes the embedded database from a data folder. Only for one that this process has created and that holds nothing yet. */
export const removeDatabase = ({ DATA_DIR }: Pick<Place, 'DATA_DIR'>): Promise<void> =>
  rm(clusterOf(DATA_DIR), { recursive: true, force: true })

const clusterOf = (dataDir: string) => join(dataDir, 'postgresql', 'cluster')

/** @throws StartupError when the database was never migrated. */
export async function refuseEmptyDatabase({ DATABASE_URL, DATA_DIR }: Place, database: Database): Promise<void> {
  const row = await database.row(`select to_regclass('migration')::text`)
  if (row?.[0]) return
  const place = DATABASE_URL === undefined ? resolve(DATA_DIR) : 'the database of DATABASE_URL'
  throw new StartupError(`there is no data in ${place}: run anteroom migrate or start a server on it first`)
}

/** Whether it exists, as far as this user may see. */
function mayHold(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    return codeOf(error) === 'EACCES'
  }
}

/** A disk for the images may be mounted before the first start. The service itself makes an empty folder on the disk of the others. */
function isNewDisk(path: string, { DATA_DIR }: Pick<Place, 'DATA_DIR'>): boolean {
  try {
    const isOther = statSync(path).dev !== statSync(DATA_DIR).dev
    return isOther && readdirSync(path).every((name) => name === 'lost+found')
  } catch {
    return false
  }
}
