// The current minute, for everything on a screen that shows how long ago something was.
import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
let now = Date.now()

setInterval(() => {
  now = Date.now()
  for (const listener of listeners) listener()
}, 30_000)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * What `read` makes of the current minute. The component is rendered again only when that changes, which for most ages is once an hour or
 * a day.
 */
export const useTime = <Value extends string | number | boolean>(read: (now: number) => Value): Value =>
  useSyncExternalStore(subscribe, () => read(now))
