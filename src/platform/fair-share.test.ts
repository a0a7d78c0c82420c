import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { createFairShare, type FairShare, QueueFull, WaitedTooLong } from './fair-share.ts'

/** Takes places for one sharer until it gets none, and returns how many it got. */
function takeAll(share: FairShare, sharer: string): number {
  let taken = 0
  while (share.tryEnter(sharer)) taken++
  return taken
}

describe('places that are shared fairly', () => {
  it.each([
    [20, 15],
    [1000, 750],
    [4, 3],
    [2, 1],
    [1, 1],
  ])('of %i places one sharer gets %i, so that the next sharer gets one at once', (places, most) => {
    const share = createFairShare({ places })
    expect(takeAll(share, 'a')).toBe(most)
    expect(share.tryEnter('b')).toBe(places > 1)
  })

  it('go first to the sharer that holds the fewest, even when another has waited longer', async () => {
    const share = createFairShare({ places: 4, maxWaiting: 100 })
    const order: string[] = []
    takeAll(share, 'a')
    share.tryEnter('b')
    for (const sharer of ['a', 'a', 'a', 'b', 'c']) void share.enter(sharer).then(() => order.push(sharer))
    for (const sharer of ['a', 'a', 'a']) {
      share.leave(sharer)
      await new Promise(setImmediate)
    }
    // The last free place is reserved for a sharer without any.
    expect(order).toEqual(['c', 'a'])
  })

  it('are given to waiting sharers in turn, each in its own order', async () => {
    const share = createFairShare({ places: 1, maxWaiting: 100 })
    const order: string[] = []
    const work = (name: string) => async () => {
      order.push(name)
      await Promise.resolve()
    }
    const turns = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => share.pass(name[0] ?? '', undefined, work(name)))
    await Promise.all(turns)
    expect(order.slice(0, 3).toSorted()).toEqual(['a1', 'b1', 'c1'])
    for (const name of ['a', 'b']) {
      const own = order.filter((each) => each.startsWith(name))
      expect(own).toEqual(own.toSorted())
    }
    expect(share.sharers).toBe(0)
  })

  it('leave room in the queue when one sharer fills it', async () => {
    const share = createFairShare({ places: 1, maxWaiting: 20 })
    share.tryEnter('a')
    const refused: unknown[] = []
    for (let caller = 0; caller < 100; caller++) share.enter('a').catch((error: unknown) => refused.push(error))
    await new Promise(setImmediate)
    expect(refused.length).toBe(85)
    expect(refused[0]).toBeInstanceOf(QueueFull)
    const other = share.enter('b')
    share.leave('a')
    await expect(other).resolves.toBeUndefined()
  })

  it('keep no sharer in memory that neither holds nor waits for a place', async () => {
    const share = createFairShare({ places: 10, maxWaiting: 10 })
    for (let caller = 0; caller < 50_000; caller++) {
      if (share.tryEnter(`stranger ${caller}`)) share.leave(`stranger ${caller}`)
    }
    expect(share.sharers).toBe(0)
    for (let caller = 0; caller < 50_000; caller++) share.tryEnter(`stranger ${caller}`)
    expect(share.sharers).toBe(10)
    const impatient = new AbortController()
    const waiting = share.enter('late', impatient.signal)
    expect(share.sharers).toBe(11)
    impatient.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    expect(share.sharers).toBe(10)
  })

  it('are refused to a caller who has waited too long, and no timer runs for one who got a place', async () => {
    vi.useFakeTimers()
    try {
      const share = createFairShare({ places: 1, maxWaiting: 100, patienceMs: 5_000 })
      await share.enter('a')
      const served = share.enter('b')
      const late = share.enter('c')
      share.leave('a')
      await served
      expect(vi.getTimerCount()).toBe(1)
      vi.advanceTimersByTime(5_000)
      await expect(late).rejects.toBeInstanceOf(WaitedTooLong)
      expect([vi.getTimerCount(), share.sharers]).toEqual([0, 1])
      const gone = new AbortController()
      const leaving = share.enter('c', gone.signal)
      gone.abort(new Error('gone'))
      await expect(leaving).rejects.toThrow('gone')
      expect([vi.getTimerCount(), share.sharers]).toEqual([0, 1])
    } finally {
      vi.useRealTimers()
    }
  })

  it('are never exceeded, are all released, and never stay free while a sharer waits', async () => {
    const steps = fc.array(fc.record({ sharer: fc.nat(4), leaves: fc.boolean() }), { maxLength: 200 })
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 12 }), steps, async (places, moves) => {
        const share = createFairShare({ places, maxWaiting: 1000 })
        const inside: string[] = []
        let waiting = 0
        for (const { sharer, leaves } of moves) {
          const name = String(sharer)
          if (leaves && inside.includes(name)) {
            inside.splice(inside.indexOf(name), 1)
            share.leave(name)
          } else {
            waiting++
            void share.enter(name).then(() => {
              waiting--
              inside.push(name)
            })
          }
          await new Promise(setImmediate)
          expect(inside.length).toBeLessThanOrEqual(places)
          // A waiting sharer has its share already, or there is no free place.
          if (waiting > 0 && inside.length < places) expect(inside.length).toBeGreaterThan(0)
        }
        while (inside.length > 0) {
          share.leave(inside.pop() as string)
          await new Promise(setImmediate)
        }
        expect([waiting, share.sharers]).toEqual([0, 0])
      }),
      { numRuns: 30 },
    )
  })
})
