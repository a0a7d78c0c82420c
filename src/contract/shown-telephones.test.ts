import { describe, expect, it } from 'vitest'
import { shownTelephone, withShownTelephones } from './shown-telephones.ts'

describe('a telephone number on the screen and on paper', () => {
  it.each(['6095551465', '(609) 555-1465', '609.555.1465', ' 1-609-555-1465', '+1 609 555 1465', '+1 (609) 555/1465'])(
    'has one form, however it was entered: %s',
    (entered) => {
      expect(shownTelephone(entered)).toBe('609-555-1465')
    },
  )

  it.each(['609-555-1465 x12', '6095551465ext.12', '(609) 555 1465 extension 12', '16095551465 #12'])(
    'keeps its extension: %s',
    (entered) => {
      expect(shownTelephone(entered)).toBe('609-555-1465 ext. 12')
    },
  )

  it.each([
    ['of another country', '+44 20 7946 0958'],
    ['of another country with ten digits', '+32 475 12 34 56'],
    ['that is not whole', '555-1465'],
    ['with an area code that nobody has', '109-555-1465'],
    ['with words', '609-555-1465 after 5 pm'],
    ['that is a word', 'none'],
  ])('is shown as entered where it is one %s', (_, entered) => {
    expect(shownTelephone(entered)).toBe(entered)
  })

  it('has the same form in a text about an answer, where it is named; other digits stay', () => {
    const text = 'member ID 8005550104; Telephone 8005550104, Work Phone Number 18005550105; group 8005550106'
    expect(withShownTelephones(text)).toBe(
      'member ID 8005550104; Telephone 800-555-0104, Work Phone Number 800-555-0105; group 8005550106',
    )
  })
})
