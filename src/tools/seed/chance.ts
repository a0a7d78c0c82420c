/** Random draws that are the same in every run: seeded data must not depend on the process that makes it, nor on the order. */
export interface Chance {
  /** A whole number from 0 to `count` - 1. */
  below(count: number): number
  /** True with the probability `share`, 0 to 1. */
  happens(share: number): boolean
  /** Any element of the list, with equal probability. */
  oneOf<T>(list: readonly T[]): T
  /** A key of the table, with a probability proportional to its weight. */
  weighted<T extends string>(weights: Readonly<Record<T, number>>): T
}

/** The draws for one item, e.g. appointment 17. A 32-bit generator (mulberry32): uniform enough for names, and fast. */
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
      if (list.length === 0) throw new Error('the list must not be empty')
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
  throw new Error('the weights must not all be zero')
}

function hashOf(text: string): number {
  let hash = 0x811c_9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x0100_0193)
  return hash
}
