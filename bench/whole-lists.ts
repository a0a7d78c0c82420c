// `npm run bench:whole-lists [records]`: the memory that an answer with all records of an organization takes in the service, read as
// fast as it comes and by a client that pauses.
import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../src/platform/database/database.ts'
import { openDatabase } from '../src/platform/database/database-pool.ts'
import { openEmbedded } from '../src/platform/database/embedded/embedded.ts'
import { imageBody } from '../test/support/bodies.ts'
import { fill } from './fill.ts'
import { peakMegabytes, residentMegabytes } from './measure.ts'
import { authorize, type Client, startAnteroom } from './processes.ts'

const RECORDS = Number(process.argv[2] ?? 200_000)
const PAUSE_MS = 5000
/** Once in every record. */
const FIELD = '"updating_user_id"'
const PATHS = ['/patients/v1', '/coverages/v1', '/images/v1']

async function main(): Promise<void> {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
  const dataDir = await mkdtemp(join(tmpdir(), 'anteroom-whole-lists-'))
  await chmod(dataDir, 0o755)
  const server = await startAnteroom({ DATA_DIR: dataDir })
  try {
    const client = await authorize(server)
    await seed(dataDir, client)
    process.stdout.write('| list | records | answer | peak of the service above before | with a client that pauses |\n')
    process.stdout.write('|---|---|---|---|---|\n')
    for (const path of PATHS) {
      // The service fills its heap before it collects it: a first reading is not measured.
      await read(client, path)
      const { count, megabytes, grownMegabytes } = await read(client, path)
      const paused = await read(client, path, PAUSE_MS)
      const cells = [path, count, `${megabytes.toFixed(0)} MB`, mb(grownMegabytes), mb(paused.grownMegabytes)]
      process.stdout.write(`| ${cells.join(' | ')} |\n`)
    }
  } finally {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

const mb = (megabytes: number) => `${megabytes.toFixed(0)} MB`

interface Read {
  count: number
  megabytes: number
  grownMegabytes: number
}

/** Reads a whole list; `pauseMs` is how long the client waits after the first bytes. */
async function read({ server, headers }: Client, path: string, pauseMs = 0): Promise<Read> {
  await resetPeak(server.pid)
  const before = residentMegabytes(server.pid)
  const response = await fetch(server.url + path, { headers })
  if (!response.ok || !response.body) throw new Error(`${path} answered ${response.status}`)
  let [count, bytes, rest] = [0, 0, '']
  for await (const chunk of response.body) {
    if (bytes === 0 && pauseMs > 0) await delay(pauseMs)
    bytes += chunk.length
    const text = rest + Buffer.from(chunk).toString('latin1')
    count += text.split(FIELD).length - 1
    rest = text.slice(1 - FIELD.length)
  }
  return { count, megabytes: bytes / 1024 / 1024, grownMegabytes: peakMegabytes(server.pid) - before }
}

/** Source: proc(5), /proc/[pid]/clear_refs. */
const resetPeak = (pid: number) => writeFile(`/proc/${pid}/clear_refs`, '5')

async function seed(dataDir: string, { server, headers }: Client): Promise<void> {
  const { body } = await call('/images/v1', imageBody())
  const { id } = JSON.parse(body) as { id: string }
  const embedded = await openEmbedded({ dataDir, log: () => {}, role: 'command' })
  const database = openDatabase(embedded.connection, { onError: () => {} })
  try {
    const [organizationId = '', userId = ''] =
      (await database.systemDatabase.row('select organization_id, updating_user_id from image where id = $1', [id])) ??
      []
    await fill(database.systemDatabase, { organizationId, userId }, RECORDS, () => {})
    await copyImage(database.systemDatabase, id)
  } finally {
    await database.close()
    await embedded.stop()
  }

  async function call(path: string, sent: unknown) {
    const response = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(sent) })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return { body: await response.text() }
  }
}

async function copyImage(database: Database, id: string): Promise<void> {
  const columns = 'version, deactivated, updated_at, updating_user_id, created_at, body'
  await database.rows(
    `with head as (
      insert into image (organization_id, id, ${columns})
      select organization_id, gen_random_uuid(), ${columns} from image, generate_series(2, $2::int) where id = $1
      returning *
    )
    insert into record_change (organization_id, record_type, id, at, version)
    select organization_id, 'image', id, updated_at, version from head`,
    [id, RECORDS],
  )
}

await main()
