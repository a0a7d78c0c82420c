import { Socket } from 'node:net'
import { steadyLookup } from '../../outbound/steady-lookup.ts'

/**
 * A connection on which an answer that the driver cannot read ends this connection, not the process: the driver reads answers inside the
 * event of their arrival, where nobody catches its errors. With TLS such an answer cannot arrive. It also finds the server while other
 * names occupy the threads that look up names.
 */
export class GuardedSocket extends Socket {
  /** The driver gives a path, or a port and a host. */
  override connect(portOrPath: unknown, host?: unknown): this {
    if (typeof host !== 'string') return super.connect(portOrPath as string)
    return super.connect({ port: Number(portOrPath), host, lookup: steadyLookup })
  }

  override emit(event: string | symbol, ...values: unknown[]): boolean {
    if (event !== 'data') return super.emit(event, ...values)
    try {
      return super.emit(event, ...values)
    } catch (cause) {
      this.destroy(new Error('Connection terminated: its answer cannot be read', { cause }))
      return true
    }
  }
}
