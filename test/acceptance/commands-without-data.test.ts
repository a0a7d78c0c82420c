// A command in the wrong folder reports that there is no data, and does not create an empty database.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase } from '../support/database.ts'
import { runHere } from '../support/finished-command.ts'
import { newDataFolder, runCommand, type Settings } from '../support/started-server.ts'

let folder: Awaited<ReturnType<typeof newDataFolder>>
let clone: Awaited<ReturnType<typeof cloneDatabase>>
let empty = ''
beforeAll(async () => {
  ;[folder, clone] = await Promise.all([newDataFolder(), cloneDatabase('anteroom_empty')])
  empty = clone.url
})
afterAll(() => Promise.all([folder?.remove(), clone?.drop()]))

const request = JSON.stringify({
  payer_id: '60054',
  provider: { npi: '1999999984' },
  subscriber: { member_id: 'A', first_name: 'Jane', last_name: 'Doe' },
})
/** Any public key of an age identity. */
const RECIPIENT = 'age12l7q42jy28cukz9gah0ehn8nv0yjwpx3jys26jhx4t90y9v9ggnqqg9vfr'
const commands: [string[], string?][] = [
  [['organization', 'create', 'Harbor']],
  [['organization', 'list', '--json']],
  [['client', 'list', '--json']],
  [['client', 'create', 'desk', '--organization', 'Harbor']],
  [['keys', 'list']],
  [['keys', 'rotate']],
  [['keys', 'rotate', '--data']],
  [['connector', 'list', 'Harbor']],
  [['route', 'list', 'Harbor']],
  [['payers', 'list']],
  [['payers', 'sync', '--organization', 'Harbor']],
  [['verify']],
  [['check', '-'], request],
  [['seed']],
  [['audit', 'list']],
  [['audit', 'verify']],
  [['audit', 'prune', '--before', '2020-01-01']],
]

/** A process where standard input is read, and for the command that would go on. */
const run = (args: string[], settings: Settings, input?: string) =>
  input === undefined && args[0] !== 'worker' ? runHere(args, settings) : runCommand(args, settings, input)

test.each([...commands, [['worker']], [['backup', '/tmp/never-written.backup']]] as [string[], string?][])(
  '%j reports that there is no data and what to do, and creates none',
  async (args, input) => {
    const { code, stdout, stderr } = await run(args, { DATA_DIR: folder.path }, input)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(
      new RegExp(
        `^anteroom: there is no data in ${folder.path}[^\\n]*anteroom serve[^\\n]*DATA_DIR[^\\n]*DATABASE_URL[^\\n]*\\n$`,
      ),
    )
    expect(await readdir(folder.path)).toEqual([])
  },
)

test.each(commands.slice(0, 4))('%j reports the same for an empty database', async (args, input) => {
  const { code, stdout, stderr } = await run(args, { DATABASE_URL: empty, DATA_DIR: folder.path }, input)
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^anteroom: there is no data in the database of DATABASE_URL: run anteroom migrate[^\n]*\n$/)
})

test('a backup before the first start says that there is nothing to back up, and asks for no key', async () => {
  const migrated = await cloneDatabase()
  try {
    for (const DATABASE_URL of [empty, migrated.url]) {
      const args = ['backup', join(folder.path, 'new'), '--recipient', RECIPIENT]
      const { code, stderr } = await runHere(args, { DATABASE_URL, DATA_DIR: folder.path })
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^anteroom: there is nothing to back up: no server/)])
    }
    expect(await readdir(folder.path)).toEqual([])
  } finally {
    await migrated.drop()
  }
})
