import { expect, it } from 'vitest'
import { gathered, gatheredByKey } from './gathered.ts'

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

it('asks for each key by itself, also while a question of another is open or has failed', async () => {
  const open: { key: string; resolve(value: string): void; reject(error: Error): void }[] = []
  const ask = gatheredByKey((key) => new Promise<string>((resolve, reject) => open.push({ key, resolve, reject })))
  const failing = [ask('a'), ask('a')].map((call) => call.catch(({ message }: Error) => message))
  const others = [ask('b'), ask('b')]
  await turn()
  expect(open.map(({ key }) => key)).toEqual(['a', 'b'])
  open[0]?.reject(new Error('lost'))
  open[1]?.resolve('B')
  expect([await Promise.all(failing), await Promise.all(others)]).toEqual([
    ['lost', 'lost'],
    ['B', 'B'],
  ])
  const again = ask('a')
  await turn()
  open[2]?.resolve('A')
  expect(await again).toBe('A')
})
