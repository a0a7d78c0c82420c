// The audit trail when the server and PostgreSQL are killed during writes, and when the database is altered directly.
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { patientBody } from '../support/bodies.ts'
import { runHere } from '../support/finished-command.ts'
import { newClonePlace, type Settings, startServer } from '../support/started-server.ts'
import { newOwnCluster } from './own-cluster.ts'

const WRITERS = 8
/** The number of acknowledged writes, and of the blocks that hold their events, after which the server is killed. */
const KILLED_AFTER = 40
const BLOCKS_BEFORE = 3

const closers: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

interface Place {
  settings: Settings
  /** kill -9 of the database, and its next start. */
  killDatabase(): Promise<void>
}

const places: Record<string, () => Promise<Place>> = {
  'the server': async () => {
    const { settings, remove } = await newClonePlace()
    closers.push(remove)
    return { settings, killDatabase: async () => {} }
  },
  'the server and PostgreSQL': async () => {
    const cluster = await newOwnCluster()
    closers.push(cluster.remove)
    const killDatabase = async () => {
      await cluster.kill()
      await cluster.start()
    }
    return { settings: cluster.settings, killDatabase }
  },
}

test.each(Object.keys(places))(
  'every write that was committed has exactly one event after kill -9 of %s; the trail verifies; tampering is found',
  async (victims) => {
    const place = (await places[victims]?.()) as Place
    const server = await startServer(place.settings)
    closers.push(server.kill)
    const credentials = await server.newCredentials()
    const token = await fetch(`${server.url}/api/auth/v2/token`, {
      method: 'POST',
      body: new URLSearchParams({ ...credentials }),
    })
    const { access_token } = (await token.json()) as { access_token: string }
    const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }

    const acknowledged: string[] = []
    let isKilled = false
    const write = async (writer: number) => {
      for (let index = 0; !isKilled; index++) {
        const name = { family: `Writer ${writer}`, given: [`${index}`], use: 'USUAL' }
        const url = `${server.url}/patients/v1?skip_duplicate_check=true`
        const body = JSON.stringify(patientBody({ name }))
        const answer = await fetch(url, { method: 'POST', headers, body }).then(
          async (response) => (response.ok ? ((await response.json()) as { id: string }) : undefined),
          () => undefined,
        )
        if (answer) acknowledged.push(answer.id)
      }
    }
    const writing = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
    while (acknowledged.length < KILLED_AFTER) await delay(10)
    // One of them is removed later, and one of the others is altered.
    const blocks = `select number from audit_block where organization_id = '${credentials.organization_id}'`
    while ((await query(place.settings, blocks)).length < BLOCKS_BEFORE) await delay(50)
    await Promise.all([server.kill(), place.killDatabase()])
    isKilled = true
    await writing
    // A statement that the server had sent is still executed, and committed, while the trail is already read: a busy machine takes its time.
    const sessions = `select pid as id from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`
    await expect.poll(() => query(place.settings, sessions)).toEqual([])
    expect(acknowledged.length).toBeGreaterThanOrEqual(KILLED_AFTER)

    const trail = await listTrail(place.settings, credentials.organization_id)
    const recorded = trail
      .filter(({ operation }) => operation === 'patients.create')
      .flatMap(({ record_ids = [] }) => record_ids)
    const stored = await query(place.settings, 'select id from patient')
    expect(recorded.toSorted()).toEqual(stored.map(({ id }) => id).toSorted())
    expect(acknowledged.filter((id) => !recorded.includes(id))).toEqual([])

    await verifyWhatWasTampered(place.settings, credentials.organization_id)
  },
)

async function verifyWhatWasTampered(settings: Settings, organization: string): Promise<void> {
  const intact = await runHere(['audit', 'verify', '--organization', organization, '--json'], settings)
  expect(intact.code, intact.stderr).toBe(0)
  const [{ head, blocks }] = JSON.parse(intact.stdout)
  const expecting = ['audit', 'verify', '--organization', organization, '--expect', head]
  expect((await runHere(expecting, settings)).code).toBe(0)
  expect((await runHere(['audit', 'verify'], settings)).code).toBe(0)

  await query(
    settings,
    `alter table audit_block disable trigger user;
    delete from audit_block where organization_id = '${organization}' and number = ${blocks};
    update audit_head set number = b.number, hash = b.hash from audit_block b
      where b.organization_id = audit_head.organization_id and b.number = ${blocks} - 1 and b.organization_id = '${organization}'`,
  )
  const cut = await runHere(expecting, settings)
  expect(cut.code).toBe(1)
  expect(cut.stderr).toContain(`block ${blocks}: the block with the expected hash is missing`)

  await query(
    settings,
    `update audit_block set events = replace(events, '127.0.0.1', '127.0.0.2') where organization_id = '${organization}'
      and number = (select min(number) from audit_block where organization_id = '${organization}' and events like '%127.0.0.1%')`,
  )
  const changed = await runHere(['audit', 'verify', '--organization', organization], settings)
  expect(changed.code).toBe(1)
  expect(changed.stderr).toMatch(/block \d+: the block was altered/)
}

async function listTrail(
  settings: Settings,
  organization: string,
): Promise<{ operation: string; record_ids?: string[] }[]> {
  const listed = await runHere(
    ['audit', 'list', '--organization', organization, '--limit', '99999', '--json'],
    settings,
  )
  expect(listed.code, listed.stderr).toBe(0)
  return JSON.parse(listed.stdout)
}

async function query(settings: Settings, text: string): Promise<{ id: string }[]> {
  const client = new pg.Client({ connectionString: settings.DATABASE_URL })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

test('a command that changes something records the account that ran it, and nothing when it failed', async () => {
  const place = await newClonePlace()
  closers.push(place.remove)
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runHere([...args, '--json'], place.settings)
    expect(code, stderr).toBe(0)
    return JSON.parse(stdout)
  }
  const { organization_id } = await run('organization', 'create', 'Elm Street')
  const { client_id } = await run('client', 'create', 'desk', '--organization', 'Elm Street')
  await run('client', 'rotate', client_id)
  await run('client', 'update', client_id, '--read-only')
  await run('client', 'revoke', client_id)
  expect((await runHere(['organization', 'create', 'Elm Street'], place.settings)).code).toBe(1)
  const events = await run('audit', 'list', '--organization', organization_id)
  expect(events.map(({ operation }: { operation: string }) => operation)).toEqual([
    'command.client revoke',
    'command.client update',
    'command.client rotate',
    'command.client create',
    'command.organization create',
  ])
  for (const event of events) expect(event.os_user).toMatch(/./)
  expect(events[0].record_ids).toEqual([client_id])

  const { kid } = await run('keys', 'rotate')
  expect((await runHere(['keys', 'retire', 'nobody'], place.settings)).code).toBe(1)
  expect(await run('audit', 'list')).toMatchObject([
    { operation: 'command.keys rotate', record_type: 'signing_key', record_ids: [kid] },
  ])
})
