import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { cachedByName } from './known-names.ts'

test('a name that every answer of a payer repeats is read once, and a text too long for a name is not kept', () => {
  const read: string[] = []
  const isPlan = cachedByName((name) => {
    read.push(name)
    return name.includes('PLAN') ? true : undefined
  })
  const text = 'NOT A NAME '.repeat(20)
  const found = ['GOLD PLAN', 'HARBOR', text, 'GOLD PLAN', 'HARBOR', text].map((name) => isPlan(name))
  expect(found).toEqual([true, undefined, undefined, true, undefined, undefined])
  expect(read).toEqual(['GOLD PLAN', 'HARBOR', text, text])
})

test('a name that is kept does not keep the answer in memory that it was a part of', () => {
  setFlagsFromString('--expose-gc')
  const usedMb = () => {
    runInNewContext('gc')()
    return process.memoryUsage().heapUsed / 2 ** 20
  }
  const nameAfter = cachedByName((name) => ({ from: name.slice(1) }))
  const before = usedMb()
  for (let answer = 0; answer < 50; answer++) {
    const text = Buffer.from(`EB*1**30**A PLAN OF EMPLOYER ${answer}~${'X'.repeat(2 ** 20)}`).toString()
    nameAfter(text.split('~')[0]!.split('*')[5]!)
  }
  expect(usedMb() - before).toBeLessThan(25)
})
