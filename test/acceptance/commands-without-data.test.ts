// A command in the wrong folder reports that there is no data, and does not create an empty database.
import { readdir } from 'node:fs/promises'
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
