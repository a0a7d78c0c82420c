// A cluster of root that belongs to another account than PostgreSQL's: earlier releases ran it as `nobody`.
import { chmod, lchown, lstat, readdir, readlink, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { codeOf } from '../../error-code.ts'
import { StartupError } from '../../startup-error.ts'
import type { Account } from './account.ts'
import { clusterFolder, type Home, type Log } from './home.ts'
import { socketFolderOf } from './postmaster.ts'

const BACKENDS_LIMIT_MS = 30_000

/** The account that owns the cluster's files, and that a running PostgreSQL on them uses. */
export async function findOwner(home: Home): Promise<Account | undefined> {
  if (!home.account) return undefined
  const { uid, gid } = await lstat(clusterFolder(home))
  return { name: String(uid), uid, gid }
}

/** True when root's cluster belongs to another account than the one that PostgreSQL is to run as. */
export async function isOfAnotherAccount(home: Home): Promise<boolean> {
  return home.account !== undefined && (await findOwner(home))?.uid !== home.account.uid
}

/**
 * Changes the owner of a cluster's files while no PostgreSQL runs on them. When it is killed midway, the next start
 * repeats it.
 */
export async function takeOver(home: Home, log: Log): Promise<void> {
  const { account } = home
  if (!account || !(await isOfAnotherAccount(home))) return
  const folder = clusterFolder(home)
  const former = (await lstat(folder)).uid
  await waitForBackends(home)
  await removeSocketFolder(home, former)
  // From here on the former account cannot enter the folder and exchange files that are being changed.
  await lchown(folder, 0, 0)
  await chmod(folder, 0o700)
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    const { nlink } = await lstat(path)
    if (!entry.isDirectory() && nlink > 1) {
      throw new StartupError(
        `${path} has a second hard link, which PostgreSQL never creates: it is not handed over to ${account.name}`,
      )
    }
    // Changes links themselves, never their targets.
    await lchown(path, account.uid, account.gid)
  }
  await lchown(folder, account.uid, account.gid)
  log('The embedded database now belongs to a dedicated account', { account: account.name, former })
}

/**
 * Backends outlive a killed PostgreSQL for a moment, and a PostgreSQL of another account would not detect their shared
 * memory. Their working directory is the folder of the cluster, which Linux shows.
 */
async function waitForBackends(home: Home): Promise<void> {
  const folder = clusterFolder(home)
  const startedAt = performance.now()
  for (;;) {
    const processes = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
    const folders = await Promise.all(processes.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')))
    const at = folders.indexOf(folder)
    if (at < 0) return
    if (performance.now() - startedAt > BACKENDS_LIMIT_MS) {
      throw new StartupError(`process ${processes[at]} still uses ${folder} under another account: stop it first`)
    }
    await delay(100)
  }
}

async function removeSocketFolder(home: Home, former: number): Promise<void> {
  const folder = socketFolderOf(home)
  const found = await lstat(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
  if (found?.uid === former) await rm(folder, { recursive: true, force: true })
}
