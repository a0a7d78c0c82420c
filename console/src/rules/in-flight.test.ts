import { expect, it } from 'vitest'
import { sendOnce } from './in-flight.ts'

it('sends equal calls once until they are answered, gives each caller the answer, and sends a later call again', async () => {
  let sent = 0
  const answers: ((value: number) => void)[] = []
  const send = () => {
    sent += 1
    return new Promise<number>((answer) => answers.push(answer))
  }
  const both = [sendOnce('a', send), sendOnce('a', send)]
  const other = sendOnce('b', send)
  expect(sent).toBe(2)
  for (const [place, answer] of answers.entries()) answer(place)
  expect(await Promise.all([...both, other])).toEqual([0, 0, 1])
  const again = sendOnce('a', send)
  answers.at(-1)?.(7)
  expect(await again).toBe(7)
})

it('can be sent again after a failure', async () => {
  const fail = () => Promise.reject(new Error('unreachable'))
  await expect(sendOnce('c', fail)).rejects.toThrow('unreachable')
  expect(await sendOnce('c', async () => 'stored')).toBe('stored')
})
