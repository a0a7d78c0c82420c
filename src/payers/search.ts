// Finds payers by what users remember: parts of a name, an id, an alias, with typing mistakes and swapped letters. Pure. Our own ranking:
// search libraries count a swap as two mistakes, and allow none at the beginning of a word or in a word that is written in two. Of the
// searches in search.test.ts, the best library got 97 in 100 right.
import type { DirectoryPayer } from './directory-payer.ts'
import type { IndexedName, IndexedTerm, PayerIndex } from './index-payers.ts'
import { findNear } from './near-terms.ts'
import { plainId, wordsOf } from './terms.ts'

export interface FoundPayer {
  payer: DirectoryPayer
  /** A whole number, 0 or more; higher is better. A name scores at most 1000; an exact match of an id adds more than that. */
  score: number
}

/** Longer texts are cut to this. Source: Stedi's own `query` has at most 200 characters. */
const QUERY_MAX = 200
const QUERY_WORDS_MAX = 10
/** A word typed with blanks in it has at most this many pieces: "united health care", "6005 4". */
const PIECES_MAX = 3
/** The minimum share of the query, by weight, that must match. */
const MATCH_MIN = 0.5
const OTHER_NAME = 0.97

/**
 * Every payer that matches the text, the best first; payers with the same score by name. A blank text returns all payers by name, with
 * score 0. Source: rules.md 13.7.
 */
export function findPayers(index: PayerIndex, query: string): FoundPayer[] {
  const text = query.slice(0, QUERY_MAX).trim()
  if (text === '') return index.payers.map((payer) => ({ payer, score: 0 }))
  const scores = scoreNames(index, wordsOf(text).slice(0, QUERY_WORDS_MAX))
  for (const [payer, score] of index.byId.get(plainId(text)) ?? []) scores.set(payer, (scores.get(payer) ?? 0) + score)
  return [...scores]
    .sort(([one, score], [other, otherScore]) => otherScore - score || one - other)
    .map(([at, score]) => ({ payer: index.payers[at] as DirectoryPayer, score }))
}

/** A piece of the query (one word, or several written as one) and the terms of the vocabulary that resemble it. */
interface Piece {
  from: number
  to: number
  hits: Hit[]
}

interface Hit {
  term: IndexedTerm
  likeness: number
}

/** The best score among each payer's names, by the payer's position. */
function scoreNames(index: PayerIndex, words: string[]): Map<number, number> {
  const pieces = piecesOf(index, words)
  const weights = words.map((_, at) => weightOf(pieces, at) ?? Math.log(1 + index.payers.length))
  const candidates = findCandidates(index, pieces, weights)
  const matches = pieces.map((piece) => matchCandidates(piece, candidates))
  const scores = new Map<number, number>()
  for (const [slot, name] of candidates.names.entries()) {
    const { payer, weight, isDisplayName } = index.names[name] as IndexedName
    const score = scoreName(slot, weight, matches, weights) * (isDisplayName ? 1 : OTHER_NAME)
    if (score > (scores.get(payer) ?? 0)) scores.set(payer, Math.max(1, Math.round(score)))
  }
  return scores
}

function piecesOf(index: PayerIndex, words: string[]): Piece[] {
  const pieces: Piece[] = []
  for (let from = 0; from < words.length; from++) {
    for (let to = from + 1; to <= Math.min(from + PIECES_MAX, words.length); to++) {
      const hits: Hit[] = []
      findNear(index.vocabulary, words.slice(from, to).join(''), (at, likeness) => {
        hits.push({ term: index.terms[at] as IndexedTerm, likeness })
      })
      if (hits.length > 0) pieces.push({ from, to, hits })
    }
  }
  return pieces
}

/** The weight of a query word is that of the most similar term. A word that resembles no term gets the greatest weight. */
function weightOf(pieces: Piece[], at: number): number | undefined {
  let best: Hit | undefined
  for (const { from, to, hits } of pieces) {
    if (from === at && to === at + 1) for (const hit of hits) if (!best || hit.likeness > best.likeness) best = hit
  }
  return best?.term.weight
}

/** The names to score, and for each name its slot among them, -1 for none. */
interface Candidates {
  names: number[]
  slots: Int32Array
}

/**
 * The names that can match at all. A name without any of the distinctive words cannot reach the minimum match and is not scored: "blue
 * cross of wyoming" does not score every name with "blue" in it.
 */
function findCandidates(index: PayerIndex, pieces: Piece[], weights: number[]): Candidates {
  const distinctive = new Set<number>()
  let rest = weights.reduce((sum, weight) => sum + weight, 0)
  const enough = rest * MATCH_MIN
  const byWeight = [...weights.entries()].sort(([, one], [, other]) => other - one)
  for (const [at, weight] of byWeight) {
    if (rest < enough) break
    distinctive.add(at)
    rest -= weight
  }
  const candidates: Candidates = { names: [], slots: new Int32Array(index.names.length).fill(-1) }
  for (const { from, to, hits } of pieces) {
    if (![...distinctive].some((at) => at >= from && at < to)) continue
    for (const { term } of hits) {
      for (const name of term.names) {
        if (candidates.slots[name] === -1) candidates.slots[name] = candidates.names.push(name) - 1
      }
    }
  }
  return candidates
}

/** How well a piece matches each candidate, by slot. */
interface Match {
  from: number
  to: number
  likeness: Float32Array
  /** The weight of the words of the name that it matches. */
  covered: Float32Array
}

function matchCandidates({ from, to, hits }: Piece, { names, slots }: Candidates): Match {
  const likeness = new Float32Array(names.length)
  const covered = new Float32Array(names.length)
  for (const { term, likeness: likely } of hits) {
    for (let at = 0; at < term.names.length; at++) {
      const slot = slots[term.names[at] as number] as number
      if (slot === -1 || likely <= (likeness[slot] as number)) continue
      likeness[slot] = likely
      covered[slot] = term.covered[at] as number
    }
  }
  return { from, to, likeness, covered }
}

/**
 * 0 to 1000. The query is split into the pieces that match the name best. The matched share of the query counts most; the matched share of
 * the name distinguishes `Aetna` from `Aetna Better Health of Texas`.
 */
function scoreName(slot: number, nameWeight: number, matches: Match[], weights: number[]): number {
  const matched = [0]
  const covered = [0]
  let total = 0
  for (const [at, weight] of weights.entries()) {
    total += weight
    matched.push(matched[at] as number)
    covered.push(covered[at] as number)
    for (const match of matches) {
      if (match.to !== at + 1 || match.likeness[slot] === 0) continue
      const before = matched[match.from] as number
      const own = weights.slice(match.from, match.to).reduce((sum, each) => sum + each, 0)
      const sum = before + own * (match.likeness[slot] as number)
      if (sum <= (matched[at + 1] as number)) continue
      matched[at + 1] = sum
      covered[at + 1] = (covered[match.from] as number) + (match.covered[slot] as number)
    }
  }
  const share = (matched.at(-1) as number) / total
  if (share < MATCH_MIN) return 0
  const shareOfName = nameWeight === 0 ? 1 : Math.min(1, (covered.at(-1) as number) / nameWeight)
  return 1000 * share ** 2 * (0.75 + 0.25 * shareOfName)
}
