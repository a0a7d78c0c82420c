/** Counts attempts by key in a sliding window. */
export interface AttemptLimit {
  /** Counts one attempt. 0 when it may go on, else the seconds after which the next one may. */
  attempt(key: string): number
}

/** Keys beyond this many are forgotten oldest first, so that a stranger who invents ids cannot fill the memory. */
const KEYS_MAX = 100_000

/** At most `attempts` a key in any `windowMs`. Refused attempts do not count, so waiting always helps. */
export function createAttemptLimit(options: { attempts: number; windowMs: number; now(): Date }): AttemptLimit {
  const { attempts, windowMs, now } = options
  const accepted = new Map<string, number[]>()
  return {
    attempt(key) {
      const at = now().getTime()
      const recent = (accepted.get(key) ?? []).filter((time) => time > at - windowMs)
      accepted.delete(key)
      accepted.set(key, recent)
      if (accepted.size > KEYS_MAX) accepted.delete(accepted.keys().next().value as string)
      if (recent.length < attempts) {
        recent.push(at)
        return 0
      }
      return Math.max(1, Math.ceil(((recent[0] ?? at) + windowMs - at) / 1000))
    },
  }
}
