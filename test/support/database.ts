import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { inject } from 'vitest'
import type { SystemDatabase } from '../../src/platform/database/database.ts'
import { type DatabasePool, openDatabase } from '../../src/platform/database/database-pool.ts'
import { citusConnection, citusUrl, cloneDistributed, dropDistributed } from './citus.ts'

/** Template databases: migrated; also with a signing key, encrypted with the run's data key; and empty, as an operator makes one. */
export type Template = 'anteroom_template' | 'anteroom_template_with_key' | 'anteroom_empty'

/** A separate database, cloned from a template; `drop` removes it. */
export async function cloneDatabase(
  template: Template = 'anteroom_template',
): Promise<{ database: DatabasePool; url: string; drop(): Promise<void> }> {
  const connection = inject('postgres')
  const name = `test_${randomBytes(6).toString('hex')}`
  if (citusUrl) return cloneOnCitus(citusUrl, template, name)
  const admin = openDatabase({ ...connection, max: 1 }, { onError: () => {} })
  await admin.systemDatabase.rows(`create database ${name} template ${template} strategy file_copy`)
  const database = openDatabase({ ...connection, database: name }, { onError: () => {} })
  const user = `${encodeURIComponent(connection.user)}:${encodeURIComponent(connection.password)}`
  const url = `postgresql://${user}@/${name}?host=${encodeURIComponent(connection.host)}&port=${connection.port}`
  const drop = async () => {
    await database.close()
    await dropDatabase(admin.systemDatabase, name)
    await admin.close()
  }
  return { database, url, drop }
}

async function cloneOnCitus(citus: string, template: Template, name: string): ReturnType<typeof cloneDatabase> {
  await cloneDistributed(citus, template, name)
  const connection = citusConnection(citus, name)
  const database = openDatabase(connection, { onError: () => {} })
  const url = new URL(citus)
  url.pathname = `/${name}`
  const drop = async () => {
    await database.close()
    await dropDistributed(citus, name)
  }
  return { database, url: url.href, drop }
}

const DROP_ATTEMPTS = 100
const INSUFFICIENT_PRIVILEGE = '42501'

/** A process of the superuser, which the tests may not end, may still analyze tables that grew; it finishes within moments. */
async function dropDatabase(admin: SystemDatabase, name: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await admin.rows(`drop database ${name} with (force)`)
      return
    } catch (error) {
      if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE || attempt === DROP_ATTEMPTS) throw error
      await delay(100)
    }
  }
}
