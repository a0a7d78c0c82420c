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
const OTHERS_MS = 5

let latest: Promise<unknown> = Promise.resolve()

/**
 * Waits for a separate turn of the event loop, for pieces of work that are long in themselves: several callers waiting
 * with `setImmediate` would all run in the same turn. Between two such turns other calls have time to be answered.
 */
export function ownTurn(): Promise<unknown> {
  latest = latest.then(() => setTimeout(OTHERS_MS))
  return latest
}
