// Processes of an earlier release keep serving while this one migrates their database, and beside it until they are stopped.
// Each migration automatically adds the release before it: the programs are taken from the repository's history.
import { afterEach, describe, expect, it } from 'vitest'
import { cloneDatabase } from '../support/database.ts'
import { findInconsistencies } from '../support/database-contents.ts'
import { type EarlierRelease, earlierReleases, unpackRelease } from '../support/earlier-releases.ts'
import { startTraffic } from '../support/mixed-traffic.ts'
import { newDataFolder, type Settings, type StartedServer, startServer } from '../support/started-server.ts'
import { newToken, startWriters } from './writers.ts'

/** A level takes half a minute: UPGRADE_LEVELS=100 tries all of them. */
const LEVELS = Number(process.env.UPGRADE_LEVELS ?? 2)
const releases = earlierReleases(LEVELS)
const wanted = releases ?? []
const startable = wanted.filter(({ missing }) => missing.length === 0)
/** A suite without a test would be an error, even if it is skipped. */
const none = [{ level: 'none', commit: '', missing: [] }]
if (releases === undefined)
  process.stderr.write(
    'Skipped: upgrades beside earlier releases. Their programs are in the git history, which is missing here.\n',
  )
for (const { level, missing } of wanted) {
  if (missing.length > 0)
    process.stderr.write(
      `Skipped: the release with ${level}. It needs ${missing.join(', ')}, which is not installed any more.\n`,
    )
}

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

/** An empty database, and a folder that the processes share. */
async function newPlace() {
  const [folder, clone] = await Promise.all([newDataFolder(), cloneDatabase()])
  closers.push(folder.remove, clone.drop)
  const { systemDatabase } = clone.database
  await systemDatabase.rows('drop schema public, walled cascade')
  await systemDatabase.rows('create schema public')
  return { settings: { DATABASE_URL: clone.url, DATA_DIR: folder.path }, database: systemDatabase }
}

async function start(settings: Settings, program?: string[]): Promise<StartedServer> {
  const server = await startServer(settings, program)
  closers.push(server.kill)
  return server
}

describe.skipIf(startable.length === 0)('an upgrade', () => {
  it.each(startable.length > 0 ? startable : none)(
    'has no failed request while a process of the release with $level serves',
    async (release: EarlierRelease) => {
      const earlier = await unpackRelease(release)
      closers.push(earlier.remove)
      const { settings, database } = await newPlace()
      const old = await start(settings, earlier.program)
      const client = await old.newCredentials()
      const onOld = startLoad(old.url, client, await newToken(old.url, client))
      await onOld.untilWriting()
      // The start of the earlier release is not tested here.
      onOld.forget()
      const ours = await start(settings)
      const onOurs = startLoad(ours.url, client, await newToken(ours.url, client))
      await Promise.all([onOld.untilWriting(), onOurs.untilWriting()])
      await onOld.stop()
      await old.stop()
      await onOurs.untilWriting()
      await onOurs.stop()
      await ours.stop()
      const logged = [old, ours].map((server) =>
        server
          .output()
          .split('\n')
          .filter((line) => /"level":[56]0/.test(line)),
      )
      expect({ earlier: onOld.failures(), ours: onOurs.failures() }, logged.flat().join('\n')).toEqual({
        earlier: [],
        ours: [],
      })
      expect(await findInconsistencies(database)).toEqual([])
    },
  )
})

/** Leaves most of the machine to the migration and the two programs. */
const TRAFFIC_PAUSE_MS = 20

/** Writers of four types, and every operation of this release; an earlier one returns 404 for unknown operations. */
function startLoad(url: string, client: Parameters<typeof startWriters>[1], token: string) {
  const writers = startWriters(url, client)
  const isFailure = (status: number) => status === 0 || status >= 500
  const traffic = startTraffic(url, token, 1, { oddities: ['valid'], isFailure, pauseMs: TRAFFIC_PAUSE_MS })
  let before = { failures: 0, unanswered: 0 }
  return {
    untilWriting: () => writers.untilWriting(),
    stop: () => Promise.all([writers.stop(), traffic.stop()]),
    forget() {
      before = { failures: traffic.failures.length, unanswered: writers.unanswered() }
    },
    failures: () => [
      ...traffic.failures.slice(before.failures),
      ...writers.unexpected,
      ...Array(writers.unanswered() - before.unanswered).fill('a write without an answer'),
    ],
  }
}
