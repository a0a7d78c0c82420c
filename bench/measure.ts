// Load and its figures. The machines are shared, so every rate comes with the server's own CPU time a request and the
// machine's steal; a run with much steal is not meaningful.
import { readdirSync, readFileSync } from 'node:fs'
import autocannon from 'autocannon'

export interface Figure {
  name: string
  /** Answers a second. */
  rate: number
  p50Ms: number
  p99Ms: number
  /** User and system time of the measured process a request. */
  cpuMs: number
  /** The same for all of PostgreSQL; zero if no postmaster was given. */
  databaseCpuMs: number
  /** The same of its standby. */
  standbyCpuMs: number
  /** Share of the machine's time that went to other machines, 0 to 1. */
  steal: number
  failed: number
}

export interface Load {
  name: string
  url: string
  method?: 'GET' | 'POST' | 'PUT'
  headers: Record<string, string>
  body?: string
  /** Called for each request, if requests differ. */
  next?(): { path: string; body?: string }
  /** The process whose CPU time counts, or all of them. */
  pid: number | readonly number[]
  /** The number of requests in flight; 32 by default. */
  connections?: number
  /** The duration in seconds, after a third of that as warm-up; 6 by default. */
  seconds?: number
  /** The database's postmaster, if its CPU time is reported as well. */
  postmaster?: number
  /** That of its standby. */
  standby?: number
}

const CONNECTIONS = 32
const SECONDS = 6
/** Linux counts process time in hundredths of a second. */
const TICKS_A_SECOND = 100

/** Sends load to one URL after a warm-up, bounded in time and number of connections. */
export async function measure(load: Load): Promise<Figure> {
  const { seconds = SECONDS } = load
  await run(load, Math.ceil(seconds / 3))
  const before = clocks(load)
  const result = await run(load, seconds)
  const after = clocks(load)
  const answered = result.requests.total
  return {
    name: load.name,
    rate: Math.round(answered / result.duration),
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    cpuMs: ((after.cpu - before.cpu) * 1000) / answered,
    databaseCpuMs: ((after.database - before.database) * 1000) / answered,
    standbyCpuMs: ((after.standby - before.standby) * 1000) / answered,
    steal: (after.machine.steal - before.machine.steal) / (after.machine.total - before.machine.total),
    failed: result.non2xx + result.errors,
  }
}

function clocks({ pid, postmaster, standby: ofStandby }: Load) {
  const [database = 0, standby = 0] = [postmaster, ofStandby].map((each) =>
    each === undefined ? 0 : familySeconds(each),
  )
  const cpu = [pid].flat().reduce((sum, each) => sum + cpuSeconds(each), 0)
  return { cpu, database, standby, machine: machineTicks() }
}

async function run(load: Load, duration: number): Promise<autocannon.Result> {
  const { url, method = 'GET', headers, body, next, connections = CONNECTIONS } = load
  const request: autocannon.Request = next
    ? { method, headers, setupRequest: (each) => ({ ...each, ...next() }) }
    : { method, headers, ...(body !== undefined && { body }) }
  return autocannon({ url, duration, connections, requests: [request] })
}

/** User and system seconds of a process so far. Source: proc(5), /proc/pid/stat fields 14 and 15. */
export function cpuSeconds(pid: number): number {
  const fields = statusOf(pid)
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND
}

/** User and system seconds of a process and its children, including ended ones. Source: proc(5), fields 14 to 17. */
export function familySeconds(pid: number): number {
  const ended = statusOf(pid).slice(13, 15).map(Number)
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(Number(name)) === pid)
  const living = [pid, ...children.map(Number)].map((each) => whileItLives(() => cpuSeconds(each)) ?? 0)
  return ended.reduce((sum, ticks) => sum + ticks, 0) / TICKS_A_SECOND + living.reduce((sum, each) => sum + each, 0)
}

/** The child processes of a process, with their commands. */
export function childrenOf(pid: number): { pid: number; command: string }[] {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(Number(name)) === pid)
  return children.flatMap((name) => {
    const command = whileItLives(() => readFileSync(`/proc/${name}/cmdline`, 'utf8'))
    return command === undefined ? [] : [{ pid: Number(name), command }]
  })
}

/** The parent of a process; undefined when it has ended. */
export function parentOf(pid: number): number | undefined {
  return whileItLives(() => Number(statusOf(pid)[1]))
}

/** Undefined if the process has ended meanwhile. */
function whileItLives<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'ENOENT' || code === 'ESRCH') return undefined
    throw error
  }
}

/** The fields from the third on, because a process's name may contain any character. */
function statusOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
}

/** Resident memory of a process in megabytes. */
export function residentMegabytes(pid: number): number {
  return statusMegabytes(pid, 'VmRSS')
}

/** The largest resident memory since the start of the process, or since its peak was reset. */
export function peakMegabytes(pid: number): number {
  return statusMegabytes(pid, 'VmHWM')
}

function statusMegabytes(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const match = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(match?.[1]) / 1024
}

export function machineTicks(): { steal: number; total: number } {
  const ticks = (readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? '').trim().split(/\s+/).slice(1).map(Number)
  return { steal: ticks[7] ?? 0, total: ticks.slice(0, 8).reduce((sum, each) => sum + each, 0) }
}
