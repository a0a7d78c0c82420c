// The automaton of a pattern, whose states are the places of its characters (Glushkov, 1961), with the number of ways from each to the next.
// Lookarounds are left to be read by themselves; where they stand, and at word boundaries, anything may follow.

/** Letters, digits and signs that the patterns tell apart, and others that a class may hold. */
export const ALPHABET = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  '\u00a0',
  'é',
  'É',
  '\u0301',
  '\u200b',
  '–',
  '漢',
]

/** The ways through a part of a pattern: places and the number of ways, of which more than two count as two. */
interface Part {
  first: Map<number, number>
  last: Map<number, number>
  /** In how many ways it matches an empty text. */
  empty: number
}

const MANY = 2
const NOTHING: Part = { first: new Map(), last: new Map(), empty: 1 }
/** Nothing follows the end of the text. */
const END: Part = { first: new Map(), last: new Map(), empty: 0 }

export interface Automaton {
  /** For each place, the characters that it takes, as indices of ALPHABET. */
  takes: ReadonlySet<number>[]
  /** For each place, those that may follow, with the number of ways. */
  next: Map<number, number>[]
  /** What stands in lookarounds. */
  inner: string[]
}

export function automatonOf(source: string, flags: string): Automaton {
  const takes: ReadonlySet<number>[] = []
  const next: Map<number, number>[] = []
  const inner: string[] = []
  let at = 0

  function place(atom: string): Part {
    takes.push(charactersOf(atom, flags))
    next.push(new Map())
    const self = new Map([[takes.length - 1, 1]])
    return { first: self, last: self, empty: 0 }
  }

  function follow(before: Part['last'], after: Part['first']) {
    for (const [one, ways] of before) for (const [other, more] of after) add(next[one]!, other, ways * more)
  }

  function sequence(one: Part, other: Part): Part {
    if (one === NOTHING) return other
    if (other === NOTHING) return one
    follow(one.last, other.first)
    return {
      first: joined(one.first, other.first, one.empty),
      last: joined(other.last, one.last, other.empty),
      empty: Math.min(one.empty * other.empty, MANY),
    }
  }

  /** One character, from `least` times to as often as there are copies. */
  function upTo(copies: Part[], least: number): Part {
    for (const [index, copy] of copies.entries()) if (index > 0) follow(copies[index - 1]!.last, copy.first)
    const last = copies.slice(Math.max(least - 1, 0)).flatMap((copy) => [...copy.last])
    return { first: copies[0]!.first, last: new Map(last), empty: least === 0 ? 1 : 0 }
  }

  function alternatives(): Part {
    let all = branch()
    while (source[at] === '|') {
      at++
      const other = branch()
      all = {
        first: joined(all.first, other.first),
        last: joined(all.last, other.last),
        empty: Math.min(all.empty + other.empty, MANY),
      }
    }
    return all
  }

  function branch(): Part {
    let whole = NOTHING
    while (at < source.length && source[at] !== '|' && source[at] !== ')') {
      const from = at
      const isGroup = source[at] === '('
      const single = term()
      const quantifier = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(source.slice(at))
      if (!quantifier) {
        whole = sequence(whole, single)
        continue
      }
      at += quantifier[0].length
      const end = at
      const [sign, least, comma, most] = quantifier
      const isOptional = sign.startsWith('*') || sign.startsWith('?') || least === '0'
      const bound = Number(comma === '' ? least : most)
      if (bound > 0 && bound <= EXACT_MAX && (!isGroup || comma === '')) {
        const copies = [single]
        while (copies.length < bound) {
          at = from
          copies.push(term())
        }
        at = end
        whole = sequence(whole, isGroup ? copies.reduce(sequence) : upTo(copies, Number(least)))
        continue
      }
      const isOnce = sign.startsWith('?') || (most === '1' && comma !== '')
      if (!isOnce) follow(single.last, single.first)
      // An engine begins no optional repetition that matches nothing.
      whole = sequence(whole, { ...single, empty: isOptional ? 1 : single.empty })
    }
    return whole
  }

  function term(): Part {
    const rest = source.slice(at)
    const group = /^\((?:\?(?:(<?[=!])|:|<\w+>))?/.exec(rest)
    if (group) {
      at += group[0].length
      if (group[1] !== undefined) {
        const end = endOfGroup(source, at)
        inner.push(source.slice(at, end))
        at = end + 1
        return NOTHING
      }
      const part = alternatives()
      at++
      return part
    }
    if (/^(?:\^|\\[bB])/.test(rest)) {
      at += rest.startsWith('\\') ? 2 : 1
      return NOTHING
    }
    if (rest.startsWith('$')) {
      at++
      return flags.includes('m') ? NOTHING : END
    }
    const atom = /^(?:\[(?:\\.|[^\]\\])*\]|\\(?:[pPu]\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|k<\w+>|.)|.)/su.exec(
      rest,
    )![0]
    at += atom.length
    return place(/^\\(?:[1-9]|k<)/.test(atom) ? '[^]' : atom)
  }

  alternatives()
  return { takes, next, inner }
}

const known = new Map<string, ReadonlySet<number>>()

function charactersOf(atom: string, flags: string): ReadonlySet<number> {
  const key = `${flags} ${atom}`
  let characters = known.get(key)
  if (characters) return characters
  const pattern = new RegExp(`^(?:${atom})$`, flags)
  characters = new Set(ALPHABET.flatMap((character, index) => (pattern.test(character) ? [index] : [])))
  known.set(key, characters)
  return characters
}

/** Exact repetitions up to here are written out: `(?:\d{2}){3}` is read in one way. */
const EXACT_MAX = 16

function add(ways: Map<number, number>, place: number, count: number) {
  if (count > 0) ways.set(place, Math.min((ways.get(place) ?? 0) + count, MANY))
}

function joined(one: Map<number, number>, other: Map<number, number>, times = 1): Map<number, number> {
  const all = new Map(one)
  for (const [place, ways] of other) add(all, place, ways * times)
  return all
}

function endOfGroup(source: string, from: number): number {
  let [at, depth] = [from, 1]
  for (; at < source.length; at++) {
    if (source[at] === '\\') at++
    else if (source[at] === '[') while (source[++at] !== ']') at += source[at] === '\\' ? 1 : 0
    else if (source[at] === '(') depth++
    else if (source[at] === ')' && --depth === 0) break
  }
  return at
}
