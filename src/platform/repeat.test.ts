import type { FastifyBaseLogger } from 'fastify'
import { expect, it, vi } from 'vitest'
import { repeat } from './repeat.ts'

/** Background work that fails when it is told to. */
function failing() {
  const logged: string[] = []
  const log = { warn: (_: object, message: string) => logged.push(message) } as unknown as FastifyBaseLogger
  const begun: ((error: Error) => void)[] = []
  const work = () => new Promise<void>((_, reject) => begun.push(reject))
  return { logged, begun, ...repeat(work, { everyMs: 3_600_000, failure: 'it failed', log }) }
}

it('never runs twice at a time, and again after a failure, which is logged', async () => {
  const { now, begun, logged, stop } = failing()
  const first = now()
  await now()
  expect(begun).toHaveLength(1)
  begun[0]?.(new Error('down'))
  await first
  expect(logged).toEqual(['it failed'])
  void now()
  expect(begun).toHaveLength(2)
  stop()
})

it('logs no failure of work that the stop of the process ends', async () => {
  const { now, begun, logged, stop } = failing()
  const first = now()
  stop()
  begun[0]?.(new Error('the connection was closed'))
  await first
  expect(logged).toEqual([])
})

it('works a minute after a start for the first time, so that a process that is restarted every half hour does hourly work', async () => {
  vi.useFakeTimers()
  try {
    const { begun, stop } = failing()
    vi.advanceTimersByTime(59_999)
    expect(begun).toHaveLength(0)
    vi.advanceTimersByTime(1)
    expect(begun).toHaveLength(1)
    stop()
  } finally {
    vi.useRealTimers()
  }
})
