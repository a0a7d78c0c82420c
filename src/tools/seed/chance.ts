/** Draws that are the same in every run: made data must not depend on who makes it, nor on the order in which it is made. */
export interface Chance {
  /** A whole number from 0 to `count` - 1. */
  below(count: number): number
  /** True in `share` of all cases, 0 to 1. */
  happens(share: number): boolean
  /** Any of the list, each as likely as the others. */
  oneOf<T>(list: readonly T[]): T
  /** A key of the table, as likely as its weight. */
  weighted<T extends string>(weights: Readonly<Record<T, number>>): T
}

/** The draws of one thing, e.g. of appointment 17. A 32-bit generator (mulberry32): even enough for names, and fast. */
export function chanceFor(kind: string, index: number): Chance {
  let state = Math.imul(index + 1, 0x9e37_79b1) ^ hashOf(kind)
  const draw = () => {
    state = (state + 0x6d2b_79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (count: number) => Math.floor(draw() * count)
  return {
    below,
    happens: (share) => draw() < share,
    oneOf: (list) => {
      if (list.length === 0) throw new Error('a choice needs something to choose from')
      return list[below(list.length)] as (typeof list)[number]
    },
    weighted: (weights) => pick(weights, draw()),
  }
}

function pick<T extends string>(weights: Readonly<Record<T, number>>, draw: number): T {
  const entries = Object.entries(weights) as [T, number][]
  let left = draw * entries.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [key, weight] of entries) {
    left -= weight
    if (left < 0) return key
  }
  throw new Error('the weights must not all be nought')
}

function hashOf(text: string): number {
  let hash = 0x811c_9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x0100_0193)
  return hash
}
