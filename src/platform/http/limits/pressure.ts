// Whether this process can currently take more: how late its event loop runs, and how full its heap is.
import { getHeapStatistics } from 'node:v8'

export interface Pressure {
  /** The heap is almost full: any new work may end the process, so all requests are refused. */
  isHigh(): boolean
  /** The event loop is late: requests of the sharers with the most are refused. */
  isLate(): boolean
  stop(): void
}

interface PressureLimits {
  /** The time between two measurements. */
  everyMs: number
  /** Two consecutive measurements that are this late show that the event loop is overloaded. */
  delayMs: number
  /** The share of the maximum heap size that may be in use. */
  heapShare: number
}

interface Gauges {
  nowMs(): number
  heapShare(): number
}

// Our choice: callers give up on answers that are seconds late, while one long garbage collection is not an overload.
// Beyond nine tenths of the heap V8 collects garbage all the time, and a process that exhausts its heap is killed with
// everything in flight.
const PRESSURE_LIMITS: PressureLimits = { everyMs: 500, delayMs: 1_000, heapShare: 0.9 }

/** Measures this process until it is stopped; the measuring does not keep the process alive. */
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
