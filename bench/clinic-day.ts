// `npm run bench:clinic-day [visits]`: what a visit costs from booking to check-out, in CPU and storage, and how many clinics that lets one
// machine carry (docs/sizing.md).
import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../src/platform/database/database-pool.ts'
import { openEmbedded } from '../src/platform/database/embedded/embedded.ts'
import { appointmentBody, coverageBody, coverageCheckBody, patientBody } from '../test/support/bodies.ts'
import { cpuSeconds, familySeconds } from './measure.ts'
import { authorize, type Client, startAnteroom, startScript } from './processes.ts'

const VISITS = Number(process.argv[2] ?? 600)
const CONCURRENCY = 16
/** Patients who are known before the measured visits: two visits in three are theirs. */
const KNOWN = Math.ceil(VISITS / 2)
const PAYER_MS = 50

/** A clinic of five doctors. A fifth of a day's visits fall into its busiest hour, and half of the machine is kept free. */
const CLINIC = { visitsADay: 200, peakShare: 0.2, use: 0.5, daysAYear: 250 }

interface Versioned {
  id: string
  version: number
}

interface Known {
  patient: Versioned
  coverage: Versioned
}

async function main(): Promise<void> {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
  const dataDir = await mkdtemp(join(tmpdir(), 'anteroom-clinic-day-'))
  await chmod(dataDir, 0o755)
  const payer = await startScript('payer-server.ts', [String(PAYER_MS)])
  const server = await startAnteroom({ DATA_DIR: dataDir, CLEARINGHOUSE_URL: `${payer.url}/core` })
  try {
    const client = await authorize(server)
    const lock = await readFile(join(dataDir, 'postgresql', 'cluster', 'data', 'postmaster.pid'), 'utf8')
    const used = async () => ({
      service: cpuSeconds(server.pid),
      database: familySeconds(Number.parseInt(lock, 10)),
      bytes: await storedBytes(dataDir),
    })
    const known = await inParallel(KNOWN, (index) => register(client, index))
    const before = await used()
    await inParallel(VISITS, (index) => visit(client, known, index))
    const after = await used()
    const each = (name: keyof typeof before) => (after[name] - before[name]) / VISITS
    report({ serviceMs: each('service') * 1000, databaseMs: each('database') * 1000, bytes: each('bytes') })
  } finally {
    await server.stop()
    await payer.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** A patient with a coverage in the filing order. */
async function register(client: Client, index: number): Promise<Known> {
  const name = { family: `Family${index % 500}`, given: [`Given${index}`], use: 'USUAL' }
  const body = patientBody({ name, birth_date: birthDate(index) })
  const patient = await send<Versioned>(client, 'POST', '/patients/v1?skip_duplicate_check=true', body)
  const coverage = await send<Versioned>(client, 'POST', '/coverages/v1', coverageBody(patient.id))
  const filed = { ...body, filing_order: { coverages: [coverage.id] } }
  return {
    patient: await send<Versioned>(client, 'PUT', `/patients/v1/${patient.id}/${patient.version + 1}`, filed),
    coverage,
  }
}

const birthDate = (index: number) => new Date(Date.UTC(1940, 0, 1 + (index % 25_000))).toISOString().slice(0, 10)

/** One visit: booked, checked, looked at by the front desk and an integration, checked in and out. */
async function visit(client: Client, known: Known[], index: number): Promise<void> {
  const isNew = index % 3 === 0
  const { patient, coverage } = isNew ? await register(client, KNOWN + index) : (known[index % KNOWN] as Known)
  const found = encodeURIComponent(`patient.name.family|contains|Family${index % 500}`)
  await send(client, 'GET', `/lists/v1/patient?limit=20&filters=${found}`)
  await send(client, 'GET', `/patients/v1/${patient.id}`)
  const day = `2027-03-${String(1 + (index % 28)).padStart(2, '0')}`
  const booked = appointmentBody(patient.id, {
    start_timestamp: `${day}T15:${String(index % 60).padStart(2, '0')}:00.000Z`,
  })
  let appointment = await send<Versioned>(client, 'POST', '/appointments/v1', booked)
  await send(client, 'POST', `/coverages/v1/${coverage.id}/eligibility`, coverageCheckBody())
  for (const status of ['READY', 'CHECKED_IN', 'CHECKED_OUT']) {
    await send(client, 'GET', `/appointments/v1/${appointment.id}`)
    const path = `/appointments/v1/${appointment.id}/${appointment.version + 1}`
    const times = {
      ...(status !== 'READY' && { checked_in_timestamp: `${day}T15:00:00.000Z` }),
      ...(status === 'CHECKED_OUT' && { checked_out_timestamp: `${day}T16:30:00.000Z` }),
    }
    appointment = await send<Versioned>(client, 'PUT', path, { ...booked, ...times, status })
  }
  await send(client, 'GET', `/coverages/v1?patient_id=${patient.id}`)
  // A desk opens the board of the day ten times a hundred visits, and an integration asks for changes twice a visit.
  const visits = encodeURIComponent(`appointment.startTimestamp|eq|${day}`)
  if (index % 10 === 0) await send(client, 'GET', `/appointments/v1/visits?filters=${visits}`)
  const since = new Date(Date.now() - 2000).toISOString()
  for (const type of ['patients', 'appointments']) {
    await send(client, 'GET', `/${type}/v1/updates/scan?since=${since}&maxResults=100`)
  }
}

async function send<Answer>({ server, headers }: Client, method: string, path: string, body?: object): Promise<Answer> {
  const response = await fetch(server.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 200)}`)
  return (text === '' ? undefined : JSON.parse(text)) as Answer
}

async function inParallel<Made>(count: number, make: (index: number) => Promise<Made>): Promise<Made[]> {
  const made: Made[] = []
  let next = 0
  const work = async () => {
    while (next < count) {
      const index = next++
      made[index] = await make(index)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  return made
}

async function storedBytes(dataDir: string): Promise<number> {
  const embedded = await openEmbedded({ dataDir, log: () => {}, role: 'command' })
  const database = openDatabase(embedded.connection, { onError: () => {} })
  try {
    const row = await database.systemDatabase.row('select pg_database_size(current_database())')
    return Number(row?.[0])
  } finally {
    await database.close()
    await embedded.stop()
  }
}

function report({ serviceMs, databaseMs, bytes }: { serviceMs: number; databaseMs: number; bytes: number }): void {
  const coreMs = 3_600_000 * CLINIC.use
  const clinics = (cores: number) =>
    (coreMs * cores) / ((serviceMs + databaseMs) * CLINIC.visitsADay * CLINIC.peakShare)
  const gigabytesAYear = (bytes * CLINIC.visitsADay * CLINIC.daysAYear) / 1024 ** 3
  process.stdout.write(
    [
      '| a visit | |',
      '|---|---|',
      `| CPU of the service | ${serviceMs.toFixed(1)} ms |`,
      `| CPU of PostgreSQL | ${databaseMs.toFixed(1)} ms |`,
      `| storage | ${(bytes / 1024).toFixed(0)} KB |`,
      `| clinics of ${CLINIC.visitsADay} visits a day on 2 cores | ${Math.floor(clinics(2))} |`,
      `| on 8 cores | ${Math.floor(clinics(8))} |`,
      `| storage of a clinic a year | ${gigabytesAYear.toFixed(1)} GB |`,
      '',
    ].join('\n'),
  )
}

await main()
