// One process serves everybody on one thread: long work gives it back between its pieces.
import { setImmediate, setTimeout } from 'node:timers/promises'

/** How long one piece of work may hold the thread: well below the 100 ms that anybody may wait for others. */
const TURN_MS = 10

/** To be awaited between the pieces of a long work: others have their turn whenever it has held the thread for `turnMs`. */
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
 * A turn of the event loop of one's own, for pieces of work that are long in themselves: what many wait for with `setImmediate` runs in
 * one and the same turn. Between two of them calls have the time to be answered, so that nobody waits for several.
 */
export function ownTurn(): Promise<unknown> {
  latest = latest.then(() => setTimeout(OTHERS_MS))
  return latest
}
