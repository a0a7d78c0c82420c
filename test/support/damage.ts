// Damage to messages as caused by transmission errors, bad memory and faulty software, derived from a seed so that every case can be reproduced.

/** Returns numbers from 0 up to, not including, `below`. The same seed returns the same numbers. */
export type Dice = (below: number) => number

/** Mulberry32. Source: public domain, T. Ettinger. */
export function dice(seed: number): Dice {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

const PIECES = [
  ...[
    '~',
    '*',
    '^',
    ':',
    '\n',
    '\r\n',
    '|',
    ' ',
    '\0',
    '\ufeff',
    '\ud800',
    '\u00df',
    '~~',
    '**',
    '30',
    '1',
    '6',
    '.2',
    '-5',
  ],
  ...['9'.repeat(400), 'ISA', 'ISA*', 'IEA*1*1~', 'GE*1*1~', 'SE*1*1~', 'ST*271*2~', 'HL*1*1*22~', 'HL*1*1*23~', 'HL~'],
  ...[
    'NM1*IL*1*X~',
    'NM1*03~',
    'LS*2120~',
    'LE~',
    'AAA*N**42*R~',
    'AAA~',
    'TRN*2*X~',
    'EB~',
    'EB*6**30~',
    'III~',
    'BHT~',
  ],
]

const HOSTILE_ELEMENTS = [
  ...[
    '',
    ' ',
    '0',
    '1',
    '30',
    '30^98^ZZ',
    '99999999',
    '20260230',
    '20260101-20251231',
    '-1',
    '.',
    '1e9',
    'NaN',
    'null',
  ],
  ...['constructor', '__proto__', 'toString', '\u0000', '\u202e', '<b>', "'; --", '1:2:3:4:5:6:7:8:9', '7'.repeat(200)],
]

type Damage = (text: string, random: Dice, others: readonly string[]) => string

const damages: readonly Damage[] = [
  // A bit flips.
  (text, random) =>
    replaceAt(text, random(text.length), 1, (cut) => String.fromCharCode(cut.charCodeAt(0) ^ (1 << random(8)))),
  (text, random) => replaceAt(text, random(text.length), 1 + random(40), () => ''),
  (text, random) => replaceAt(text, random(text.length), 1 + random(200), (cut) => cut + cut),
  (text, random) => replaceAt(text, random(text.length), random(12), () => pick(PIECES, random)),
  (text, random) => text.slice(0, random(text.length)),
  (text, random, others) => {
    const other = pick(others, random)
    return text.slice(0, random(text.length)) + other.slice(random(other.length))
  },
  (text, random) => withSegments(text, (segments) => swap(segments, random(segments.length), random(segments.length))),
  (text, random) => withSegments(text, (segments) => segments.splice(random(segments.length), 1 + random(4))),
  (text, random) =>
    withSegments(text, (segments) => {
      const from = random(segments.length)
      segments.splice(random(segments.length), 0, ...segments.slice(from, from + 1 + random(6)))
    }),
  (text, random) =>
    withSegments(text, (segments) => {
      const index = random(segments.length)
      const elements = (segments[index] ?? '').split('*')
      elements[random(elements.length + 2)] = pick(HOSTILE_ELEMENTS, random)
      segments[index] = elements.join('*')
    }),
]

/** The text with one to four kinds of damage. */
export function damage(text: string, random: Dice, others: readonly string[]): string {
  let damaged = text
  for (let times = 1 + random(4); times > 0; times -= 1) damaged = pick(damages, random)(damaged, random, others)
  return damaged
}

/** Replaces some letters and digits outside EB and the envelope: no segment begins, ends or changes its kind. */
export function damageDetails(text: string, random: Dice): string {
  const segments = text.split('~')
  for (let times = 1 + random(6); times > 0; times -= 1) {
    const index = random(segments.length)
    const segment = segments[index]!
    if (/^\s*(EB|ISA|GS|ST|SE|GE|IEA|HL|LS|LE)\b/.test(segment)) continue
    const first = segment.indexOf('*') + 1
    const at = first + random(Math.max(1, segment.length - first))
    if (first === 0 || !/^[A-Z0-9]$/i.test(segment[at] ?? '')) continue
    segments[index] = replaceAt(segment, at, 1, () => pick([...'ABEINQ0123456789'], random))
  }
  return segments.join('~')
}

/** Meaningless bytes, sometimes with a piece of X12 among them. */
export function noise(random: Dice): string {
  let text = random(2) === 0 ? `ISA*00*          *00*          *ZZ*A*ZZ*B*260601*1200*^*00501*000000001*0*P*:~` : ''
  for (let pieces = random(40); pieces > 0; pieces -= 1) {
    text +=
      random(3) === 0 ? pick(PIECES, random) : String.fromCharCode(...Array.from({ length: 8 }, () => random(256)))
  }
  return text
}

export function pick<Item>(items: readonly Item[], random: Dice): Item {
  return items[random(items.length)]!
}

function replaceAt(text: string, at: number, length: number, make: (cut: string) => string): string {
  const cut = text.slice(at, at + length)
  return cut === '' ? text : text.slice(0, at) + make(cut) + text.slice(at + length)
}

function withSegments(text: string, change: (segments: string[]) => void): string {
  const terminator = text.includes('~') ? '~' : '\n'
  const segments = text.split(terminator)
  change(segments)
  return segments.join(terminator)
}

function swap(items: string[], one: number, other: number): void {
  const [first, second] = [items[one]!, items[other]!]
  items[one] = second
  items[other] = first
}
