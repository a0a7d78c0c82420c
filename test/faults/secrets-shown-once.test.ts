// Commands that end before their change is stored: their output cannot be written, their commit fails, or there is nothing to change.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { reveal } from '../../src/main/cli/program/reveal.ts'
import { verifyCredentials } from '../../src/platform/auth/clients.ts'
import { type DatabasePool, openDatabase } from '../../src/platform/database/database-pool.ts'
import { runHere } from '../support/finished-command.ts'
import { newClonePlace, program } from '../support/started-server.ts'

let place: Awaited<ReturnType<typeof newClonePlace>>
let database: DatabasePool
const made = { client_id: '', client_secret: '', webhook: '' }
beforeAll(async () => {
  place = await newClonePlace()
  database = openDatabase({ connectionString: place.settings.DATABASE_URL }, { onError: () => {} })
  await succeed('organization', 'create', 'Harbor')
  Object.assign(made, await succeed('client', 'create', 'desk', '--organization', 'Harbor'))
  await succeed('user', 'create', 'ana', '--organization', 'Harbor', '--role', 'front_desk')
  const { id } = await succeed('webhook', 'create', 'Harbor', 'https://example.com/hook', '--events', '*')
  made.webhook = id
})
afterAll(async () => {
  await database?.close()
  await place?.remove()
})

async function succeed(...args: string[]) {
  const { code, stdout, stderr } = await runHere([...args, '--json'], place.settings)
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

/** As `anteroom … | head -0`, or with the output on a full disk. */
async function runUnread(args: string[], output: 'nobody reads' | 'full disk') {
  const full = output === 'full disk' ? await open('/dev/full', 'w') : undefined
  const child = spawn(process.execPath, [...program, ...args], {
    cwd: '/',
    env: { PATH: process.env.PATH, ...place.settings },
    stdio: ['ignore', full?.fd ?? 'pipe', 'pipe'],
  })
  child.stdout?.destroy()
  const [stderr] = await Promise.all([text(child.stderr!), once(child, 'exit')])
  await full?.close()
  return { code: child.exitCode, stderr }
}

/** Everything that the commands store. */
const stored = () =>
  database.systemDatabase.rows(
    `select to_jsonb(each)::text from client each union all select to_jsonb(each)::text from app_user each
     union all select to_jsonb(each)::text from webhook each union all select to_jsonb(each)::text from audit_pending each
     union all select to_jsonb(each)::text from user_account each order by 1`,
  )

test.each([
  ['client create', () => ['client', 'create', 'reports', '--organization', 'Harbor']],
  ['client rotate', () => ['client', 'rotate', made.client_id]],
  ['user create', () => ['user', 'create', 'ben', '--organization', 'Harbor', '--role', 'billing']],
  ['user reset', () => ['user', 'reset', 'ana']],
  ['webhook create', () => ['webhook', 'create', 'Harbor', 'https://example.com/other', '--events', '*']],
  ['webhook rotate-secret', () => ['webhook', 'rotate-secret', 'Harbor', made.webhook]],
])(
  '%s that cannot show its secret changes nothing and says so, however often, and works after that',
  async (_, lineOf) => {
    const before = await stored()
    const outputs =
      process.platform === 'linux' ? (['nobody reads', 'full disk'] as const) : (['nobody reads'] as const)
    for (const output of outputs) {
      const { code, stderr } = await runUnread(lineOf(), output)
      expect(code, output).toBe(1)
      expect(stderr).toMatch(/^anteroom: the output cannot be written \((EPIPE|ENOSPC)\).*nothing was changed.*\n$/)
      expect(await stored(), output).toEqual(before)
    }
    if (lineOf().includes('rotate')) {
      const { client_id, client_secret } = made
      expect(await verifyCredentials(database.systemDatabase, client_id, client_secret)).toBeDefined()
    }
    await succeed(...lineOf())
    expect(await stored()).not.toEqual(before)
  },
)

test.each(['enable', 'disable', 'rotate-secret', 'test', 'remove'])(
  'webhook %s of a webhook that does not exist leaves no event of a change',
  async (what) => {
    const before = await stored()
    const { code, stderr } = await runHere(['webhook', what, 'Harbor', randomUUID()], place.settings)
    expect([code, stderr]).toEqual([1, expect.stringContaining('there is no such webhook')])
    expect(await stored()).toEqual(before)
  },
)

test('a change whose commit fails after its secret was shown says that the secret may not count, and what to do', async () => {
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((...args: unknown[]) => {
    ;(args.at(-1) as () => void)()
    return true
  })
  const lost = Object.assign(new Error('Connection terminated'), { code: 'ECONNRESET' })
  const failing = reveal({ words: [], flags: {} }, async (show) => {
    await show({ client_secret: 'shown' })
    throw lost
  })
  await expect(failing).rejects.toThrow(
    'the secret above may not have been stored (a connection was lost: Connection terminated): if it is refused, run the command again',
  )
  expect(write.mock.calls[0]?.[0]).toBe('client_secret: shown\n')
  write.mockRestore()
})
