// Preferences of the user of this browser, which hold no patient data.
import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()

export function readPreference(name: string): string | undefined {
  return localStorage.getItem(`anteroom:${name}`) ?? undefined
}

export function writePreference(name: string, value: string): void {
  localStorage.setItem(`anteroom:${name}`, value)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const usePreference = (name: string) => useSyncExternalStore(subscribe, () => readPreference(name))
