import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { type DatabasePool, openDatabase } from '../../src/database/database.ts'

/** A database of its own, cloned from the migrated template; `drop` removes it. */
export async function cloneDatabase(): Promise<{ database: DatabasePool; url: string; drop(): Promise<void> }> {
  const connection = inject('postgres')
  const name = `test_${randomBytes(6).toString('hex')}`
  const admin = openDatabase({ ...connection, max: 1 }, { onError: () => {} })
  await admin.acrossOrganizations.rows(`create database ${name} template anteroom_template`)
  const database = openDatabase({ ...connection, database: name }, { onError: () => {} })
  const user = `${encodeURIComponent(connection.user)}:${encodeURIComponent(connection.password)}`
  const url = `postgresql://${user}@/${name}?host=${encodeURIComponent(connection.host)}&port=${connection.port}`
  const drop = async () => {
    await database.close()
    await admin.acrossOrganizations.rows(`drop database ${name} with (force)`)
    await admin.close()
  }
  return { database, url, drop }
}
