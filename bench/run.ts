// `npm run bench`: the service compared with its theoretical minimum, in one table. Figures are ratios within one run.
import { execFileSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase } from '../src/platform/database/database-pool.ts'
import { type EmbeddedConnection, openEmbedded } from '../src/platform/database/embedded/embedded.ts'
import { packageFile } from '../src/platform/package-root.ts'
import { buildStatements } from '../src/records/statements.ts'
import { patientBody } from '../test/support/bodies.ts'
import { measureDecoding } from './decoding.ts'
import { type Figure, measure, residentMegabytes } from './measure.ts'
import { runPgbench } from './pgbench.ts'
import { authorize, type Client, startAnteroom, startScript } from './processes.ts'

const PATIENTS = 1000
const STEAL_MAX = 0.05

async function main(): Promise<void> {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
  const dataDir = await mkdtemp(join(tmpdir(), 'anteroom-bench-'))
  await chmod(dataDir, 0o755)
  const server = await startAnteroom({ DATA_DIR: dataDir, TOKEN_RATE_LIMIT: '1000' })
  try {
    await delay(1000)
    const memory = residentMegabytes(server.pid)
    const client = await authorize(server)
    const patients = await createPatients(client)
    const embedded = await openEmbedded({ dataDir, log: () => {}, role: 'command' })
    const lines = await table(client, patients, embedded.connection)
    await embedded.stop()
    report([...lines, `| idle server, resident memory | ${memory.toFixed(0)} MB | | | | |`, ...measureDecoding()])
  } finally {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function table(client: Client, patients: Patient[], connection: EmbeddedConnection): Promise<string[]> {
  const { headers, server } = client
  const sample = await fetch(`${server.url}/patients/v1/${patients[0]?.id}`, { headers })
  const size = (await sample.text()).length
  const jwks = await (await fetch(`${server.url}/.well-known/jwks.json`)).text()
  const floor = await startScript('floor-server.ts', [jwks, String(size)])
  const floorFigure = await measure({
    name: 'floor: Fastify, same token, same size',
    url: `${floor.url}/patients/v1/x`,
    headers,
    pid: floor.pid,
  })
  await floor.stop()

  let turn = 0
  const next = () => ({ path: `/patients/v1/${patients[turn++ % patients.length]?.id}` })
  const read = await measure({ name: 'GET patient by id', url: server.url, headers, next, pid: server.pid })

  const statement = await writeFloor(connection, patients)
  const write = await measure({
    name: 'PUT patient',
    url: server.url,
    method: 'PUT',
    headers,
    next: nextWrite(patients),
    pid: server.pid,
  })
  return [
    row(floorFigure),
    row(read, ratio(read.rate, floorFigure.rate)),
    `| floor: pgbench, the same write statement | ${statement ?? 'pgbench is not installed'} | | | | |`,
    row(write, statement === undefined ? '' : ratio(write.rate, statement)),
  ]
}

/** Each PUT goes to the next patient, so that no two in flight write the same record. */
function nextWrite(patients: Patient[]): () => { path: string; body: string } {
  const body = JSON.stringify(patientBody({ name: { family: 'Changed', given: ['Often'], use: 'USUAL' } }))
  let turn = 0
  return () => {
    const patient = patients[turn++ % patients.length] as Patient
    patient.version++
    return { path: `/patients/v1/${patient.id}/${patient.version}`, body }
  }
}

/** The engine's own statement through pgbench: the next version of a random one of the organization's other patients. */
async function writeFloor(connection: EmbeddedConnection, patients: Patient[]): Promise<number | undefined> {
  const database = openDatabase(connection, { onError: () => {} })
  await database.systemDatabase.rows(
    'create table bench_patient (n integer primary key, id uuid not null, organization_id uuid not null)',
  )
  await database.systemDatabase.rows(
    'insert into bench_patient select row_number() over (), id, organization_id from patient where not id = any($1::uuid[])',
    [patients.map(({ id }) => id)],
  )
  const body = JSON.stringify({ ...patientBody(), mrn: 'kept' }).replaceAll("'", "''")
  const target = '(select %s from bench_patient where n = :n)'
  const values = [
    target.replace('%s', 'organization_id'),
    target.replace('%s', 'id'),
    '(select version from patient where (organization_id, id) = (select organization_id, id from bench_patient where n = :n))',
    target.replace('%s', 'organization_id'),
    `'${body}'`,
    `'{}'`,
  ]
  const text = buildStatements({ name: 'patient', patients: 'itself', keeps: ['mrn'] }).update.text.replaceAll(
    /\$(\d)/g,
    (_, index) => values[Number(index) - 1] ?? '',
  )
  // pgbench would interpret `:MI` and `:SS` as its variables; the cost is the same.
  const rate = runPgbench(
    connection,
    `\\set n random(1, ${patients.length})\n${text.replaceAll('\n', ' ').replaceAll('HH24:MI:SS', 'HH24-MI-SS')};\n`,
  )
  await database.systemDatabase.rows('drop table bench_patient')
  await database.close()
  return rate
}

interface Patient {
  id: string
  version: number
}

/** Twice as many as are used: the minimum of writes is measured with the other half. */
async function createPatients({ server, headers }: Client): Promise<Patient[]> {
  const patients: Patient[] = []
  for (let index = 0; index < 2 * PATIENTS; index++) {
    const body = JSON.stringify(patientBody({ email: `patient${index}@example.org` }))
    const response = await fetch(`${server.url}/patients/v1?skip_duplicate_check=true`, {
      method: 'POST',
      headers,
      body,
    })
    if (response.status !== 200) throw new Error(`a patient could not be created: ${response.status}`)
    patients.push((await response.json()) as Patient)
  }
  return patients.slice(0, PATIENTS)
}

function row({ name, rate, p50Ms, p99Ms, cpuMs, steal, failed }: Figure, note = ''): string {
  const doubts = [failed > 0 ? `${failed} failed` : '', steal > STEAL_MAX ? 'too much steal' : '']
    .filter(Boolean)
    .join(', ')
  const cells = [
    name,
    `${rate}/s`,
    `${p50Ms} / ${p99Ms} ms`,
    `${cpuMs.toFixed(3)} ms`,
    `${(steal * 100).toFixed(1)} %`,
    [note, doubts].filter(Boolean).join('; '),
  ]
  return `| ${cells.join(' | ')} |`
}

const ratio = (rate: number, floor: number) => `${(rate / floor).toFixed(2)} of the floor`

function report(lines: string[]): void {
  const machine = `${cpus().length} cores (${cpus()[0]?.model}), ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}`
  const heading = ['| what | rate | p50 / p99 | CPU a request | steal | beside |', '|---|---|---|---|---|---|']
  const text = [`\n## ${new Date().toISOString().slice(0, 10)}, ${machine}`, '', ...heading, ...lines, ''].join('\n')
  process.stdout.write(text)
  if (process.argv.includes('--record')) appendFileSync(packageFile('bench', 'results.md'), text)
}

await main()
