import type { ServerResponse } from 'node:http'

/** Sends chunks of one byte. They are written to the connection, because Node 26 joins what a response writes in one turn into one chunk. */
export function sendChunks(response: ServerResponse, count: number): void {
  response.flushHeaders()
  for (let sent = 0; sent < count; sent++) response.socket?.write('1\r\nx\r\n')
}
