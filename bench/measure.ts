// Load and its figures. These machines are shared: beside every rate stand the server's own CPU time a request and the
// machine's steal, and a run with much steal says nothing.
import { readFileSync } from 'node:fs'
import autocannon from 'autocannon'

export interface Figure {
  name: string
  /** Answers a second. */
  rate: number
  p50Ms: number
  p99Ms: number
  /** User and system time of the measured process a request. */
  cpuMs: number
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
  /** Called for each request where requests differ. */
  next?(): { path: string; body?: string }
  /** The process whose CPU time counts. */
  pid: number
}

const CONNECTIONS = 32
const WARM_UP_SECONDS = 2
const SECONDS = 6
/** Linux counts process time in hundredths of a second. */
const TICKS_A_SECOND = 100

/** Puts load on one address after a warm-up. Requests are bounded in time and count of connections. */
export async function measure(load: Load): Promise<Figure> {
  await run(load, WARM_UP_SECONDS)
  const before = { cpu: cpuSeconds(load.pid), machine: machineTicks() }
  const result = await run(load, SECONDS)
  const after = { cpu: cpuSeconds(load.pid), machine: machineTicks() }
  const answered = result.requests.total
  return {
    name: load.name,
    rate: Math.round(answered / result.duration),
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    cpuMs: ((after.cpu - before.cpu) * 1000) / answered,
    steal: (after.machine.steal - before.machine.steal) / (after.machine.total - before.machine.total),
    failed: result.non2xx + result.errors,
  }
}

async function run(load: Load, duration: number): Promise<autocannon.Result> {
  const { url, method = 'GET', headers, body, next } = load
  const request: autocannon.Request = next
    ? { method, headers, setupRequest: (each) => ({ ...each, ...next() }) }
    : { method, headers, ...(body !== undefined && { body }) }
  return autocannon({ url, duration, connections: CONNECTIONS, requests: [request] })
}

/** User and system seconds of a process so far. Source: proc(5), /proc/pid/stat fields 14 and 15. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND
}

/** Resident memory of a process in megabytes. */
export function residentMegabytes(pid: number): number {
  const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(match?.[1]) / 1024
}

export function machineTicks(): { steal: number; total: number } {
  const ticks = (readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? '').trim().split(/\s+/).slice(1).map(Number)
  return { steal: ticks[7] ?? 0, total: ticks.slice(0, 8).reduce((sum, each) => sum + each, 0) }
}
