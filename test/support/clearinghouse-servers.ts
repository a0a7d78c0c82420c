// A server in the role of a clearinghouse, with scripted answers, for the tests of connectors.
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach } from 'vitest'

interface ClearinghouseServers {
  /** Starts a server and returns its URL, without a slash at the end. */
  serve(listener: RequestListener): Promise<string>
  /** A server that always returns the same answer. */
  serveAlways(status: number, body: string | Buffer | object, headers?: Record<string, string>): Promise<string>
  /** A server that returns the answers in turn and repeats the last one; it records the requests. */
  serveInTurn(...answers: object[]): Promise<{ url: string; asked: Asked[] }>
  closeAll(): Promise<void>
}

interface Asked {
  method: string
  url: string
  headers: IncomingMessage['headers']
  // biome-ignore lint/suspicious/noExplicitAny: the JSON that a connector sent
  json: any
}

/** Starts servers for the tests of one file, which are closed after each test. */
export function clearinghouseServers(): ClearinghouseServers {
  const servers: Server[] = []
  const side: ClearinghouseServers = {
    async serve(listener) {
      const server = createServer(listener)
      servers.push(server)
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    },
    serveAlways: (status, body, headers = {}) =>
      side.serve((request, response) => {
        request.resume().on('end', () => response.writeHead(status, headers).end(asBytes(body)))
      }),
    async serveInTurn(...answers) {
      const asked: Asked[] = []
      const url = await side.serve(async (request, response) => {
        const chunks: Buffer[] = []
        for await (const chunk of request) chunks.push(chunk)
        const text = Buffer.concat(chunks).toString()
        const { method = '', url = '', headers } = request
        asked.push({ method, url, headers, json: text === '' ? undefined : JSON.parse(text) })
        response.end(asBytes(answers[Math.min(asked.length, answers.length) - 1] ?? {}))
      })
      return { url, asked }
    },
    async closeAll() {
      for (const server of servers.splice(0)) {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      }
    },
  }
  afterEach(() => side.closeAll())
  return side
}

function asBytes(body: string | Buffer | object): string | Buffer {
  return typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
}
