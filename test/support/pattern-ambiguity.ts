// Whether a pattern may take exponential time: a repetition in it reads the same text in two ways, so that each further repetition of the text
// doubles the steps of an engine that backtracks. Every repetition of a group counts as unbounded, because a bound such as {0,40} is no help.
//
// The automaton of such a pattern has two different ways from a place back to it over the same text (Weber and Seidl, 1991).
import { ALPHABET, type Automaton, automatonOf } from './pattern-automaton.ts'

/** A text whose repetition doubles the steps of the pattern each time; undefined if there is none. */
export function exponentialText({ source, flags }: Pick<RegExp, 'source' | 'flags'>): string | undefined {
  const automaton = automatonOf(source, flags.replace(/[gyd]/g, ''))
  for (const component of components(automaton.next)) {
    const found = ambiguousLoop(automaton, component)
    if (found !== undefined) return found
  }
  return automaton.inner.map((each) => exponentialText({ source: each, flags })).find((each) => each !== undefined)
}

/** The sets of places that are reached from each other (Tarjan), without those that are in no loop. */
function components(next: Map<number, number>[]): number[][] {
  const [order, low, stack, found] = [
    new Map<number, number>(),
    new Map<number, number>(),
    [] as number[],
    [] as number[][],
  ]
  const isOpen = new Set<number>()
  for (let root = 0; root < next.length; root++) {
    if (order.has(root)) continue
    const path: { place: number; rest: IterableIterator<number> }[] = []
    const enter = (place: number) => {
      order.set(place, order.size)
      low.set(place, order.get(place)!)
      stack.push(place)
      isOpen.add(place)
      path.push({ place, rest: next[place]!.keys() })
    }
    enter(root)
    while (path.length > 0) {
      const { place, rest } = path.at(-1)!
      const { value, done } = rest.next()
      if (!done) {
        if (!order.has(value)) enter(value)
        else if (isOpen.has(value)) low.set(place, Math.min(low.get(place)!, order.get(value)!))
        continue
      }
      path.pop()
      const parent = path.at(-1)
      if (parent) low.set(parent.place, Math.min(low.get(parent.place)!, low.get(place)!))
      if (low.get(place) !== order.get(place)) continue
      const component = stack.splice(stack.indexOf(place))
      for (const each of component) isOpen.delete(each)
      if (component.length > 1 || next[place]!.has(place)) found.push(component)
    }
  }
  return found
}

/** Two ways over the same text from a place of the component back to one of it. */
function ambiguousLoop({ takes, next }: Automaton, component: number[]): string | undefined {
  const inside = new Set(component)
  const size = next.length
  const steps = (place: number) => [...next[place]!.keys()].filter((each) => inside.has(each))
  const common = (one: number, other: number) => {
    for (const character of takes[one]!) if (takes[other]!.has(character)) return character
    return undefined
  }
  /** By pair of places, the pair before it. */
  const cameFrom = new Map<number, number>()
  const before = new Map<number, number[]>()
  const waiting = component.map((each) => each * size + each)
  for (const each of waiting) cameFrom.set(each, -1)
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    const [one, other] = [Math.floor(pair / size), pair % size]
    for (const a of steps(one)) {
      if (one === other && next[one]!.get(a)! > 1 && takes[a]!.size > 0) return textOf([a], takes)
      for (const b of steps(other)) {
        if (common(a, b) === undefined) continue
        const to = a * size + b
        const known = before.get(to)
        if (known) known.push(pair)
        else before.set(to, [pair])
        if (cameFrom.has(to)) continue
        cameFrom.set(to, pair)
        waiting.push(to)
      }
    }
  }
  // Back from the diagonal: a pair of two places from which both ways meet again.
  const reached = new Map<number, number>()
  const open = component.map((each) => each * size + each)
  for (const each of open) reached.set(each, -1)
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    for (const from of before.get(pair) ?? []) {
      if (reached.has(from)) continue
      reached.set(from, pair)
      if (Math.floor(from / size) !== from % size) return pumpOf(from, cameFrom, reached, { size, common })
      open.push(from)
    }
  }
  return undefined
}

function pumpOf(
  pair: number,
  cameFrom: Map<number, number>,
  reached: Map<number, number>,
  { size, common }: { size: number; common(one: number, other: number): number | undefined },
): string {
  const letter = (each: number) => ALPHABET[common(Math.floor(each / size), each % size) ?? 0] ?? ''
  let text = ''
  for (let each = pair; cameFrom.get(each) !== -1 && cameFrom.has(each); each = cameFrom.get(each)!)
    text = letter(each) + text
  for (let each = reached.get(pair)!; each !== -1; each = reached.get(each)!) text += letter(each)
  return text
}

const textOf = (places: number[], takes: ReadonlySet<number>[]) =>
  places.map((place) => ALPHABET[[...takes[place]!][0]!] ?? '').join('')
