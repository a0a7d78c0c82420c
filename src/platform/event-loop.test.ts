import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { createTurns, ownTurn } from './event-loop.ts'

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

/** The most pieces that run in one turn of 5 ms: thirty callers have one of 2 ms each, which begins when `before` is done. */
async function mostInOneTurn(
  before: (takeTurn: ReturnType<typeof createTurns>) => Promise<void>,
  pieceMs = 2,
): Promise<number> {
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  try {
    const takeTurn = createTurns(5)
    const inEachTurn = [0]
    const counting = (async () => {
      for (; inEachTurn.length < 40; inEachTurn.push(0)) await setImmediate()
    })()
    const work = async () => {
      await before(takeTurn)
      now += pieceMs
      inEachTurn[inEachTurn.length - 1]!++
    }
    await Promise.all([...Array.from({ length: 30 }, work), counting])
    return Math.max(...inEachTurn)
  } finally {
    clock.mockRestore()
  }
}

describe('long work', () => {
  it('yields to other work between its pieces, and does not yield while it is short', async () => {
    const piecesOf = (turnMs: number) => async () => {
      const takeTurn = createTurns(turnMs)
      for (let piece = 0; piece < 50; piece++) await takeTurn('A')
    }
    expect(await turnsDuring(piecesOf(0))).toBeGreaterThanOrEqual(49)
    expect(await turnsDuring(piecesOf(60_000))).toBeLessThanOrEqual(1)
  })

  it('of several callers shares a turn, so that many of them do not hold it for longer than one', async () => {
    const takeTurn = createTurns(0)
    const work = async () => {
      for (let piece = 0; piece < 10; piece++) await takeTurn('A')
    }
    expect(
      await turnsDuring(async () => void (await Promise.all([work(), work(), work(), work()]))),
    ).toBeGreaterThanOrEqual(39)
  })

  it('of callers that go on together, as when one answer of the database serves them all, is bounded like that of one', async () => {
    const asked = Promise.resolve()
    const most = await mostInOneTurn(async (takeTurn) => {
      await asked
      await takeTurn('A')
    })
    expect(most).toBe(3)
  })

  it('is measured to its end, also where the piece goes on through several functions', async () => {
    const most = await mostInOneTurn(async (takeTurn) => {
      const asked = async () => {
        await takeTurn('A')
        return 'rows'
      }
      const read = async () => (await asked()).length
      await read()
    })
    expect(most).toBe(3)
  })

  it('in pieces of one organization leaves every other turn to another', async () => {
    const takeTurn = createTurns(0)
    const begun: string[] = []
    const work = async (organization: string) => {
      await takeTurn(organization)
      begun.push(organization)
    }
    await Promise.all(['A', 'A', 'A', 'A', 'A', 'B', 'B'].map(work))
    expect(begun.join('')).toBe('ABABAAA')
  })

  it('in short pieces begins four at a time, which go on by turns, and leaves others their turn', async () => {
    const takeTurn = createTurns(60_000)
    const steps: string[] = []
    const work = async (organization: string) => {
      await takeTurn.share(organization, 0.2)
      steps.push(organization)
      await undefined
      steps.push(organization.toLowerCase())
    }
    await Promise.all(['A', 'A', 'A', 'A', 'A', 'A', 'B'].map(work))
    expect(steps.join('')).toBe('AAAAaaaaBbAAaa')
  })

  it('in short pieces begins as many as are no longer than a long one, which begins alone', async () => {
    const takeTurn = createTurns(60_000)
    const steps: string[] = []
    const work = async (part: number) => {
      await (part === 1 ? takeTurn('A') : takeTurn.share('A', part))
      steps.push(`begins ${part}`)
      await undefined
      steps.push(`ends ${part}`)
    }
    await Promise.all([0.5, 0.4, 0.6, 1, 0.3].map(work))
    expect(steps).toEqual(
      [[0.5, 0.4], [0.6], [1], [0.3]].flatMap((parts) => [
        ...parts.map((part) => `begins ${part}`),
        ...parts.map((part) => `ends ${part}`),
      ]),
    )
  })

  it('lets what arrives between two turns be sent before the second', async () => {
    const takeTurn = createTurns(0)
    const steps: string[] = []
    // Turns follow each other from where the loop calls what was asked for by `setImmediate`.
    await setImmediate()
    const piece = async () => {
      await takeTurn('A')
      steps.push('piece')
    }
    const sent = new Promise<void>((resolve) => {
      // The loop calls a timer that has run out before it begins another turn, as it does with what has arrived.
      const arrive = () => globalThis.setImmediate(() => resolve(void steps.push('sent')))
      void takeTurn('A').then(() => {
        setTimeout(arrive, 1)
        for (const began = performance.now(); performance.now() - began < 5; );
      })
    })
    await Promise.all([sent, piece()])
    expect(steps).toEqual(['sent', 'piece'])
  })

  it('in short pieces holds a turn for less time, because payers wait for what follows from them', async () => {
    const pieces = (takeTurn: ReturnType<typeof createTurns>) => takeTurn.share('A', 0.2)
    expect(await mostInOneTurn(pieces, 0.25)).toBe(4)
    expect(await mostInOneTurn((takeTurn) => takeTurn('A'), 0.25)).toBe(20)
  })

  it('in short pieces is bounded in each turn like that in long ones', async () => {
    const takeTurn = createTurns(0)
    const work = () => Promise.all(Array.from({ length: 40 }, () => takeTurn.share('A', 0.1)))
    expect(await turnsDuring(async () => void (await work()))).toBeGreaterThanOrEqual(9)
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
