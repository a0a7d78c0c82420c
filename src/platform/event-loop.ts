// One process serves all callers on one thread: long work yields between its pieces. decisions/0020-bounded-work.md
import { setTimeout } from 'node:timers/promises'

/**
 * How long work in pieces may hold one turn of the event loop, that of all callers together: an ordinary call takes some turns, and none
 * should wait for 100 ms.
 */
const TURN_MS = 5
/** The same for short pieces: what arrives meanwhile asks for the next inquiry to be sent, and a payer with nothing to do waits for it. */
const SHORT_TURN_MS = 1

/** What is made of more bytes or characters than these takes a millisecond and more: it takes a turn where many callers may get it at the same moment. */
export const LONG_BYTES = 64 * 1024

/** Awaited before a piece of long work of an organization; '' is for none. The piece ends when it waits for something outside of this process. */
export type TakeTurn = (organizationId: string) => Promise<void>

interface Turns extends TakeTurn {
  /** For a short piece that many callers have at the same moment: it begins together with others of its organization. `part` of a long piece, 0 to 1: all of them are no longer than one. */
  share(organizationId: string, part: number): Promise<void>
  /** The rest of this turn belongs to the caller. */
  occupy(): void
}

/**
 * How many short pieces begin together. They go on by turns wherever they await something, so that the processor runs the same code for all of them while it
 * is in its caches: four answers of a payer cost a sixth less than one after the other. decisions/0233-where-the-time-of-a-check-goes.md
 */
const TOGETHER = 4

/**
 * Takes turns of the event loop for long work, each for at most `turnMs` and what its last piece exceeds them by. The next piece begins
 * when the one before it has run: callers that continue in the same run of microtasks would otherwise all begin while the turn is young.
 */
export function createTurns(turnMs: number): Turns {
  const lines = new Lines()
  /** When long work first ran in this turn; undefined when none has. */
  let began: number | undefined
  /** How long this turn may be. */
  let mayTakeMs = turnMs
  let isGiving = false

  function begin(): void {
    began = performance.now()
    mayTakeMs = turnMs
    whenSent(() => {
      began = undefined
      give()
    })
  }

  function give(): void {
    const isUsedUp = began !== undefined && performance.now() - began >= mayTakeMs
    const pieces = isUsedUp ? undefined : lines.next()
    isGiving = pieces !== undefined
    if (!pieces) return
    if (began === undefined) begin()
    if (pieces.some(isShort)) mayTakeMs = Math.min(turnMs, SHORT_TURN_MS)
    for (const piece of pieces) piece.begin()
    queueMicrotask(afterPiece)
  }

  /**
   * Behind the microtask with which the piece begins, and then behind all that follow from it, however many functions the piece returns to: ticks
   * that a microtask asks for come when no microtask is left.
   */
  const afterPiece = () => process.nextTick(give)

  const takeTurn = (organizationId: string) => {
    const turn = lines.wait(organizationId)
    if (!isGiving) queueMicrotask(give)
    isGiving = true
    return turn
  }
  return Object.assign(takeTurn, {
    share(organizationId: string, part: number) {
      const turn = lines.wait(organizationId, part)
      // When everything that has arrived is received.
      if (!isGiving) whenSent(give)
      isGiving = true
      return turn
    },
    occupy() {
      if (began === undefined) begin()
      began = Number.NEGATIVE_INFINITY
    },
  })
}

/**
 * What arrives between two turns is received, and what it asks to be sent leaves first: undici sends from `setImmediate`, which comes behind a turn that was asked
 * for earlier. decisions/0246-what-a-place-at-a-payer-waits-for.md
 */
function whenSent(work: () => void): void {
  setImmediate(() => setImmediate(work))
}

/** A long piece is 1, a short one less. */
interface Piece {
  begin: () => void
  part: number
}

const isShort = ({ part }: Piece) => part < 1

/** How many of the first pieces are no longer than a long one together; at least one. */
function together(line: readonly Piece[]): number {
  let parts = 0
  const end = line.slice(0, TOGETHER).findIndex(({ part }) => {
    parts += part
    return parts > 1
  })
  return Math.max(1, end === -1 ? Math.min(TOGETHER, line.length) : end)
}

/** Those who wait, by organization. Organizations take turns: one with much long work does not delay that of another. */
class Lines {
  readonly #lines = new Map<string, Piece[]>()

  wait(organizationId: string, part = 1): Promise<void> {
    return new Promise((begin) => {
      const line = this.#lines.get(organizationId)
      if (line) line.push({ begin, part })
      else this.#lines.set(organizationId, [{ begin, part }])
    })
  }

  next(): Piece[] | undefined {
    const [organizationId, line] = this.#lines.entries().next().value ?? []
    if (organizationId === undefined || line === undefined) return undefined
    this.#lines.delete(organizationId)
    const pieces = line.splice(0, together(line))
    // Behind the others.
    if (line.length > 0) this.#lines.set(organizationId, line)
    return pieces
  }

  get isEmpty(): boolean {
    return this.#lines.size === 0
  }
}

/**
 * Awaited before each piece of long work: waits for the next turn when long work of any caller has held this one long enough. Without
 * that, the pieces of many calls would run in the same turn.
 */
export const takeTurn = createTurns(TURN_MS)

/** An ordinary call takes some turns, with the database in between, and is answered in about this time. */
const OTHERS_MS = 15

const ownLines = new Lines()
let isGiving = false

/**
 * Waits for a separate turn of the event loop, for pieces of work that are long in themselves. Between two such turns other calls have
 * time to be answered.
 */
export function ownTurn(organizationId: string): Promise<void> {
  const turn = ownLines.wait(organizationId)
  if (!isGiving) void giveTurns()
  return turn
}

async function giveTurns(): Promise<void> {
  isGiving = true
  while (!ownLines.isEmpty) {
    await setTimeout(OTHERS_MS)
    takeTurn.occupy()
    for (const { begin } of ownLines.next() ?? []) begin()
  }
  isGiving = false
}
