import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findNear, vocabularyOf } from './near-terms.ts'

function near(words: string[], typed: string): Map<string, number> {
  const vocabulary = vocabularyOf([...new Set(words)].sort())
  const found = new Map<string, number>()
  findNear(vocabulary, typed, (at, likeness) => found.set(vocabulary.words[at] ?? '', likeness))
  return found
}

describe('similar words', () => {
  it('include the word itself with likeness 1, then words with mistakes and prefixes', () => {
    const found = near(['aetna', 'aetnas', 'atena', 'avera', 'zebra'], 'aetna')
    expect(found.get('aetna')).toBe(1)
    expect([...found.keys()].sort()).toEqual(['aetna', 'aetnas', 'atena'])
    for (const word of ['aetnas', 'atena']) expect(found.get(word)).toBeLessThan(1)
  })

  it('count two swapped letters as one mistake', () => {
    expect(near(['cigna'], 'cgina').has('cigna')).toBe(true)
    expect(near(['cigna'], 'gican').has('cigna')).toBe(false)
  })

  it('may hold two mistakes when they are long, and none when they have two letters', () => {
    expect([...near(['healthcare'], 'helthcaer').keys()]).toEqual(['healthcare'])
    expect([...near(['tx', 'tn', 'txu'], 'tx').keys()]).toEqual(['tx', 'txu'])
  })

  it('may hold a wrong digit only in long ids', () => {
    expect([...near(['1234', '1235'], '1234').keys()]).toEqual(['1234'])
    expect([...near(['60054', '60045', '61154'], '60054').keys()].sort()).toEqual(['60045', '60054'])
  })

  /** Short words of few letters, so that many are near each other. */
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 3, maxLength: 6 })

  it('are found exactly when a naive count of the mistakes allows it, regardless of the rest of the vocabulary', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 40 }), word, (words, typed) => {
        const expected = [...new Set(words)].filter(
          (each) =>
            mistakesBetween(typed, each) <= 1 ||
            each.startsWith(typed) ||
            (typed.length >= 4 && beginningsOf(each).some((beginning) => mistakesBetween(typed, beginning) <= 1)),
        )
        expect([...near(words, typed).keys()].sort()).toEqual(expected.sort())
      }),
      { numRuns: 1000 },
    )
  })
})

const beginningsOf = (word: string) => Array.from(word, (_, at) => word.slice(0, at + 1))

/** Optimal string alignment by its definition, without a table. */
function mistakesBetween(one: string, other: string): number {
  if (one === '' || other === '') return one.length + other.length
  const [a, b] = [one.slice(0, -1), other.slice(0, -1)]
  const swap = one.at(-1) === other.at(-2) && one.at(-2) === other.at(-1) && one.length > 1 && other.length > 1
  return Math.min(
    mistakesBetween(a, b) + (one.at(-1) === other.at(-1) ? 0 : 1),
    mistakesBetween(a, other) + 1,
    mistakesBetween(one, b) + 1,
    swap ? mistakesBetween(one.slice(0, -2), other.slice(0, -2)) + 1 : Infinity,
  )
}
