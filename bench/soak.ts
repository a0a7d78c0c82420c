// Mixed traffic for a given time: `npm run bench:soak [seconds]` (600 by default). Prints the server's memory
// every ten seconds, its slope after a warm-up, and every status; exit code 1 for a 5xx other than the 503 of an overload.
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startTraffic } from '../test/support/mixed-traffic.ts'
import { authorize, startAnteroom } from './processes.ts'

const SAMPLE_SECONDS = 10
const CALLERS = 16
/** The part of the run that compiles code, fills caches and grows the heap to its working size. */
const WARM_UP_SHARE = 0.3

interface Sample {
  seconds: number
  megabytes: number
}

const seconds = Number(process.argv[2] ?? 600)
const dataDir = await mkdtemp(join(tmpdir(), 'anteroom-soak-'))
await chmod(dataDir, 0o755)
const server = await startAnteroom({ DATA_DIR: dataDir, TOKEN_RATE_LIMIT: '100000' })
try {
  const { headers } = await authorize(server)
  const traffic = startTraffic(server.url, String(headers.authorization).slice('Bearer '.length), CALLERS)
  const samples: Sample[] = []
  for (let at = SAMPLE_SECONDS; at <= seconds; at += SAMPLE_SECONDS) {
    await delay(SAMPLE_SECONDS * 1000)
    const sample = { seconds: at, megabytes: residentMegabytes(server.pid) }
    samples.push(sample)
    console.log(`${sample.seconds} s: ${sample.megabytes.toFixed(0)} MB`)
  }
  await traffic.stop()
  const settled = samples.slice(Math.floor(samples.length * WARM_UP_SHARE))
  console.log(`memory after warm-up: ${(slope(settled) * 3600).toFixed(1)} MB an hour over ${settled.length} samples`)
  for (const [status, count] of [...traffic.statuses].sort(([a], [b]) => a - b))
    console.log(`${status || 'none'}: ${count}`)
  console.log(`deadlocks: ${await countDeadlocks(dataDir)}`)
  for (const failure of traffic.failures.slice(0, 20)) console.log(failure)
  process.exitCode = traffic.failures.length > 0 ? 1 : 0
} finally {
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
}

/** The deadlocks in PostgreSQL's own log. */
async function countDeadlocks(folder: string): Promise<number> {
  const log = await readFile(join(folder, 'postgresql', 'postgresql.log'), 'utf8')
  return log.split('deadlock detected').length - 1
}

/** Source: proc(5), VmRSS. */
function residentMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024
}

/** Megabytes a second by least squares. */
function slope(samples: Sample[]): number {
  const mean = (of: (sample: Sample) => number) => samples.reduce((sum, each) => sum + of(each), 0) / samples.length
  const [x, y] = [mean((each) => each.seconds), mean((each) => each.megabytes)]
  const covariance = mean((each) => (each.seconds - x) * (each.megabytes - y))
  return covariance / mean((each) => (each.seconds - x) ** 2)
}
