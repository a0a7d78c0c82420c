import { describe, expect, it } from 'vitest'
import type { TextRow } from '../database.ts'
import { createUnanswered } from './unanswered.ts'

/** Statements that are answered when the test says so, in the order in which they were sent. */
function connection() {
  const unanswered = createUnanswered()
  const sent: { organization: string; answer(row: TextRow | Error): void }[] = []
  const read = (organization: string) =>
    unanswered.pass(
      organization,
      () =>
        new Promise<TextRow>((resolve, reject) => {
          sent.push({ organization, answer: (row) => (row instanceof Error ? reject(row) : resolve(row)) })
        }),
    )
  const answerNext = async (row: TextRow | Error) => {
    sent.shift()?.answer(row)
    await new Promise(setImmediate)
  }
  return { read, answerNext, organizations: () => sent.map(({ organization }) => organization).join('') }
}

const small: TextRow = ['x']
const large: TextRow = ['x', 'y'.repeat(900_000)]

describe('reads by key of an organization', () => {
  it('wait for its own earlier ones: a read of another organization is sent behind a few, however many there are', async () => {
    const { read, answerNext, organizations } = connection()
    const reads = Array.from({ length: 500 }, () => read('A'))
    const other = read('B')
    expect(organizations()).toBe(`${'A'.repeat(32)}B`)
    await answerNext(small)
    expect(organizations()).toBe(`${'A'.repeat(31)}BA`)
    while (organizations() !== '') await answerNext(small)
    expect(await Promise.all(reads)).toEqual(Array(500).fill(small))
    expect(await other).toEqual(small)
  })

  it('are sent one by one while their answers are large, and several at once again when they are not', async () => {
    const { read, answerNext, organizations } = connection()
    const reads = Array.from({ length: 60 }, () => read('A'))
    for (let left = 31; left > 0; left--) {
      await answerNext(large)
      expect(organizations()).toBe('A'.repeat(left))
    }
    await answerNext(large)
    expect(organizations()).toBe('A')
    void read('B')
    expect(organizations()).toBe('AB')
    await answerNext(small)
    expect(organizations()).toBe('BAA')
    while (organizations() !== '') await answerNext(small)
    await Promise.all(reads)
  })

  it('go on behind one that fails', async () => {
    const { read, answerNext, organizations } = connection()
    const first = read('A').catch((error: Error) => error.message)
    const rest = Array.from({ length: 32 }, () => read('A'))
    await answerNext(new Error('lost'))
    expect([await first, organizations()]).toEqual(['lost', 'A'.repeat(32)])
    while (organizations() !== '') await answerNext(small)
    await Promise.all(rest)
  })
})
