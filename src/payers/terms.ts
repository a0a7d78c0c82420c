// Turns names and ids of payers into the terms that a search compares.

/** A term that finds a payer, and the words of the payer's name that it covers: from `from` up to, not including, `to`. */
export interface Term {
  text: string
  from: number
  to: number
}

/** Words that are in many names and that users leave out. */
const FILLERS = new Set(['a', 'and', 'by', 'corp', 'for', 'from', 'inc', 'llc', 'ltd', 'of', 'the'])

const RESPELLED: Record<string, string[]> = {
  bluecross: ['blue', 'cross'],
  blueshield: ['blue', 'shield'],
  bluecrossblueshield: ['blue', 'cross', 'blue', 'shield'],
  unitedhealthcare: ['united', 'healthcare'],
}

/**
 * The words of a name in normalized form: lower-case letters and digits, no accents, no punctuation, no fillers. A capital within a word
 * begins another word: `UnitedHealthcare` is two words.
 */
export function wordsOf(text: string): string[] {
  const words = plain(text.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replaceAll(/['’`]/g, ''))
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  const distinctive = words.filter((word) => !FILLERS.has(word))
  return (distinctive.length > 0 ? distinctive : words).flatMap((word) => RESPELLED[word] ?? word)
}

/** An id in normalized form: case, blanks and punctuation are ignored; leading zeros count. */
export function plainId(id: string): string {
  return plain(id).replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
}

/** Longer names are seldom written as one word. */
const WRITTEN_AS_ONE_MAX = 4

/** Every term that finds a name: its own words, adjacent words written as one, and abbreviations of them. */
export function termsOf(name: string): { words: string[]; terms: Term[] } {
  const words = wordsOf(name)
  const terms = words.map((text, at) => ({ text, from: at, to: at + 1 }))
  for (let at = 0; at + 1 < words.length; at++) terms.push(joined(words, at, at + 2))
  if (words.length > 2 && words.length <= WRITTEN_AS_ONE_MAX) terms.push(joined(words, 0, words.length))
  const abbreviations = words.flatMap((word, at) =>
    (phrasesAt.get(word) ?? []).flatMap((each) => abbreviationsAt(words, at, each, name)),
  )
  const brand = abbreviations.find(({ from }) => from === 0)
  const place = abbreviations.find(({ to }) => to === words.length)
  // A brand and a state written as one: "bcbstx".
  if (brand && place && brand.to === place.from)
    abbreviations.push({ text: brand.text + place.text, from: brand.from, to: place.to })
  return { words, terms: [...terms, ...abbreviations] }
}

function joined(words: string[], from: number, to: number): Term {
  return { text: words.slice(from, to).join(''), from, to }
}

interface Phrase {
  full: string[]
  short: string
  /** A two-letter state code counts only in capitals at the end of a name: "in" and "or" are words. */
  isState?: true
}

/** The other form of the phrase, full or short, if it begins at `at`. */
function abbreviationsAt(words: string[], at: number, { full, short, isState }: Phrase, name: string): Term[] {
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
