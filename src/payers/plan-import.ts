// What an import does to the directory, decided before anything is written. Pure.
import { isDeepStrictEqual } from 'node:util'
import type { DirectoryPayer } from './directory-payer.ts'
import { makeUpId } from './made-up-id.ts'

/** A payer of a list. A field that it does not have stays as it is in the directory; one that is undefined goes. */
export type PayerUpdate = Partial<DirectoryPayer> & Pick<DirectoryPayer, 'primary_payer_id' | 'display_name'>

/** `has_made_up_id`: the list that it came from has no Stedi ids. */
export interface StoredPayer extends DirectoryPayer {
  has_made_up_id: boolean
}

export interface ImportCounts {
  added: number
  changed: number
  unchanged: number
  removed: number
}

export interface ImportPlan {
  /** To be stored in the place of what has their ids now. */
  written: StoredPayer[]
  /** Ids that nobody has any more. */
  removed: string[]
  counts: ImportCounts
}

/**
 * An update means the payer that has its Stedi id; where its list has none, the payer that has its payer id. A Stedi id that we
 * made up gives way to the one that a list brings for the payer, and to the payer whose id it really is. With `replace`, who is
 * in no update goes.
 */
export function planImport(
  stored: StoredPayer[],
  updates: PayerUpdate[],
  { replace = false }: { replace?: boolean } = {},
): ImportPlan {
  const draft = new Draft(stored)
  const ownIds = new Set(updates.flatMap(({ stedi_id }) => stedi_id ?? []))
  const freeId = (payerId: string) => makeUpId(payerId, (id) => ownIds.has(id) || draft.withId(id) !== undefined)

  for (const update of updates) {
    if (update.stedi_id === undefined) continue
    const holder = draft.withId(update.stedi_id)
    const isStranger = holder?.payer.has_made_up_id && holder.payer.primary_payer_id !== update.primary_payer_id
    if (holder && isStranger)
      draft.put({ ...holder.payer, stedi_id: freeId(holder.payer.primary_payer_id) }, holder, holder.isNamed)
    const ours = draft.withPayerId(update.primary_payer_id).find(({ payer }) => payer.has_made_up_id)
    const same = isStranger ? ours : (holder ?? ours)
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
  /** What it is in the directory as it stands; undefined for a new payer. */
  origin: StoredPayer | undefined
  /** In the list that is imported. */
  isNamed: boolean
}

/** The directory as it will be. */
class Draft {
  private readonly byId = new Map<string, Entry>()
  private readonly byPayerId = new Map<string, Set<Entry>>()

  constructor(stored: StoredPayer[]) {
    for (const payer of stored) this.add({ payer, origin: payer, isNamed: false })
  }

  withId(id: string): Entry | undefined {
    return this.byId.get(id)
  }

  /** Two payers may share a payer id: Stedi's own ids exist for that. */
  withPayerId(payerId: string): Entry[] {
    return [...(this.byPayerId.get(payerId) ?? [])]
  }

  /** Puts a payer in the place of what it was. */
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
  const isChanged = ({ payer, origin }: Entry) => !isDeepStrictEqual(withoutGaps(payer), origin)
  const written = entries.filter(isChanged)
  const ids = new Set(entries.map(({ payer }) => payer.stedi_id))
  const kept = entries.filter(({ origin }) => origin).length
  const named = entries.filter(({ isNamed }) => isNamed).length
  const added = entries.length - kept
  return {
    written: written.map(({ payer }) => withoutGaps(payer)),
    removed: stored.map(({ stedi_id }) => stedi_id).filter((id) => !ids.has(id)),
    counts: {
      added,
      changed: written.length - added,
      unchanged: named - written.filter(({ isNamed }) => isNamed).length,
      removed: stored.length - kept,
    },
  }
}

function withoutGaps(payer: StoredPayer): StoredPayer {
  return Object.fromEntries(Object.entries(payer).filter(([, value]) => value !== undefined)) as unknown as StoredPayer
}
