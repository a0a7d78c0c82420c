import pg from 'pg'
import { expect, it } from 'vitest'
import { explainLoss } from '../database/connections/no-connection.ts'
import { restoreTable } from './restore-backup.ts'

/** What the command says when PostgreSQL ends the restore of a table so. */
async function saidOf(code: string, message: string, hint = '') {
  const error = Object.assign(new pg.DatabaseError(message, 0, 'error'), { code, hint })
  const table = { type: 'table', name: 'note', columns: ['id'], rows: 1 } as never
  const client = { query: () => Promise.reject(error) }
  const thrown = await restoreTable(client as never, table, (async function* () {})()).catch((failure) => failure)
  return (explainLoss(thrown) as Error).message
}

it('a restore that fills the disk of the database says so and what to do, and not that the backup is refused', async () => {
  expect(await saidOf('53100', 'could not extend file', 'Check free disk space.')).toBe(
    'the database cannot be used at the moment: could not extend file (53100). The disk is full: make room, and try again',
  )
})

it('a row that the database refuses is a fault of the backup, and no value of it is shown', async () => {
  expect(await saidOf('22P02', 'invalid input syntax for type uuid: "Rivera"')).toBe(
    "the database refused the backup's rows for table note (22P02)",
  )
})
