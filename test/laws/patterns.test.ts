// No text of a caller or a payer makes a regular expression run for ever. decisions/0207-patterns-read-a-text-in-one-way.md
import { beforeAll, describe, expect, it } from 'vitest'
import { exponentialText } from '../support/pattern-ambiguity.ts'
import { type Pattern, patternsOfSource } from '../support/patterns-of-source.ts'

let patterns: Pattern[]
beforeAll(async () => {
  patterns = await patternsOfSource()
})

it('no pattern of the program and the console takes twice the steps for each repetition of a text', () => {
  const built = patterns.filter(({ file }) => file === undefined)
  // As many as there were when this was written, so that none is overlooked.
  expect([patterns.length, built.length].map((count, index) => count >= [1200, 250][index]!)).toEqual([true, true])
  const faults = patterns.flatMap((pattern) => {
    const text = exponentialText(pattern)
    return text === undefined ? [] : [{ repeated: text, ...pattern, source: pattern.source.slice(0, 300) }]
  })
  expect(faults).toEqual([])
})

it('none is so long that the first text which it reads holds up all callers while it is compiled', () => {
  // One of 18,500 characters took three times as long as its twenty parts.
  expect(patterns.map(({ source }) => source.length).filter((length) => length > 13_000)).toEqual([])
})

describe('a repetition is found that reads', () => {
  it.each([
    ['a text by itself and with the next repetition', /^(a+)+$/],
    ['a word as either of two', /(?:[ -]+(?:CARE|HOSPITALS?|HOSPITAL))*!/],
    ['two words as two and as one', /(?:(?:AID CODE|AID|CODE) )*!/],
    ['words with and without a blank', /(?:[A-Z]+ ?){1,40}!/],
    ['a dash as part of a word and between words', /^QI-?1?(?:[ -]+(?:ONLY|QI-?1?))*$/],
    ['a text in an optional repetition of its own', /(?:x*y?)*z/],
    ['a text after nothing or before it', /(?:(?:|b)a(?:|b)c?)*d/],
    ['such a text in a lookahead', /TO (?!(?:A )*(?:NEW |PO |P\.?O\.? )*(?:BOX|ADDRESS))/],
    ['such a text in a lookbehind', /(?<=(?:a|a)*b)c/],
    ['letters of either case', /(?:[a-z]|X)*!/i],
  ])('%s', (_, pattern) => {
    expect(exponentialText(pattern)).not.toBeUndefined()
  })

  it.each([
    ['words that a blank divides', /(?:[A-Z]+ )*!/],
    ['words that differ in their ends', /(?:[ -]+(?:CARE|HOSPITALS|HOSPITAL))*!/],
    ['digits in groups of a known length', /(?:\d{2}){3}(?:\d{3},)*\d{1,3}/],
    ['what ends with the text', /^(?:[a-z]+(?:\W+|\W*$))+$/],
    ['a digit and the same again', /^(?:(\d)\1*)?$/],
    ['signs that a class names', /(?:[^\]\\[]|\\.|[[\]](?<=\[)x)*"/],
  ])('and none that reads %s', (_, pattern) => {
    expect(exponentialText(pattern)).toBeUndefined()
  })
})
