import { Writable } from 'node:stream'
import type { Config } from '../../../config.ts'
import { isTerminal, print } from './output.ts'

/**
 * The destination of the log: readable lines on a terminal, JSON everywhere else. Unsafe characters in fields are
 * escaped.
 */
export async function logDestination({
  NODE_ENV,
}: Pick<Config, 'NODE_ENV'>): Promise<NodeJS.WritableStream | undefined> {
  if (NODE_ENV === 'production' || !isTerminal()) return undefined
  const { default: pretty } = await import('pino-pretty')
  const destination = new Writable({
    write(chunk, _encoding, done) {
      print(String(chunk).trimEnd())
      done()
    },
  })
  return pretty({ colorize: false, translateTime: 'SYS:HH:MM:ss.l', singleLine: true, destination })
}
