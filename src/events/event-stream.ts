// One listener of the live stream: server-sent events over a response that stays open.
// Source: https://html.spec.whatwg.org/multipage/server-sent-events.html
import type { ServerResponse } from 'node:http'
import { takeTurn } from '../platform/event-loop.ts'
import { ADMISSION_CHECK_MS } from '../platform/http/still-admitted.ts'
import type { EventSource } from './event-source.ts'
import { isSelected } from './event-types.ts'
import type { LiveEvent } from './listened-log.ts'

export interface Listener {
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
export function streamEvents(source: EventSource, listener: Listener, response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const heartbeat = listener.hearsHeartbeats ? 'event: heartbeat\ndata: {}\n\n' : ': still here\n\n'
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
        while (isWoken && !isBlocked && isOpen()) {
          isWoken = false
          const events = await source.read(listener.organizationId, after)
          if (events.length === 0) continue
          isWoken = true
          // One page is read for all listeners of an organization, who would all write it in the same turn.
          await takeTurn(listener.organizationId)
          write(events)
        }
      } catch {
        // The database is unavailable, or this process is stopping. The client reconnects and resumes from its
        // position.
        end()
      } finally {
        isPumping = false
      }
    }

    function write(events: readonly LiveEvent[]): void {
      const last = events.at(-1)
      if (!last || !isOpen()) return
      const heard = events.filter(({ type }) => listener.mayHear(type) && isSelected(listener.selectors, type))
      after = last.number
      // Events that it may not receive advance its position too. They are sent as an id with an empty event, because
      // the id of a comment would be ignored.
      const text = heard.map(({ number, type, json }) => `id: ${number}\nevent: ${type}\ndata: ${json}\n\n`).join('')
      const passed = heard.at(-1)?.number === last.number ? '' : `id: ${last.number}\n\n`
      isBlocked = !response.write(text + passed)
    }

    // Listeners that came together are due together.
    async function admitAgain(): Promise<void> {
      await takeTurn(listener.organizationId)
      if (await listener.isAdmitted().catch(() => false)) return
      // What waits to be read is not sent any more.
      if (isBlocked) response.destroy()
      else end()
    }

    async function beat(): Promise<void> {
      await takeTurn(listener.organizationId)
      blockedFor = isBlocked ? blockedFor + 1 : 0
      if (blockedFor >= SILENT_HEARTBEATS) {
        response.destroy()
        return
      }
      if (!isBlocked && isOpen()) response.write(heartbeat)
      void pump()
    }

    const onDrain = () => {
      isBlocked = false
      pump()
    }
    const isOpen = () => !response.destroyed && !response.writableEnded
    const end = () => response.end()
    const stopListening = source.listen(listener.organizationId, pump)
    const forgetEnd = source.onClose(end)
    const beating = setInterval(beat, HEARTBEAT_MS).unref()
    const checking = setInterval(admitAgain, ADMISSION_CHECK_MS).unref()
    response.on('drain', onDrain)
    response.once('close', () => {
      clearInterval(beating)
      clearInterval(checking)
      stopListening()
      forgetEnd()
      resolve()
    })
    response.write(`retry: ${RETRY_MS}\n\n`)
    if (listener.hearsHeartbeats) response.write(heartbeat)
    if (listener.isIncomplete)
      response.write('event: incomplete\ndata: {"reason":"older events are no longer kept"}\n\n')
    pump()
  })
}
