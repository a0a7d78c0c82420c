// The addresses of names that the operator chose: the database, clearinghouses, S3, the identity provider, telemetry. decisions/0103-names-of-the-operator.md
import { type LookupAddress, type LookupOptions, lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { promisify } from 'node:util'
import { LRUCache } from 'lru-cache'

type Ask = (host: string, options: LookupOptions & { all: true }) => Promise<LookupAddress[]>

/** Name servers that answer do so within this time. After it the addresses that the name had before are used. */
const PATIENCE_MS = 1_000
const MAX_NAMES = 1_000

/**
 * A `lookup` for `net.connect` that asks the machine once for all callers of a name, and continues with the last known addresses when no answer
 * comes. Without it, callers of one name without an answer occupy the two threads in which Node looks up names (half of libuv's pool,
 * `slow_work_thread_threshold` in its threadpool.c) for 10 s each, and no other name, not even that of the database, can be looked up.
 * A name that does not exist (ENOTFOUND) is an error also where it existed before.
 */
export function createSteadyLookup(ask: Ask = promisify(lookup), patienceMs = PATIENCE_MS): LookupFunction {
  const underWay = new Map<string, Promise<LookupAddress[]>>()
  const known = new LRUCache<string, LookupAddress[]>({ max: MAX_NAMES })
  /** Names whose last look-up had no answer. They are looked up one at a time, so that one of the two threads is left for the others. */
  const silent = new LRUCache<string, true>({ max: MAX_NAMES })
  let line: Promise<unknown> = Promise.resolve()

  function askInTurn(key: string, host: string, options: LookupOptions): Promise<LookupAddress[]> {
    const begin = () => ask(host, { ...options, all: true })
    if (!silent.has(key)) return begin()
    const asked = line.then(begin)
    line = asked.catch(() => {})
    return asked
  }

  function askOnce(key: string, host: string, options: LookupOptions): Promise<LookupAddress[]> {
    const asked =
      underWay.get(key) ??
      askInTurn(key, host, options)
        .then((addresses) => {
          known.set(key, addresses)
          silent.delete(key)
          return addresses
        })
        .catch((error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOTFOUND') {
            known.delete(key)
            silent.delete(key)
          } else silent.set(key, true)
          const before = known.get(key)
          if (before) return before
          throw error
        })
        .finally(() => underWay.delete(key))
    underWay.set(key, asked)
    return asked
  }

  async function find(host: string, options: LookupOptions): Promise<LookupAddress[]> {
    const key = JSON.stringify([host, options.family ?? 0, options.hints ?? 0])
    const asked = askOnce(key, host, options)
    const before = known.get(key)
    if (!before) return asked
    let timer: NodeJS.Timeout | undefined
    const patience = new Promise<LookupAddress[]>((resolve) => {
      timer = setTimeout(() => resolve(before), patienceMs)
    })
    return Promise.race([asked, patience]).finally(() => clearTimeout(timer))
  }

  return (host, options, callback) => {
    find(host, options).then(
      (addresses) => {
        const [first] = addresses
        if (options.all) callback(null, addresses)
        else callback(null, first?.address ?? '', first?.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    )
  }
}

/** One for the process: the threads are the process's. */
export const steadyLookup = createSteadyLookup()
