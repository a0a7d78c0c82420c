import { Socket } from 'node:net'

/**
 * A connection on which an answer that the driver cannot read ends this connection, not the process: the driver reads answers inside the
 * event of their arrival, where nobody catches its errors. With TLS such an answer cannot arrive.
 */
export class GuardedSocket extends Socket {
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
