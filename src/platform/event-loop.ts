// One process serves all callers on one thread: long work yields between its pieces.
import { setImmediate, setTimeout } from 'node:timers/promises'

/** How long one piece of work may hold the thread: well below the 100 ms that other callers may wait. */
const TURN_MS = 10

/** Awaited between the pieces of long work: yields when the work has held the thread for `turnMs`. */
export function takeTurns(turnMs = TURN_MS): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < turnMs) return
    await setImmediate()
    since = performance.now()
  }
}

/** An ordinary call takes some turns, with the database in between, and is answered in about this time. */
const OTHERS_MS = 15

/** Those who wait for a turn, by organization. */
const lines = new Map<string, (() => void)[]>()
let isGiving = false

/**
 * Waits for a separate turn of the event loop, for pieces of work that are long in themselves: several callers waiting
 * with `setImmediate` would all run in the same turn. Between two such turns other calls have time to be answered.
 * Organizations take turns: one with much long work does not delay that of another.
 */
export function ownTurn(organizationId: string): Promise<void> {
  return new Promise((begin) => {
    const line = lines.get(organizationId)
    if (line) line.push(begin)
    else lines.set(organizationId, [begin])
    if (!isGiving) void giveTurns()
  })
}

async function giveTurns(): Promise<void> {
  isGiving = true
  while (lines.size > 0) {
    await setTimeout(OTHERS_MS)
    const [organizationId, line] = lines.entries().next().value!
    lines.delete(organizationId)
    line.shift()!()
    // Behind the others.
    if (line.length > 0) lines.set(organizationId, line)
  }
  isGiving = false
}
