// `npm run bench:lists [appointments] [folder]`: the usual requests of front desks, in an organization of 10,000 appointments and in one of a million
// with another of a million in the same database. First the plans of the service's statements, then times, CPU and memory. A folder keeps the data for
// the next run.
import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { readConfig } from '../src/config.ts'
import { assembleDeps } from '../src/main/assemble-deps.ts'
import { createClient, createOrganization, listOrganizations } from '../src/platform/auth/clients.ts'
import type { Database } from '../src/platform/database/database.ts'
import { type DatabasePool, openDatabase } from '../src/platform/database/database-pool.ts'
import { type EmbeddedConnection, openEmbedded } from '../src/platform/database/embedded/embedded.ts'
import { packageFile } from '../src/platform/package-root.ts'
import { type Desk, type Question, questions } from './front-desk.ts'
import { type Figure, measure, parentOf } from './measure.ts'
import { printMemory } from './memory.ts'
import { openPlans } from './plans.ts'
import { type Running, startAnteroom } from './processes.ts'
import { seedChecks } from './stored-checks.ts'

const [SMALL, LARGE] = [10_000, Number(process.argv[2] ?? 1_000_000)]
const APPOINTMENTS_A_PATIENT = 5
const CONNECTIONS = [1, 8]
/** The number of appointments for each check. */
const APPOINTMENTS_A_CHECK = 10
/** The limit of the 99th percentile. */
const P99_MS = 150
/** The duration of each measurement. */
const SECONDS = 3

interface Office {
  size: number
  desk: Desk
  token: string
}

async function main(): Promise<void> {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
  const kept = process.argv[3]
  const dataDir = kept ?? (await mkdtemp(join(tmpdir(), 'anteroom-lists-')))
  await mkdir(dataDir, { recursive: true })
  await chmod(dataDir, 0o755)
  const server = await startAnteroom({ DATA_DIR: dataDir, TOKEN_RATE_LIMIT: '1000' })
  const embedded = await openEmbedded({ dataDir, log: () => {}, role: 'command' })
  const database = openDatabase(embedded.connection, { onError: () => {} })
  try {
    const small = await open(database, server, dataDir, { name: 'small', size: SMALL })
    const large = await open(database, server, dataDir, { name: 'large', size: LARGE })
    await open(database, server, dataDir, { name: 'neighbor', size: LARGE })
    await settle(embedded.connection)
    await printPlans(database, server, dataDir, large)
    await printTimes(server, await postmasterOf(database.systemDatabase), [small, large])
    await printMemory(server, large, print)
  } finally {
    await database.close()
    await embedded.stop()
    await server.stop()
    if (!kept) await rm(dataDir, { recursive: true, force: true })
  }
}

/** Runs the work of autovacuum before the measurement, so that it does not run during it. */
async function settle(connection: EmbeddedConnection): Promise<void> {
  const session = openDatabase({ ...connection, max: 1 }, { onError: () => {} })
  await session.systemDatabase.rows('set statement_timeout = 0')
  for (const table of ['patient', 'coverage', 'appointment', 'patient_merge', 'change_clock', 'eligibility_check']) {
    await session.systemDatabase.rows(`vacuum analyze ${table}`)
  }
  await session.close()
}

/** An organization with this number of appointments and a client, created by the program if it does not exist yet. */
async function open(
  database: DatabasePool,
  server: Running,
  dataDir: string,
  { name, size }: { name: string; size: number },
): Promise<Office> {
  const patients = Math.ceil(size / APPOINTMENTS_A_PATIENT)
  const known = (await listOrganizations(database.systemDatabase)).find((each) => each.name === name)
  const { organization_id: organizationId } =
    known ?? (await createOrganization(database.systemDatabase, uuidv7, { name }))
  if (!known) seed(dataDir, name, { patients, appointments: size })
  await seedChecks(database.systemDatabase, organizationId, size / APPOINTMENTS_A_CHECK)
  const client = await createClient(database.systemDatabase, uuidv7, { organizationId, name: 'bench' })
  return {
    size,
    desk: await readDesk(database.systemDatabase, organizationId, patients),
    token: await authorize(server, client),
  }
}

function seed(dataDir: string, name: string, { patients, appointments }: { patients: number; appointments: number }) {
  const startedAt = performance.now()
  const options = ['--organization', name, '--patients', String(patients), '--appointments', String(appointments)]
  execFileSync(process.execPath, [packageFile('dist', 'main', 'cli.js'), 'seed', ...options], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: 'inherit',
  })
  print(`seeded ${name}: ${patients} patients, ${appointments} appointments in ${seconds(startedAt)} s`)
}

async function readDesk(database: Database, organizationId: string, patients: number): Promise<Desk> {
  const column = async (sql: string) => (await database.rows(sql, [organizationId])).map(([value]) => value ?? '')
  const ofPatients = (sql: string) =>
    column(`select ${sql} from patient where organization_id = $1 and body ? 'primary_telecom' order by id limit 1000`)
  const [today = ''] = await column(
    `select left(body ->> 'start_timestamp', 10) from appointment where organization_id = $1
      and (body ->> 'start_timestamp') collate "C" >= to_char(now(), 'YYYY-MM-DD') order by (body ->> 'start_timestamp') collate "C" limit 1`,
  )
  return {
    patients,
    patientIds: await ofPatients('id'),
    birthDates: await ofPatients(`body ->> 'birth_date'`),
    phones: await ofPatients(`body -> 'primary_telecom' ->> 'value'`),
    tagIds: await column('select id from tag where organization_id = $1'),
    memberIds: await column(
      `select request #>> '{subscriber,member_id}' from eligibility_check where organization_id = $1 order by id limit 1000`,
    ),
    today,
  }
}

async function authorize(server: Running, client: { client_id: string; client_secret: string }): Promise<string> {
  const { client_id, client_secret } = client
  const body = new URLSearchParams({ client_id, client_secret })
  const response = await fetch(`${server.url}/api/auth/v2/token`, { method: 'POST', body })
  return ((await response.json()) as { access_token: string }).access_token
}

async function printPlans(database: DatabasePool, server: Running, dataDir: string, office: Office): Promise<void> {
  // The keys of page tokens are in the folder, so the server's tokens are valid here too.
  const plans = openPlans(
    await assembleDeps(readConfig({ DATA_DIR: dataDir }), database, undefined, pino({ level: 'silent' })),
  )
  print(`\nPlans at ${office.size} appointments`)
  for (const question of questions) {
    const url = question.ask(office.desk, 1) + (await pageToken(server, office, question))
    print([question.name, ...(await plans.plansOf({ url, token: office.token }))].join('\n'))
  }
  await plans.close()
}

async function printTimes(server: Running, postmaster: number, offices: [Office, Office]): Promise<void> {
  print(
    `\n| what | connections | p50 / p99 at ${offices[0].size} | at ${offices[1].size} | rate | CPU a request, service + database | steal | target |`,
  )
  print('|---|---|---|---|---|---|---|---|')
  for (const question of questions) {
    const tokens = [await pageToken(server, offices[0], question), await pageToken(server, offices[1], question)]
    for (const connections of CONNECTIONS) {
      const figures: Figure[] = []
      for (const [index, office] of offices.entries()) {
        let turn = 0
        const next = () => ({ path: question.ask(office.desk, ++turn) + (tokens[index] ?? '') })
        const headers = { authorization: `Bearer ${office.token}` }
        const load = { name: question.name, url: server.url, headers, next, pid: server.pid }
        figures.push(await measure({ ...load, connections, postmaster, seconds: SECONDS }))
      }
      print(row(question, connections, figures as [Figure, Figure]))
    }
  }
}

/** The query of a page deep in the list, or of its last page. */
async function pageToken(server: Running, { desk, token }: Office, question: Question): Promise<string> {
  const url = question.ask(desk, 1)
  let query = ''
  for (let page = 1; page < (question.deepPage ?? 1); page++) {
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(`${server.url}${url}${query}`, { headers })
    const { next_page_token: next } = (await response.json()) as { next_page_token?: string }
    if (!next) break
    query = `${url.includes('?') ? '&' : '?'}page_token=${encodeURIComponent(next)}`
  }
  return query
}

function row({ name, targetMs }: Question, connections: number, [small, large]: [Figure, Figure]): string {
  const failed = small.failed + large.failed
  const isMissed = targetMs !== undefined && connections === 1 && (large.p50Ms > targetMs || large.p99Ms > P99_MS)
  const cells = [
    name,
    connections,
    `${small.p50Ms} / ${small.p99Ms} ms`,
    `${large.p50Ms} / ${large.p99Ms} ms`,
    `${large.rate}/s`,
    `${large.cpuMs.toFixed(1)} + ${large.databaseCpuMs.toFixed(1)} ms`,
    `${(large.steal * 100).toFixed(1)} %`,
    [targetMs && `${targetMs} ms`, isMissed && 'MISSED', failed > 0 && `${failed} FAILED`].filter(Boolean).join(', '),
  ]
  return `| ${cells.join(' | ')} |`
}

async function postmasterOf(database: Database): Promise<number> {
  const row = await database.row('select pg_backend_pid()')
  return parentOf(Number(row?.[0])) ?? 0
}

const seconds = (startedAt: number) => ((performance.now() - startedAt) / 1000).toFixed(0)

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

await main()
