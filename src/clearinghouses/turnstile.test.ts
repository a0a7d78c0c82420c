import { expect, test } from 'vitest'
import { createTurnstile, QueueFull } from './turnstile.ts'

test('no more callers are inside than there are places, and all get through in order', async () => {
  const turnstile = createTurnstile(2, 100)
  const order: number[] = []
  let inside = 0
  let most = 0
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const leave = await turnstile.enter()
      inside += 1
      most = Math.max(most, inside)
      order.push(index)
      await Promise.resolve()
      inside -= 1
      leave()
    }),
  )
  expect(most).toBe(2)
  expect(order).toEqual(Array.from({ length: 20 }, (_, index) => index))
})

test('a caller who gives up while waiting leaves the queue and takes no place', async () => {
  const turnstile = createTurnstile(1, 100)
  const leave = await turnstile.enter()
  const impatient = new AbortController()
  const waiting = turnstile.enter(impatient.signal)
  const patient = turnstile.enter()
  impatient.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  leave()
  await expect(patient).resolves.toBeTypeOf('function')
})

test('leaving twice frees one place only', async () => {
  const turnstile = createTurnstile(1, 0)
  const leave = await turnstile.enter()
  leave()
  leave()
  await turnstile.enter()
  await expect(turnstile.enter()).rejects.toBeInstanceOf(QueueFull)
})

test('the queue is bounded', async () => {
  const turnstile = createTurnstile(1, 1)
  await turnstile.enter()
  void turnstile.enter()
  await expect(turnstile.enter()).rejects.toBeInstanceOf(QueueFull)
})
