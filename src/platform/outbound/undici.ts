// For `import()`, where the first call to another host is made: of a library in CommonJS the built program's import() has no names.
import * as undici from 'undici'

export { buildConnector, fetch, request } from 'undici'

const CONTINUE = 100
/** Another response before the answer, which undici passes on as it is. */
const PROCESSING = 102

/** Of undici's reader of answers, one for each connection. */
interface AnswerParser {
  onHeadersComplete(status: number, ...rest: unknown[]): number
}

/**
 * undici's connections, which accept "100 Continue" before an answer like every other interim response. undici itself takes it for a
 * fault and ends the connection (its issue 197), but servers send it unasked to every POST, old ones of Microsoft among them. Source: RFC 9110,
 * 15.2: "A client MUST be able to parse one or more 1xx responses received prior to a final response, even if the client does not expect one."
 */
export class Agent extends undici.Agent {
  constructor(options?: undici.Agent.Options) {
    super(options)
    // Emitted before anything is read from the connection. The last target is the one that has it.
    this.on('connect', (_origin, targets) => acceptContinue(targets.at(-1)))
  }
}

let isAccepting = false

/** Changes the reader of all connections, once. It is not in undici's interface: in a release without it, "100 Continue" is a fault again. */
function acceptContinue(client: object | undefined): void {
  if (isAccepting) return
  const parser = keptIn(keptIn(client, 'socket'), 'parser')
  const prototype = parser && (Object.getPrototypeOf(parser) as AnswerParser)
  if (typeof prototype?.onHeadersComplete !== 'function') return
  isAccepting = true
  const { onHeadersComplete } = prototype
  prototype.onHeadersComplete = function (status, ...rest) {
    return onHeadersComplete.call(this, status === CONTINUE ? PROCESSING : status, ...rest)
  }
}

/** What an object of undici keeps under its symbol of this name. */
function keptIn(object: object | undefined, name: string): object | undefined {
  const symbol = Object.getOwnPropertySymbols(object ?? {}).find(({ description }) => description === name)
  return symbol && (object as Record<symbol, object | undefined>)[symbol]
}
