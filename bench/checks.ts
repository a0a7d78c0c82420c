// `npm run bench:checks`: what the service adds to a real-time check, and how fast a batch is answered by a payer of 50 ms.
import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { eligibilityRequestBody } from '../test/support/bodies.ts'
import { cpuSeconds, machineTicks } from './measure.ts'
import { authorise, type Client, startAnteroom, startScript } from './processes.ts'

const PAYER_MS = 50
const CONCURRENCY = 50
const BATCH = 5000
const SINGLE_CHECKS = 400
const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS] = [20, 2000]

async function main(): Promise<void> {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
  const lines = [...(await withPayer(0, measureOverhead)), ...(await withPayer(PAYER_MS, measureBatch))]
  process.stdout.write(['', '| what | figure | beside |', '|---|---|---|', ...lines, ''].join('\n'))
}

/** A service of its own beside a payer that takes `pauseMs` to answer. */
async function withPayer<T>(pauseMs: number, work: (client: Client, payerUrl: string) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'anteroom-bench-'))
  await chmod(dataDir, 0o755)
  const payer = await startScript('payer-server.ts', [String(pauseMs)])
  const server = await startAnteroom({
    DATA_DIR: dataDir,
    CLEARINGHOUSE_URL: `${payer.url}/core`,
    WORKER_CONCURRENCY: String(CONCURRENCY),
    CLEARINGHOUSE_MAX_CONCURRENCY: String(CONCURRENCY),
  })
  try {
    return await work(await authorise(server), payer.url)
  } finally {
    await server.stop()
    await payer.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** One caller at a time, alternating: the payer alone, and the service before the same payer. */
async function measureOverhead({ server, headers }: Client, payerUrl: string): Promise<string[]> {
  const body = JSON.stringify(eligibilityRequestBody())
  const [alone, through]: [number[], number[]] = [[], []]
  for (let index = 0; index < 2 * SINGLE_CHECKS; index++) {
    const timed = async (url: string, sent: string) => {
      const started = performance.now()
      const answer = await fetch(url, { method: 'POST', headers, body: sent })
      await answer.text()
      return performance.now() - started
    }
    const [first, second] = [
      await timed(payerUrl, 'TRN*1*X~NM1*IL*1*A*B~'),
      await timed(`${server.url}/eligibility-checks/v1`, body),
    ]
    if (index < SINGLE_CHECKS) continue
    alone.push(first)
    through.push(second)
  }
  const [payer50, check50] = [quantile(alone, 0.5), quantile(through, 0.5)]
  const overhead = `${(check50 - payer50).toFixed(1)} ms p50`
  return [
    `| real-time check: added to the payer's own answer time | ${overhead} | payer ${payer50.toFixed(1)} ms, check ${check50.toFixed(1)} ms, p99 ${quantile(through, 0.99).toFixed(1)} ms |`,
  ]
}

async function measureBatch({ server, headers }: Client): Promise<string[]> {
  await runBatch(server.url, headers, BATCH / 5)
  const before = { cpu: cpuSeconds(server.pid), ticks: machineTicks() }
  const seconds = await runBatch(server.url, headers, BATCH)
  const after = { cpu: cpuSeconds(server.pid), ticks: machineTicks() }
  const rate = BATCH / seconds
  const ideal = (CONCURRENCY * 1000) / PAYER_MS
  const cpuMs = ((after.cpu - before.cpu) * 1000) / BATCH
  const steal = (after.ticks.steal - before.ticks.steal) / (after.ticks.total - before.ticks.total)
  return [
    `| batch of ${BATCH}, payer of ${PAYER_MS} ms, ${CONCURRENCY} at a time | ${Math.round(rate)} checks/s | ${(rate / ideal).toFixed(2)} of the ideal ${ideal}/s; ${cpuMs.toFixed(2)} ms CPU of the service a check, steal ${(steal * 100).toFixed(1)} % |`,
  ]
}

/** Seconds from sending a batch to its last answer. */
async function runBatch(url: string, headers: Record<string, string>, size: number): Promise<number> {
  const items = Array.from({ length: size }, (_, index) => {
    const request = eligibilityRequestBody()
    return { ...request, subscriber: { ...request.subscriber, member_id: `W${index}` } }
  })
  const body = JSON.stringify(items)
  const started = performance.now()
  const posted = await fetch(`${url}/eligibility-checks/v1/batch`, { method: 'POST', headers, body })
  const { batch_id } = (await posted.json()) as { batch_id: string }
  for (let answered = 0; ; ) {
    // A page of answers costs the service as much as answering some checks: it is asked for ever more often towards the end.
    const elapsedMs = performance.now() - started
    const leftMs = answered === 0 ? LONGEST_PAUSE_MS : (elapsedMs * (size - answered)) / answered
    await delay(Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, leftMs / 2)))
    const polled = await fetch(`${url}/eligibility-checks/v1/batch/${batch_id}`, { headers })
    answered = ((await polled.json()) as { total: number }).total
    if (answered === size) return (performance.now() - started) / 1000
  }
}

function quantile(values: number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? 0
}

await main()
