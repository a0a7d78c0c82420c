import { describe, expect, it } from 'vitest'
import { assignKey, isLetterKey, type KeyMap, readKeyMap, shortcutOf } from './keymap.ts'

describe('single-character shortcuts', () => {
  it('are remapped: the chosen character acts, and the first one no longer does', () => {
    const map = assignKey('c', 'x', {}) as KeyMap
    expect([shortcutOf('x', map), shortcutOf('c', map), shortcutOf('j', map)]).toEqual(['c', undefined, 'j'])
    expect(assignKey('c', 'c', map)).toEqual({})
  })

  it('never share a character: the one that has it is named', () => {
    expect(assignKey('c', 'i', {})).toEqual({ takenBy: 'i' })
    const map = assignKey('c', 'x', {}) as KeyMap
    expect(assignKey('i', 'x', map)).toEqual({ takenBy: 'c' })
    expect(assignKey('i', 'c', map)).toEqual({ c: 'x', i: 'c' })
  })

  it('are characters that can be seen', () => {
    expect(['x', '7', 'é', ' ', 'Tab', ''].map(isLetterKey)).toEqual([true, true, true, false, false, false])
  })

  it.each([undefined, 'no JSON', 'null', '{"c":"i"}', '{"c":"Tab","nothing":"x"}'])(
    'are the default ones when the stored value is not a map: %s',
    (text) => expect(readKeyMap(text)).toEqual({}),
  )

  it('are read as they were stored', () => expect(readKeyMap('{"c":"x"}')).toEqual({ c: 'x' }))
})
