// `anteroom keys rotate --data` during writes, killed midway, and with keys of the settings.
import { randomBytes, randomUUID } from 'node:crypto'
import { copyFile, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { records } from '../../src/main/resources.ts'
import type { SystemDatabase } from '../../src/platform/database/database.ts'
import { type DatabasePool, openDatabase } from '../../src/platform/database/database-pool.ts'
import { encryptedColumns } from '../../src/platform/key-rotation/encrypted-columns.ts'
import { rotateDataKey } from '../../src/platform/key-rotation/rotate-data-key.ts'
import { type Body, eligibilityRequestBody, userBody, webhookBody } from '../support/bodies.ts'
import { tableNames } from '../support/database-contents.ts'
import { type Desk, openDesk, SSN } from '../support/desk.ts'
import { GOOD_PASSWORD } from '../support/people.ts'
import {
  type Credentials,
  newClonePlace,
  runCommand,
  type Settings,
  type StartedServer,
  startProgram,
  startServer,
} from '../support/started-server.ts'

const columns = encryptedColumns(records)

let place: Awaited<ReturnType<typeof newClonePlace>>
let settings: Settings
let pool: DatabasePool
let database: SystemDatabase
let server: StartedServer
let credentials: Credentials
let desk: Desk
beforeAll(async () => {
  place = await newClonePlace()
  settings = place.settings
  pool = openDatabase({ connectionString: settings.DATABASE_URL ?? '' }, { onError() {} })
  database = pool.systemDatabase
  server = await startServer(settings)
  credentials = await server.newCredentials()
  desk = await openDesk(server.url, credentials)
})
afterAll(async () => {
  await server?.kill()
  await pool?.close()
  await place?.remove()
})

const keyFile = () => join(settings.DATA_DIR ?? '', 'encryption-key')
const keysInFile = async () => (await readFile(keyFile(), 'utf8')).trim().split('\n')
const rotate = (own: Settings = settings) => runCommand(['keys', 'rotate', '--data', '--json'], own)

/** The number of rows of each table with any value encrypted under the key. */
async function encryptedUnder(keyId: string): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const table of await tableNames(database)) {
    const row = await database.row(`select count(*) from public.${table} t where position($1 in t::text) > 0`, [
      `:${keyId}:`,
    ])
    if (row?.[0] !== '0') found[table] = Number(row?.[0])
  }
  return found
}

const presentKey = async () => (await database.row('select id from encryption_key'))?.[0] ?? ''

/** Stores an encrypted value in every encrypted column. */
async function encryptSomething(): Promise<string> {
  const { id } = await desk.newPatient()
  const portal = { portal_username: 'front-desk', portal_password: 'portal-secret' }
  await desk.call('POST', '/eligibility-checks/v1', eligibilityRequestBody({ payer_id: '60054', ...portal }))
  const { body: webhook } = await desk.call('POST', '/anteroom/v1/webhooks', webhookBody())
  await desk.call('POST', `/anteroom/v1/webhooks/${webhook.id}/rotate-secret`)
  await beginSecondFactor()
  const connector = ['connector', 'create', credentials.organization_id, `own-${randomBytes(3).toString('hex')}`]
  const own = JSON.stringify({
    url: 'https://clearinghouse.test/core',
    senderId: 'US',
    receiverId: 'THEM',
    password: 'secret',
  })
  const made = await runCommand([...connector, '--kind', 'core', '--settings', '-'], settings, own)
  expect(made.code, made.stderr).toBe(0)
  return String(id)
}

/** A user signs in, chooses a password and sets up an authenticator app. */
async function beginSecondFactor(): Promise<void> {
  const { body: user } = await desk.call('POST', '/anteroom/v1/users', userBody())
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  const send = async (method: string, path: string, body: object) => {
    const reply = await fetch(`${server.url}/anteroom/v1/session${path}`, {
      method,
      headers,
      body: JSON.stringify(body),
    })
    expect(reply.status, path).toBe(200)
    headers.cookie = reply.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    headers['x-csrf-token'] = String(((await reply.json()) as Body).csrf_token)
  }
  const password = String(user.one_time_password)
  await send('POST', '', { username: user.username, password })
  await send('PUT', '/password', { current_password: password, new_password: GOOD_PASSWORD })
  await send('POST', '/second-factor', { current_password: GOOD_PASSWORD })
}

test('a rotation beside a writing server leaves nothing encrypted with the old key, and nothing unreadable', async () => {
  const id = await encryptSomething()
  const { image, bytes } = await desk.newImage(200_000)
  const old = await presentKey()
  const before = await encryptedUnder(old)
  // Every column of the list has a value, so that the end of this test covers each.
  expect(Object.keys(before).sort()).toEqual([...new Set(columns.map(({ table }) => table))].sort())
  let goesOn = true
  const written: string[] = [id]
  const writing = (async () => {
    while (goesOn) {
      written.push(String((await desk.newPatient()).id))
      await delay(10)
    }
  })()
  const { code, stdout, stderr } = await rotate()
  goesOn = false
  await writing
  expect(code, stderr).toBe(0)
  const rotation = JSON.parse(stdout)
  expect(rotation.dropped_key_ids).toEqual([old])
  for (const { table, column, field } of columns) {
    expect(rotation.reencrypted[[table, column, field].filter(Boolean).join('.')], table).toBeGreaterThan(0)
  }
  expect(rotation.reencrypted.images).toBe(1)
  expect(await encryptedUnder(old)).toEqual({})
  expect(await presentKey()).toBe(rotation.key_id)
  expect(await keysInFile()).toHaveLength(1)
  const listed = await runCommand(['audit', 'list', '--json'], settings)
  const keyEvents = JSON.parse(listed.stdout).filter(({ record_type }: Body) => record_type === 'encryption_key')
  expect(keyEvents.map(({ operation, record_ids }: Body) => [operation, record_ids])).toEqual([
    ['command.keys rotate --data', [old]],
    ['command.keys rotate --data', [rotation.key_id]],
  ])
  expect((await runCommand(['audit', 'verify'], settings)).code).toBe(0)

  const readAll = async (by: Desk) => {
    for (const each of written) {
      expect((await by.call('GET', `/patients/v1/${each}`)).body.social_security_number).toBe(SSN)
    }
    const { body } = await by.call('GET', `/images/v1/${image.id}`)
    const content = Buffer.from(await (await fetch(String(body.signed_url))).arrayBuffer())
    expect(content.equals(bytes)).toBe(true)
  }
  // The running server, whose key ring came from the file, and one that has never had the old key.
  await readAll(desk)
  const fresh = await startServer(settings)
  await readAll(await openDesk(fresh.url, credentials))
  await fresh.stop()
})

test('a rotation that was killed midway continues, without another key, and leaves no copy of a dropped key behind', async () => {
  await Promise.all(Array.from({ length: 30 }, () => desk.newPatient()))
  const old = await presentKey()
  const first = await startProgram(['keys', 'rotate', '--data'], settings, /^the new key is (\w+)/m)
  // The first column is re-encrypted, and the old key is dropped only after the second walk.
  await expect.poll(first.output).toMatch(/ re-encrypted$/m)
  await first.kill()
  expect(await keysInFile()).toHaveLength(2)
  // What one that is killed while it writes the key file leaves.
  await copyFile(keyFile(), `${keyFile()}.${randomUUID()}`)
  const { id } = await desk.newPatient()
  expect((await desk.call('GET', `/patients/v1/${id}`)).body.social_security_number).toBe(SSN)
  const { code, stdout, stderr } = await rotate()
  expect(code, stderr).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ key_id: first.address, dropped_key_ids: [old] })
  expect(await encryptedUnder(old)).toEqual({})
  expect((await readdir(settings.DATA_DIR ?? '')).filter((name) => name.startsWith('encryption-key'))).toEqual([
    'encryption-key',
  ])
})

test('a rotation that loses its lock, as when PostgreSQL restarts, drops no key, because another may have begun, and continues when it is run again', async () => {
  const old = await presentKey()
  const rotating = rotate()
  const terminate = `select pg_terminate_backend(pid) from pg_locks
    where locktype = 'advisory' and objid = 7206053 and mode = 'ExclusiveLock' and granted
      and database = (select oid from pg_database where datname = current_database())`
  await expect.poll(() => database.rows(terminate)).toEqual([['t']])
  const { code, stderr } = await rotating
  expect([code, stderr]).toEqual([1, expect.stringContaining('a connection was lost')])
  expect(await keysInFile()).toHaveLength(2)
  const again = await rotate()
  expect(again.code, again.stderr).toBe(0)
  expect(JSON.parse(again.stdout).dropped_key_ids).toEqual([old])
})

test('a rotation keeps its lock for as long as it works, where PostgreSQL ends idle or long transactions', async () => {
  const limits = `select set_config(name, '1000', true) from pg_settings
    where name in ('idle_in_transaction_session_timeout', 'transaction_timeout')`
  let isFirst = true
  const impatient: SystemDatabase = {
    ...database,
    transaction: (work, ...rest) => {
      const ends = isFirst
      isFirst = false
      return database.transaction(
        async (transaction) => {
          if (ends) await transaction.rows(limits)
          return work(transaction)
        },
        ...rest,
      )
    },
  }
  const { dropped_key_ids } = await rotateDataKey(readConfig(settings), { database: impatient, columns }, () => {})
  expect(dropped_key_ids).toHaveLength(1)
})

test('a rotation while the images cannot be read stops at the first one and says why, and continues when they can', async () => {
  await desk.newImage(1_000)
  const images = join(settings.DATA_DIR ?? '', 'images')
  await rename(images, `${images}-elsewhere`)
  await writeFile(images, 'a file where the folder should be')
  const failed = await rotate()
  expect(failed.code).toBe(1)
  expect(failed.stderr).toMatch(
    /an image could not be encrypted \(ENOTDIR.*\), so no key was dropped: run this command/,
  )
  expect(await keysInFile()).toHaveLength(2)
  await rm(images)
  await rename(`${images}-elsewhere`, images)
  const { code, stderr } = await rotate()
  expect(code, stderr).toBe(0)
  expect(await keysInFile()).toHaveLength(1)
})

test('with keys of the settings: first old and new together, then only the new; the old alone is refused', async () => {
  const own = await newClonePlace()
  const [old, fresh] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')]
  const under = (keys: string): Settings => ({ ...own.settings, ENCRYPTION_KEY: keys, WORKER_CONCURRENCY: '0' })
  const read = async (keys: string, by: Credentials, id: string) => {
    const started = await startServer(under(keys))
    const { body } = await (await openDesk(started.url, by)).call('GET', `/patients/v1/${id}`)
    await started.stop()
    return body.social_security_number
  }
  const started = await startServer(under(old))
  const by = await started.newCredentials()
  const { id } = await (await openDesk(started.url, by)).newPatient()
  await started.stop()

  expect((await rotate(under(old))).stderr).toContain('ENCRYPTION_KEY holds one key')
  const tooEarly = await runCommand(['serve'], { ...under(fresh), PORT: '0', CORE_PORT: '0' })
  expect([tooEarly.code, tooEarly.stderr]).toEqual([1, expect.stringContaining('was written with encryption key')])
  expect(tooEarly.stderr).not.toContain(fresh.slice(0, 16))
  const inWrongOrder = await rotate(under(`${old},${fresh}`))
  expect(inWrongOrder.stderr).toContain('a new key must be the first of ENCRYPTION_KEY')
  const rotated = await rotate(under(`${fresh},${old}`))
  expect(rotated.code, rotated.stderr).toBe(0)
  expect(rotated.stderr).not.toContain('must be the first')
  expect(await read(fresh, by, String(id))).toBe(SSN)
  const tooLate = await runCommand(['serve'], { ...under(old), PORT: '0', CORE_PORT: '0' })
  expect([tooLate.code, tooLate.stderr]).toEqual([1, expect.stringContaining('was written with encryption key')])
  await own.remove()
})

test('is refused during a backup, so that no backup loses the keys of its snapshot', async () => {
  await database.transaction(async (transaction) => {
    // The lock that `anteroom backup` holds while it reads.
    await transaction.rows('select pg_advisory_xact_lock_shared(7206053)')
    const { code, stderr } = await rotate()
    expect([code, stderr]).toEqual([1, expect.stringContaining('a backup or another key rotation is running')])
  })
})
