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
