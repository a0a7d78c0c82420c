import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { reportHealth } from './health.ts'

async function newService(check: () => Promise<boolean>) {
  let nowMs = 0
  const app = Fastify()
  reportHealth(app, { database: check }, { nowMs: () => nowMs })
  const pass = (ms: number) => {
    nowMs += ms
  }
  return { ready: async () => (await app.inject('/readyz')).statusCode, pass, close: () => app.close() }
}

it('checks once a second, regardless of the number of requests', async () => {
  let looks = 0
  const { ready, pass } = await newService(async () => {
    looks++
    return true
  })
  const answers = await Promise.all(Array.from({ length: 4200 }, ready))
  expect(new Set(answers)).toEqual(new Set([200]))
  expect(looks).toBe(1)
  pass(1000)
  await Promise.all(Array.from({ length: 100 }, ready))
  expect(looks).toBe(2)
})

it('is not ready while a check hangs, starts no other meanwhile, and is ready again afterwards', async () => {
  let looks = 0
  let answer = (_isWell: boolean) => {}
  const { ready, pass } = await newService(() => {
    looks++
    return new Promise((resolve) => (answer = resolve))
  })
  expect(await ready()).toBe(503)
  for (let second = 0; second < 5; second++) {
    pass(1000)
    expect(await ready()).toBe(503)
  }
  expect(looks).toBe(1)
  answer(true)
  await new Promise(setImmediate)
  pass(1000)
  const again = ready()
  while (looks < 2) await new Promise(setImmediate)
  answer(true)
  expect(await again).toBe(200)
})

it('is not ready when a dependency fails', async () => {
  const failing = await newService(() => Promise.reject(new Error('away')))
  expect(await failing.ready()).toBe(503)
})
