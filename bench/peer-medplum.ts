// `npx tsx bench/peer-medplum.ts <file>`: the operations of bench/peers.md on a running Anteroom and a running Medplum, in turns, operation by operation, with the CPU
// of each service and of its PostgreSQL a request. Neither is started here. Each is described by its settings, with ANTEROOM_ or MEDPLUM_ before: URL, CLIENT_ID,
// CLIENT_SECRET, PIDS (its processes, comma-separated: also Redis) and POSTMASTER (each with a PostgreSQL of its own). The first run with a file fills both and keeps in it
// what it made; each run adds a turn and prints the medians of all.
import { readFile, writeFile } from 'node:fs/promises'
import { type Figure, measure } from './measure.ts'
import { anteroom, type Dialect, medplum, type Person, type Question } from './peer-dialects.ts'

const PATIENTS = Number(process.env.PATIENTS ?? 10_000)
const APPOINTMENTS = 2 * PATIENTS
const SECONDS = Number(process.env.SECONDS ?? 3)
const CONNECTIONS = 16
/** Records that are updated, and whose history is read: three versions at first. */
const CHANGED = 500
/** Family names with two digits, so that none begins with another: Medplum finds by the start of a name. */
const FAMILIES = 50
const familyOf = (index: number) => `Family${10 + (index % FAMILIES)}`

interface Made {
  patients: string[]
  appointments: string[]
}

interface Side extends Made {
  name: string
  dialect: Dialect
  url: string
  headers: Record<string, string>
  credentials: string
  pids: number[]
  postmaster: number
  /** The newest version of each record that is updated, as Anteroom counts them. */
  versions: Map<string, number>
}

/** By side and operation. */
type Turn = Record<string, Figure>
interface Kept {
  made: Record<string, Made>
  turns: Turn[]
}

let turn = 0
const person = (index: number): Person => ({
  family: familyOf(index),
  given: `Given${index}`,
  email: `patient${index}.${Math.random()}@example.org`,
})
const nth = (ids: string[], index: number) => ids[index % ids.length] as string

function updating(
  type: 'patient' | 'appointment',
  { dialect, versions, patients, appointments }: Side,
): () => Question {
  const ids = (type === 'patient' ? patients : appointments).slice(0, CHANGED)
  return () => {
    const index = turn++ % ids.length
    const id = nth(ids, index)
    const version = versions.get(id) ?? 0
    versions.set(id, version + 1)
    const body = type === 'patient' ? dialect.patient(person(index)) : dialect.appointment(nth(patients, index), turn)
    // FHIR repeats the id in the body.
    const named = dialect === medplum ? { id, ...body } : body
    return { method: 'PUT', path: dialect.update(type, id, version), body: JSON.stringify(named) }
  }
}

const creating = (path: string, bodyOf: () => object) => (): Question => ({
  method: 'POST',
  path,
  body: JSON.stringify(bodyOf()),
})

const operations: Record<string, (side: Side) => () => Question> = {
  'history of a patient (three versions)': ({ dialect, patients }) => {
    const ids = patients.slice(CHANGED, 2 * CHANGED)
    return () => ({ path: dialect.history(nth(ids, turn++)) })
  },
  'GET patient':
    ({ dialect, patients }) =>
    () => ({ path: dialect.record('patient', nth(patients, turn++ * 7919)) }),
  'page of 20 patients by family name, with the total':
    ({ dialect }) =>
    () => ({ path: dialect.byFamily(familyOf(turn++)) }),
  'page of 20 patients by family name, the peer without the total':
    ({ dialect }) =>
    () => ({ path: dialect.byFamilyUncounted(familyOf(turn++)) }),
  'page of 100 appointments, with their patients and the total':
    ({ dialect }) =>
    () => ({ path: dialect.appointments }),
  'page of 100 appointments, the peer without patients and total':
    ({ dialect }) =>
    () => ({ path: dialect.appointmentsAlone }),
  'PUT appointment': (side) => updating('appointment', side),
  'create appointment': ({ dialect, patients }) =>
    creating(dialect.paths.appointment, () => dialect.appointment(nth(patients, turn++), turn)),
  'create coverage': ({ dialect, patients }) =>
    creating(dialect.paths.coverage, () => dialect.coverage(nth(patients, turn++))),
  'PUT patient': (side) => updating('patient', side),
  'create patient': ({ dialect }) =>
    creating(dialect.paths.createPatient, () => dialect.patient({ ...person(turn++), family: 'New' })),
  token:
    ({ dialect, credentials }) =>
    () => ({ method: 'POST', path: dialect.token, body: credentials }),
}

async function main(file: string): Promise<void> {
  const kept: Kept = JSON.parse(await readFile(file, 'utf8').catch(() => '{"made":{},"turns":[]}'))
  const sides: Side[] = []
  for (const [name, dialect] of Object.entries({ anteroom, medplum })) {
    if (process.env[`${name.toUpperCase()}_URL`]) sides.push(await connect(name, dialect, kept))
    await writeFile(file, JSON.stringify(kept))
  }
  if (kept.turns.length % 2 === 1) sides.reverse()
  const figures: Turn = {}
  for (const [name, questionsOf] of SECONDS > 0 ? Object.entries(operations) : []) {
    for (const side of sides) figures[`${side.name} ${name}`] = await measured(name, side, questionsOf(side))
  }
  if (SECONDS > 0) kept.turns.push(figures)
  await writeFile(file, JSON.stringify(kept))
  print(kept)
}

async function connect(name: string, dialect: Dialect, kept: Kept): Promise<Side> {
  const setting = (key: string) => {
    const value = process.env[`${name.toUpperCase()}_${key}`]
    if (!value) throw new Error(`${name.toUpperCase()}_${key} is not set`)
    return value
  }
  const url = setting('URL')
  const credentials = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: setting('CLIENT_ID'),
    client_secret: setting('CLIENT_SECRET'),
  }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const { access_token } = await ask(url, headers, { method: 'POST', path: dialect.token, body: credentials })
  const side: Side = {
    name,
    dialect,
    url,
    headers: {
      authorization: `Bearer ${access_token}`,
      'content-type': name === 'medplum' ? 'application/fhir+json' : 'application/json',
    },
    credentials,
    pids: setting('PIDS').split(',').map(Number),
    postmaster: Number(setting('POSTMASTER')),
    versions: new Map(),
    patients: [],
    appointments: [],
  }
  kept.made[name] ??= await fill(side)
  Object.assign(side, kept.made[name])
  for (const type of ['patient', 'appointment'] as const) {
    for (const id of side[`${type}s`].slice(0, CHANGED)) {
      const { version } = await ask(url, side.headers, { path: dialect.record(type, id) })
      side.versions.set(id, version)
    }
  }
  return side
}

async function fill(side: Side): Promise<Made> {
  const { dialect } = side
  const patients = await made(side, PATIENTS, (index) =>
    creating(dialect.paths.createPatient, () => dialect.patient(person(index)))(),
  )
  const appointments = await made(side, APPOINTMENTS, (index) =>
    creating(dialect.paths.appointment, () => dialect.appointment(nth(patients, index), index))(),
  )
  const read = patients.slice(CHANGED, 2 * CHANGED)
  for (const version of [1, 2]) {
    await made(side, CHANGED, (index) => {
      const id = nth(read, index)
      const body = { ...(dialect === medplum && { id }), ...dialect.patient(person(index)) }
      return { method: 'PUT', path: dialect.update('patient', id, version), body: JSON.stringify(body) }
    })
  }
  return { patients, appointments }
}

async function made(side: Side, count: number, questionOf: (index: number) => Question): Promise<string[]> {
  const ids: string[] = []
  for (let from = 0; from < count; from += CONNECTIONS) {
    const indexes = Array.from({ length: Math.min(CONNECTIONS, count - from) }, (_, index) => from + index)
    const answers = await Promise.all(indexes.map((index) => ask(side.url, side.headers, questionOf(index))))
    ids.push(...answers.map(({ id }) => id))
  }
  return ids
}

async function ask(url: string, headers: Record<string, string>, { path, ...request }: Question) {
  const response = await fetch(url + path, { headers, ...request })
  if (!response.ok) throw new Error(`${path} answers ${response.status}: ${await response.text()}`)
  return (await response.json()) as { id: string; version: number; access_token: string }
}

async function measured(name: string, side: Side, next: () => Question): Promise<Figure> {
  const { url, pids: pid, postmaster, headers } = side
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const load = { name, url, pid, postmaster, connections: CONNECTIONS, seconds: SECONDS }
  return measure({ ...load, headers: name === 'token' ? form : headers, next })
}

function print({ turns }: Kept): void {
  const cellOf = (side: string, operation: string): Cell => {
    const figures = turns.map((figures) => figures[`${side} ${operation}`]).filter((figure) => figure !== undefined)
    const of = (key: 'rate' | 'cpuMs' | 'databaseCpuMs' | 'failed') => median(figures.map((figure) => figure[key]))
    return { rate: of('rate'), service: of('cpuMs'), database: of('databaseCpuMs'), failed: of('failed') }
  }
  const show = ({ rate, service, database, failed }: Cell) =>
    `${rate}${failed ? ` (${failed} failed)` : ''} | ${service.toFixed(2)} + ${database.toFixed(2)}`
  const lines = Object.keys(operations).map((operation) => {
    const [ours, theirs] = [cellOf('anteroom', operation), cellOf('medplum', operation)]
    const cpu = ({ service, database }: Cell) => service + database
    const times = [ours.rate / theirs.rate, cpu(theirs) / cpu(ours)].map((each) => each.toFixed(1))
    return `| ${operation} | ${show(ours)} | ${show(theirs)} | ${times.join(' | ')} |`
  })
  const heading = (name: string) => `${name}: a second | CPU ms, service + database`
  const first = `| what | ${heading('Anteroom')} | ${heading('Medplum')} | rate, times | CPU, times |`
  process.stdout.write(`${turns.length} turns\n${[first, '|---|---|---|---|---|---|---|', ...lines].join('\n')}\n`)
}

type Cell = Record<'rate' | 'service' | 'database' | 'failed', number>

function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return ((sorted[Math.floor((sorted.length - 1) / 2)] ?? 0) + (sorted[Math.floor(sorted.length / 2)] ?? 0)) / 2
}

await main(process.argv[2] ?? '')
