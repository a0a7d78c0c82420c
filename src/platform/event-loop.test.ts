import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ownTurn, takeTurns } from './event-loop.ts'

/** The number of event loop turns while `work` runs. */
async function turnsDuring(work: () => Promise<void>): Promise<number> {
  let turns = 0
  let isDone = false
  const counting = (async () => {
    while (!isDone) {
      await setImmediate()
      turns++
    }
  })()
  await work()
  isDone = true
  const during = turns
  await counting
  return during
}

describe('long work', () => {
  it('yields to other work between its pieces, and does not yield while it is short', async () => {
    const piecesOf = (turnMs: number) => async () => {
      const takeTurn = takeTurns(turnMs)
      for (let piece = 0; piece < 50; piece++) await takeTurn()
    }
    expect(await turnsDuring(piecesOf(0))).toBeGreaterThanOrEqual(49)
    expect(await turnsDuring(piecesOf(60_000))).toBeLessThanOrEqual(1)
  })

  it('of many concurrent callers runs in a separate turn each', async () => {
    const work = async () => {
      await Promise.all(Array.from({ length: 50 }, () => ownTurn('A')))
    }
    expect(await turnsDuring(work)).toBeGreaterThanOrEqual(49)
  })

  it('of one organization does not delay that of another', async () => {
    const begun: string[] = []
    const work = async (organization: string) => {
      await ownTurn(organization)
      begun.push(organization)
    }
    await Promise.all(['A', 'A', 'A', 'A', 'B', 'B', 'C'].map(work))
    expect(begun.join('')).toBe('ABCABAA')
  })
})
