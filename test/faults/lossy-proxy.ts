import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'

/** A simple query of this one word (PostgreSQL manual, "Message Formats": Query). */
const COMMIT = 'commit\0'

/**
 * A way to the database of this URL that ends the first connection of `anteroom backup` or `anteroom restore` which commits, before
 * PostgreSQL receives that or after it has answered, or that is closed to every other connection from then on.
 */
export async function openLossyProxy(
  databaseUrl: string,
  lost: 'request' | 'answer' | 'afterwards',
): Promise<{ url: string; close(): void }> {
  const { searchParams, username, password, pathname } = new URL(databaseUrl.replace('@/', '@unused/'))
  const socket = join(searchParams.get('host') ?? '', `.s.PGSQL.${searchParams.get('port')}`)
  let isClosed = false
  const proxy = createServer((client) => {
    if (isClosed) return void client.destroy()
    const server = connect(socket)
    for (const each of [server, client]) each.on('error', () => {}).on('close', () => [server, client].map(destroy))
    let isOfCommand = false
    let isOver = false
    client.on('data', (bytes) => {
      isOfCommand ||= bytes.includes('anteroom backup')
      isOver ||= isOfCommand && bytes.toString('latin1').endsWith(COMMIT)
      isClosed ||= isOver && lost === 'afterwards'
      if (isOver && lost === 'request') client.destroy()
      else server.write(bytes)
    })
    server.on('data', (bytes) => {
      if (isOver && lost === 'answer') client.destroy()
      else client.write(bytes)
    })
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const { port } = proxy.address() as AddressInfo
  const url = `postgresql://${username}:${password}@127.0.0.1:${port}${pathname}`
  return { url, close: () => proxy.close() }
}

const destroy = (socket: { destroy(): void }) => socket.destroy()
