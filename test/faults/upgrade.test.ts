// This program with a database of an earlier level that contains data, and with a database of a later level.

import { createHash, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient, createOrganization } from '../../src/platform/auth/clients.ts'
import type { SystemDatabase } from '../../src/platform/database/database.ts'
import { type DatabasePool, openDatabase } from '../../src/platform/database/database-pool.ts'
import { migrate, migrateTo } from '../../src/platform/database/migrate.ts'
import { packageFile } from '../../src/platform/package-root.ts'
import { addressBody } from '../support/bodies.ts'
import { cloneDatabase } from '../support/database.ts'
import { findInconsistencies } from '../support/database-contents.ts'
import { openDesk } from '../support/desk.ts'
import { newDataFolder, runCommand, startServer } from '../support/started-server.ts'

/** The level of the first release of lists: before the queue of checks, recommendations and connectors. */
const EARLY = '0019_eligibility_check_lists.sql'
const migrations = readdirSync(packageFile('migrations')).sort()

const closers: (() => unknown)[] = []
let folder: Awaited<ReturnType<typeof newDataFolder>>
beforeAll(async () => {
  folder = await newDataFolder()
})
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
  await folder?.remove()
})

/** An empty database. */
async function newDatabase(): Promise<{ pool: DatabasePool; database: SystemDatabase; url: string }> {
  const { database: pool, url, drop } = await cloneDatabase('anteroom_empty')
  closers.push(drop)
  return { pool, database: pool.systemDatabase, url }
}

function levelUpTo(last: string): Record<string, string> {
  const checksumOf = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(packageFile('migrations'), name)))
      .digest('hex')
  return Object.fromEntries(migrations.filter((name) => name <= last).map((name) => [name, checksumOf(name)]))
}

/** Records with their history in the form of every level: three patients, one of them with a second version, and a note. */
async function fill(database: SystemDatabase): Promise<{ ids: string[]; organizationId: string }> {
  const { organization_id: organizationId } = await createOrganization(database, randomUUID, {
    name: 'An early clinic',
  })
  const user = randomUUID()
  const ids = [randomUUID(), randomUUID(), randomUUID()]
  for (const [index, id] of ids.entries()) {
    const versions = index === 0 ? 2 : 1
    const body = {
      mrn: `MRN-${index}`,
      name: { family: `Marlowe ${index}`, given: ['Iris'], use: 'USUAL' },
      birth_date: '1984-02-29',
      biological_sex: 'FEMALE',
      primary_address: addressBody(),
      other_names: [],
      other_addresses: [],
      other_telecoms: [],
      contacts: [],
      general_practitioners: [],
      filing_order: { coverages: [] },
    }
    for (let version = 1; version <= versions; version++) {
      const row = [organizationId, id, version, user, JSON.stringify({ ...body, language: `v${version}` })]
      const values = '($1, $2, $3, false, now(), $4, now(), $5)'
      const columns = '(organization_id, id, version, deactivated, updated_at, updating_user_id, created_at, body)'
      await database.rows(`insert into patient_history ${columns} values ${values}`, row)
      if (version === versions) await database.rows(`insert into patient ${columns} values ${values}`, row)
    }
  }
  const appointment = [organizationId, randomUUID(), user, JSON.stringify({ patient_id: ids[0], ...visit })]
  for (const table of ['appointment', 'appointment_history']) {
    await database.rows(
      `insert into ${table} (organization_id, id, version, deactivated, updated_at, updating_user_id, created_at, body)
      values ($1, $2, 1, false, now(), $3, now(), $4)`,
      appointment,
    )
  }
  await database.rows(
    `insert into change_clock (organization_id, record_type, at, records_at, total, live)
    values ($1, 'patient', now(), 1, 3, 3), ($1, 'appointment', now(), 1, 1, 1)`,
    [organizationId],
  )
  await database.rows(
    `insert into eligibility_check (organization_id, id, initiated_at, completed_at, user_id, status, request, request_key, response, date_of_service)
    values ($1, $2, now(), now(), $3, 'COMPLETED', '{"payer_id":"60054"}', '\\x00', '{"raw":1}', '2026-03-10')`,
    [organizationId, randomUUID(), user],
  )
  return { ids, organizationId }
}

const visit = { start_timestamp: '2026-03-10T14:00:00.000Z', service_duration: 30, services: [], status: 'PENDING' }

/** The columns that every level has. */
const KEPT = ['organization_id', 'id', 'version', 'deactivated', 'updated_at', 'updating_user_id', 'created_at', 'body']
const keptOf = (database: SystemDatabase, table: string) =>
  database.rows(`select ${KEPT.join(', ')} from ${table} order by id, version`)

test('a database of an early release is migrated at the start, and everything can be read as before', async () => {
  const { database, url } = await newDatabase()
  await database.transaction((transaction) => migrateTo(transaction, levelUpTo(EARLY)))
  const { ids, organizationId } = await fill(database)
  const tables = ['patient', 'patient_history', 'appointment', 'appointment_history']
  const before = await Promise.all(tables.map((table) => keptOf(database, table)))
  const server = await startServer({ DATABASE_URL: url, DATA_DIR: folder.path, WORKER_CONCURRENCY: '0' })
  closers.push(server.kill)
  expect(await Promise.all(tables.map((table) => keptOf(database, table)))).toEqual(before)
  expect((await database.rows('select name from migration order by name')).flat()).toEqual(migrations)

  const desk = await openDesk(server.url, await createClient(database, randomUUID, { organizationId, name: 'desk' }))
  for (const [index, id] of ids.entries()) {
    const { status, body } = await desk.call('GET', `/patients/v1/${id}`)
    expect([status, body.mrn, body.version]).toEqual([200, `MRN-${index}`, index === 0 ? 2 : 1])
  }
  const history = await desk.call('GET', `/patients/v1/${ids[0]}/history`)
  expect((history.body as unknown as { language: string }[]).map(({ language }) => language).sort()).toEqual([
    'v1',
    'v2',
  ])
  const updated = await desk.call('PUT', `/patients/v1/${ids[1]}/2`, {
    ...(await desk.call('GET', `/patients/v1/${ids[1]}`)).body,
    language: 'en',
  })
  expect([updated.status, updated.body.version], JSON.stringify(updated.body)).toEqual([200, 2])
  expect(await findInconsistencies(database)).toEqual([])
  await server.stop()
})

test('every level since then is migrated, one migration at a time or all at once', async () => {
  const early = migrations.filter((name) => name >= EARLY)
  for (const level of [early.at(-2), early.at(Math.floor(early.length / 2))]) {
    const { pool, database } = await newDatabase()
    await database.transaction((transaction) => migrateTo(transaction, levelUpTo(EARLY)))
    await fill(database)
    const before = await keptOf(database, 'patient_history')
    const rest = migrations.filter((name) => name > EARLY && name <= (level ?? ''))
    for (const name of rest) {
      await database.transaction(async (transaction) => {
        await transaction.rows(readFileSync(join(packageFile('migrations'), name), 'utf8'))
        // Like migrate, because a later migration may refer to the views of row-level security.
        await transaction.rows(
          `do $$ begin if to_regprocedure('build_tenant_wall()') is not null then perform build_tenant_wall(); end if; end $$`,
        )
        await transaction.rows('insert into migration (name, checksum) values ($1, $2)', [name, levelUpTo(name)[name]])
      })
    }
    await migrate(pool)
    expect(await keptOf(database, 'patient_history')).toEqual(before)
  }
})

test('when several processes migrate at once, each migration is applied by one', async () => {
  const { database, url } = await newDatabase()
  const processes = Array.from({ length: 4 }, () => openDatabase({ connectionString: url }, { onError() {} }))
  closers.push(...processes.map((each) => each.close))
  const applied = await Promise.all(processes.map((each) => migrate(each)))
  expect(applied.flat().sort()).toEqual(migrations)
  expect((await database.rows('select name from migration order by name')).flat()).toEqual(migrations)
})

test('a program older than the database refuses to start, in one line that names the unknown migration', async () => {
  const { pool, database, url } = await newDatabase()
  await migrate(pool)
  await database.rows(`insert into migration (name, checksum) values ('9999_of_a_later_program.sql', 'x')`)
  const settings = { DATABASE_URL: url, DATA_DIR: folder.path, PORT: '0', CORE_PORT: '0' }
  for (const command of ['serve', 'migrate']) {
    const { code, stdout, stderr } = await runCommand([command], settings)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toBe(
      'anteroom: the database is newer than this release: it has migration 9999_of_a_later_program.sql. Nothing was changed: start the release that was used, or a newer one, or restore a backup from before the upgrade into another database\n',
    )
  }
})
