// `npm run bench:peers [folder]`: the operations that were measured against a peer (bench/peers.md), with the CPU of the service and of
// PostgreSQL per request, and the WAL that was written, which other work on the machine does not affect. Given the folder of another build, it measures
// both in turns, operation by operation.
import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DatabasePool, openDatabase } from '../src/platform/database/database-pool.ts'
import { openEmbedded } from '../src/platform/database/embedded/embedded.ts'
import { packageFile } from '../src/platform/package-root.ts'
import { coverageBody, patientBody } from '../test/support/bodies.ts'
import { appointmentBody } from './bodies.ts'
import { type Figure, type Load, measure, parentOf } from './measure.ts'
import { authorize, type Client, startAnteroom } from './processes.ts'

const PATIENTS = 2000
const APPOINTMENTS = 2 * PATIENTS
const FAMILIES = 50
const SECONDS = Number(process.env.SECONDS ?? 4)
/** The numbers of requests in flight; patient updates are measured with each, other operations with one of them. */
const CLIENTS = [1, 4, 16, 64]
const CONNECTIONS = 16

interface Versioned {
  id: string
  version: number
}

interface Build extends Client {
  dataDir: string
  database: DatabasePool
  postmaster: number
  close(): Promise<void>
  patients: Versioned[]
  appointments: Versioned[]
}

type Question = Pick<Load, 'method' | 'next'>

async function main(): Promise<void> {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
  const folders = [...process.argv.slice(2), packageFile('.')]
  const builds: Build[] = []
  try {
    for (const folder of folders) builds.push(await prepare(folder))
    print(`| what | clients | ${folders.map(heading).join(' | ')} |${folders.length > 1 ? ' times |' : ''}`)
    print(`|---|---|${folders.map(() => '---|---|---|---|').join('')}${folders.length > 1 ? '---|' : ''}`)
    for (const clients of CLIENTS) await printRow(builds, 'PUT patient', clients)
    for (const name of Object.keys(questions).slice(1)) await printRow(builds, name, CONNECTIONS)
  } finally {
    for (const { server, dataDir, close } of builds) {
      await close()
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    }
  }
}

const heading = (_: string, index: number, { length }: string[]) => {
  const name = length === 1 ? '' : index === length - 1 ? 'this: ' : 'other: '
  return `${name}a second | p99 ms | ${name}CPU ms, service + database | WAL kB`
}

async function prepare(folder: string): Promise<Build> {
  const dataDir = await mkdtemp(join(tmpdir(), 'anteroom-peers-'))
  await chmod(dataDir, 0o755)
  const server = await startAnteroom({ DATA_DIR: dataDir, TOKEN_RATE_LIMIT: '1000000' }, folder)
  const client = await authorize(server)
  const patients = await create(client, 'patients/v1?skip_duplicate_check=true', PATIENTS, (index) =>
    patientBody({
      name: { family: `Family${index % FAMILIES}`, given: [`Given${index}`], use: 'USUAL' },
      email: `patient${index}@example.org`,
    }),
  )
  const appointments = await create(client, 'appointments/v1', APPOINTMENTS, (index) =>
    appointmentBody(patients[index % PATIENTS]?.id ?? ''),
  )
  return { ...client, dataDir, ...(await openDatabaseOf(dataDir)), patients, appointments }
}

async function create(
  { server, headers }: Client,
  path: string,
  count: number,
  bodyOf: (index: number) => object,
): Promise<Versioned[]> {
  const made: Versioned[] = []
  for (let from = 0; from < count; from += CONNECTIONS) {
    const indexes = Array.from({ length: Math.min(CONNECTIONS, count - from) }, (_, index) => from + index)
    const answers = await Promise.all(
      indexes.map(async (index) => {
        const body = JSON.stringify(bodyOf(index))
        const response = await fetch(`${server.url}/${path}`, { method: 'POST', headers, body })
        if (response.status !== 200) throw new Error(`${path} answers ${response.status}`)
        return (await response.json()) as Versioned
      }),
    )
    made.push(...answers)
  }
  return made
}

async function openDatabaseOf(dataDir: string): Promise<Pick<Build, 'database' | 'postmaster' | 'close'>> {
  const embedded = await openEmbedded({ dataDir, log: () => {}, role: 'command' })
  const database = openDatabase(embedded.connection, { onError: () => {} })
  const [backend] = (await database.systemDatabase.row('select pg_backend_pid()')) ?? []
  const close = async () => {
    await database.close()
    await embedded.stop()
  }
  return { database, postmaster: parentOf(Number(backend)) ?? 0, close }
}

async function walBytes({ database }: Build): Promise<number> {
  const row = await database.systemDatabase.row(`select pg_current_wal_lsn() - '0/0'::pg_lsn`)
  return Number(row?.[0])
}

/** Writes go to one record after the other, so that no two in flight write the same record. */
const writing = (records: Versioned[], path: string, bodyOf: (id: number) => object): Question => {
  let turn = 0
  return {
    method: 'PUT',
    next: () => {
      const index = turn++ % records.length
      const record = records[index] as Versioned
      record.version++
      return { path: `${path}/${record.id}/${record.version}`, body: JSON.stringify(bodyOf(index)) }
    },
  }
}

const asking = (pathOf: (turn: number) => string): Question => {
  let turn = 0
  return { next: () => ({ path: pathOf(turn++) }) }
}

const creating = (path: string, bodyOf: (turn: number) => object): Question => {
  let turn = 0
  return { method: 'POST', next: () => ({ path, body: JSON.stringify(bodyOf(turn++)) }) }
}

const filterOf = (path: string, value: string) => encodeURIComponent(`${path}|eq|${value}`)

const questions: Record<string, (build: Build) => Question> = {
  'PUT patient': ({ patients }) =>
    writing(patients, '/patients/v1', (index) =>
      patientBody({
        name: { family: `Family${index % FAMILIES}`, given: [`Given${index}`], use: 'USUAL' },
        email: `changed${Math.random()}@example.org`,
      }),
    ),
  'create patient': () =>
    creating('/patients/v1?skip_duplicate_check=true', (turn) =>
      patientBody({ name: { family: `New${turn % FAMILIES}`, given: [`Given${turn}`], use: 'USUAL' } }),
    ),
  'create patient with the duplicate check': () =>
    creating('/patients/v1', (turn) =>
      patientBody({ name: { family: `Checked${turn % FAMILIES}`, given: [`Given${turn}`], use: 'USUAL' } }),
    ),
  'PUT appointment': ({ appointments, patients }) =>
    writing(appointments, '/appointments/v1', (index) => ({
      ...appointmentBody(patients[index % PATIENTS]?.id ?? ''),
      estimated_copay_cents: Math.floor(Math.random() * 10_000),
    })),
  'create appointment': ({ patients }) =>
    creating('/appointments/v1', (turn) => appointmentBody(patients[turn % PATIENTS]?.id ?? '')),
  'create coverage': ({ patients }) =>
    creating('/coverages/v1', (turn) => coverageBody(patients[turn % PATIENTS]?.id ?? '')),
  'GET patient': ({ patients }) => asking((turn) => `/patients/v1/${patients[turn % PATIENTS]?.id}`),
  'history of a patient': ({ patients }) => asking((turn) => `/patients/v1/${patients[turn % PATIENTS]?.id}/history`),
  'page of 20 patients by family name': () =>
    asking(
      (turn) => `/lists/v1/patient?limit=20&filters=${filterOf('patient.name.family', `Family${turn % FAMILIES}`)}`,
    ),
  'the same, each page once': () =>
    asking((turn) => {
      const before = new Date(Date.UTC(1000, 0, turn)).toISOString().slice(0, 10)
      const filters = [`patient.name.family|eq|Family${turn % FAMILIES}`, `patient.birthDate|gt|${before}`]
      return `/lists/v1/patient?limit=20&filters=${encodeURIComponent(filters.join(','))}`
    }),
  'page of 100 appointments': () => asking(() => '/lists/v1/appointment?limit=100'),
  token: ({ credentials }) => creating('/api/auth/v2/token', () => credentials),
}

async function printRow(builds: Build[], name: string, connections: number): Promise<void> {
  const figures: (Figure & { walKilobytes: number })[] = []
  for (const build of builds) {
    const { server, headers, postmaster } = build
    const question = questions[name]?.(build)
    const load = { name, url: server.url, headers, pid: server.pid, postmaster, connections, seconds: SECONDS }
    let sent = 0
    const next = () => {
      sent++
      return question?.next?.() ?? { path: '/' }
    }
    const before = await walBytes(build)
    const figure = await measure({ ...load, ...question, next })
    figures.push({ ...figure, walKilobytes: ((await walBytes(build)) - before) / sent / 1024 })
  }
  const cells = figures.map(({ rate, p99Ms, cpuMs, databaseCpuMs, walKilobytes, failed }) => {
    const doubt = failed > 0 ? ` (${failed} failed)` : ''
    return `${rate}${doubt} | ${p99Ms} | ${cpuMs.toFixed(2)} + ${databaseCpuMs.toFixed(2)} | ${walKilobytes.toFixed(1)}`
  })
  const [first, last] = [figures[0], figures.at(-1)]
  const times = first && last && figures.length > 1 ? ` ${(last.rate / first.rate).toFixed(2)} |` : ''
  print(`| ${name} | ${connections} | ${cells.join(' | ')} |${times}`)
}

const print = (line: string) => process.stdout.write(`${line}\n`)

await main()
