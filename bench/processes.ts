import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { packageFile } from '../src/platform/package-root.ts'

export interface Running {
  pid: number
  url: string
  lines: string[]
  stop(): Promise<void>
}

/** A process that reports the longest turn of its event loop since the last query (loop-monitor.js). */
interface Watched extends Running {
  longestTurnMs(): Promise<number>
}

/** The built program, as `npm start` runs it; `root` is its checkout. */
export async function startAnteroom(
  environment: Record<string, string>,
  root?: string,
  flags: string[] = [],
): Promise<Running> {
  return running(spawnProgram(['serve', ...flags], environment, { root }))
}

/** A worker on the same database. */
export async function startWorker(environment: Record<string, string>, root?: string): Promise<Running> {
  const child = spawnProgram(['worker'], { ...environment, LOG_LEVEL: 'info' }, { root })
  child.stdout?.resume()
  return { pid: child.pid ?? 0, url: '', lines: [], stop: () => stop(child) }
}

/** The same with the event-loop monitor, which costs some CPU time. */
export async function startWatched(environment: Record<string, string>): Promise<Watched> {
  const monitor = ['--import', packageFile('bench', 'loop-monitor.js')]
  const child = spawnProgram(['serve'], environment, { options: monitor })
  return {
    ...(await running(child)),
    async longestTurnMs() {
      child.send('longest turn')
      const [{ longestMs }] = (await once(child, 'message')) as [{ longestMs: number }]
      return longestMs
    },
  }
}

/** Node options of the measured server: those of `npm start`, and for a profile SERVER_NODE_OPTIONS='--cpu-prof --cpu-prof-dir=profiles'. */
const nodeOptions = ['--max-semi-space-size=32', ...(process.env.SERVER_NODE_OPTIONS?.split(' ') ?? [])]

function spawnProgram(
  words: string[],
  environment: Record<string, string>,
  { options = [], root = packageFile('.') }: { options?: string[]; root?: string | undefined },
): ChildProcess {
  return spawn(process.execPath, [...nodeOptions, ...options, join(root, 'dist', 'main', 'cli.js'), ...words], {
    env: { ...process.env, PORT: '0', CORE_PORT: '0', LOG_LEVEL: 'error', RATE_LIMIT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
}

async function running(child: ChildProcess): Promise<Running> {
  const lines: string[] = []
  const ready = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout as Readable }).on('line', (line) => {
      lines.push(line)
      const url = /answers on (\S+)/.exec(line)?.[1]
      // The banner of a first start ends with an empty line after the credentials.
      if (url) setTimeout(() => resolve(url), 200)
    })
    child.once('exit', (code) => reject(new Error(`anteroom ended with ${code}`)))
  })
  return { pid: child.pid ?? 0, url: await ready, lines, stop: () => stop(child) }
}

/** A server with a token of its first client. */
export interface Client {
  /** What its token was obtained with. */
  credentials: { client_id: string; client_secret: string }
  headers: Record<string, string>
  server: Running
}

/** A token for the client that a first start creates and prints. */
export async function authorize(server: Running): Promise<Client> {
  const value = (name: string) =>
    server.lines.map((line) => new RegExp(`^  ${name}\\s+(\\S+)`).exec(line)?.[1]).find(Boolean) ?? ''
  const credentials = { client_id: value('client_id'), client_secret: value('client_secret') }
  const response = await fetch(`${server.url}/api/auth/v2/token`, {
    method: 'POST',
    body: new URLSearchParams(credentials),
  })
  const { access_token } = (await response.json()) as { access_token: string }
  return {
    server,
    credentials,
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
  }
}

/** A client of a new organization. */
export function newClient(server: Running, dataDir: string): Promise<Client> {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [packageFile('dist', 'main', 'cli.js'), ...args], {
      env: { ...process.env, DATA_DIR: dataDir },
      encoding: 'utf8',
    }).stdout
  run('organization', 'create', 'other')
  const { client_id, client_secret } = JSON.parse(run('client', 'create', 'desk', '--organization', 'other', '--json'))
  const lines = [`  client_id ${client_id}`, `  client_secret ${client_secret}`]
  return authorize({ ...server, lines })
}

/** A script of this folder that reports its port. */
export async function startScript(name: string, args: string[]): Promise<Running> {
  const child = fork(packageFile('bench', name), args, { execArgv: ['--import', 'tsx'] })
  const [message] = (await once(child, 'message')) as [{ port: number }]
  return { pid: child.pid ?? 0, url: `http://127.0.0.1:${message.port}`, lines: [], stop: () => stop(child) }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}
