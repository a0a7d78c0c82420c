// `npm run bench:growth`: the same operations on an organization of 10,000 and one of 1,000,000 records of each type. What an
// operation costs must not grow with the number of records: the last column is the smaller rate over the larger.
import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, createOrganization, verifyCredentials } from '../src/platform/auth/clients.ts'
import { openDatabase } from '../src/platform/database/database-pool.ts'
import { openEmbedded } from '../src/platform/database/embedded/embedded.ts'
import { coverageBody, patientBody } from '../test/support/bodies.ts'
import { appointmentBody } from './bodies.ts'
import { fill, idOf, type RecordType } from './fill.ts'
import { type Figure, type Load, measure, parentOf } from './measure.ts'
import { type Running, startAnteroom } from './processes.ts'

const [SMALL, LARGE] = [10_000, Number(process.argv[2] ?? 1_000_000)]
const VERSIONS = 50
/** A prime, so that its multiples reach every record before one repeats. */
const STRIDE = 7919

interface Organization {
  size: number
  headers: Record<string, string>
}

async function main(): Promise<void> {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
  const dataDir = await mkdtemp(join(tmpdir(), 'anteroom-growth-'))
  await chmod(dataDir, 0o755)
  const server = await startAnteroom({ DATA_DIR: dataDir, TOKEN_RATE_LIMIT: '1000' })
  try {
    const { organizations, postmaster } = await prepare(dataDir, server)
    for (const organization of organizations) await makeHistory(server, organization)
    const rows = []
    for (const type of ['patient', 'coverage', 'appointment'] as const) {
      for (const operation of Object.keys(loads) as Operation[]) {
        const figures = []
        for (const organization of organizations)
          figures.push(await measure({ ...loads[operation](server, organization, type), postmaster }))
        rows.push(row(`${operation} ${type}`, figures as [Figure, Figure]))
      }
    }
    const heading = `| what | at ${SMALL} | at ${LARGE} | p50 / p99 | CPU a request, service + database | steal | growth |\n|---|---|---|---|---|---|---|`
    process.stdout.write(`\n${heading}\n${rows.join('\n')}\n`)
  } finally {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function prepare(
  dataDir: string,
  server: Running,
): Promise<{ organizations: Organization[]; postmaster: number }> {
  const embedded = await openEmbedded({ dataDir, log: () => {}, role: 'command' })
  const database = openDatabase(embedded.connection, { onError: () => {} })
  const organizations: Organization[] = []
  for (const size of [SMALL, LARGE]) {
    const { organization_id } = await createOrganization(database.systemDatabase, () => crypto.randomUUID(), {
      name: `growth ${size}`,
    })
    const client = await createClient(database.systemDatabase, () => crypto.randomUUID(), {
      organizationId: organization_id,
      name: 'bench',
    })
    const actor = await verifyCredentials(database.systemDatabase, client.client_id, client.client_secret)
    await fill(
      database.systemDatabase,
      { organizationId: organization_id, userId: actor?.userId ?? '' },
      size,
      (done) => {
        process.stderr.write(`\rfilling: ${done}          `)
      },
    )
    organizations.push({ size, headers: await authorize(server, client) })
  }
  const [backend] = (await database.systemDatabase.row('select pg_backend_pid()')) ?? []
  const postmaster = parentOf(Number(backend)) ?? 0
  await database.close()
  await embedded.stop()
  return { organizations, postmaster }
}

async function authorize(
  server: Running,
  client: { client_id: string; client_secret: string },
): Promise<Record<string, string>> {
  const { client_id, client_secret } = client
  const body = new URLSearchParams({ client_id, client_secret })
  const response = await fetch(`${server.url}/api/auth/v2/token`, { method: 'POST', body })
  const { access_token } = (await response.json()) as { access_token: string }
  return { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }
}

const URLS: Record<RecordType, string> = {
  patient: '/patients/v1',
  coverage: '/coverages/v1',
  appointment: '/appointments/v1',
}

function bodyOf(type: RecordType): string {
  const patientId = idOf('patient', 1)
  const bodies = { patient: patientBody(), coverage: coverageBody(patientId), appointment: appointmentBody(patientId) }
  return JSON.stringify(bodies[type])
}

type Operation = 'create' | 'update' | 'get' | 'history of 50 versions' | 'scan of 100'

const loads: Record<Operation, (server: Running, organization: Organization, type: RecordType) => Load> = {
  create: (server, { headers }, type) => {
    const query = type === 'patient' ? '?skip_duplicate_check=true' : ''
    return {
      name: 'create',
      url: server.url + URLS[type] + query,
      method: 'POST',
      headers,
      body: bodyOf(type),
      pid: server.pid,
    }
  },
  update: (server, organization, type) => {
    const body = bodyOf(type)
    const versions = new Map<number, number>()
    let turn = 0
    const next = () => {
      // No two requests in flight write the same record.
      const index = 1 + ((turn++ * STRIDE) % (organization.size - 1))
      const version = (versions.get(index) ?? 1) + 1
      versions.set(index, (versions.get(index) ?? 1) + 1)
      return { path: `${URLS[type]}/${idOf(type, index)}/${version}`, body }
    }
    return { name: 'update', url: server.url, method: 'PUT', headers: organization.headers, next, pid: server.pid }
  },
  get: (server, organization, type) => ({
    name: 'get',
    url: server.url,
    headers: organization.headers,
    next: () => ({ path: `${URLS[type]}/${idOf(type, anyRecord(organization))}` }),
    pid: server.pid,
  }),
  'history of 50 versions': (server, { headers }, type) => ({
    name: 'history',
    url: `${server.url}${URLS[type]}/${idOf(type, 0)}/history`,
    headers,
    pid: server.pid,
  }),
  'scan of 100': (server, { headers, size }, type) => ({
    name: 'scan',
    url: server.url,
    headers,
    next: () => ({ path: `${URLS[type]}/updates/scan?since=${instantOf(Math.floor(Math.random() * (size - 1000)))}` }),
    pid: server.pid,
  }),
}

/** Any record except the first, which has a long history. */
const anyRecord = ({ size }: Organization) => 1 + Math.floor(Math.random() * (size - 1))

const instantOf = (index: number) => new Date(Date.parse('2026-01-01T00:00:00Z') + Math.floor(index / 50)).toISOString()

async function makeHistory(server: Running, { headers }: Organization): Promise<void> {
  for (const type of Object.keys(URLS) as RecordType[]) {
    for (let version = 2; version <= VERSIONS; version++) {
      const url = `${server.url}${URLS[type]}/${idOf(type, 0)}/${version}`
      const response = await fetch(url, { method: 'PUT', headers, body: bodyOf(type) })
      if (!response.ok) throw new Error(`a ${type} could not be updated: ${response.status} ${await response.text()}`)
    }
  }
}

function row(name: string, [small, large]: [Figure, Figure]): string {
  const doubts = small.failed + large.failed > 0 ? ` (${small.failed}, ${large.failed} failed)` : ''
  const cells = [
    name,
    `${small.rate}/s`,
    `${large.rate}/s`,
    `${large.p50Ms} / ${large.p99Ms} ms`,
    [small, large].map(({ cpuMs, databaseCpuMs }) => `${cpuMs.toFixed(2)} + ${databaseCpuMs.toFixed(2)} ms`).join(', '),
    `${(Math.max(small.steal, large.steal) * 100).toFixed(1)} %`,
    `${(small.rate / large.rate).toFixed(2)}${doubts}`,
  ]
  return `| ${cells.join(' | ')} |`
}

await main()
