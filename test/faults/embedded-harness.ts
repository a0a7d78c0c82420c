import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdtemp, readFile, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { Client } from 'pg'
import { bundled } from '../../scripts/build.js'
import type { EmbeddedConnection } from '../../src/platform/database/embedded/embedded.ts'
import { packageFile } from '../../src/platform/package-root.ts'
import { makeLean } from '../support/migrated-cluster.ts'
import { removeFolder, scratchFolder } from '../support/scratch.ts'

/** The user who runs the processes of a test; undefined is the user of the tests. */
interface Caller {
  name: string
  ids: { uid: number; gid: number } | undefined
}

interface Opened {
  pid: number
  connection: EmbeddedConnection
  logged: string[]
  /** The exit code, once it has ended. */
  ended: Promise<number | null>
  /** Stops it normally, and waits. */
  leave(): Promise<void>
  /** kill -9 of this process alone. */
  kill(): Promise<void>
}

interface Line {
  connection?: EmbeddedConnection
  failure?: string
  log?: string
}

const root = fileURLToPath(new URL('../..', import.meta.url))

let program: string | undefined
/** The process in one file with its libraries, built once, because hundreds are started and each would compile the sources again. */
function programFile(): string {
  if (program) return program
  program = packageFile('node_modules', '.cache', 'anteroom', `embedded-process-${process.pid}.mjs`)
  buildSync({
    ...bundled,
    entryPoints: [fileURLToPath(new URL('embedded-process.ts', import.meta.url))],
    outfile: program,
  })
  return program
}

const nobody = { uid: 65_534, gid: 65_534 }

/** The current user, and for root an ordinary user too, unless other users cannot read this checkout. */
export function callers(): Caller[] {
  if (process.getuid?.() !== 0) {
    console.warn('embedded.test.ts: not root, so the tests of root are skipped')
    return [{ name: 'an ordinary user', ids: undefined }]
  }
  const asRoot = { name: 'root', ids: undefined }
  if (spawnSync(process.execPath, ['--check', programFile()], { cwd: root, ...nobody }).status === 0) {
    return [asRoot, { name: 'an ordinary user', ids: nobody }]
  }
  console.warn('embedded.test.ts: the user nobody cannot run Node here, so the tests of ordinary users are skipped')
  return [asRoot]
}

const folders: string[] = []
const processes: ChildProcess[] = []

/** A new folder with a short path that belongs to the caller; `cleanUp` removes it. */
export async function makeFolder(caller: Caller, place = scratchFolder): Promise<string> {
  const folder = await mkdtemp(join(place, 'anteroom-test-'))
  await chmod(folder, 0o755)
  if (caller.ids) await chown(folder, caller.ids.uid, caller.ids.gid)
  folders.push(folder)
  return folder
}

const used = new Map<Caller, Promise<string>>()

/**
 * A data folder that a command has opened and closed. The first one of a caller is created, which takes PostgreSQL two seconds; the others are
 * copies of it.
 */
export async function makeUsedDataDir(caller: Caller): Promise<string> {
  const original = used.get(caller) ?? openOnce(caller)
  used.set(caller, original)
  const dataDir = join(await makeFolder(caller), 'data')
  const { status, stderr } = spawnSync('cp', ['-a', await original, dataDir], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return dataDir
}

async function openOnce(caller: Caller): Promise<string> {
  const folder = await makeFolder(caller)
  // It is kept after the first test that needs it.
  folders.splice(folders.indexOf(folder), 1)
  const dataDir = join(folder, 'data')
  await (await open('command', dataDir, caller)).leave()
  await makeLean(dataDir)
  return dataDir
}

/** Removes the originals of the copies. */
export async function removeUsed(): Promise<void> {
  for (const dataDir of used.values()) await removeFolder(dirname(await dataDir))
  used.clear()
}

/** Ends every process of a test, PostgreSQL included, and removes its folders. */
export async function cleanUp(dataDirs: Iterable<string>): Promise<void> {
  for (const child of processes.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  }
  for (const dataDir of dataDirs) {
    await killPostgres(dataDir)
    const elsewhere = await realpath(join(dataDir, 'postgresql')).catch(() => dataDir)
    await removeFolder(elsewhere)
  }
  for (const folder of folders.splice(0)) await removeFolder(folder)
}

/** Runs a process that opens the embedded database, without waiting for it. */
export function spawnOpening(role: 'server' | 'command', dataDir: string, caller: Caller, binaries?: string) {
  const args = [programFile(), role, dataDir, ...(binaries ? [binaries] : [])]
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['pipe', 'pipe', 'inherit'], ...caller.ids })
  processes.push(child)
  return child
}

/** The account that runs PostgreSQL for root, once a cluster has been opened. */
export function accountOfRoot(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: string) => Number(spawnSync('id', [flag, 'anteroom'], { encoding: 'utf8' }).stdout)
  return { uid: idOf('-u'), gid: idOf('-g') }
}

/** A process unrelated to PostgreSQL, under the account that runs it. */
export function spawnStranger(caller: Caller): ChildProcess {
  const child = spawn('/bin/sleep', ['60'], { stdio: 'ignore', ...(caller.ids ?? accountOfRoot()) })
  processes.push(child)
  return child
}

/** Opens the embedded database in a separate process; rejects with the error of that process. */
export async function open(
  role: 'server' | 'command',
  dataDir: string,
  caller: Caller,
  binaries?: string,
): Promise<Opened> {
  const child = spawnOpening(role, dataDir, caller, binaries)
  const logged: string[] = []
  const connection = await new Promise<EmbeddedConnection>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line = JSON.parse(text) as Line
      if (line.log) logged.push(line.log)
      if (line.connection) {
        if (!line.connection.host.startsWith(dataDir)) folders.push(line.connection.host)
        resolve(line.connection)
      }
      if (line.failure) reject(new Error(line.failure))
    })
    child.on('exit', (code) => reject(new Error(`it ended with ${code}, saying only: ${logged.join('; ')}`)))
  })
  const end = async (act: () => void) => {
    const exited = once(child, 'exit')
    act()
    await exited
  }
  return {
    pid: child.pid ?? 0,
    connection,
    logged,
    ended: new Promise((resolve) => child.once('exit', resolve)),
    leave: () => end(() => child.stdin.end()),
    kill: () => end(() => child.kill('SIGKILL')),
  }
}

/** Runs statements one after another on a separate connection and returns the rows of the last. */
export async function query(connection: EmbeddedConnection, ...statements: string[]) {
  // The socket of a killed PostgreSQL may accept a connection and never answer.
  const client = new Client({ ...connection, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    let rows: Record<string, unknown>[] = []
    for (const statement of statements) rows = (await client.query(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}

/** The process id in postmaster.pid; undefined if there is none. */
export async function postmasterOf(dataDir: string): Promise<number | undefined> {
  const file = join(dataDir, 'postgresql', 'cluster', 'data', 'postmaster.pid')
  const text = await readFile(file, 'utf8').catch(() => '')
  return Number(text.split('\n')[0]) || undefined
}

/** kill -9 of PostgreSQL's first process, if one runs on this folder. The others end when they notice it, and may answer a statement before. */
export async function killPostgres(dataDir: string): Promise<void> {
  const pid = await postmasterOf(dataDir)
  if (pid === undefined || !(await commandOf(pid)).includes('postgresql/cluster/data')) return
  const others = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  process.kill(pid, 'SIGKILL')
  for (const each of [pid, ...others.split(' ').filter(Boolean).map(Number)])
    await until(async () => (await commandOf(each)) === '')
}

/** kill -9 of the first session of the application, as when a machine is out of memory. */
export async function killSession(dataDir: string): Promise<void> {
  const pid = await postmasterOf(dataDir)
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  for (const child of children.split(' ').filter(Boolean).map(Number))
    if (/^postgres: anteroom /.test(await commandOf(child))) return void process.kill(child, 'SIGKILL')
}

/** Waits for a condition, for a minute by default: a machine under load takes its time. */
export async function until(holds: () => Promise<boolean>, limitMs = 120_000): Promise<void> {
  const deadline = performance.now() + limitMs
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`it did not happen within ${limitMs / 1_000} seconds`)
    await delay(20)
  }
}

/** Empty for a process that has ended, even while nobody has asked for its exit code. */
async function commandOf(pid: number): Promise<string> {
  // Hundreds of times a test: where the kernel answers, no process is started for it.
  if (process.platform === 'linux') return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).trim()
  return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
    .stdout.replace(/.*defunct.*/, '')
    .trim()
}
