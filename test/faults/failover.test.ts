// The primary fails or freezes under load and its standby takes over: on real clusters, with streaming replication.
import { afterEach, expect, test } from 'vitest'
import { openDatabase } from '../../src/platform/database/database-pool.ts'
import { newClient } from '../support/new-client.ts'
import { startServer } from '../support/started-server.ts'
import { expectNothingLost } from './expect-nothing-lost.ts'
import { newOwnCluster, type OwnCluster } from './own-cluster.ts'
import { ask, newStandby, promote, signalCluster } from './standby.ts'
import { startWriters } from './writers.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

/** A primary with its standby, and a DATABASE_URL that names both. */
async function startPair(): Promise<{ primary: OwnCluster; standby: OwnCluster; url: string }> {
  const primary = await newOwnCluster()
  closers.push(() => primary.remove())
  const standby = await newStandby(primary)
  closers.push(() => standby.remove())
  const { user, password, database } = primary.connection
  const both = [primary, standby].map(({ connection }) => connection)
  const hosts = both.map(({ host }) => encodeURIComponent(host)).join(',')
  const ports = both.map(({ port }) => port).join(',')
  return { primary, standby, url: `postgresql://${user}:${password}@/${database}?host=${hosts}&port=${ports}` }
}

test.each(['is killed', 'freezes'] as const)(
  'a primary that %s under load: when its standby is promoted the service continues automatically, and no acknowledged write is lost',
  async (what) => {
    const { primary, standby, url } = await startPair()
    const server = await startServer({ ...primary.settings, DATABASE_URL: url, LOG_LEVEL: 'warn' })
    closers.push(() => server.stop())
    const writers = startWriters(server.url, await newClient(primary.connection))
    closers.push(() => writers.stop())
    await writers.untilWriting()
    await writers.untilInFlight()
    if (what === 'is killed') await primary.kill()
    else await signalCluster(primary, 'SIGSTOP')
    await promote(standby)
    await writers.untilWriting()
    const before = writers.acknowledged.length

    // The former primary is back and still considers itself the primary.
    if (what === 'is killed') await primary.start()
    else await signalCluster(primary, 'SIGCONT')
    await ask(primary, `alter system set synchronous_standby_names = ''`)
    await ask(primary, 'select pg_reload_conf()')
    await writers.untilWriting()
    await writers.stop()
    expect(writers.acknowledged.length).toBeGreaterThan(before)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    expect(server.output()).toContain('another database server accepts writes now')
    const database = openDatabase(standby.connection, { onError() {} })
    closers.push(() => database.close())
    await expectNothingLost(database.systemDatabase, writers, `failover, the primary ${what}`)
  },
)

test('a new connection finds the promoted server while a former primary still accepts writes', async () => {
  const { primary, standby, url } = await startPair()
  await promote(standby)
  await ask(primary, `alter system set synchronous_standby_names = ''`)
  await ask(primary, 'select pg_reload_conf()')
  const opened = openDatabase({ connectionString: url }, { onError() {} })
  closers.push(() => opened.close())
  const timeline = await opened.systemDatabase.row('select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)')
  expect(timeline).toEqual(['00000002'])
})
