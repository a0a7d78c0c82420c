// Pages of a ranking by payer instead of by offset: an import that adds or removes payers neither skips nor repeats any on the next page.
import type { PagePosition } from '../platform/http/page-token.ts'
import type { DirectoryPayer } from './directory-payer.ts'
import { byName } from './index-payers.ts'
import type { FoundPayer } from './search.ts'

interface FoundPage {
  items: FoundPayer[]
  next: PagePosition | undefined
  prev: PagePosition | undefined
}

/** At most `limit` payers after or before the position; a limit of 0 has no neighboring pages. */
export function pageOfRanking(ranking: FoundPayer[], limit: number, position: PagePosition | undefined): FoundPage {
  const bounds = position && boundsOf(ranking, position)
  const from = !bounds ? 0 : position?.direction === 'next' ? bounds.after : Math.max(0, bounds.before - limit)
  const to = bounds && position?.direction === 'prev' ? bounds.before : from + limit
  const items = ranking.slice(from, to)
  const at = (direction: PagePosition['direction'], found: FoundPayer | undefined) =>
    found && { direction, ...keyOf(found), total: ranking.length }
  return {
    items,
    next: to < ranking.length ? at('next', items.at(-1)) : undefined,
    prev: from > 0 ? at('prev', items[0]) : undefined,
  }
}

function keyOf({ score, payer }: FoundPayer): { value: string; id: string } {
  return { value: JSON.stringify([score, payer.display_name]), id: payer.stedi_id }
}

/** How many payers precede the position's payer, without and with it; for a removed payer, its former place. */
function boundsOf(ranking: FoundPayer[], { value, id }: PagePosition): { before: number; after: number } {
  const place = ranking.findIndex(({ payer }) => payer.stedi_id === id)
  if (place !== -1) return { before: place, after: place + 1 }
  const [score, display_name] = JSON.parse(value ?? '[0,""]') as [number, string]
  const gone = { score, payer: { display_name, stedi_id: id } }
  const later = ranking.findIndex((found) => compare(found, gone) > 0)
  const before = later === -1 ? ranking.length : later
  return { before, after: before }
}

type Ranked = { score: number; payer: Pick<DirectoryPayer, 'display_name' | 'stedi_id'> }

function compare(one: Ranked, other: Ranked): number {
  return other.score - one.score || byName(one.payer, other.payer)
}
