// Visits that are being verified for this tab, whichever screen is shown: begun here, and read until the payers have answered.
import { useSyncExternalStore } from 'react'
import { sayVerification } from '../rules/visit-check.ts'
import { announce } from '../ui/announce.tsx'
import { call } from './client.ts'
import type { VisitVerification } from './generated.ts'

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
 * Verifies a visit, and tells what it came to. Undefined when it runs already, or nobody waits for it any longer.
 * @throws ApiError
 */
export async function verifyVisit(id: string, name: string): Promise<VisitVerification | undefined> {
  if (running.has(id)) return undefined
  const waiting = new AbortController()
  const { signal } = waiting
  become(new Map([...running, [id, waiting]]))
  announce(`Asking the payers of ${name}…`)
  try {
    const path = { id }
    let verification = await call('visitVerification.begin', { path }, signal)
    while (verification.state === 'RUNNING') {
      await pause(signal)
      verification = await call('visitVerification.get', { path }, signal)
    }
    announce(sayVerification(name, verification))
    return verification
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  } finally {
    become(new Map([...running].filter(([key]) => key !== id)))
  }
}

/** An inquiry that was sent cannot be taken back: the service writes its answer whether anybody waits for it or not. */
export function stopWaiting(id: string, name: string): void {
  running.get(id)?.abort(new Error('stopped'))
  announce(`The payers of ${name} have been asked already. What they answer will show here by itself.`)
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
