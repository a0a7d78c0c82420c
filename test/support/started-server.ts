// The real program, started as a user starts it, for tests that use only HTTP and the command line.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, realpath, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { inject } from 'vitest'
import { builtProgram, isBuilt } from '../../scripts/build.js'
import type { Credentials } from '../../src/platform/auth/clients.ts'
import { killPostgres } from '../faults/embedded-harness.ts'
import { cloneDatabase, type Template } from './database.ts'
import { newClient } from './new-client.ts'
import { copyFolder, removeFolder, scratchFolder } from './scratch.ts'

export type { Credentials }
export const packageRoot = fileURLToPath(new URL('../..', import.meta.url))
/** Node's arguments before the command: the build if it is newer than the sources, because it starts twice as fast. */
export const program = isBuilt()
  ? [builtProgram]
  : [
      '--import',
      pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href,
      join(packageRoot, 'src', 'main', 'cli.ts'),
    ]

/** A first start creates a database, which takes long on a busy machine. */
const START_LIMIT_MS = 300_000
const STOP_LIMIT_MS = 120_000
/** How a start ends that got no connection within five seconds, as on a machine that stands still. It is repeated, as supervisors do. */
const TOO_BUSY = /the database of DATABASE_URL cannot be reached: it does not answer in time/

export type Settings = Record<string, string>

/** The result of a command. */
export interface Finished {
  code: number | null
  stdout: string
  stderr: string
}

export interface StartedProgram {
  /** The URL that it prints. */
  address: string
  /** SIGTERM. @throws if the program does not exit with code 0. */
  stop(): Promise<void>
  /** kill -9. */
  kill(): Promise<void>
  signal(name: NodeJS.Signals): void
  /** Its output so far. */
  output(): string
  /** Null while it runs. */
  exitCode(): number | null
}

export interface StartedServer extends Omit<StartedProgram, 'address'> {
  /** The URL of the port that serves all operations, e.g. `http://127.0.0.1:34567`. */
  url: string
  /** The URL of `CORE_PORT`, if the settings open it. */
  coreUrl: string | undefined
  /** A client of a new organization; with an embedded database it is created on the command line. */
  newCredentials(): Promise<Credentials>
}

/** An empty folder that PostgreSQL's account can reach. `remove` also ends an embedded PostgreSQL that is left in it. */
export async function newDataFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(scratchFolder, 'anteroom-accept-'))
  await chmod(path, 0o755)
  const remove = async () => {
    await killPostgres(path)
    const home = await realpath(join(path, 'postgresql')).catch(() => path)
    for (const folder of [home, path]) await removeFolder(folder)
  }
  return { path, remove }
}

/** A data folder with a migrated database and no organization: the next start creates the first client. It takes a tenth of the work of a first start. */
export async function newMigratedFolder(): ReturnType<typeof newDataFolder> {
  const folder = await newDataFolder()
  await copyFolder(join(inject('migratedFolder'), 'postgresql'), join(folder.path, 'postgresql'))
  return folder
}

/** Runs one command to its end, without the test's environment or `.env` except `PATH`. */
export async function runCommand(
  args: string[],
  settings: Settings = {},
  input = '',
  from: string[] = program,
): Promise<Finished> {
  const child = launch(args, settings, from)
  child.stdin?.end(input)
  const [stdout, stderr] = await Promise.all([text(child.stdout!), text(child.stderr!), ended(child)])
  return { code: child.exitCode, stdout, stderr }
}

/** Starts `anteroom serve` on free ports and waits until it prints its URL. @throws with its output if it ends first. */
export async function startServer(settings: Settings, from: string[] = program): Promise<StartedServer> {
  const own = { PORT: '0', CORE_PORT: '0', LOG_LEVEL: 'warn', TOKEN_RATE_LIMIT: '1000', RATE_LIMIT: '0', ...settings }
  const { address, ...started } = await startProgram(['serve'], own, /^Anteroom answers on (.+)\n/m, from)
  const [url = '', coreUrl] = address.split(' and ')
  return { ...started, url, coreUrl, newCredentials: () => newCredentials(own, from) }
}

/** Starts a long-running command and waits for the line with its URL, the pattern's first group. */
export async function startProgram(
  args: string[],
  settings: Settings,
  pattern: RegExp,
  from: string[] = program,
): Promise<StartedProgram> {
  let output = ''
  const begin = () => {
    const begun = launch(args, settings, from)
    for (const stream of [begun.stdout, begun.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        output += chunk
      })
    }
    return begun
  }
  let child = begin()
  const deadline = performance.now() + START_LIMIT_MS
  while (!pattern.test(output)) {
    const isInTime = performance.now() < deadline
    if (hasEnded(child) && isInTime && TOO_BUSY.test(output)) {
      output = ''
      child = begin()
    } else if (hasEnded(child) || !isInTime) {
      child.kill('SIGKILL')
      throw new Error(`anteroom ${args[0]} did not start\n${output}`)
    }
    await delay(20)
  }
  return {
    address: pattern.exec(output)?.[1] ?? '',
    output: () => output,
    exitCode: () => child.exitCode,
    signal: (name) => void child.kill(name),
    async stop() {
      if (hasEnded(child)) return
      child.kill('SIGTERM')
      await Promise.race([ended(child), delay(STOP_LIMIT_MS, undefined, { ref: false })])
      if (child.exitCode === 0) return
      child.kill('SIGKILL')
      throw new Error(`anteroom ${args[0]} did not stop by itself with exit code 0 (${child.exitCode})\n${output}`)
    },
    async kill() {
      child.kill('SIGKILL')
      await ended(child)
    },
  }
}

/** A server on a clone of the migrated template database, with its keys. The clone is removed when the server is stopped or killed. */
export async function startServerOnClone(settings: Settings = {}): Promise<StartedServer> {
  // The key of the template is in a separate data folder.
  const place = await newClonePlace(settings.DATA_DIR === undefined ? 'anteroom_template_with_key' : undefined)
  try {
    const server = await startServer({ ...place.settings, ...settings })
    return {
      ...server,
      stop: () => server.stop().finally(place.remove),
      kill: () => server.kill().finally(place.remove),
    }
  } catch (error) {
    await place.remove()
    throw error
  }
}

/** The settings of a program with a separate database; `remove` may be called repeatedly. */
export async function newClonePlace(template?: Template): Promise<{ settings: Settings; remove(): Promise<void> }> {
  const [clone, folder] = await Promise.all([cloneDatabase(template), newDataFolder()])
  // The key that encrypts the template's signing key.
  if (template === 'anteroom_template_with_key') {
    await writeFile(join(folder.path, 'encryption-key'), `${inject('dataKey')}\n`, { mode: 0o600 })
  }
  let removing: Promise<unknown> | undefined
  const remove = async () => {
    removing ??= Promise.all([clone.drop(), folder.remove()])
    await removing
  }
  return { settings: { DATABASE_URL: clone.url, DATA_DIR: folder.path }, remove }
}

async function newCredentials(settings: Settings, from: string[]): Promise<Credentials> {
  if (settings.DATABASE_URL && from === program) return newClient({ connectionString: settings.DATABASE_URL })
  const name = `acceptance ${randomUUID()}`
  await succeed(['organization', 'create', name], settings, from)
  return JSON.parse(await succeed(['client', 'create', 'test', '--organization', name, '--json'], settings, from))
}

async function succeed(args: string[], settings: Settings, from: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(args, settings, '', from)
  if (code !== 0) throw new Error(`anteroom ${args.join(' ')}: exit code ${code}\n${stderr}`)
  return stdout
}

function launch(args: string[], settings: Settings, from: string[]): ChildProcess {
  return spawn(process.execPath, [...from, ...args], {
    // Not the repository, so that a developer's .env does not affect the tests.
    cwd: '/',
    // A server that is to be refused finds no port in use.
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'development',
      ...(args[0] === 'serve' && { PORT: '0', CORE_PORT: '0' }),
      ...settings,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

async function ended(child: ChildProcess): Promise<void> {
  if (!hasEnded(child)) await once(child, 'exit')
}
