// From the names and ids of payers to the words that a search compares.

/** A word by which a payer is found, and the words of its name that it stands for: `from` up to, not including, `to`. */
export interface Term {
  text: string
  from: number
  to: number
}

/** Words that every third name has and nobody remembers. */
const FILLERS = new Set(['a', 'and', 'by', 'corp', 'for', 'from', 'inc', 'llc', 'ltd', 'of', 'the'])

const RESPELLED: Record<string, string[]> = {
  bluecross: ['blue', 'cross'],
  blueshield: ['blue', 'shield'],
  bluecrossblueshield: ['blue', 'cross', 'blue', 'shield'],
  unitedhealthcare: ['united', 'healthcare'],
}

/**
 * The words of a name as they are compared: small letters and digits, no accents, no punctuation, no fillers. A capital
 * within a word begins another one: `UnitedHealthcare` is two words.
 */
export function wordsOf(text: string): string[] {
  const words = plain(text.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replaceAll(/['’`]/g, ''))
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  const telling = words.filter((word) => !FILLERS.has(word))
  return (telling.length > 0 ? telling : words).flatMap((word) => RESPELLED[word] ?? word)
}

/** An id as it is compared: capitals, blanks and punctuation aside; leading zeros count. */
export function plainId(id: string): string {
  return plain(id).replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
}

/** Longer names are hardly written as one word. */
const WRITTEN_AS_ONE_MAX = 4

/** Every word by which a name is found: its own, neighbours written as one, and what is said instead of them. */
export function termsOf(name: string): { words: string[]; terms: Term[] } {
  const words = wordsOf(name)
  const terms = words.map((text, at) => ({ text, from: at, to: at + 1 }))
  for (let at = 0; at + 1 < words.length; at++) terms.push(joined(words, at, at + 2))
  if (words.length > 2 && words.length <= WRITTEN_AS_ONE_MAX) terms.push(joined(words, 0, words.length))
  const said = words.flatMap((word, at) => (phrasesAt.get(word) ?? []).flatMap((each) => saidAt(words, at, each, name)))
  const brand = said.find(({ from }) => from === 0)
  const place = said.find(({ to }) => to === words.length)
  // "bcbstx", as people write it.
  if (brand && place && brand.to === place.from)
    said.push({ text: brand.text + place.text, from: brand.from, to: place.to })
  return { words, terms: [...terms, ...said] }
}

function joined(words: string[], from: number, to: number): Term {
  return { text: words.slice(from, to).join(''), from, to }
}

interface Phrase {
  full: string[]
  short: string
  /** A code of two letters is one where it is written in capitals at the end: "in" and "or" are words. */
  isState?: true
}

/** What is said instead of the words that begin at `at`, if they are the phrase, long or short. */
function saidAt(words: string[], at: number, { full, short, isState }: Phrase, name: string): Term[] {
  if (full.every((word, index) => words[at + index] === word)) return [{ text: short, from: at, to: at + full.length }]
  if (words[at] !== short) return []
  const isCode = at === words.length - 1 && name.trimEnd().endsWith(short.toUpperCase())
  return isState && !isCode ? [] : full.map((text) => ({ text, from: at, to: at + 1 }))
}

const BRANDS: [short: string, full: string][] = [
  ['bcbs', 'blue cross blue shield'],
  ['uhc', 'united healthcare'],
  ['uhc', 'united health care'],
]

// USPS Publication 28, appendix B.
const STATES: Record<string, string> = {
  al: 'alabama',
  ak: 'alaska',
  az: 'arizona',
  ar: 'arkansas',
  ca: 'california',
  co: 'colorado',
  ct: 'connecticut',
  dc: 'district columbia',
  de: 'delaware',
  fl: 'florida',
  ga: 'georgia',
  hi: 'hawaii',
  ia: 'iowa',
  id: 'idaho',
  il: 'illinois',
  in: 'indiana',
  ks: 'kansas',
  ky: 'kentucky',
  la: 'louisiana',
  ma: 'massachusetts',
  md: 'maryland',
  me: 'maine',
  mi: 'michigan',
  mn: 'minnesota',
  mo: 'missouri',
  ms: 'mississippi',
  mt: 'montana',
  nc: 'north carolina',
  nd: 'north dakota',
  ne: 'nebraska',
  nh: 'new hampshire',
  nj: 'new jersey',
  nm: 'new mexico',
  nv: 'nevada',
  ny: 'new york',
  oh: 'ohio',
  ok: 'oklahoma',
  or: 'oregon',
  pa: 'pennsylvania',
  pr: 'puerto rico',
  ri: 'rhode island',
  sc: 'south carolina',
  sd: 'south dakota',
  tn: 'tennessee',
  tx: 'texas',
  ut: 'utah',
  va: 'virginia',
  vt: 'vermont',
  wa: 'washington',
  wi: 'wisconsin',
  wv: 'west virginia',
  wy: 'wyoming',
}

const PHRASES: Phrase[] = [
  ...BRANDS.map(([short, full]) => ({ short, full: full.split(' ') })),
  ...Object.entries(STATES).map(([short, full]) => ({ short, full: full.split(' '), isState: true as const })),
]

const phrasesAt = new Map<string, Phrase[]>()
for (const phrase of PHRASES) {
  for (const word of [phrase.short, phrase.full[0] as string])
    phrasesAt.set(word, [...(phrasesAt.get(word) ?? []), phrase])
}
