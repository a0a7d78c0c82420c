// `npm run bench:checks`: the time that the service adds to a real-time check, and the rate of a batch with a payer that takes 50 ms.
// `npm run bench:checks -- <folder>`: the same in turns with another build; the folder is a built checkout.
import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { leavingSome } from '../src/platform/fair-share.ts'
import { packageFile } from '../src/platform/package-root.ts'
import { eligibilityRequestBody } from '../test/support/bodies.ts'
import { type BatchWatch, runBatch, watchBatches } from './check-batch.ts'
import { cpuSeconds, familySeconds, machineTicks } from './measure.ts'
import { authorize, type Client, type Running, startAnteroom, startScript, startWorker } from './processes.ts'

const PAYER_MS = 50
/** Inquiries at the payer at a time. */
const CONCURRENCY = 50
const BATCH = 5000
const ROUNDS = 2
const SINGLE_CHECKS = 400

/** A way to run the service. */
interface Setup {
  name: string
  root: string
  /** The number of processes that answer checks: the server and additional workers. */
  processes: number
}

interface Service {
  client: Client
  payer: Running
  workers: Running[]
  watch: BatchWatch
  postmaster: number
}

async function main(): Promise<void> {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
  const here = packageFile('.')
  const [other] = process.argv.slice(2)
  const builds =
    other === undefined
      ? [['', here] as const]
      : ([
          [`${other}, `, other],
          ['', here],
        ] as const)
  const setups = builds.flatMap(([name, root]) =>
    [1, 2].map((processes) => ({ name: `${name}${processes} process${processes === 1 ? '' : 'es'}`, root, processes })),
  )
  print('| what | figure | beside |\n|---|---|---|')
  for (let round = 0; round < ROUNDS; round++) {
    for (const setup of setups.filter(({ processes }) => processes === 1)) await withPayer(setup, 0, measureOverhead)
    for (const setup of setups) await withPayer(setup, PAYER_MS, measureBatches)
  }
}

/** A service with a payer that takes `pauseMs` to answer. */
async function withPayer(setup: Setup, pauseMs: number, work: (service: Service) => Promise<string[]>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'anteroom-bench-'))
  await chmod(dataDir, 0o755)
  const payer = await startScript('payer-server.ts', [String(pauseMs)])
  const each = String(placesFor(CONCURRENCY / setup.processes))
  const environment = {
    DATA_DIR: dataDir,
    CLEARINGHOUSE_URL: `${payer.url}/core`,
    WORKER_CONCURRENCY: each,
    CLEARINGHOUSE_MAX_CONCURRENCY: each,
  }
  const server = await startAnteroom(environment, setup.root)
  const workers = []
  for (let count = 1; count < setup.processes; count++) workers.push(await startWorker(environment, setup.root))
  const watch = await watchBatches(dataDir)
  try {
    const lock = await readFile(join(dataDir, 'postgresql', 'cluster', 'data', 'postmaster.pid'), 'utf8')
    const lines = await work({
      client: await authorize(server),
      payer,
      workers,
      watch,
      postmaster: Number.parseInt(lock, 10),
    })
    for (const line of lines) print(`| ${setup.name}: ${line} |`)
  } finally {
    await watch.close()
    for (const worker of workers) await worker.stop()
    await server.stop()
    await payer.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** How many places there must be for one organization to use `own` of them; the rest is reserved for others (decisions/0019-fairness.md). */
function placesFor(own: number): number {
  let places = own
  while (!leavingSome(own - 1, places - own + 1)) places += 1
  return places
}

/** One caller at a time, alternating between the payer alone and the service with the same payer. */
async function measureOverhead({ client: { server, headers }, payer }: Service): Promise<string[]> {
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
      await timed(payer.url, 'TRN*1*X~NM1*IL*1*A*B~'),
      await timed(`${server.url}/eligibility-checks/v1`, body),
    ]
    if (index < SINGLE_CHECKS) continue
    alone.push(first)
    through.push(second)
  }
  const [payer50, check50] = [quantile(alone, 0.5), quantile(through, 0.5)]
  const overhead = `${(check50 - payer50).toFixed(1)} ms p50`
  return [
    `a real-time check, added to the payer's own answer time | ${overhead} | payer ${payer50.toFixed(1)} ms, check ${check50.toFixed(1)} ms, p99 ${quantile(through, 0.99).toFixed(1)} ms`,
  ]
}

/** The first batch of a process that has answered a thousand checks, and the next one, for which V8 has compiled nearly everything. */
async function measureBatches(service: Service): Promise<string[]> {
  await runBatch(service.client, service.watch, BATCH / 5)
  return [await measureBatch(service, 'batch'), await measureBatch(service, 'second batch')]
}

async function measureBatch(service: Service, what: string): Promise<string> {
  await readPayer(service)
  const before = clocks(service)
  const seconds = await runBatch(service.client, service.watch, BATCH)
  const after = clocks(service)
  const rate = BATCH / seconds
  const ideal = (CONCURRENCY * 1000) / PAYER_MS
  const each = (name: 'service' | 'database' | 'payer') => (((after[name] - before[name]) * 1000) / BATCH).toFixed(2)
  const steal = (after.machine.steal - before.machine.steal) / (after.machine.total - before.machine.total)
  const { peak, meanMs } = await readPayer(service)
  return `${what} of ${BATCH}, payer of ${PAYER_MS} ms (${meanMs.toFixed(1)}), ${peak} at a time | ${Math.round(rate)} checks/s, ${(rate / ideal).toFixed(2)} of the ideal | CPU a check: service ${each('service')} ms, database ${each('database')} ms, payer ${each('payer')} ms; steal ${(steal * 100).toFixed(1)} %`
}

/** The most inquiries at a time, and how long the payer took for each since the previous call. */
async function readPayer({ payer }: Service): Promise<{ peak: number; meanMs: number }> {
  return (await fetch(payer.url)).json() as Promise<{ peak: number; meanMs: number }>
}

function clocks({ client, payer, workers, postmaster }: Service) {
  const service = [client.server, ...workers].reduce((sum, { pid }) => sum + cpuSeconds(pid), 0)
  return { service, database: familySeconds(postmaster), payer: cpuSeconds(payer.pid), machine: machineTicks() }
}

function quantile(values: number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? 0
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

await main()
