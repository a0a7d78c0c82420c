const FATAL = /\b(?:FATAL|PANIC):/
/** Connections that came too early. */
const TOO_EARLY = /FATAL: +the database system is (?:starting up|not yet accepting|shutting down)/

/** Why PostgreSQL did not start, in one line, from its log: the last fatal error with what led to it, otherwise the last lines. */
export function startFailure(log: string): string {
  const lines = log.split('\n').filter((line) => line !== '' && !TOO_EARLY.test(line))
  const last = lines.findLastIndex((line) => FATAL.test(line))
  const told = (last === -1 ? lines : lines.slice(0, last + 1)).slice(-3)
  return told.map(withoutTime).join('; ') || 'it left no message'
}

const BEGINS = /LOG: +starting PostgreSQL/

/** Why PostgreSQL has ended since it started last, from the end of its log; undefined where it does not say. */
export function endOf(log: string): string | undefined {
  const lines = log.split('\n')
  const own = lines.slice(lines.findLastIndex((line) => BEGINS.test(line)) + 1).filter((line) => !TOO_EARLY.test(line))
  return own.some((line) => FATAL.test(line)) ? startFailure(own.join('\n')) : undefined
}

/** Without the time and the number of the process, and what another program wrote before them. */
const withoutTime = (line: string) => line.replace(/^[^[]*\[\d+\] /, '')

/** Why initdb failed, in one line, from its output: every complaint, otherwise its last line. */
export function initdbFailure(output: string): string {
  const lines = output.split('\n').map((line) => line.trim())
  const complaints = lines.filter((line) => /error:|FATAL:|PANIC:|detail:|hint:|could not|[Cc]annot /.test(line))
  return (complaints.length > 0 ? complaints : lines.filter(Boolean).slice(-1)).map(withoutTime).join('; ')
}

const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /shared memory segment .*No space left on device/,
    'The shared memory of this machine (/dev/shm) is full or too small: give a container more (--shm-size=64m, or a volume in memory at /dev/shm)',
  ],
  [/no space left on device|disk quota exceeded|Check free disk space/i, 'The disk is full: make room, and try again'],
  [
    /read-only file system/i,
    'The disk is mounted read-only: find out why (a fault of the disk does this), and mount it for writing',
  ],
  [
    /input\/output error|i\/o error/i,
    'The disk fails: the log of the system says how (dmesg). Restore a backup on another disk if it does not recover',
  ],
  [
    /\$libdir|could not load library|cannot find (?:module|package)/i,
    'Files of the program are missing, as while it is installed again under the running service (npm ci): restart the service once they are there',
  ],
  [
    /insufficient file descriptors|Too many open files/,
    'Too few open files are allowed: raise the limit (ulimit -n 1024, LimitNOFILE= of systemd), and try again',
  ],
  [
    /Resource temporarily unavailable|[Cc]annot fork|could not fork|Cannot allocate memory|^out of memory/,
    'Memory is short, or too few processes are allowed: raise the limits (ulimit -u, TasksMax= and MemoryMax= of systemd, --pids-limit and --memory of a container), and try again',
  ],
]

/** What to do about the reason that PostgreSQL or the system gives, where that is known; otherwise `otherwise`. */
export function startAdvice(reason: string, otherwise = ''): string {
  return ADVICE.find(([cause]) => cause.test(reason))?.[1] ?? otherwise
}

/** The reason with what to do about it, where that is known. */
export const withAdvice = (reason: string): string => [reason, startAdvice(reason)].filter(Boolean).join('. ')
