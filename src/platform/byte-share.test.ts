import { describe, expect, it } from 'vitest'
import { createByteShare } from './byte-share.ts'

describe('bytes that many share', () => {
  it('are left to others in part: a sharer has up to three times what stays free', () => {
    const share = createByteShare<string>(100)
    let held = 0
    for (; share.hasRoomFor('hostile', 1); held++) share.add('hostile', 1)
    expect(held).toBe(75)
    expect([share.hasRoomFor('other', 20), share.hasRoomFor('other', 26)]).toEqual([true, false])
    share.add('hostile', -75)
    expect(share.hasRoomFor('hostile', 70)).toBe(true)
  })

  it('admit a text of any length where nobody has any: the longest that is accepted need not fit', () => {
    const share = createByteShare<string>(100)
    expect(share.hasRoomFor('a', 1000)).toBe(true)
    share.add('a', 1000)
    expect(share.hasRoomFor('b', 1)).toBe(false)
    share.add('a', -1000)
    expect(share.hasRoomFor('b', 1000)).toBe(true)
  })
})
