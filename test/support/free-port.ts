// Ports of servers that must know theirs before they start, or come back to it.
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the ports that Linux and macOS give to connections, and to servers that leave the choice to them: no other test gets one of these before
 * its server is there, or while that is away.
 */
const LOWEST = 20_000
const COUNT = 10_000

let next = randomInt(COUNT)

/** A TCP port that was free a moment ago, and another one at each call. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + (next++ % COUNT)
    const probe = createServer().listen(port, '127.0.0.1')
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    probe.close()
    await once(probe, 'close')
    return port
  }
}
