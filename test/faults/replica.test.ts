// DATABASE_READ_URL: a standby answers reads, and no caller can tell. On real clusters, with streaming replication.
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/platform/database/database-pool.ts'
import { nameBody, patientBody } from '../support/bodies.ts'
import { freePort } from '../support/free-port.ts'
import { newClient } from '../support/new-client.ts'
import { newDataFolder, runCommand, type StartedServer, startServer } from '../support/started-server.ts'
import { until } from './embedded-harness.ts'
import { type Client, newOwnCluster, type OwnCluster } from './own-cluster.ts'
import { ask, newStandby, promote, signalCluster } from './standby.ts'
import { newToken } from './writers.ts'

interface Versioned {
  id: string
  version: number
}

interface Answer {
  status: number
  body: Versioned & Versioned[] & { items: { patient: Versioned; operation: string }[] }
}

interface Desk {
  server: Process
  metrics: string
  call(method: string, path: string, body?: object): Promise<Answer>
}

let primary: OwnCluster
let standby: OwnCluster
let client: Client
/** Two processes of the service: what one writes the other shows. */
let writing: Desk
let reading: Desk
/** Between two reads of one desk: the machine belongs to what is tested. */
const PAUSE_MS = 50

const processes: StartedServer[] = []
const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})
beforeAll(async () => {
  primary = await newOwnCluster()
  standby = await newStandby(primary, { isSynchronous: false })
  const servers = [await startProcess(), await startProcess()] as const
  client = await newClient(primary.connection)
  writing = await openDesk(servers[0], client)
  reading = await openDesk(servers[1], client)
})
// The service stops before its database does.
afterAll(async () => {
  for (const server of processes) await server.stop()
  await standby?.remove()
  await primary?.remove()
})

/** A database of this process that reads from the standby, too; closed after the test. */
async function openWithStandby(options: { processors?: number } = {}) {
  const replica = { connection: standby.connection, onChange() {} }
  const { reads, systemDatabase, close } = openDatabase(primary.connection, { onError() {}, replica, ...options })
  closers.push(close)
  await reads?.start()
  return { reads: reads!, systemDatabase }
}

const urlOf = ({ settings }: OwnCluster) => settings.DATABASE_URL ?? ''
const settings = () => ({ ...primary.settings, DATABASE_READ_URL: urlOf(standby) })

type Process = StartedServer & { metrics: string }

async function startProcess(): Promise<Process> {
  const port = await freePort()
  const server = await startServer({ ...settings(), METRICS_PORT: String(port) })
  processes.push(server)
  return { ...server, metrics: `http://127.0.0.1:${port}/metrics` }
}

/** A client of one process. */
async function openDesk(server: Process, of: Client): Promise<Desk> {
  const authorization = `Bearer ${await newToken(server.url, of)}`
  return {
    server,
    metrics: server.metrics,
    async call(method, path, body) {
      const headers = { authorization, 'content-type': 'application/json' }
      const answer = await fetch(server.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      const said = await answer.text()
      return { status: answer.status, body: said ? JSON.parse(said) : undefined }
    },
  }
}

async function metric({ metrics }: Desk, name: string): Promise<number> {
  const line = (await (await fetch(metrics)).text()).split('\n').find((each) => each.startsWith(`${name} `))
  return Number(line?.split(' ').at(-1))
}

const readsBy = (desk: Desk, outcome: string) => metric(desk, `anteroom_database_reads_total{outcome="${outcome}"}`)

/** Reads that the primary answered, for whatever reason. */
async function readsByPrimary({ metrics }: Desk): Promise<number> {
  const lines = (await (await fetch(metrics)).text()).split('\n')
  const reads = lines.filter((line) => /^anteroom_database_reads_total\{outcome="(?!replica")/.test(line))
  return reads.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}
const untilUse = (desk: Desk, inUse: 0 | 1) =>
  until(async () => (await metric(desk, 'anteroom_database_replica_in_use')) === inUse)

async function newPatient({ call }: Desk) {
  const { status, body } = await call('POST', '/patients/v1?skip_duplicate_check=true', patientBody())
  expect(status).toBe(200)
  return body
}

/** Every kind of read shows this version of a patient. */
async function expectShown({ call }: Desk, { id, version, family }: { id: string; version: number; family: string }) {
  const read = await call('GET', `/patients/v1/${id}`)
  const history = await call('GET', `/patients/v1/${id}/history`)
  const list = await call('GET', `/lists/v1/patient?filters=${encodeURIComponent(`patient.name.family|eq|${family}`)}`)
  const since = encodeURIComponent(new Date(Date.now() - 3_600_000).toISOString())
  const scan = await call('GET', `/patients/v1/updates/scan?since=${since}`)
  expect([read, history, list, scan].map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(read.body.version).toBe(version)
  expect(history.body.map((each) => each.version)).toEqual(Array.from({ length: version }, (_, index) => index + 1))
  expect(list.body.items.map(({ patient }) => [patient.id, patient.version])).toEqual([[id, version]])
  expect(scan.body.filter((each) => each.id === id).map((each) => each.version)).toEqual([version])
}

describe('a standby that follows its primary', () => {
  afterEach(() => ask(standby, 'select pg_wal_replay_resume() where pg_is_wal_replay_paused()'))

  test('answers the reads of clients, and the primary does not', async () => {
    const desk = reading
    const { id } = await newPatient(desk)
    await untilUse(desk, 1)
    const counted = `select coalesce(sum(idx_scan), 0)::int as scans from pg_stat_user_tables where relname = 'patient_history'`
    const scans = async (connection: OwnCluster['connection']) => {
      const database = openDatabase(connection, { onError() {} })
      const row = await database.systemDatabase.row(counted).finally(() => database.close())
      return Number(row?.[0])
    }
    const before = {
      scans: [await scans(primary.connection), await scans(standby.connection)],
      reads: await readsBy(desk, 'replica'),
      byPrimary: await readsByPrimary(desk),
    }
    const answered = async () => (await readsBy(desk, 'replica')) - before.reads
    // On a busy machine the standby is behind for a while, and the primary answers instead.
    await until(async () => {
      expect((await desk.call('GET', `/patients/v1/${id}/history`)).status).toBe(200)
      return (await answered()) >= 40
    }, 120_000)
    const byPrimary = (await readsByPrimary(desk)) - before.byPrimary
    // A session reports its counts some seconds after its last statement.
    await until(async () => (await scans(standby.connection)) - before.scans[1]! >= 40)
    expect((await scans(primary.connection)) - before.scans[0]!).toBeLessThanOrEqual(byPrimary)
  })

  test('never shows a state before an acknowledged write: of this client, another client, or another process, even while it does not replay', async () => {
    for (const desk of [writing, reading]) await untilUse(desk, 1)
    const { id, ...patient } = await newPatient(writing)
    await ask(standby, 'select pg_wal_replay_pause()')
    for (let version = 2; version < 7; version++) {
      const family = `Paused${version}`
      const changed = { ...patient, name: nameBody(family) }
      expect((await writing.call('PUT', `/patients/v1/${id}/${version}`, changed)).status).toBe(200)
      await expectShown(reading, { id, version, family })
      await expectShown(writing, { id, version, family })
    }
    await untilUse(reading, 0)
    await ask(standby, 'select pg_wal_replay_resume()')
    await untilUse(reading, 1)
    const before = await readsBy(reading, 'replica')
    await expectShown(reading, { id, version: 6, family: 'Paused6' })
    expect(await readsBy(reading, 'replica')).toBeGreaterThan(before)
  })

  test('shows every version as soon as it is acknowledged, and none again after a newer one, while clients write', async () => {
    for (const desk of [writing, reading]) await untilUse(desk, 1)
    const before = await readsBy(reading, 'replica')
    const { id, ...patient } = await newPatient(writing)
    let acknowledged = 1
    let isWriting = true
    const writer = (async () => {
      while (isWriting) {
        const { status } = await writing.call('PUT', `/patients/v1/${id}/${acknowledged + 1}`, patient)
        expect(status).toBe(200)
        acknowledged++
        await delay(5)
      }
    })()
    const readers = Array.from({ length: 4 }, async () => {
      let shown = 0
      for (let count = 0; count < 100; count++) {
        const least = acknowledged
        const { status, body } = await reading.call('GET', `/patients/v1/${id}`)
        expect(status).toBe(200)
        expect(body.version).toBeGreaterThanOrEqual(Math.max(least, shown))
        shown = body.version
      }
    })
    await Promise.all(readers).finally(() => (isWriting = false))
    await writer
    expect(acknowledged).toBeGreaterThan(3)
    expect(await readsBy(reading, 'replica')).toBeGreaterThan(before)
  })

  test("shows no record of another organization, and leaves each read in its organization's audit trail", async () => {
    const desk = reading
    const foreign = await openDesk(reading.server, await newClient(primary.connection))
    for (const each of [desk, foreign]) await untilUse(each, 1)
    const { id } = await newPatient(desk)
    expect((await foreign.call('GET', `/patients/v1/${id}`)).status).toBe(404)
    expect((await foreign.call('GET', '/lists/v1/patient')).body.items).toEqual([])
    expect((await desk.call('GET', `/patients/v1/${id}`)).status).toBe(200)
    const reads = async ({ call }: Desk) => {
      const { body } = await call('GET', `/anteroom/v1/audit?patient_id=${id}`)
      return body.items.filter(({ operation }) => operation === 'patients.get').length
    }
    await until(async () => (await reads(desk)) === 1, 30_000)
    expect(await reads(foreign)).toBe(0)
  })

  test('a read that the standby cancels for its replay, and a statement that it may not run, are answered by the primary', async () => {
    const { systemDatabase, reads } = await openWithStandby()
    await until(async () => reads.standing() === 'in use')
    await ask(standby, `alter system set max_standby_streaming_delay = '10ms'`)
    await ask(standby, 'select pg_reload_conf()')
    await systemDatabase.rows('create table conflict (organization_id uuid, id int)')
    await systemDatabase.rows('grant select, insert on conflict to anteroom_app')
    const organization = client.client_id
    // Slow at the standby alone, until it is cancelled.
    const sleep = 'case when pg_is_in_recovery() then pg_sleep(25) end'
    const slow = reads.database.rows(`select count(*), ${sleep}, $1::uuid from conflict`, [organization])
    const sleeping = `select from pg_stat_activity where wait_event = 'PgSleep'`
    await until(async () => (await ask(standby, sleeping)).length > 0)
    await systemDatabase.rows('truncate conflict')
    expect((await slow)[0]?.[0]).toBe('0')
    expect(reads.counts().failed).toBeGreaterThan(0)
    await until(async () => reads.standing() === 'in use')
    await reads.database.rows('insert into conflict values ($1::uuid, 1)', [organization])
    expect(await systemDatabase.rows('select id from conflict')).toEqual([['1']])
    await systemDatabase.rows('drop table conflict')
    await ask(standby, 'alter system reset max_standby_streaming_delay')
    await ask(standby, 'select pg_reload_conf()')
  })

  test('a read of a locked table keeps no read of another table waiting on the connections that organizations share', async () => {
    const { systemDatabase, reads } = await openWithStandby()
    await systemDatabase.rows('create table locked (id int); create table free (id int)')
    await systemDatabase.rows('grant select on locked, free to anteroom_app')
    const read = (table: string) =>
      reads.database.rowByKey({ name: `read_${table}`, text: `select count(*), $1::uuid from ${table}` }, [
        randomUUID(),
      ])
    const operator = new pg.Client(primary.connection)
    await operator.connect()
    closers.push(() => operator.end())
    await operator.query('begin')
    await operator.query('lock table locked in access exclusive mode')
    const locks = `select from pg_locks where mode = 'AccessExclusiveLock'`
    await until(async () => (await ask(standby, locks)).length > 0)
    await until(async () => reads.standing() === 'in use')
    const before = { ...reads.counts() }
    const waiting = Array.from({ length: 3 }, () => read('locked'))
    const others = await Promise.all(Array.from({ length: 6 }, () => read('free')))
    expect(others.map((row) => row?.[0])).toEqual(Array(6).fill('0'))
    // The standby has given up none of those that wait, which takes ten seconds.
    expect(reads.counts().failed).toBe(before.failed)
    await operator.query('rollback')
    expect((await Promise.all(waiting)).map((row) => row?.[0])).toEqual(Array(3).fill('0'))
    await systemDatabase.rows('drop table locked, free')
  })

  test('while others read from the standby, an organization runs only as many long reads there as it has processors', async () => {
    const { reads } = await openWithStandby({ processors: 1 })
    const untilInUse = () => until(async () => reads.standing() === 'in use')
    await untilInUse()
    const leaving = new AbortController()
    const long = () => {
      const read = reads.database.rows(
        'select $1::uuid, pg_sleep(8), 1 as long_read',
        [client.client_id],
        leaving.signal,
      )
      read.catch(() => {})
      return read
    }
    const running = async () =>
      (
        await ask<{ ms: string }>(
          standby,
          `select extract(epoch from now() - query_start) * 1000 as ms from pg_stat_activity where query like '%long_read' and state = 'active'`,
        )
      ).map(({ ms }) => Number(ms))
    const ended = [long()]
    await until(async () => ((await running())[0] ?? 0) > 100)
    const readOfAnother = async () => {
      await reads.database.rows('select $1::uuid', [randomUUID()], new AbortController().signal)
      await untilInUse()
    }
    await readOfAnother()
    for (let count = 0; count < 5; count++) ended.push(long())
    for (let count = 0; count < 20; count++) await readOfAnother()
    expect((await running()).length).toBeLessThanOrEqual(1)
    leaving.abort(new Error('the caller left'))
    await Promise.allSettled(ended)
  })

  test('anteroom doctor and anteroom config check name it', async () => {
    const { stdout } = await runCommand(['doctor', '--json'], settings())
    expect(JSON.parse(stdout)).toContainEqual({
      what: 'standby',
      state: 'ok',
      says: 'the standby of DATABASE_READ_URL answers',
    })
    const shown = await runCommand(['config', 'check'], settings())
    expect(shown.stdout).toMatch(/DATABASE_READ_URL +\(set\) /)
    expect(shown.stdout).not.toContain(standby.connection.password)
  })

  test.each([
    ['another cluster', () => inAnotherDatabase('postgres'), /another database than DATABASE_URL/],
    [
      'several servers',
      () =>
        urlOf(standby)
          .replace('@/', '@a,b/')
          .replace(/host=[^&]*&port=\d+/, ''),
      /one server/,
    ],
  ])('a start is refused in one line when DATABASE_READ_URL names %s', async (_, url, words) => {
    const { code, stderr } = await runCommand(['serve'], {
      ...settings(),
      DATABASE_READ_URL: url(),
      PORT: '0',
      CORE_PORT: '0',
    })
    expect(code).toBe(1)
    expect(stderr).toMatch(words)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  test('a start without DATABASE_URL is refused, for the embedded database has no standby', async () => {
    const { code, stderr } = await runCommand(['serve'], { DATABASE_READ_URL: urlOf(standby) })
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('DATABASE_READ_URL names a standby of DATABASE_URL, which is not set'),
    ])
  })

  const inAnotherDatabase = (name: string) => urlOf(standby).replace(`/${standby.connection.database}?`, `/${name}?`)

  test('a start is refused in one line when DATABASE_READ_URL leads to another cluster', async () => {
    // Not a copy, which would have the same system identifier.
    const other = await newOwnCluster(await newDataFolder())
    closers.push(() => other.remove())
    const { code, stderr } = await runCommand(['serve'], {
      ...settings(),
      DATABASE_READ_URL: urlOf(other),
      PORT: '0',
      CORE_PORT: '0',
    })
    expect(code).toBe(1)
    expect(stderr).toMatch(/another PostgreSQL cluster/)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })
})

describe('a standby that fails under load', () => {
  /** Callers that read until they are stopped, and every answer that they should not have got. */
  function startReading(desk: Desk, id: string) {
    const refusals: string[] = []
    let answers = 0
    let isReading = true
    const paths = [`/patients/v1/${id}`, `/patients/v1/${id}/history`, '/lists/v1/patient?limit=5']
    const callers = paths.map(async (path) => {
      while (isReading) {
        const { status, body } = await desk.call('GET', path)
        answers++
        if (status !== 200) refusals.push(`${path} ${status} ${JSON.stringify(body)}`)
        await delay(PAUSE_MS)
      }
    })
    return {
      refusals,
      answers: () => answers,
      async stop() {
        isReading = false
        await Promise.all(callers)
      },
    }
  }

  /** How the standby fails and how it returns; one that was promoted follows no more. */
  const faults = {
    'is killed': { begin: () => standby.kill(), end: () => standby.start() },
    freezes: { begin: () => signalCluster(standby, 'SIGSTOP'), end: () => signalCluster(standby, 'SIGCONT') },
    'is promoted': { begin: () => promote(standby), end: () => delay(3_000) },
  }

  async function expectNoneFails(fault: keyof typeof faults): Promise<void> {
    const desk = reading
    const { id, ...patient } = await newPatient(desk)
    await untilUse(desk, 1)
    const before = await readsBy(desk, 'replica')
    const callers = startReading(desk, id)
    closers.push(callers.stop)
    await until(async () => (await readsBy(desk, 'replica')) > before)
    await faults[fault].begin()
    await untilUse(desk, 0).catch(async (error) => {
      await faults[fault].end()
      throw error
    })
    const family = randomUUID()
    expect((await desk.call('PUT', `/patients/v1/${id}/2`, { ...patient, name: nameBody(family) })).status).toBe(200)
    await expectShown(desk, { id, version: 2, family })
    await faults[fault].end()
    const follows = fault === 'is promoted' ? 0 : 1
    await untilUse(desk, follows)
    await expectShown(desk, { id, version: 2, family })
    await until(async () => callers.answers() > 20)
    await callers.stop()
    expect(callers.refusals).toEqual([])
    expect((await fetch(`${desk.server.url}/readyz`)).status).toBe(200)
  }

  test.each(['is killed', 'freezes'] as const)('%s: no read fails, and every write is shown', expectNoneFails)

  test('is down at the start: the service starts, and uses it once it is there', async () => {
    await standby.stop()
    try {
      const desk = await openDesk(await startProcess(), client)
      const { id } = await newPatient(desk)
      expect((await desk.call('GET', `/patients/v1/${id}`)).status).toBe(200)
      expect((await runCommand(['doctor'], settings())).stdout).toContain('does not answer')
      await standby.start()
      await untilUse(desk, 1)
    } finally {
      await standby.start()
    }
  })

  // The last one: nothing follows the primary after it.
  test('is promoted: no read fails, and every write is shown', () => expectNoneFails('is promoted'))
})
