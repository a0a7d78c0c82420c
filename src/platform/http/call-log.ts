import type { FastifyBaseLogger, FastifyInstance } from 'fastify'

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace'

/**
 * The log of one call: each line names its request. Without traces nothing else needs to know the call of a line, so that nothing has to
 * follow the call through its promises (decisions/0106-what-a-read-costs.md).
 */
export class CallLog implements FastifyBaseLogger {
  /** Known once the call is counted (audit.ts). */
  requestId: string | undefined
  readonly #log: FastifyBaseLogger

  constructor(log: FastifyBaseLogger) {
    this.#log = log
  }

  get level(): string {
    return this.#log.level
  }

  fatal(...line: unknown[]): void {
    this.#write('fatal', line)
  }
  error(...line: unknown[]): void {
    this.#write('error', line)
  }
  warn(...line: unknown[]): void {
    this.#write('warn', line)
  }
  info(...line: unknown[]): void {
    this.#write('info', line)
  }
  debug(...line: unknown[]): void {
    this.#write('debug', line)
  }
  trace(...line: unknown[]): void {
    this.#write('trace', line)
  }
  silent(): void {}

  child(...[fields, options]: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    return this.#log.child({ request: this.requestId, ...fields }, options)
  }

  #write(level: Level, [first, ...rest]: unknown[]): void {
    const request = this.requestId
    if (typeof first === 'object' && first !== null) {
      const fields = first instanceof Error ? { err: first } : first
      this.#log[level]({ request, ...fields }, ...(rest as [string]))
    } else this.#log[level]({ request }, first as string, ...rest)
  }
}

export const logOfCall: NonNullable<FastifyInstance['childLoggerFactory']> = (log) => new CallLog(log)
