import { readFileSync } from 'node:fs'

/** What a server needs besides its callers' connections: the database, payers, receivers of webhooks, images and its own files. */
const FOR_ITSELF = 524
/** With these a server has a connection for each of 500 callers. */
export const ENOUGH_FILES = 1_024

/**
 * How many files and connections this process may have open; Node has raised the limit as far as it may. Undefined where the system does not
 * tell in a file (only Linux does).
 */
export function openFilesMax(): number | undefined {
  try {
    const [, max] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? []
    return max === undefined ? undefined : Number(max)
  } catch {
    return undefined
  }
}

/** How many connections of callers leave a process that may have `max` files open enough for what it needs itself. */
export const connectionsFor = (max: number): number => max - Math.min(FOR_ITSELF, Math.ceil(max / 2))
