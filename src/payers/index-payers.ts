// The search index: names by term, payers by id.
import { setImmediate as breathe } from 'node:timers/promises'
import type { DirectoryPayer } from './directory-payer.ts'
import { type Vocabulary, vocabularyOf } from './near-terms.ts'
import { plainId, type Term, termsOf } from './terms.ts'

export interface PayerIndex {
  /** In the order of `byName`. */
  payers: readonly DirectoryPayer[]
  /** By plain id: the positions in `payers` of those that have it, and the score of an exact match. */
  byId: ReadonlyMap<string, ReadonlyMap<number, number>>
  names: readonly IndexedName[]
  vocabulary: Vocabulary
  /** By position in the vocabulary. */
  terms: readonly IndexedTerm[]
}

export interface IndexedName {
  /** Its position in `payers`. */
  payer: number
  /** The sum over all its words. */
  weight: number
  isDisplayName: boolean
}

export interface IndexedTerm {
  /** How distinctive the term is: the fewer payers have it, the greater. */
  weight: number
  /** The positions in `names` of the names that have it. */
  names: Int32Array
  /** For each of these names, the weight of the words that the term covers there. */
  covered: Float32Array
}

/** Score added for an exact match of an id: always more than any name can reach (`findPayers`). */
const ID_SCORES = { primary: 3000, stedi: 2000, alias: 1000 } as const

/** The order of the list, and of payers with the same score. */
export function byName(one: NamedPayer, other: NamedPayer): number {
  const byId = one.stedi_id === other.stedi_id ? 0 : one.stedi_id < other.stedi_id ? -1 : 1
  return collator.compare(one.display_name, other.display_name) || byId
}
type NamedPayer = Pick<DirectoryPayer, 'display_name' | 'stedi_id'>
const collator = new Intl.Collator('en', { numeric: true })

/** Yields to other requests after this many payers or terms: indexing a directory of 10,000 payers takes about a second. */
const TURN = 1000

/** The list may be in any order. Yields to other requests while it works. */
export async function indexPayers(list: readonly DirectoryPayer[]): Promise<PayerIndex> {
  const payers = list.toSorted(byName)
  const { names, drafts } = await readNames(payers)
  const weightOf = (word: string) => Math.log(1 + payers.length / (drafts.get(word)?.payers ?? 1))
  const sums = names.map(({ words }) => runningSums(words.map(weightOf)))
  await breathe()
  const vocabulary = vocabularyOf([...drafts.keys()].sort())
  const terms: IndexedTerm[] = []
  for (const word of vocabulary.words) {
    if (terms.length % TURN === 0) await breathe()
    terms.push(finish(drafts.get(word) as Draft, weightOf(word), sums))
  }
  return {
    payers,
    byId: indexIds(payers),
    names: names.map(({ payer, isDisplayName }, at) => ({ payer, isDisplayName, weight: sums[at]?.at(-1) ?? 0 })),
    vocabulary,
    terms,
  }
}

async function readNames(payers: DirectoryPayer[]) {
  const drafts = new Map<string, Draft>()
  const names: { payer: number; isDisplayName: boolean; words: string[] }[] = []
  for (const [payer, { display_name, names: others, ...ids }] of payers.entries()) {
    if (payer % TURN === 0) await breathe()
    for (const name of new Set([display_name, ...others])) {
      const isDisplayName = name === display_name
      const { words, terms } = termsOf(name)
      // An id covers no word of the name.
      if (isDisplayName) terms.push(...idsOf(ids).map(([text]) => ({ text, from: 0, to: 0 })))
      for (const term of terms) note(drafts, term, names.length, payer)
      names.push({ payer, isDisplayName, words })
    }
  }
  return { names, drafts }
}

/** A term while the names are read: the number of payers that have it, and triples of name, `from` and `to`. */
interface Draft {
  payers: number
  lastPayer: number
  places: number[]
}

function note(drafts: Map<string, Draft>, { text, from, to }: Term, name: number, payer: number): void {
  let draft = drafts.get(text)
  if (!draft) {
    draft = { payers: 0, lastPayer: -1, places: [] }
    drafts.set(text, draft)
  }
  if (draft.lastPayer !== payer) draft.payers++
  draft.lastPayer = payer
  draft.places.push(name, from, to)
}

function finish({ places }: Draft, weight: number, sums: number[][]): IndexedTerm {
  const count = places.length / 3
  const term = { weight, names: new Int32Array(count), covered: new Float32Array(count) }
  for (let at = 0; at < count; at++) {
    const [name = 0, from = 0, to = 0] = places.slice(at * 3, at * 3 + 3)
    term.names[at] = name
    term.covered[at] = (sums[name]?.[to] ?? 0) - (sums[name]?.[from] ?? 0)
  }
  return term
}

/** 0, the first number, the sum of the first two, …, the sum of all. */
function runningSums(numbers: number[]): number[] {
  const sums = [0]
  for (const number of numbers) sums.push((sums.at(-1) ?? 0) + number)
  return sums
}

type Ids = Pick<DirectoryPayer, 'primary_payer_id' | 'stedi_id' | 'aliases'>

function idsOf({ primary_payer_id, stedi_id, aliases }: Ids): [id: string, score: number][] {
  const ids: [string, number][] = [
    ...aliases.map((alias): [string, number] => [plainId(alias), ID_SCORES.alias]),
    [plainId(stedi_id), ID_SCORES.stedi],
    [plainId(primary_payer_id), ID_SCORES.primary],
  ]
  return ids.filter(([id]) => id !== '')
}

function indexIds(payers: readonly DirectoryPayer[]): Map<string, Map<number, number>> {
  const byId = new Map<string, Map<number, number>>()
  for (const [at, payer] of payers.entries()) {
    for (const [id, score] of idsOf(payer)) {
      const found = byId.get(id)
      // Ids are listed by ascending score, so the highest score wins.
      if (found) found.set(at, score)
      else byId.set(id, new Map([[at, score]]))
    }
  }
  return byId
}
