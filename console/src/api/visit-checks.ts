// Verifications that this tab has started, on any screen; they are polled until the payers have answered.
import { useSyncExternalStore } from 'react'
import { sayVerification } from '../rules/visit-check.ts'
import { announce } from '../ui/announce.tsx'
import { call } from './client.ts'
import type { BoardItem, VisitVerification } from './generated.ts'

const POLL_MS = 1_500

let running: ReadonlyMap<string, AbortController> = new Map()
const watchers = new Set<() => void>()

function become(next: ReadonlyMap<string, AbortController>): void {
  running = next
  for (const watcher of watchers) watcher()
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** The ids of the visits that are being verified. */
export const useVisitChecks = (): { has(id: string): boolean } => useSyncExternalStore(watch, () => running)

/**
 * Verifies a visit, and announces the result. Undefined when it is running already, or when the user has stopped waiting.
 * @throws ApiError
 */
export async function verifyVisit(id: string, name: string): Promise<VisitVerification | undefined> {
  if (running.has(id)) return undefined
  const waiting = new AbortController()
  const { signal } = waiting
  become(new Map([...running, [id, waiting]]))
  announce(`Checking the coverages of ${name}…`)
  try {
    const path = { id }
    let verification = await call('visitVerification.begin', { path }, signal)
    while (verification.state === 'RUNNING') {
      await pause(signal)
      verification = await call('visitVerification.get', { path }, signal)
    }
    announce(sayVerification(name, verification, await visitOf(verification)))
    return verification
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  } finally {
    become(new Map([...running].filter(([key]) => key !== id)))
  }
}

/**
 * The visit with its coverages, which tell why it is not ready; undefined where the result needs none of them, or where they cannot be read, which
 * is said on the screen itself.
 */
async function visitOf({ appointment_id: id, status }: VisitVerification): Promise<BoardItem | undefined> {
  if (status !== 'NOT_READY') return undefined
  const query = { filters: `appointment.id|eq|${id}`, limit: 1 }
  return (await call('board.getVisits', { query }).catch(() => undefined))?.items[0]
}

/** An inquiry that was sent cannot be recalled: the service stores its answer even if no user waits for it. */
export function stopWaiting(id: string, name: string): void {
  running.get(id)?.abort(new Error('stopped'))
  announce(`The inquiries for ${name} have been sent. Their responses will appear here automatically.`)
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, POLL_MS)
    signal.addEventListener('abort', stop, { once: true })
  })
}
