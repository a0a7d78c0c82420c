// One listener of the live stream: server-sent events over a response that stays open.
// Source: https://html.spec.whatwg.org/multipage/server-sent-events.html
import type { ServerResponse } from 'node:http'
import type { EventSource, LiveEvent } from './event-source.ts'
import { isSelected } from './event-types.ts'

export interface Listener {
  organizationId: string
  /** The number of the last event that it has. */
  after: number
  /** True when events after that are no longer kept. */
  isIncomplete: boolean
  selectors: readonly string[]
  /** Asked again at every heartbeat; throws or resolves to false when the listener is no longer let in. */
  isAdmitted(): Promise<boolean>
  /** Whether it may be told of this type at present. */
  mayHear(type: string): boolean
}

/** Below the 30 s after which proxies usually give up on a silent connection. */
const HEARTBEAT_MS = 15_000
/** How long a client waits before it connects again. */
const RETRY_MS = 2_000
/** A listener that takes nothing for so many heartbeats is gone; it goes on later with Last-Event-ID. */
const SILENT_HEARTBEATS = 4

/**
 * Writes events until the client or the process ends. A listener that does not read is not written to: it goes on from where it stands when
 * it reads again, so that it takes no memory meanwhile.
 */
export function streamEvents(source: EventSource, listener: Listener, response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    let after = listener.after
    let isPumping = false
    let isWoken = false
    let isBlocked = false
    let blockedFor = 0

    async function pump(): Promise<void> {
      isWoken = true
      if (isPumping || isBlocked) return
      isPumping = true
      try {
        while (isWoken && !isBlocked && !response.destroyed) {
          isWoken = false
          const events = await source.read(listener.organizationId, after)
          if (events.length > 0) isWoken = true
          write(events)
        }
      } catch {
        // The database is away, or this process ends. The client comes back and goes on where it was.
        end()
      } finally {
        isPumping = false
      }
    }

    function write(events: readonly LiveEvent[]): void {
      const last = events.at(-1)
      if (!last || response.destroyed) return
      const heard = events.filter(({ type }) => listener.mayHear(type) && isSelected(listener.selectors, type))
      after = last.number
      // What it does not hear moves it on, too: a comment is no event, and its id would be lost.
      const text = heard.map(({ number, type, json }) => `id: ${number}\nevent: ${type}\ndata: ${json}\n\n`).join('')
      const passed = heard.at(-1)?.number === last.number ? '' : `id: ${last.number}\n\n`
      isBlocked = !response.write(text + passed)
    }

    async function beat(): Promise<void> {
      blockedFor = isBlocked ? blockedFor + 1 : 0
      if (blockedFor >= SILENT_HEARTBEATS) {
        response.destroy()
        return
      }
      if (!(await listener.isAdmitted().catch(() => false))) {
        end()
        return
      }
      if (!isBlocked) response.write(': still here\n\n')
      pump()
    }

    const onDrain = () => {
      isBlocked = false
      pump()
    }
    const end = () => response.end()
    const stopListening = source.listen(listener.organizationId, pump)
    const forgetEnd = source.onClose(end)
    const beating = setInterval(beat, HEARTBEAT_MS).unref()
    response.on('drain', onDrain)
    response.once('close', () => {
      clearInterval(beating)
      stopListening()
      forgetEnd()
      resolve()
    })
    response.write(`retry: ${RETRY_MS}\n\n`)
    if (listener.isIncomplete)
      response.write('event: incomplete\ndata: {"reason":"older events are no longer kept"}\n\n')
    pump()
  })
}
