import { expect, test } from 'vitest'
import { QueueFull } from '../platform/fair-share.ts'
import { createTurnstile } from './turnstile.ts'

const never = () => new Promise<never>(() => {})

test('no more callers are inside than there are places, and all get through in order', async () => {
  const turnstile = createTurnstile(2, 100)
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
  await Promise.all(Array.from({ length: 20 }, (_, index) => turnstile.pass(undefined, work(index))))
  expect(most).toBe(2)
  expect(order).toEqual(Array.from({ length: 20 }, (_, index) => index))
})

test('a caller who gives up while waiting leaves the queue and takes no place', async () => {
  const turnstile = createTurnstile(1, 100)
  let leave = () => {}
  const first = turnstile.pass(undefined, () => new Promise<void>((resolve) => (leave = resolve)))
  const impatient = new AbortController()
  const waiting = turnstile.pass(impatient.signal, never)
  const patient = turnstile.pass(undefined, async () => 'inside')
  impatient.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  leave()
  await first
  await expect(patient).resolves.toBe('inside')
})

test('work that fails gives its place back, one and no more', async () => {
  const turnstile = createTurnstile(1, 0)
  await expect(turnstile.pass(undefined, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  void turnstile.pass(undefined, never)
  await expect(turnstile.pass(undefined, never)).rejects.toBeInstanceOf(QueueFull)
})

test('the queue is bounded', async () => {
  const turnstile = createTurnstile(1, 1)
  void turnstile.pass(undefined, never)
  void turnstile.pass(undefined, never)
  await expect(turnstile.pass(undefined, never)).rejects.toBeInstanceOf(QueueFull)
})
