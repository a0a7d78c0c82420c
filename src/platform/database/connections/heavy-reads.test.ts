import { describe, expect, it } from 'vitest'
import { createHeavyReads, type HeavyReads } from './heavy-reads.ts'

/** Reads whose time passes only when the test says so. */
function newReads(atOnce: number) {
  const clock = { ms: 0 }
  const reads = createHeavyReads(atOnce, () => clock.ms)
  const running: { organization: string; end: () => void }[] = []
  const ended: Promise<unknown>[] = []
  const read = (organization: string, gone = new AbortController().signal) => {
    reads.note(organization)
    const result = reads.pass(organization, gone, async (sent) => {
      sent()
      await new Promise<void>((end) => running.push({ organization, end }))
    })
    ended.push(result.catch(() => {}))
    return result
  }
  return {
    clock,
    reads,
    read,
    count: async (organization: string) => {
      await settled()
      return running.filter((each) => each.organization === organization).length
    },
    async endOne(organization: string) {
      await settled()
      const [found] = running.splice(
        running.findIndex((each) => each.organization === organization),
        1,
      )
      found?.end()
      await settled()
    },
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))
const many = async (count: number, read: () => Promise<void>) => {
  for (let index = 0; index < count; index++) void read()
  await settled()
}
const other = (reads: HeavyReads) => reads.note('B')

describe('the long reads of an organization', () => {
  it('all run while nobody else uses the database, and again when the others have stopped', async () => {
    const { clock, read, reads, count, endOne } = newReads(2)
    await many(5, () => read('A'))
    clock.ms += 1000
    await many(5, () => read('A'))
    expect(await count('A')).toBe(10)
    other(reads)
    await many(5, () => read('A'))
    expect(await count('A')).toBe(10)
    clock.ms += 20_000
    await endOne('A')
    expect(await count('A')).toBe(14)
  })

  it('fall back to their part as soon as another organization uses the database, and keep their order', async () => {
    const { clock, read, reads, count, endOne } = newReads(2)
    await many(4, () => read('A'))
    clock.ms += 1000
    other(reads)
    await many(3, () => read('A'))
    expect(await count('A')).toBe(4)
    await endOne('A')
    await endOne('A')
    expect(await count('A')).toBe(2)
    await endOne('A')
    expect(await count('A')).toBe(2)
  })

  it('share the part with the long reads of others, each of whom has at least one', async () => {
    const { clock, read, count } = newReads(4)
    for (const organization of ['A', 'B', 'C', 'D', 'E']) await many(1, () => read(organization))
    clock.ms += 1000
    for (const organization of ['A', 'B', 'C', 'D', 'E', 'F']) await many(3, () => read(organization))
    for (const organization of ['A', 'B', 'C', 'D', 'E']) expect(await count(organization)).toBe(1)
    // Its reads are not long.
    expect(await count('F')).toBe(3)
  })

  it('do not hold back short reads of an organization, however many', async () => {
    const { clock, read, reads, count, endOne } = newReads(1)
    await many(10, () => read('A'))
    other(reads)
    clock.ms += 20
    for (let index = 0; index < 10; index++) await endOne('A')
    await many(10, () => read('A'))
    expect(await count('A')).toBe(10)
  })

  it('of a call that has had rows come before those of calls that have had none, so that no answer is cut in the middle for later ones', async () => {
    const { clock, read, reads, count, endOne } = newReads(1)
    const call = () => new AbortController().signal
    const [first, second, third, fourth] = [call(), call(), call(), call()]
    const order: string[] = []
    const ask = (name: string, signal: AbortSignal) => void read('A', signal).then(() => order.push(name))
    ask('first', first)
    await settled()
    clock.ms += 1000
    other(reads)
    ask('second', second)
    ask('third', third)
    await endOne('A')
    ask('fourth', fourth)
    ask('first again', first)
    await endOne('A')
    ask('second again', second)
    expect(await count('A')).toBe(1)
    for (let ended = 0; ended < 4; ended++) await endOne('A')
    expect(order).toEqual(['first', 'second', 'first again', 'second again', 'third', 'fourth'])
  })

  it('that wait end when their caller leaves', async () => {
    const { clock, read, reads, count, endOne } = newReads(1)
    await many(1, () => read('A'))
    clock.ms += 1000
    other(reads)
    const caller = new AbortController()
    const given = read('A', caller.signal)
    given.catch(() => {})
    await many(1, () => read('A'))
    caller.abort(new Error('gone'))
    await expect(given).rejects.toThrow('gone')
    await endOne('A')
    expect(await count('A')).toBe(1)
  })
})
