// The receiver of webhooks: what was delivered to it, and what it answers.
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { subjectReaders } from '../../src/main/events.ts'
import { type Dispatcher, startDispatcher } from '../../src/webhooks/dispatcher.ts'
import { type Caller, deadClearinghouses, testService } from './service.ts'

export interface Received {
  headers: IncomingMessage['headers']
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a message as any receiver reads it
  message: any
}

type Answer = number | { status: number; headers: Record<string, string> }

/** A service that may send to this machine, and a receiver that accepts every delivery until the test says otherwise; each test begins without webhooks. */
export function webhookReceiver() {
  const service = testService(() => ({
    config: readConfig({ RATE_LIMIT: '0', WEBHOOK_PRIVATE_NETWORKS: '127.0.0.0/8' }),
    clearinghouses: deadClearinghouses,
  }))
  const running: Dispatcher[] = []
  const log = pino({ level: 'silent' })
  let server: Server

  const receiver = {
    url: '',
    /** The deliveries that were accepted. */
    received: [] as Received[],
    answer: (() => 204) as (message: Received) => Answer | Promise<Answer>,
    /** The attempts that ended before they were answered. */
    abandoned: 0,
    async stopDispatchers() {
      await Promise.all(running.splice(0).map((dispatcher) => dispatcher.stop()))
    },
  }

  beforeAll(async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk) => chunks.push(chunk))
      response.once('close', () => {
        if (!response.writableEnded) receiver.abandoned++
      })
      request.on('end', async () => {
        const text = Buffer.concat(chunks).toString()
        const one = { headers: request.headers, text, message: JSON.parse(text) }
        const said = await receiver.answer(one)
        const { status, headers } = typeof said === 'number' ? { status: said, headers: {} } : said
        if (status < 300) receiver.received.push(one)
        response.writeHead(status, headers).end('whatever a receiver says')
      })
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  afterEach(async () => {
    await receiver.stopDispatchers()
    await service.database.rows('delete from webhook')
    receiver.received = []
    receiver.abandoned = 0
    receiver.answer = () => 204
  })

  return {
    service,
    receiver,
    dispatch(deps = service.deps): Dispatcher {
      const dispatcher = startDispatcher(deps, { log, signal: new AbortController().signal, readers: subjectReaders })
      running.push(dispatcher)
      return dispatcher
    },
    async newWebhook(caller: Caller, body: object = {}) {
      const sent = { url: receiver.url, event_types: ['*'], ...body }
      const reply = await caller.call('POST', '/anteroom/v1/webhooks', sent)
      expect(reply.status, reply.text).toBe(200)
      return reply.body
    },
  }
}

export const until = (holds: () => unknown) =>
  vi.waitFor(async () => expect(await holds()).toBeTruthy(), { timeout: 60_000, interval: 50 })
