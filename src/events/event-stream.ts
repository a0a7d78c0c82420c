// One listener of the live stream: server-sent events over a response that stays open.
// Source: https://html.spec.whatwg.org/multipage/server-sent-events.html
import type { ServerResponse } from 'node:http'
import { takeTurn } from '../platform/event-loop.ts'
import { ADMISSION_CHECK_MS } from '../platform/http/still-admitted.ts'
import type { EventSource } from './event-source.ts'
import { isSelected } from './event-types.ts'
import type { LiveEvent } from './listened-log.ts'

interface Listener {
  organizationId: string
  /** The number of the last event that the listener has. */
  after: number
  /** True when events after that are no longer kept. */
  isIncomplete: boolean
  selectors: readonly string[]
  /** Sends heartbeats as events, which a browser's EventSource can hear; it does not hear comments. */
  hearsHeartbeats: boolean
  /** Checked every few seconds; throws or resolves to false when the listener may no longer connect. */
  isAdmitted(): Promise<boolean>
  /** Whether the listener may currently receive events of this type. */
  mayHear(type: string): boolean
}

/** Below the 30 s after which proxies usually give up on a silent connection. */
const HEARTBEAT_MS = 15_000
/** How long a client waits before it reconnects. */
const RETRY_MS = 2_000
/** A listener that reads nothing for this many heartbeats is disconnected; it can resume later with Last-Event-ID. */
const SILENT_HEARTBEATS = 4

/**
 * Writes events until the client or the process ends. Nothing is written to a listener that does not read: it resumes
 * from its position when it reads again, so that it takes no memory meanwhile.
 */
export async function streamEvents(source: EventSource, listener: Listener, response: ServerResponse): Promise<void> {
  const stream = new EventStream(source, listener, response)
  const pump = () => stream.pump()
  const stopListening = source.listen(listener.organizationId, pump)
  const forgetEnd = source.onClose(() => response.end())
  const beating = setInterval(() => stream.beat(), HEARTBEAT_MS).unref()
  const checking = setInterval(() => stream.admitAgain(), ADMISSION_CHECK_MS).unref()
  response.on('drain', () => stream.goOn())
  await new Promise<void>((resolve) => {
    response.once('close', () => {
      clearInterval(beating)
      clearInterval(checking)
      stopListening()
      forgetEnd()
      resolve()
    })
    stream.begin()
  })
}

class EventStream {
  readonly #source: EventSource
  readonly #listener: Listener
  readonly #response: ServerResponse
  readonly #heartbeat: string
  /** The number of the last event that was written. */
  #after: number
  #isPumping = false
  #isWoken = false
  /** The listener has not read what was written. */
  #isBlocked = false
  #beatsBlocked = 0

  constructor(source: EventSource, listener: Listener, response: ServerResponse) {
    this.#source = source
    this.#listener = listener
    this.#response = response
    this.#heartbeat = listener.hearsHeartbeats ? 'event: heartbeat\ndata: {}\n\n' : ': still here\n\n'
    this.#after = listener.after
  }

  begin(): void {
    this.#response.write(`retry: ${RETRY_MS}\n\n`)
    if (this.#listener.hearsHeartbeats) this.#response.write(this.#heartbeat)
    if (this.#listener.isIncomplete)
      this.#response.write('event: incomplete\ndata: {"reason":"older events are no longer kept"}\n\n')
    void this.pump()
  }

  /** Writes the events that are new, as far as the listener reads. */
  async pump(): Promise<void> {
    this.#isWoken = true
    if (this.#isPumping || this.#isBlocked) return
    this.#isPumping = true
    const { organizationId } = this.#listener
    try {
      while (this.#isWoken && !this.#isBlocked && this.#isOpen) {
        this.#isWoken = false
        const events = await this.#source.read(organizationId, this.#after)
        if (events.length === 0) continue
        this.#isWoken = true
        // One page is read for all listeners of an organization, who would all write it in the same turn.
        await takeTurn(organizationId)
        this.#write(events)
      }
    } catch {
      // The database is unavailable, or this process is stopping. The client reconnects and resumes from its position.
      this.#response.end()
    } finally {
      this.#isPumping = false
    }
  }

  /** What was written has been read. */
  goOn(): void {
    this.#isBlocked = false
    void this.pump()
  }

  async beat(): Promise<void> {
    await takeTurn(this.#listener.organizationId)
    this.#beatsBlocked = this.#isBlocked ? this.#beatsBlocked + 1 : 0
    if (this.#beatsBlocked >= SILENT_HEARTBEATS) {
      this.#response.destroy()
      return
    }
    if (!this.#isBlocked && this.#isOpen) this.#response.write(this.#heartbeat)
    void this.pump()
  }

  /** Ends the stream of a listener that may no longer connect. */
  async admitAgain(): Promise<void> {
    // Listeners that came together are due together.
    await takeTurn(this.#listener.organizationId)
    if (await this.#listener.isAdmitted().catch(() => false)) return
    // What waits to be read is not sent any more.
    if (this.#isBlocked) this.#response.destroy()
    else this.#response.end()
  }

  get #isOpen(): boolean {
    return !this.#response.destroyed && !this.#response.writableEnded
  }

  #write(events: readonly LiveEvent[]): void {
    const { selectors } = this.#listener
    const last = events.at(-1)
    if (!last || !this.#isOpen) return
    const heard = events.filter(({ type }) => this.#listener.mayHear(type) && isSelected(selectors, type))
    this.#after = last.number
    // Events that it may not receive advance its position too. They are sent as an id with an empty event, because
    // the id of a comment would be ignored.
    const text = heard.map(({ number, type, json }) => `id: ${number}\nevent: ${type}\ndata: ${json}\n\n`).join('')
    const passed = heard.at(-1)?.number === last.number ? '' : `id: ${last.number}\n\n`
    this.#isBlocked = !this.#response.write(text + passed)
  }
}
