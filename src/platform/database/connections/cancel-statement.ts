// How a statement is cancelled when its caller no longer waits for the result. decisions/0090-callers-who-have-gone.md
import pg from 'pg'
import { GuardedSocket } from './guarded-socket.ts'

/** Most statements end sooner by themselves than a connection for their cancellation is worth. */
const CANCEL_AFTER_MS = 100
const CANCEL_LIMIT_MS = 5_000

/**
 * Cancels what runs on a connection a moment after `gone` is aborted. The returned function ends this when the work on the connection has
 * ended. It returns a promise while a cancellation is on its way, because that would hit the next statement. The promise resolves to an
 * error when the server may not have received it: such a connection must not be used again.
 */
export function cancelWhen(gone: AbortSignal, client: pg.ClientBase): () => Promise<Error | undefined> | undefined {
  let cancelling: Promise<Error | undefined> | undefined
  let timer: NodeJS.Timeout | undefined
  const wait = () => {
    timer = setTimeout(() => (cancelling = cancelStatement(client)), CANCEL_AFTER_MS)
  }
  if (gone.aborted) wait()
  else gone.addEventListener('abort', wait, { once: true })
  return () => {
    clearTimeout(timer)
    gone.removeEventListener('abort', wait)
    return cancelling
  }
}

/** Members that the driver has and its types do not declare. */
interface Connected {
  host: string
  port: number
  ssl: pg.ClientConfig['ssl']
  processID: number
  secretKey: number
}
interface Connecting extends pg.Connection {
  connect(portOrPath: number | string, host?: string): void
  requestSsl(): void
  cancel(processID: number, secretKey: number): void
}

/**
 * Cancels what runs on a connection. Resolves to an error when the server may not have received it.
 * Sends a CancelRequest on a connection of its own, which works through a pooler as well. The server closes that connection after it has
 * signaled the process of the statement. Source: PostgreSQL manual, 54.2.8 (canceling requests in progress).
 */
export function cancelStatement(client: pg.ClientBase): Promise<Error | undefined> {
  const { host, port, ssl, processID, secretKey } = client as unknown as Connected
  const connection = new pg.Connection({ ssl, stream: () => new GuardedSocket() }) as Connecting
  return new Promise((resolve) => {
    const limit = setTimeout(() => {
      connection.stream.destroy(new Error('the server did not take the cancellation in time'))
    }, CANCEL_LIMIT_MS)
    let failure: Error | undefined
    connection.on('error', (error: Error) => (failure = error))
    connection.once('end', () => {
      clearTimeout(limit)
      resolve(failure)
    })
    const send = () => connection.cancel(processID, secretKey)
    connection.once('connect', ssl ? () => connection.requestSsl() : send)
    connection.once('sslconnect', send)
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`)
    else connection.connect(port, host)
  })
}
