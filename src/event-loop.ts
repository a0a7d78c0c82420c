// One process serves everybody on one thread: long work gives it back between its pieces.
import { setImmediate } from 'node:timers/promises'

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
