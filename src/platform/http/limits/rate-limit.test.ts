import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { testService } from '../../../../test/support/service.ts'
import type { Database } from '../../database/database.ts'
import { createRateLimit, type RateLimitOptions, type Verdict } from './rate-limit.ts'

const service = testService()
/** Longer than any test takes on a busy machine: the database's clock ends a window. */
const WINDOW_MS = 600_000

let subject: string
let clockMs: number
beforeEach(() => {
  subject = randomUUID()
  clockMs = 0
})

/** A separate process on the same database, and the statements that it has sent. */
function process(limit: number, more: Partial<RateLimitOptions> = {}) {
  const { database: real } = service
  const sent = { count: 0 }
  const counting: Database = {
    ...real,
    row: (...statement) => {
      sent.count++
      return real.row(...statement)
    },
  }
  const options = { database: counting, name: 'test', limit, windowMs: WINDOW_MS, monotonicMs: () => clockMs, ...more }
  return { ...createRateLimit(options), sent }
}

/** The number of granted calls when the processes are asked in turn until all refuse. */
async function exhaust(processes: { take(subject: string): Verdict | Promise<Verdict> }[], tries: number) {
  let granted = 0
  for (let turn = 0; turn < tries; turn++) {
    if ((await processes[turn % processes.length]!.take(subject)).isGranted) granted++
  }
  return granted
}

/** Ends the window of the subject, by the database's clock and by this process's. */
async function endWindow(): Promise<void> {
  await service.database.rows(`update call_window set ends_at = ends_at - interval '1 hour'`)
  clockMs += WINDOW_MS
}

describe('one process', () => {
  it('grants exactly the limit in a window, returns the remaining calls, and grants the limit again in the next window', async () => {
    const one = process(20)
    const first = await one.take(subject)
    expect(first).toMatchObject({ isGranted: true, limit: 20, windowSeconds: 600, remaining: 19 })
    expect(first.resetMs).toBeGreaterThan(540_000)
    expect(await exhaust([one], 50)).toBe(19)
    expect(await one.take(subject)).toMatchObject({ isGranted: false, remaining: 0 })
    await endWindow()
    expect(await exhaust([one], 50)).toBe(20)
  })

  it('grants exactly the limit to concurrent callers', async () => {
    const one = process(100)
    const verdicts = await Promise.all(Array.from({ length: 500 }, async () => one.take(subject)))
    expect(verdicts.filter(({ isGranted }) => isGranted)).toHaveLength(100)
  })

  it('queries the database for a few of a thousand calls, and for none that it refuses', async () => {
    const one = process(1000)
    expect(await exhaust([one], 1000)).toBe(1000)
    expect(one.sent.count).toBeLessThan(110)
    const before = one.sent.count
    expect(await exhaust([one], 10_000)).toBe(0)
    expect(one.sent.count).toBe(before)
  })

  it('counts each subject and each limit separately', async () => {
    const [one, other] = [process(1), process(1, { name: 'other' })]
    expect((await one.take('a')).isGranted).toBe(true)
    expect((await one.take('b')).isGranted).toBe(true)
    expect((await other.take('a')).isGranted).toBe(true)
    expect((await one.take('a')).isGranted).toBe(false)
  })

  it('applies a limit that was lowered in the middle of a window', async () => {
    expect(await exhaust([process(50)], 40)).toBe(40)
    expect(await exhaust([process(10)], 20)).toBe(0)
  })

  it('fails with the database, and works again when the database does', async () => {
    let isDown = true
    const flaky: Database = {
      ...service.database,
      row: (...statement) => (isDown ? Promise.reject(new Error('down')) : service.database.row(...statement)),
    }
    const one = process(5, { database: flaky })
    const failed = await Promise.allSettled([one.take(subject), one.take(subject)])
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    isDown = false
    expect(await exhaust([one], 10)).toBe(5)
  })

  it("restarts a window when the database's clock was set back", async () => {
    const one = process(5)
    expect(await exhaust([one], 10)).toBe(5)
    await service.database.rows(`update call_window set ends_at = ends_at + interval '1 day'`)
    expect(await exhaust([process(5)], 10)).toBe(5)
  })
})

describe('several processes', () => {
  it('never grant more than the limit together, and hardly less, for any distribution of calls', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 300 }),
        fc.array(fc.record({ who: fc.nat(2), calls: fc.integer({ min: 1, max: 40 }) }), { maxLength: 30 }),
        async (limit, bursts) => {
          subject = randomUUID()
          const processes = [process(limit), process(limit), process(limit)]
          const ask = async (who: number, calls: number) => {
            const verdicts = await Promise.all(Array.from({ length: calls }, async () => processes[who]!.take(subject)))
            return verdicts.filter(({ isGranted }) => isGranted).length
          }
          let granted = 0
          for (const { who, calls } of bursts) granted += await ask(who, calls)
          const wanted = bursts.reduce((sum, { calls }) => sum + calls, 0)
          expect(granted).toBeLessThanOrEqual(limit)
          // The permits that the two other processes may hold.
          if (wanted <= limit - 2 * Math.ceil(limit / 16)) expect(granted).toBe(wanted)
          granted += await exhaust(processes, 3 * limit)
          expect(granted).toBe(limit)
        },
      ),
      { numRuns: 40 },
    )
  })

  it('share permits one by one for calls that cost more than the counting', async () => {
    const [one, other] = [process(60, { grants: 'one by one' }), process(60, { grants: 'one by one' })]
    expect(await exhaust([one], 59)).toBe(59)
    expect((await other.take(subject)).isGranted).toBe(true)
    expect((await one.take(subject)).isGranted).toBe(false)
  })
})
