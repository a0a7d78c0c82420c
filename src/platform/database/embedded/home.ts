import { chmod, lstat, mkdir, mkdtemp, readdir, realpath, rm, stat, symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { codeOf, reasonOf } from '../../error-code.ts'
import { StartupError } from '../../startup-error.ts'
import { whyUnwritable } from '../../why-unwritable.ts'
import { type Account, canEnter } from './account.ts'

/**
 * The files of the embedded PostgreSQL in a data folder:
 *
 *     postgresql/               owned by the caller; a link into /var/lib/anteroom where PostgreSQL's account cannot reach it
 *       cluster/data            the cluster, owned by PostgreSQL's account
 *       cluster/password        readable by the caller only
 *       socket/                 the only way to connect
 *       postgresql.log
 *       binaries-<hash>/        only when the installed ones cannot be run in place
 *       unfinished-<pid>-…/     left by a start that was killed
 */
export interface Home {
  /** The data folder as the user named it, for messages. */
  dataDir: string
  /** The real path of `postgresql/`: absolute, without links. */
  folder: string
  account: Account | undefined
}

export type Log = (message: string, fields?: object, level?: 'info' | 'warn') => void

/** Where root keeps clusters whose account cannot reach the data folder (a 0700 home). */
const sharedFolder = '/var/lib/anteroom'

export const clusterFolder = (home: Home) => join(home.folder, 'cluster', 'data')
export const passwordFile = (home: Home) => join(home.folder, 'cluster', 'password')

/**
 * Finds or creates PostgreSQL's folder for a data folder, reachable for its account.
 * @throws StartupError when it cannot be written, belongs to another user, or cannot be reached by the account.
 */
export async function openHome(dataDir: string, account: Account | undefined, log: Log): Promise<Home> {
  const folder = join(dataDir, 'postgresql')
  try {
    await makeDataFolder(dataDir, account)
    if (!(await exists(folder))) await makeHomeFolder(folder, dataDir, account, log)
  } catch (error) {
    if (error instanceof StartupError) throw error
    throw new StartupError(`The data folder ${dataDir} cannot be written: ${whyUnwritable(dataDir, error)}`, {
      cause: error,
    })
  }
  const home = { dataDir, folder: await resolveOwned(folder), account }
  if (account && !(await canEnter(account, home.folder))) {
    throw new StartupError(
      `PostgreSQL runs as ${account.name} and cannot reach ${home.folder}: make the folders above it searchable (chmod o+x), or choose another DATA_DIR`,
    )
  }
  return home
}

/** A folder for work that is published by one rename; a start that is killed leaves it to `removeUnfinished`. */
export async function makeUnfinished(home: Home): Promise<string> {
  const folder = await mkdtemp(join(home.folder, `unfinished-${process.pid}-`))
  await chmod(folder, folderMode(home.account))
  return folder
}

/**
 * Removes the unfinished folders of killed starts; those of other running processes stay. Our own process id is not a sign
 * of life: in a container the killed start had the same one.
 */
export async function removeUnfinished(home: Home): Promise<void> {
  for (const name of await readdir(home.folder)) {
    const [, pid] = /^unfinished-(\d+)-/.exec(name) ?? []
    if (pid !== undefined && (Number(pid) === process.pid || !isAlive(Number(pid)))) {
      await rm(join(home.folder, name), { recursive: true, force: true, maxRetries: 3 })
    }
  }
}

/**
 * Root's folders are searchable for others, so that PostgreSQL's account reaches its own; a user's folders are private.
 */
function folderMode(account: Account | undefined): number {
  return account ? 0o711 : 0o700
}

/** Whether anything, even a dangling link, has this path. */
export async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) === 'ENOENT') return false
      throw error
    },
  )
}

async function makeDataFolder(dataDir: string, account: Account | undefined): Promise<void> {
  const made = await mkdir(dataDir, { recursive: true })
  if (made !== undefined) await chmod(dataDir, folderMode(account))
}

async function makeHomeFolder(folder: string, dataDir: string, account: Account | undefined, log: Log): Promise<void> {
  try {
    if (!account || (await canEnter(account, dataDir))) {
      await mkdir(folder)
      await chmod(folder, folderMode(account))
    } else {
      await linkElsewhere(folder, dataDir, account, log)
    }
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

// Our choice: a link to a separate folder, and not a name derived from the path. The data follow a data folder that is
// moved, and a data folder that is deleted and created again starts empty.
async function linkElsewhere(folder: string, dataDir: string, account: Account, log: Log): Promise<void> {
  let elsewhere: string
  try {
    if (await mkdir(sharedFolder, { recursive: true })) await chmod(sharedFolder, folderMode(account))
    elsewhere = await mkdtemp(join(sharedFolder, `${basename(dataDir)}-`))
    await chmod(elsewhere, folderMode(account))
  } catch (error) {
    throw new StartupError(
      `PostgreSQL runs as ${account.name}, which cannot reach ${dataDir}, and ${sharedFolder} cannot be written (${reasonOf(error)}): choose another DATA_DIR or set DATABASE_URL`,
      { cause: error },
    )
  }
  try {
    await symlink(elsewhere, folder)
  } catch (error) {
    await rm(elsewhere, { recursive: true, force: true })
    throw error
  }
  log(`The user ${account.name} cannot reach ${dataDir}, so the database is kept in ${elsewhere}`)
}

async function resolveOwned(folder: string): Promise<string> {
  try {
    const owner = (await stat(folder)).uid
    const caller = process.getuid?.()
    if (caller !== undefined && owner !== caller) {
      throw new StartupError(
        `${folder} belongs to user id ${owner} and this is user id ${caller}: run anteroom as that user, or choose another DATA_DIR`,
      )
    }
    return await realpath(folder)
  } catch (error) {
    if (error instanceof StartupError) throw error
    throw new StartupError(`The database folder ${folder} cannot be opened: ${reasonOf(error)}`, { cause: error })
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}
