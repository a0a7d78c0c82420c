// Whether this process can take more at present: how late its event loop runs, and how full its heap is.
import { getHeapStatistics } from 'node:v8'

export interface Pressure {
  /** The heap is almost full: whatever is begun now may end the process, so everybody is refused. */
  isHigh(): boolean
  /** The event loop cannot follow: who has the most inside is refused. */
  isLate(): boolean
  stop(): void
}

export interface PressureLimits {
  /** Time between two looks. */
  everyMs: number
  /** A look that comes this much late, twice in a row, says that the event loop cannot follow. */
  delayMs: number
  /** Share of the largest heap that may be in use. */
  heapShare: number
}

export interface Gauges {
  nowMs(): number
  heapShare(): number
}

// Our choice: answers that are seconds late are given up by their callers; one long garbage collection is no overload. Beyond nine
// tenths of the heap V8 collects all the time, and a process that reaches the end of it dies with everything in flight.
const PRESSURE_LIMITS: PressureLimits = { everyMs: 500, delayMs: 1_000, heapShare: 0.9 }

/** Looks at this process until it is stopped; the looking itself keeps no process alive. */
export function watchPressure(limits: PressureLimits = PRESSURE_LIMITS, gauges: Gauges = thisProcess): Pressure {
  let lookedAt = gauges.nowMs()
  let lateLooks = 0
  let isFull = false
  const timer = setInterval(() => {
    const now = gauges.nowMs()
    lateLooks = now - lookedAt - limits.everyMs > limits.delayMs ? lateLooks + 1 : 0
    lookedAt = now
    isFull = gauges.heapShare() > limits.heapShare
  }, limits.everyMs).unref()
  return {
    isHigh: () => isFull,
    isLate: () => lateLooks > 1,
    stop: () => clearInterval(timer),
  }
}

const thisProcess: Gauges = {
  nowMs: () => performance.now(),
  heapShare() {
    const { used_heap_size, heap_size_limit } = getHeapStatistics()
    return used_heap_size / heap_size_limit
  },
}
