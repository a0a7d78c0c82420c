import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { cloneDatabase } from '../../test/support/database.ts'
import { readConfig } from '../config.ts'
import { explainLoss, explainNoConnection } from '../platform/database/connections/no-connection.ts'
import { NotConnected } from '../platform/database/errors.ts'
import { requireSuitable } from '../platform/database/suitable.ts'
import { openMigratedDatabase, openVault, untilInTime } from './open-database.ts'

it('a new database gets a key file; if it is lost later, a start says so and creates no other key', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'anteroom-vault-'))
  const config = readConfig({ DATA_DIR: folder })
  const { database, drop } = await cloneDatabase()
  try {
    const { keyId } = await openVault(config, database.systemDatabase)
    expect(await database.systemDatabase.rows('select id from encryption_key')).toEqual([[keyId]])
    await rm(join(folder, 'encryption-key'))
    await expect(openVault(config, database.systemDatabase)).rejects.toThrow(/encryption-key is missing: put its copy/)
    expect(await readdir(folder)).toEqual([])
  } finally {
    await drop()
    await rm(folder, { recursive: true })
  }
})

it('a start repeats what it does while PostgreSQL on a busy machine does not open connections in time, and nothing else', async () => {
  const late = new NotConnected(new Error('timeout exceeded when trying to connect'))
  const gone = new NotConnected(new Error('connect ENOENT /data/postgresql/socket/.s.PGSQL.5432'))
  const failures = [late, late]
  const work = async () => {
    const failure = failures.shift()
    if (failure) throw failure
    return 'done'
  }
  expect(await untilInTime(work)).toBe('done')
  failures.push(gone)
  await expect(untilInTime(work)).rejects.toBe(gone)
  failures.push(late)
  await expect(untilInTime(work, -1)).rejects.toBe(late)
})

it('a program that watches the log finds one level in the line about the migrations, a number', async () => {
  const { url, drop } = await cloneDatabase('anteroom_empty')
  const lines: string[] = []
  try {
    const use = { role: 'command', data: 'existing or new' } as const
    const log = pino({ base: null }, { write: (line) => lines.push(line) })
    const { close } = await openMigratedDatabase(readConfig({ DATABASE_URL: url }), log, use)
    await close()
    const migrated = lines.find((line) => line.includes('the database was migrated')) ?? '{}'
    expect(JSON.parse(migrated)).toMatchObject({ level: 30, newest: expect.stringMatching(/^\d{4}_.*\.sql$/) })
  } finally {
    await drop()
  }
})

describe('a start says in one line why a database cannot be used, and what to do:', () => {
  const withOptions = (options: string) => (url: string) => `${url}&options=${encodeURIComponent(options)}`
  it.each<[string, (url: string) => string, RegExp, string?]>([
    [
      'its login may not make tables',
      withOptions('-c role=anteroom_app'),
      /may not create.*grant create on database \w+ to anteroom_app; grant create on schema public to anteroom_app;$/,
    ],
    [
      'an extension is in another schema',
      (url: string) => url,
      /outside the schema public.* alter extension pg_trgm set schema public;$/,
      'create schema extensions; create extension pg_trgm schema extensions',
    ],
    [
      'it accepts no writes',
      withOptions('-c default_transaction_read_only=on'),
      /read-only transaction.*default_transaction_read_only/,
    ],
    [
      'something else is there',
      (url: string) => url,
      /relation "client" already exists.*a database of its own$/,
      'create table client (id int)',
    ],
  ])('%s', async (_what, change, says, statement) => {
    const { database, url, drop } = await cloneDatabase('anteroom_empty')
    try {
      if (statement) await database.systemDatabase.rows(statement)
      await expectRefusal(change(url), says)
    } finally {
      await drop()
    }
  })

  it('it has another encoding than UTF8', async () => {
    const { database, url, drop } = await cloneDatabase('anteroom_empty')
    const name = `${new URL(url.replace('@/', '@unused/')).pathname.slice(1)}_latin`
    try {
      await database.systemDatabase.rows(
        `create database ${name} encoding 'LATIN1' locale_provider libc locale 'C' template template0`,
      )
      await expectRefusal(url.replace(/@\/\w+/, `@/${name}`), /encoding LATIN1.*encoding 'UTF8'/)
    } finally {
      await database.systemDatabase.rows(`drop database ${name} with (force)`)
      await drop()
    }
  })

  it.each(['postgres://user:pass#word@db.example/anteroom', 'postgres://user:pass/word@db.example/anteroom'])(
    'its address cannot be read: %s',
    (url) => expectRefusal(url, /^(?!.*word@).*are written %23 %2F/),
  )

  it.each([
    [
      'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string',
      /asks for a password, and DATABASE_URL has none/,
    ],
    ['no PostgreSQL user name specified in startup packet', /DATABASE_URL names no user/],
    [
      'Connection terminated due to connection timeout',
      /does not answer in time \(of several servers: none accepts writes/,
    ],
  ])('the driver says: %s', (message, says) => {
    const failure = new NotConnected(new Error(message))
    expect(explainNoConnection(failure, { connectionString: 'postgres://db.example' })).toMatchObject({
      name: 'StartupError',
      message: expect.stringMatching(says),
    })
  })

  it('its login does not own the tables', () => {
    const refused = Object.assign(new pg.DatabaseError('permission denied for table encryption_key', 0, 'error'), {
      code: '42501',
      file: 'aclchk.c',
    })
    expect(explainLoss(refused)).toMatchObject({
      name: 'StartupError',
      message: expect.stringMatching(
        /lacks a right: permission denied for table encryption_key\. Use the login that owns/,
      ),
    })
  })

  it('its server lacks an extension', () =>
    expect(requireSuitable({ row: async () => ['18', 'UTF8', 'pg_trgm, btree_gin'] })).rejects.toThrow(
      'lacks the extension pg_trgm, btree_gin: install its contributed modules (the package postgresql-contrib',
    ))

  it('it is older than what the tables need', () =>
    expect(requireSuitable({ row: async () => ['14', 'UTF8'] })).rejects.toThrow('PostgreSQL 14 is too old: 15'))

  async function expectRefusal(url: string, says: RegExp): Promise<void> {
    const config = readConfig({ DATABASE_URL: url })
    const opening = openMigratedDatabase(config, pino({ level: 'silent' }), {
      role: 'command',
      data: 'existing or new',
    })
    await expect(opening).rejects.toMatchObject({ name: 'StartupError', message: expect.stringMatching(says) })
  }
})
