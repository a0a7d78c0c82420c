import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { cloneDatabase } from '../../test/support/database.ts'
import { readConfig } from '../config.ts'
import { openVault } from './open-database.ts'

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
