// A cluster of root that belongs to another account than PostgreSQL's: earlier releases ran it as `nobody`.
import { chmod, lchown, lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from '../startup-error.ts'
import type { Account } from './embedded-account.ts'
import { clusterFolder, codeOf, type Home, type Log } from './embedded-home.ts'
import { socketFolderOf } from './embedded-postmaster.ts'

/** The account that the cluster's files belong to, and that a PostgreSQL on them runs as. */
export async function findOwner(home: Home): Promise<Account | undefined> {
  if (!home.account) return undefined
  const { uid, gid } = await lstat(clusterFolder(home))
  return { name: String(uid), uid, gid }
}

/** True where root's cluster belongs to another account than the one that PostgreSQL is to run as. */
export async function isOfAnotherAccount(home: Home): Promise<boolean> {
  return home.account !== undefined && (await findOwner(home))?.uid !== home.account.uid
}

/** Gives the files of a cluster on which no PostgreSQL runs to its account. Killed half way, it is done again. */
export async function takeOver(home: Home, log: Log): Promise<void> {
  const { account } = home
  if (!account || !(await isOfAnotherAccount(home))) return
  const folder = clusterFolder(home)
  const former = (await lstat(folder)).uid
  await removeSocketFolder(home, former)
  // From here on its former account cannot walk into it and exchange what is being changed.
  await lchown(folder, 0, 0)
  await chmod(folder, 0o700)
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    const { nlink } = await lstat(path)
    if (!entry.isDirectory() && nlink > 1) {
      throw new StartupError(`${path} has a second name: PostgreSQL makes none, and it is not given to ${account.name}`)
    }
    // Never what a link points to.
    await lchown(path, account.uid, account.gid)
  }
  await lchown(folder, account.uid, account.gid)
  log('The embedded database was given to an account of its own', { account: account.name, former })
}

async function removeSocketFolder(home: Home, former: number): Promise<void> {
  const folder = socketFolderOf(home)
  const found = await lstat(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
  if (found?.uid === former) await rm(folder, { recursive: true, force: true })
}
