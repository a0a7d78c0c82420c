import { expect, test } from 'vitest'
import { QueueFull } from '../platform/fair-share.ts'
import { failureOfExchange } from './failures.ts'
import { createSemaphore } from './semaphore.ts'

const never = () => new Promise<never>(() => {})

test('limits concurrent callers, and serves all in order', async () => {
  const semaphore = createSemaphore(2, 100)
  const order: number[] = []
  let inside = 0
  let most = 0
  const work = (index: number) => async () => {
    inside += 1
    most = Math.max(most, inside)
    order.push(index)
    await Promise.resolve()
    inside -= 1
  }
  await Promise.all(Array.from({ length: 20 }, (_, index) => semaphore.pass(undefined, work(index))))
  expect(most).toBe(2)
  expect(order).toEqual(Array.from({ length: 20 }, (_, index) => index))
})

test('removes a caller that aborts while waiting from the queue', async () => {
  const semaphore = createSemaphore(1, 100)
  let leave = () => {}
  const first = semaphore.pass(undefined, () => new Promise<void>((resolve) => (leave = resolve)))
  const impatient = new AbortController()
  const waiting = semaphore.pass(impatient.signal, never)
  const patient = semaphore.pass(undefined, async () => 'inside')
  impatient.abort(new Error('enough'))
  await expect(waiting).rejects.toMatchObject({ cause: { message: 'enough' } })
  leave()
  await first
  await expect(patient).resolves.toBe('inside')
})

test('releases exactly one place when work fails', async () => {
  const semaphore = createSemaphore(1, 0)
  await expect(semaphore.pass(undefined, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  void semaphore.pass(undefined, never)
  await expect(semaphore.pass(undefined, never)).rejects.toHaveProperty('cause', expect.any(QueueFull))
})

test('bounds the queue: a further check fails immediately, and can be retried', async () => {
  const semaphore = createSemaphore(1, 1)
  void semaphore.pass(undefined, never)
  void semaphore.pass(undefined, never)
  const refused = await semaphore.pass(undefined, never).catch((error: unknown) => error)
  const failure = { code: 'QueueFull', retryable: true, isOurs: true }
  expect(failureOfExchange(refused, { timeoutMs: 1 })).toMatchObject(failure)
})
