// The form in which the words of payers are listed, and how a text is searched for them.

/** Words that state one thing, as payers write them. */
interface PhraseGroup {
  /** What a text with these words states. */
  meaning: string
  /** Whose words they are: payers, guides, laws, decisions. */
  source: string
  /** A text has one of these. Texts are in capitals without accents (payer-text.ts). */
  says: readonly (RegExp | SplitPhrase)[]
  /** A rule by which a text states it, where no list can (denial-grammar.ts). */
  holds?: (text: string) => boolean
  /** A text with one of these is a condition, or about something else. */
  unless?: readonly RegExp[]
  /** Texts that state it. */
  examples: readonly string[]
  /** Texts that resemble them and state no such thing. */
  counterexamples: readonly string[]
}

/** Characters of a text that labels a figure. A longer one is a sentence. */
export const LONGEST_LABEL = 60

/** Words before and after the first occurrence of others. One pattern for it takes quadratic time over hostile texts. */
interface SplitPhrase {
  at: RegExp
  before: readonly RegExp[]
  after: readonly RegExp[]
}

export interface Phrases extends PhraseGroup {
  /** All patterns of `says` that are not split, in one, so that a text is searched once; undefined if all are split. */
  any: RegExp | undefined
  splits: readonly SplitPhrase[]
}

/** Prepares a group for `states` and `mentions`, once, when its file is loaded. */
export function phrases(group: PhraseGroup): Phrases {
  const patterns = group.says.flatMap((each) => (each instanceof RegExp ? [each] : []))
  const splits = group.says.flatMap((each) => (each instanceof RegExp ? [] : [each]))
  return { ...group, any: patterns.length === 0 ? undefined : anyOf(patterns), splits }
}

/** One pattern for texts that match one of several. The names of its groups are dropped, because they could repeat. */
export function anyOf(patterns: readonly RegExp[]): RegExp {
  const [first] = patterns
  if (patterns.length === 1 && first) return first
  const sources = patterns.map(({ source }) => `(?:${source.replaceAll(/\(\?<[A-Za-z]\w*>/g, '(?:')})`)
  return new RegExp(sources.join('|'), first?.flags)
}

/**
 * Characters in which words are searched for. A sentence has at most 300, and a few more when its days are written out (payer-text.ts); a name of a
 * plan in JSON may have any number, of which some patterns take the square. decisions/0020-bounded-work.md
 */
const LONGEST_READ = 400

/** True when a text states the meaning of the group. */
export function states(group: Phrases, whole: string): boolean {
  const text = whole.slice(0, LONGEST_READ)
  return mentions(group, text) && !(group.unless?.some((each) => each.test(text)) ?? false)
}

/** True when a text has words of the group, whatever else it has. */
export function mentions({ any, splits, holds }: Phrases, whole: string): boolean {
  const text = whole.slice(0, LONGEST_READ)
  return (any?.test(text) ?? false) || (holds?.(text) ?? false) || splits.some((split) => isSplit(split, text))
}

function isSplit({ at, before, after }: SplitPhrase, text: string): boolean {
  const place = text.search(at)
  if (place < 0) return false
  const [head, tail] = [text.slice(0, place), text.slice(place)]
  return before.every((each) => each.test(head)) && after.every((each) => each.test(tail))
}
