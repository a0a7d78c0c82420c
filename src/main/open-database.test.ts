import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { cloneDatabase } from '../../test/support/database.ts'
import { readConfig } from '../config.ts'
import { NotConnected } from '../platform/database/errors.ts'
import { openVault, untilInTime } from './open-database.ts'

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
