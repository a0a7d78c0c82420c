// Connections whose bytes arrive at the same moment, which an HTTP client cannot do.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

const ANSWER_MAX_MS = 8000
/** Fewer than a listening socket keeps waiting. */
const OPENED_TOGETHER = 100

/** Opens `count` connections, sends the text on all of them, and closes them when each has been answered. Returns the status of the first answer. */
export async function volley(url: string, count: number, text: string): Promise<{ status: number; body: string }> {
  const { hostname, port } = new URL(url)
  const bytes = Buffer.from(text, 'latin1')
  const sockets: Socket[] = []
  const open = async () => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    await once(socket, 'connect')
    sockets.push(socket)
  }
  while (sockets.length < count) {
    await Promise.all(Array.from({ length: Math.min(OPENED_TOGETHER, count - sockets.length) }, open))
  }
  const answers = sockets.map((socket) => once(socket, 'data').then(([data]) => String(data)))
  for (const socket of sockets) socket.write(bytes)
  const all = Promise.allSettled(answers)
  await Promise.race([all, delay(ANSWER_MAX_MS)])
  const first = await Promise.race([answers[0], ''])
  for (const socket of sockets) socket.destroy()
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(first ?? '')?.[1] ?? -1), body: '' }
}
