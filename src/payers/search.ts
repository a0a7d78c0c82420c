// Finds payers by what people remember of them: parts of a name, an id, an alias, with typing mistakes and swapped letters.
// Pure. Our own ranking, because those of search libraries count a swap as two mistakes and forgive none in the beginning of
// a word or where a word is written in two: of the searches in search.test.ts the best of them had 97 in 100 right.
import type { DirectoryPayer } from './directory-payer.ts'
import type { IndexedName, IndexedTerm, PayerIndex } from './index-payers.ts'
import { findNear } from './near-terms.ts'
import { plainId, wordsOf } from './terms.ts'

export interface FoundPayer {
  payer: DirectoryPayer
  /** A whole number from 0 up; higher is better. A name has at most 1000; an id that is met exactly adds more than that. */
  score: number
}

/** Longer texts are not looked at beyond this. Source: Stedi's own `query` has at most 200 characters. */
const QUERY_MAX = 200
const QUERY_WORDS_MAX = 10
/** Typed with blanks in it, a word is at most so many pieces: "united health care", "6005 4". */
const PIECES_MAX = 3
/** The share of what was typed that must be met, by weight. */
const MET_MIN = 0.5
const OTHER_NAME = 0.97

/**
 * Every payer that answers to the text, the best first; payers with the same score by name. A blank text is answered with all
 * of them by name, at score 0. Source: rules.md 13.7.
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

/** A piece of the query, one word or a few written as one, and what the vocabulary has that is like it. */
interface Piece {
  from: number
  to: number
  hits: Hit[]
}

interface Hit {
  term: IndexedTerm
  likeness: number
}

/** The best score of each payer's names, by the payer's place. */
function scoreNames(index: PayerIndex, words: string[]): Map<number, number> {
  const pieces = piecesOf(index, words)
  const weights = words.map((_, at) => weightOf(pieces, at) ?? Math.log(1 + index.payers.length))
  const candidates = findCandidates(index, pieces, weights)
  const meetings = pieces.map((piece) => meet(piece, candidates))
  const scores = new Map<number, number>()
  for (const [slot, name] of candidates.names.entries()) {
    const { payer, weight, isDisplayName } = index.names[name] as IndexedName
    const score = scoreName(slot, weight, meetings, weights) * (isDisplayName ? 1 : OTHER_NAME)
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

/** How much a word of the query tells: as much as the term that is most like it. What nothing is like tells most. */
function weightOf(pieces: Piece[], at: number): number | undefined {
  let best: Hit | undefined
  for (const { from, to, hits } of pieces) {
    if (from === at && to === at + 1) for (const hit of hits) if (!best || hit.likeness > best.likeness) best = hit
  }
  return best?.term.weight
}

/** The names that are looked at, and by name the slot that it has among them, -1 for none. */
interface Candidates {
  names: number[]
  slots: Int32Array
}

/**
 * The names that can be met at all. What has none of the telling words, without which the others are not enough, is not looked
 * at: "blue cross of wyoming" does not score every name with "blue" in it.
 */
function findCandidates(index: PayerIndex, pieces: Piece[], weights: number[]): Candidates {
  const telling = new Set<number>()
  let rest = weights.reduce((sum, weight) => sum + weight, 0)
  const enough = rest * MET_MIN
  const byWeight = [...weights.entries()].sort(([, one], [, other]) => other - one)
  for (const [at, weight] of byWeight) {
    if (rest < enough) break
    telling.add(at)
    rest -= weight
  }
  const candidates: Candidates = { names: [], slots: new Int32Array(index.names.length).fill(-1) }
  for (const { from, to, hits } of pieces) {
    if (![...telling].some((at) => at >= from && at < to)) continue
    for (const { term } of hits) {
      for (const name of term.names) {
        if (candidates.slots[name] === -1) candidates.slots[name] = candidates.names.push(name) - 1
      }
    }
  }
  return candidates
}

/** How well a piece meets each candidate, by slot. */
interface Meeting {
  from: number
  to: number
  likeness: Float32Array
  /** The weight of what it meets in the name. */
  covered: Float32Array
}

function meet({ from, to, hits }: Piece, { names, slots }: Candidates): Meeting {
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
 * 0 to 1000. The query is read as the pieces that meet the name best. What is met of the query counts most; what is met of the
 * name tells `Aetna` from `Aetna Better Health of Texas`.
 */
function scoreName(slot: number, nameWeight: number, meetings: Meeting[], weights: number[]): number {
  const met = [0]
  const covered = [0]
  let asked = 0
  for (const [at, weight] of weights.entries()) {
    asked += weight
    met.push(met[at] as number)
    covered.push(covered[at] as number)
    for (const meeting of meetings) {
      if (meeting.to !== at + 1 || meeting.likeness[slot] === 0) continue
      const before = met[meeting.from] as number
      const own = weights.slice(meeting.from, meeting.to).reduce((sum, each) => sum + each, 0)
      const sum = before + own * (meeting.likeness[slot] as number)
      if (sum <= (met[at + 1] as number)) continue
      met[at + 1] = sum
      covered[at + 1] = (covered[meeting.from] as number) + (meeting.covered[slot] as number)
    }
  }
  const share = (met.at(-1) as number) / asked
  if (share < MET_MIN) return 0
  const shareOfName = nameWeight === 0 ? 1 : Math.min(1, (covered.at(-1) as number) / nameWeight)
  return 1000 * share ** 2 * (0.75 + 0.25 * shareOfName)
}
