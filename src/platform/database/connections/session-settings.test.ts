import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { cloneDatabase } from '../../../../test/support/database.ts'
import { connect } from '../../backup/connect.ts'
import { type DatabasePool, openDatabase } from '../database-pool.ts'
import { sharedBuffersMb } from '../embedded/cluster.ts'
import { isTransientDatabaseError } from '../errors.ts'
import { explainNoConnection } from './no-connection.ts'

/** Defaults of a database that change the meaning of a statement, or the text of its result. */
const DEFAULTS = {
  default_transaction_isolation: 'serializable',
  datestyle: 'German, DMY',
  intervalstyle: 'sql_standard',
  timezone: 'Asia/Tokyo',
  bytea_output: 'escape',
  extra_float_digits: '-5',
  standard_conforming_strings: 'off',
  transform_null_equals: 'on',
  array_nulls: 'off',
  search_path: 'pg_catalog',
  lock_timeout: '1ms',
  idle_session_timeout: '1ms',
  idle_in_transaction_session_timeout: '1ms',
}

describe('a database with other defaults', () => {
  let clone: Awaited<ReturnType<typeof cloneDatabase>>
  let database: DatabasePool
  beforeAll(async () => {
    clone = await cloneDatabase('anteroom_template_with_key')
    for (const [name, value] of Object.entries(DEFAULTS)) {
      await clone.database.systemDatabase.rows(
        `do $$ begin execute format('alter database %I set ${name} = ${name === 'search_path' ? value : `''${value}''`}', current_database()); end $$`,
      )
    }
    database = openDatabase({ connectionString: clone.url }, { onError: () => {} })
  })
  afterAll(async () => {
    await database?.close()
    await clone?.drop()
  })

  it('does not change what statements mean and how results are written, with and without row-level security', async () => {
    const names = Object.keys(DEFAULTS)
    const text = `select ${names.map((name) => `current_setting('${name}')`).join(', ')} from (select $1::uuid) no_organization`
    const expected = ['read committed', 'ISO, MDY', 'postgres', 'UTC', 'hex', '1', 'on', 'off', 'on']
    expect(await database.systemDatabase.row(text, [null])).toEqual([...expected, 'public', '0', '0', '1min'])
    expect(await database.row(text, [null])).toEqual([...expected, 'walled,public', '0', '0', '1min'])
  })

  it('ends no backup and no restore, however long they take', async () => {
    const limits = [
      'statement_timeout',
      'transaction_timeout',
      'idle_in_transaction_session_timeout',
      'idle_session_timeout',
    ]
    for (const name of limits)
      await clone.database.systemDatabase.rows(
        `do $$ begin execute format('alter database %I set ${name} = ''1min''', current_database()); end $$`,
      )
    const client = await connect({ connectionString: clone.url })
    const { rows } = await client.query(`select ${limits.map((name) => `current_setting('${name}') as ${name}`)}`)
    await client.end()
    expect(rows).toEqual([Object.fromEntries(limits.map((name) => [name, '0']))])
  })

  it('reports a missing right, which is not temporary, and a disk that became read-only, which is, by the same code', async () => {
    const refused = (file: string) => Object.assign(new Error(), { code: '42501', file })
    const byDisk = ['md.c', 'fd.c', 'xlog.c'].map((file) => isTransientDatabaseError(refused(file)))
    expect(byDisk).toEqual([true, true, true])
    const missing = await database
      .row('select rolpassword from pg_authid where $1::uuid is null', [null])
      .catch((error) => error)
    expect(missing).toMatchObject({ code: '42501', file: 'aclchk.c' })
    expect(isTransientDatabaseError(missing)).toBe(false)
  })
})

describe('an error of the database', () => {
  it.each(['40001', '40P01', '55P03', '25P03', '25P04', '57014', '25006', '53100', '58030'])(
    '%s is temporary: the caller gets 503 and may retry',
    (code) => {
      expect(isTransientDatabaseError(Object.assign(new Error(), { code }))).toBe(true)
    },
  )

  it('at the start says whether a pooler refused the options that connections need', () => {
    const refused = Object.assign(new Error('unsupported startup parameter: options'), { code: '08P01' })
    const connection = { connectionString: 'postgresql://db.example/anteroom' }
    expect(explainNoConnection(refused, connection)).toMatchObject({
      message: expect.stringContaining('as PgBouncer does'),
    })
    const away = Object.assign(new Error(), { code: 'ECONNREFUSED' })
    expect(explainNoConnection(away, connection)).toMatchObject({
      message: 'the database of DATABASE_URL cannot be reached',
    })
    const embedded = { host: '/var/lib/anteroom/postgresql/socket' }
    expect(explainNoConnection(away, embedded)).toMatchObject({ message: 'the embedded PostgreSQL cannot be reached' })
    const unable = Object.assign(new Error('cannot execute CREATE TABLE in a read-only transaction'), { code: '25006' })
    expect(explainNoConnection(unable, connection)).toMatchObject({
      name: 'StartupError',
      message: `the database cannot be used at the moment: ${unable.message} (25006). Is it a standby, or is default_transaction_read_only on? It has to accept writes`,
    })
    const full = { code: '53100', hint: 'Check free disk space.' }
    const extending = Object.assign(new Error('could not extend file "base/1/2": wrote only 4096 of 8192 bytes'), full)
    expect(explainNoConnection(extending, connection)).toMatchObject({
      name: 'StartupError',
      message: `the database cannot be used at the moment: ${extending.message} (53100). The disk is full: make room, and try again`,
    })
  })
})

it('a new embedded database is set up for a service, and not as while it was made', async () => {
  const file = join(inject('migratedFolder'), 'postgresql', 'cluster', 'data', 'postgresql.conf')
  const lines = (await readFile(file, 'utf8')).split('\n').map((line) => line.replace(/\s*#.*/, ''))
  expect(lines).toEqual(
    expect.arrayContaining([
      'max_connections = 60',
      'jit = off',
      'wal_compression = on',
      'full_page_writes = on',
      'wal_init_zero = on',
      `shared_buffers = ${sharedBuffersMb()}MB`,
    ]),
  )
})
