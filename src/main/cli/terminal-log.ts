import { Writable } from 'node:stream'
import type { Config } from '../../config.ts'
import { isTerminal, print } from './output.ts'

/** Where the log goes: lines for a person in a terminal, JSON for everything else. Whatever a field holds is printed safely. */
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
