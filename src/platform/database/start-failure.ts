const FATAL = /\b(?:FATAL|PANIC):/
/** Connections that came too early. */
const TOO_EARLY = /FATAL: +the database system is (?:starting up|not yet accepting|shutting down)/

/** Why PostgreSQL did not start, in one line, from its log: the last fatal error with what led to it, otherwise the last lines. */
export function startFailure(log: string): string {
  const lines = log.split('\n').filter((line) => line !== '' && !TOO_EARLY.test(line))
  const last = lines.findLastIndex((line) => FATAL.test(line))
  const told = (last === -1 ? lines : lines.slice(0, last + 1)).slice(-3)
  return told.map((line) => line.replace(/^[^[]*\[\d+\] /, '')).join('; ') || 'it left no message'
}

const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /shared memory segment .*No space left on device/,
    'The shared memory of this machine (/dev/shm) is full or too small: give a container more (--shm-size=64m, or a volume in memory at /dev/shm)',
  ],
  [/No space left on device|Disk quota exceeded/, 'The disk is full: make room, and start again'],
]

/** What to do about the reason, where that is known; otherwise `otherwise`. */
export function startAdvice(reason: string, otherwise = ''): string {
  return ADVICE.find(([cause]) => cause.test(reason))?.[1] ?? otherwise
}
