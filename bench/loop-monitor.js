// Loaded into a measured process with --import: measures the longest turn of its event loop, in CPU time of its main thread. A busy machine
// lengthens every wait, but not this. The parent queries it over its channel. JavaScript, because a loader of TypeScript would switch on
// source maps, and every error of the measured process would then cost tens of milliseconds.
import { readFileSync } from 'node:fs'

const LOOK_EVERY_MS = 2
/** Source: Linux Documentation/scheduler/sched-stats: the first field is the time spent on the processor, in nanoseconds. */
const stat = `/proc/self/task/${process.pid}/schedstat`
const cpuMs = () => Number(readFileSync(stat, 'latin1').split(' ', 1)[0]) / 1e6

let longestMs = 0
let before = cpuMs()
setInterval(() => {
  const now = cpuMs()
  longestMs = Math.max(longestMs, now - before)
  before = now
}, LOOK_EVERY_MS).unref()

process.on('message', (message) => {
  if (message !== 'longest turn') return
  process.send?.({ longestMs })
  longestMs = 0
})
process.channel?.unref()
