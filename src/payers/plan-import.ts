// Computes the changes that an import makes to the directory, before anything is written. Pure.
import { isDeepStrictEqual } from 'node:util'
import { withoutUndefined } from '../contract/without-undefined.ts'
import type { DirectoryPayer } from './directory-payer.ts'
import { generatePayerId } from './generated-id.ts'

/** A payer of a list. A missing field stays unchanged in the directory; a field that is undefined is cleared. */
export type PayerUpdate = Partial<DirectoryPayer> & Pick<DirectoryPayer, 'primary_payer_id' | 'display_name'>

/** `has_made_up_id`: the list it was imported from has no Stedi ids. */
export interface StoredPayer extends DirectoryPayer {
  has_made_up_id: boolean
}

export interface ImportCounts {
  added: number
  changed: number
  unchanged: number
  removed: number
}

interface ImportPlan {
  /** Replace the stored payers with the same ids. */
  written: StoredPayer[]
  /** Ids that no payer has any more. */
  removed: string[]
  counts: ImportCounts
}

/**
 * An update applies to the payer with its Stedi id; without one in the list, to the payer with its payer id. An id that we made up yields
 * to the Stedi id that a list states for the payer, and to the payer whose real id it is. With `replace`, payers without an update are
 * removed.
 */
export function planImport(
  stored: StoredPayer[],
  updates: PayerUpdate[],
  { replace = false }: { replace?: boolean } = {},
): ImportPlan {
  const draft = new Draft(stored)
  const ownIds = new Set(updates.flatMap(({ stedi_id }) => stedi_id ?? []))
  const freeId = (payerId: string) => generatePayerId(payerId, (id) => ownIds.has(id) || draft.withId(id) !== undefined)

  for (const update of updates) {
    if (update.stedi_id === undefined) continue
    const holder = draft.withId(update.stedi_id)
    const isOtherPayer = holder?.payer.has_made_up_id && holder.payer.primary_payer_id !== update.primary_payer_id
    if (holder && isOtherPayer)
      draft.put({ ...holder.payer, stedi_id: freeId(holder.payer.primary_payer_id) }, holder, holder.isNamed)
    const madeUp = draft.withPayerId(update.primary_payer_id).find(({ payer }) => payer.has_made_up_id)
    const same = isOtherPayer ? madeUp : (holder ?? madeUp)
    draft.put({ ...empty, ...same?.payer, ...update, stedi_id: update.stedi_id, has_made_up_id: false }, same, true)
  }
  for (const update of updates) {
    if (update.stedi_id !== undefined) continue
    const [same] = draft.withPayerId(update.primary_payer_id)
    const { stedi_id, has_made_up_id } = same?.payer ?? {
      stedi_id: freeId(update.primary_payer_id),
      has_made_up_id: true,
    }
    draft.put({ ...empty, ...same?.payer, ...update, stedi_id, has_made_up_id }, same, true)
  }
  return compare(stored, draft.entries(replace))
}

const empty = { aliases: [], names: [], transaction_support: {} }

interface Entry {
  payer: StoredPayer
  /** The payer as stored in the directory; undefined for a new payer. */
  origin: StoredPayer | undefined
  /** True when the imported list has the payer. */
  isNamed: boolean
}

/** The directory after the import. */
class Draft {
  private readonly byId = new Map<string, Entry>()
  private readonly byPayerId = new Map<string, Set<Entry>>()

  constructor(stored: StoredPayer[]) {
    for (const payer of stored) this.add({ payer, origin: payer, isNamed: false })
  }

  withId(id: string): Entry | undefined {
    return this.byId.get(id)
  }

  /** Two payers may share a payer id, which is why Stedi has ids of its own. */
  withPayerId(payerId: string): Entry[] {
    return [...(this.byPayerId.get(payerId) ?? [])]
  }

  /** Replaces an entry by a payer, or adds the payer. */
  put(payer: StoredPayer, before: Entry | undefined, isNamed: boolean): void {
    if (before) {
      this.byId.delete(before.payer.stedi_id)
      this.byPayerId.get(before.payer.primary_payer_id)?.delete(before)
    }
    this.add({ payer, origin: before?.origin, isNamed })
  }

  entries(areNamedOnly: boolean): Entry[] {
    return [...this.byId.values()].filter(({ isNamed }) => isNamed || !areNamedOnly)
  }

  private add(entry: Entry): void {
    const { stedi_id, primary_payer_id } = entry.payer
    this.byId.set(stedi_id, entry)
    const sharing = this.byPayerId.get(primary_payer_id) ?? new Set()
    this.byPayerId.set(primary_payer_id, sharing.add(entry))
  }
}

function compare(stored: StoredPayer[], entries: Entry[]): ImportPlan {
  const isChanged = ({ payer, origin }: Entry) => !isDeepStrictEqual(withoutUndefined(payer), origin)
  const written = entries.filter(isChanged)
  const ids = new Set(entries.map(({ payer }) => payer.stedi_id))
  const retained = entries.filter(({ origin }) => origin).length
  const named = entries.filter(({ isNamed }) => isNamed).length
  const added = entries.length - retained
  return {
    written: written.map(({ payer }) => withoutUndefined(payer)),
    removed: stored.map(({ stedi_id }) => stedi_id).filter((id) => !ids.has(id)),
    counts: {
      added,
      changed: written.length - added,
      unchanged: named - written.filter(({ isNamed }) => isNamed).length,
      removed: stored.length - retained,
    },
  }
}
