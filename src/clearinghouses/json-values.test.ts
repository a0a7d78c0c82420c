import { describe, expect, test } from 'vitest'
import { objectOf, wordsOf } from './json-values.ts'

describe('the words of a value', () => {
  test('are those under the keys for words, else all, in lists and objects at any depth', () => {
    expect(wordsOf([[{ message: ['a'], code: 'X' }], { text: 'b' }, 'c', 4, null], ['message'])).toEqual([
      'a',
      'b',
      'c',
      '4',
    ])
  })

  test('are looked for once in each value: a clearinghouse may nest two hundred levels', () => {
    let reads = 0
    let value: object = {}
    for (let level = 0; level < 10; level++) {
      const inner = value
      value = {
        get message() {
          reads += 1
          return inner
        },
      }
    }
    expect(wordsOf(value, ['message'])).toEqual([])
    // Its own members are listed with their values once more.
    expect(reads).toBeLessThanOrEqual(20)
  })
})

describe('a list in place of an object', () => {
  test('has the members of all its objects, of which the first counts', () => {
    expect(objectOf([{ a: 1 }, [{ a: 2, b: 2 }], 'c'])).toEqual({ a: 1, b: 2 })
  })

  test('may be as long as an answer may be', () => {
    expect(objectOf(Array.from({ length: 199_000 }, (_, index) => ({ last: index })))).toEqual({ last: 0 })
  })
})
