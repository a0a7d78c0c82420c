import { expect, it } from 'vitest'
import { INVISIBLE } from '../../contract/invisible-characters.ts'
import { hasMarksInARow, isPlain, withoutInvisible } from './text.ts'

const everyCharacter = Array.from({ length: 0x11_0000 }, (_, codePoint) => codePoint)
  .filter((codePoint) => codePoint < 0xd800 || codePoint > 0xdfff)
  .map((codePoint) => String.fromCodePoint(codePoint))

it('removes invisible characters, and no others, between letters of any length', () => {
  for (const between of ['a', 'é', '王', '😀']) {
    const text = everyCharacter.join(between)
    expect(withoutInvisible(text) === text.replace(INVISIBLE, '')).toBe(true)
  }
})

it('finds more combining marks in a row than a letter may have, of every kind and at every place', () => {
  for (const mark of everyCharacter.filter((character) => /\p{M}/u.test(character))) {
    expect(hasMarksInARow(`e${mark.repeat(30)}e${mark.repeat(30)}`, 30)).toBe(false)
    expect(hasMarksInARow(`e${mark.repeat(30)}\u0301`, 30)).toBe(true)
  }
})

it('treats only text that no step changes as plain', () => {
  const plain = everyCharacter.filter(isPlain).join('')
  expect(plain).toBe(`\t\n\v\f\r${everyCharacter.slice(0x20, 0x7f).join('')}`)
  expect(plain.replace(INVISIBLE, '').normalize('NFC')).toBe(plain)
})
