import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Reply } from './replies.ts'

/** A request to one of the vendors that the sandbox simulates besides CORE. */
export interface EndpointCall {
  method: string
  target: URL
  headers: IncomingHttpHeaders
  body: Buffer
  at: Date
}

const maxRequestBytes = 10_000_000

/** The whole body; undefined when it exceeds the sandbox's limit. */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxRequestBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Sends a reply. */
export function send(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, { ...headers, 'content-length': body.length }).end(body)
}

/** @throws Error when the port is taken. */
export async function listen(server: Server, port: number, host: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** Closes immediately, including connections of waiting callers. */
export async function stop(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeAllConnections()
  await closed
}
