// TLS handshakes of many connections at the same moment. decisions/0176-reading-in-turns.md
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { Server as TlsServer } from 'node:tls'
import { type TakeTurn, takeTurn as takeTurnOfLoop } from '../../event-loop.ts'
import { callerSite } from '../caller-address.ts'

/** Beyond the slowest line: the first message has 300 to 2,000 bytes. */
const SILENT_MS = 15_000

/**
 * Begins a handshake in a turn of its address, when its first message has arrived: to sign it takes a millisecond of the main thread with an RSA key.
 */
export function greetInTurns(server: Server, takeTurn: TakeTurn = takeTurnOfLoop): void {
  if (!(server instanceof TlsServer)) return
  const greeters = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const close = () => socket.destroy()
    // Node listens to both from the greeting on.
    socket.on('error', close).setTimeout(SILENT_MS, close)
    socket.once('readable', async () => {
      await takeTurn(callerSite(socket.remoteAddress ?? ''))
      socket.setTimeout(0)
      socket.off('timeout', close)
      if (!socket.destroyed) for (const greet of greeters) greet.call(server, socket)
    })
  })
}
