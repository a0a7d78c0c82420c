// `npm run bench:workers`: the service with one process and with two, in turns on the same machine: reads, writes, and a batch of checks.
import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { patientBody } from '../test/support/bodies.ts'
import { type BatchWatch, runBatch, watchBatches } from './check-batch.ts'
import { childrenOf, cpuSeconds, measure } from './measure.ts'
import { authorize, type Client, startAnteroom, startScript } from './processes.ts'

const COUNTS = [1, 2]
const ROUNDS = Number(process.argv[2] ?? 2)
const SECONDS = 5
const PATIENTS = 200
const BATCH = 2000

async function main(): Promise<void> {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
  print('| processes | what | a second | CPU of the service | CPU of the database | steal |\n|---|---|---|---|---|---|')
  for (let round = 0; round < ROUNDS; round++) for (const count of COUNTS) await measureCount(count)
}

async function measureCount(count: number): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'anteroom-bench-'))
  await chmod(dataDir, 0o755)
  const payer = await startScript('payer-server.ts', ['50'])
  const settings = { DATA_DIR: dataDir, CLEARINGHOUSE_URL: `${payer.url}/core`, WORKER_CONCURRENCY: '50' }
  const server = await startAnteroom({ ...settings, CLEARINGHOUSE_MAX_CONCURRENCY: '50' }, undefined, [
    '--workers',
    String(count),
  ])
  try {
    const client = await authorize(server)
    const postmaster = childrenOf(server.pid).find(({ command }) => command.includes('postgres'))?.pid ?? 0
    const pids = [
      server.pid,
      ...childrenOf(server.pid)
        .filter(({ pid }) => pid !== postmaster)
        .map(({ pid }) => pid),
    ]
    await measureRecords(count, client, { pids, postmaster })
    const watch = await watchBatches(dataDir)
    await measureChecks(count, client, watch, pids).finally(() => watch.close())
  } finally {
    await server.stop()
    await payer.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function measureRecords(
  count: number,
  { server, headers }: Client,
  { pids, postmaster }: { pids: number[]; postmaster: number },
): Promise<void> {
  const patients: { id: string; version: number; body: object }[] = []
  for (let index = 0; index < PATIENTS; index++) {
    const sent = { method: 'POST', headers, body: JSON.stringify(patientBody()) }
    const created = await fetch(`${server.url}/patients/v1?skip_duplicate_check=true`, sent)
    if (created.status !== 200) throw new Error(`a patient could not be created: ${created.status}`)
    const body = (await created.json()) as { id: string; version: number }
    patients.push({ id: body.id, version: body.version, body })
  }
  let turn = 0
  const next = () => patients[turn++ % patients.length]!
  const load = { url: server.url, headers, pid: pids, postmaster, connections: 16, seconds: SECONDS }
  const figures = [
    await measure({ ...load, name: 'GET patient', next: () => ({ path: `/patients/v1/${next().id}` }) }),
    await measure({
      ...load,
      name: 'PUT patient',
      method: 'PUT',
      next: () => {
        const patient = next()
        patient.version += 1
        return { path: `/patients/v1/${patient.id}/${patient.version}`, body: JSON.stringify(patient.body) }
      },
    }),
  ]
  for (const { name, rate, cpuMs, databaseCpuMs, steal, failed } of figures) {
    const failures = failed > 0 ? `, ${failed} failed` : ''
    print(
      `| ${count} | ${name}${failures} | ${rate} | ${ms(cpuMs)} | ${ms(databaseCpuMs)} | ${(steal * 100).toFixed(1)} % |`,
    )
  }
}

async function measureChecks(count: number, client: Client, watch: BatchWatch, pids: number[]): Promise<void> {
  await runBatch(client, watch, BATCH / 4)
  const cpu = () => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0)
  const before = cpu()
  const seconds = await runBatch(client, watch, BATCH)
  print(
    `| ${count} | checks, payer of 50 ms, 50 at a time | ${Math.round(BATCH / seconds)} | ${ms(((cpu() - before) * 1000) / BATCH)} | | |`,
  )
}

const ms = (value: number) => `${value.toFixed(2)} ms`

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

await main()
