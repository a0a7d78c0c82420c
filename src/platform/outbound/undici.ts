// Loaded with `import()` at the first call to another host. undici is CommonJS: in the built program, `import('undici')` itself has no named
// exports.
import * as undici from 'undici'
import {
  type AnswerParser,
  acceptContinue,
  endWithTooManyHeaders,
  endWithTooMuchFraming,
  readInTurns,
} from './answer-parser.ts'

export { buildConnector, fetch, request } from 'undici'

/**
 * undici's connections, whose answers are read in turns (answer-parser.ts), and which accept "100 Continue" before an answer like every other
 * interim response.
 */
export class Agent extends undici.Agent {
  constructor(options?: undici.Agent.Options) {
    super(options)
    // Emitted before anything is read from the connection. The last target is the one that has it.
    this.on('connect', (_origin, targets) => amend(targets.at(-1)))
  }
}

let isAmended = false

/** Changes the reader of all connections, once. It is not in undici's interface: in a release without it, reading is as undici does it. */
function amend(client: object | undefined): void {
  if (isAmended) return
  const parser = keptIn(keptIn(client, 'socket'), 'parser')
  const prototype = parser && (Object.getPrototypeOf(parser) as Partial<AnswerParser>)
  if (!prototype) return
  isAmended = true
  acceptContinue(prototype)
  endWithTooManyHeaders(prototype)
  endWithTooMuchFraming(prototype)
  readInTurns(prototype)
}

/** What an object of undici keeps under its symbol of this name. */
export function keptIn(object: object | undefined, name: string): object | undefined {
  const symbol = Object.getOwnPropertySymbols(object ?? {}).find(({ description }) => description === name)
  return symbol && (object as Record<symbol, object | undefined>)[symbol]
}
