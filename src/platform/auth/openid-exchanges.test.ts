import { expect, it } from 'vitest'
import { shareExchanges } from './openid-exchanges.ts'

it('few of the callers who sign in at a provider that does not answer wait for it; the others are sent back at once, none of them without a place for another address', async () => {
  const open: ((fault: Error) => void)[] = []
  const silent = () => new Promise<never>((_, reject) => open.push(reject))
  const provider = shareExchanges({ start: silent, finish: silent })
  const refused: number[] = []
  const failed: string[] = []
  const visit = (address: string) =>
    provider
      .for(address)
      .start(false)
      .catch(({ status, message }: { status?: number; message: string }) =>
        status === undefined ? failed.push(message) : refused.push(status),
      )
  const hostile = Array.from({ length: 400 }, () => visit('192.0.2.1'))
  await new Promise(setImmediate)
  const held = open.length
  expect(held).toBeLessThan(32)
  const others = ['192.0.2.2', '192.0.2.3'].map(visit)
  await new Promise(setImmediate)
  expect(open).toHaveLength(held + 2)
  const fromEverywhere = Array.from({ length: 400 }, (_, index) => visit(`198.51.${index % 100}.7`))
  await new Promise(setImmediate)
  expect(open).toHaveLength(32)
  expect(new Set(refused)).toEqual(new Set([503]))
  // All but those with a place, and those who wait for one.
  expect(refused).toHaveLength(802 - 32 - 64)
  let isOver = false
  const all = Promise.all([...hostile, ...others, ...fromEverywhere]).finally(() => {
    isOver = true
  })
  while (!isOver) {
    for (const fail of open.splice(0)) fail(new Error('no answer'))
    await new Promise(setImmediate)
  }
  await all
  expect(failed).toHaveLength(96)
})
