// The payers that a file names: a practice's export has the payer's name more often than its ID.
import type { StediPayer } from '../api/generated.ts'
import { cellOf, type Line } from './batch-file.ts'

/** A payer that is named in a file, with the number of its rows. */
export interface NamedPayer {
  text: string
  rows: number
}

/** Beyond this many names, the column is more likely to hold something else. */
export const NAMES_MAX = 50

/** A payer ID has a digit and no blank. Any other text of the column is a name. */
export const isPayerId = (text: string) => /^\S*\d\S*$/.test(text)

/** @returns each name once, as it is written first, the most frequent first */
export function namesIn(rows: readonly Line[], place: number): NamedPayer[] {
  const found = new Map<string, NamedPayer>()
  for (const { cells } of rows) {
    const text = cellOf(cells, place)
    if (text === '' || isPayerId(text)) continue
    const named = found.get(plainName(text)) ?? { text, rows: 0 }
    found.set(plainName(text), { ...named, rows: named.rows + 1 })
  }
  return [...found.values()].sort((a, b) => b.rows - a.rows).slice(0, NAMES_MAX)
}

/** Two spellings of a name are one payer: case, blanks and punctuation do not distinguish them. */
export const plainName = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** The only payer with exactly this name or ID; none when several payers have it, or none. */
export function payerNamed(text: string, payers: readonly StediPayer[]): StediPayer | undefined {
  const plain = plainName(text)
  const same = payers.filter(({ display_name, primary_payer_id, names, aliases }) =>
    [display_name, primary_payer_id, ...names, ...aliases].some((name) => plainName(name) === plain),
  )
  return same.length === 1 ? same[0] : undefined
}

/** The payers that a user chose for names in files, by plain name; an empty ID leaves the rows out. */
type ChosenPayers = Record<string, ChosenPayer>

export interface ChosenPayer {
  id: string
  name: string
}

const KEPT = 200

/** @returns no choices for a text that this module did not write */
export function readChosen(stored: string | undefined): ChosenPayers {
  try {
    const entries = Object.entries(JSON.parse(stored ?? '{}') as Record<string, unknown>)
    return Object.fromEntries(entries.filter((entry): entry is [string, ChosenPayer] => isChosen(entry[1])))
  } catch {
    return {}
  }
}

export function addChosen(stored: string | undefined, text: string, payer: ChosenPayer): string {
  const others = Object.entries(readChosen(stored)).filter(([name]) => name !== plainName(text))
  return JSON.stringify(Object.fromEntries([...others, [plainName(text), payer]].slice(-KEPT)))
}

function isChosen(value: unknown): boolean {
  const { id, name } = (value ?? {}) as Record<string, unknown>
  return typeof id === 'string' && typeof name === 'string'
}
