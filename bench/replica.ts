// `npm run bench:replica [rounds]`: reads answered by the primary alone and with a standby (DATABASE_READ_URL), in turns, and what each costs the primary.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import { createClient, createOrganization } from '../src/platform/auth/clients.ts'
import { systemUser } from '../src/platform/auth/system-user.ts'
import { openDatabase } from '../src/platform/database/database-pool.ts'
import { newOwnCluster, type OwnCluster } from '../test/faults/own-cluster.ts'
import { newStandby } from '../test/faults/standby.ts'
import { fill, idOf } from './fill.ts'
import { measure } from './measure.ts'
import { authorize, type Client, startAnteroom } from './processes.ts'

const ROUNDS = Number(process.argv[2] ?? 2)
const RECORDS = 10_000
const SECONDS = 5
const STRIDE = 7919

const filter = (path: string, text: string) => `${path}&filters=${encodeURIComponent(text)}`
const reads: [name: string, path: (turn: number) => string][] = [
  ['GET patient', (turn) => `/patients/v1/${patient(turn)}`],
  ['history of a patient', (turn) => `/patients/v1/${patient(turn)}/history`],
  [
    '20 patients by family name',
    (turn) => filter('/lists/v1/patient?limit=20', `patient.name.family|ieq|family${turn % 5000}`),
  ],
  [
    'page of 100 appointments',
    (turn) =>
      filter('/lists/v1/appointment?limit=100', `appointment.startTimestamp|gt|2026-01-0${1 + (turn % 7)}T00:00:00Z`),
  ],
]
const patient = (turn: number) => idOf('patient', (turn * STRIDE) % RECORDS)

async function main(): Promise<void> {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
  const primary = await newOwnCluster()
  const first = await startAnteroom(primary.settings)
  const credentials = await fillDatabase(primary)
  await first.stop()
  const standby = await newStandby(primary, { isSynchronous: false })
  const alone = await startAnteroom({ ...primary.settings, METRICS_PORT: '0' })
  const withStandby = await startAnteroom({
    ...primary.settings,
    DATABASE_READ_URL: standby.settings.DATABASE_URL ?? '',
  })
  try {
    const lines = Object.entries(credentials).map(([name, value]) => `  ${name} ${value}`)
    const clients: [string, Client][] = [
      ['primary alone', await authorize({ ...alone, lines })],
      ['with a standby', await authorize({ ...withStandby, lines })],
    ]
    await delay(5_000)
    print(
      '| what | database | a second | p50 | CPU of the service | of the primary | of the standby | steal |\n|---|---|---|---|---|---|---|---|',
    )
    const postmasters = { postmaster: postmasterOf(primary), standby: postmasterOf(standby) }
    for (let round = 0; round < ROUNDS; round++)
      for (const [name, path] of reads)
        for (const [which, client] of clients) await measureReads(name, which, client, path, postmasters)
  } finally {
    await alone.stop()
    await withStandby.stop()
    await standby.remove()
    await primary.remove()
  }
}

async function fillDatabase({ connection }: OwnCluster): Promise<{ client_id: string; client_secret: string }> {
  const pool = openDatabase(connection, { onError() {} })
  const database = pool.systemDatabase
  try {
    const { organization_id: organizationId } = await createOrganization(database, uuidv7, { name: 'bench' })
    const userId = systemUser.id
    await fill(database, { organizationId, userId }, RECORDS, () => {})
    const { client_id, client_secret } = await createClient(database, uuidv7, { organizationId, name: 'bench' })
    return { client_id, client_secret }
  } finally {
    await pool.close()
  }
}

async function measureReads(
  name: string,
  which: string,
  { server, headers }: Client,
  path: (turn: number) => string,
  postmasters: { postmaster: number; standby: number },
): Promise<void> {
  let turn = 0
  const load = { name, url: server.url, headers, pid: server.pid, ...postmasters, connections: 16, seconds: SECONDS }
  const figure = await measure({ ...load, next: () => ({ path: path(turn++) }) })
  const { rate, p50Ms, cpuMs, databaseCpuMs, standbyCpuMs, steal, failed } = figure
  const failures = failed > 0 ? `, ${failed} failed` : ''
  print(
    `| ${name}${failures} | ${which} | ${rate} | ${p50Ms} ms | ${ms(cpuMs)} | ${ms(databaseCpuMs)} | ${ms(standbyCpuMs)} | ${(steal * 100).toFixed(1)} % |`,
  )
}

function postmasterOf({ dataDir }: OwnCluster): number {
  return Number(readFileSync(join(dataDir, 'postgresql', 'cluster', 'data', 'postmaster.pid'), 'utf8').split('\n')[0])
}

const ms = (value: number) => `${value.toFixed(2)} ms`

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

await main()
