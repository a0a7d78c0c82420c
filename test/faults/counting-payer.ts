import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { startSandbox } from '../../src/tools/sandbox/sandbox.ts'

export interface CountingPayer {
  url: string
  /** The number of inquiries of each check, by the trace number of its 270. */
  asked: Map<string, number>
  /** From now on it answers after a delay, or when the promise resolves; it forgets what it was asked. */
  restart(answersAfter: number | Promise<void>): void
  close(): Promise<void>
}

/** The sandbox behind a proxy that answers after a delay, or when the promise resolves, and counts the inquiries. */
export async function startCountingPayer(given: number | Promise<void>): Promise<CountingPayer> {
  const sandbox = await startSandbox({ port: 0 })
  const asked = new Map<string, number>()
  let answersAfter = given
  const door = createServer(async (request, response) => {
    const body = await text(request)
    const trace = /TRN\*1\*(\w+)/.exec(body)?.[1] ?? ''
    asked.set(trace, (asked.get(trace) ?? 0) + 1)
    await (typeof answersAfter === 'number' ? delay(answersAfter) : answersAfter)
    const answer = await fetch(sandbox.url, {
      method: 'POST',
      // An idle connection is closed by the sandbox after five seconds, which a busy machine may notice only when it has sent on it (ECONNRESET).
      headers: { 'content-type': 'application/soap+xml', connection: 'close' },
      body,
    })
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
    response.end(await answer.text())
  }).listen(0, '127.0.0.1')
  await once(door, 'listening')
  return {
    url: `http://127.0.0.1:${(door.address() as AddressInfo).port}/core`,
    asked,
    restart(next) {
      answersAfter = next
      asked.clear()
    },
    async close() {
      door.close()
      door.closeAllConnections()
      await sandbox.close()
    },
  }
}
