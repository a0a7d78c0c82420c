import { expect, it } from 'vitest'
import { gathered } from './gathered.ts'

/** A source whose questions are answered one by one, in order. */
function source() {
  const open: { resolve(value: number): void; reject(error: Error): void }[] = []
  let asked = 0
  const ask = gathered(() => {
    asked++
    return new Promise<number>((resolve, reject) => open.push({ resolve, reject }))
  })
  return { ask, open, asked: () => asked }
}
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

it('asks once for calls of the same moment', async () => {
  const { ask, open, asked } = source()
  const calls = [ask(), ask(), ask()]
  await turn()
  expect(asked()).toBe(1)
  open.shift()?.resolve(7)
  expect(await Promise.all(calls)).toEqual([7, 7, 7])
})

it('gives no caller an answer to a question that was sent before its call', async () => {
  const { ask, open, asked } = source()
  const first = ask()
  await turn()
  const later = [ask(), ask()]
  await turn()
  expect(asked()).toBe(1)
  open.shift()?.resolve(1)
  expect(await first).toBe(1)
  await turn()
  expect(asked()).toBe(2)
  open.shift()?.resolve(2)
  expect(await Promise.all(later)).toEqual([2, 2])
})

it('asks again after a failure, which only those who waited for it see', async () => {
  const { ask, open } = source()
  const first = ask()
  await turn()
  const second = ask()
  open.shift()?.reject(new Error('lost'))
  await expect(first).rejects.toThrow('lost')
  await turn()
  open.shift()?.resolve(2)
  expect(await second).toBe(2)
})
