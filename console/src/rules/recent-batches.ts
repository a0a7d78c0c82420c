// The batches that a user has started in this browser, so that a batch whose page was left is found again. They name no patient.

interface RecentBatch {
  id: string
  /** The number of patients. */
  of: number
  /** When it was started, as an instant. */
  at: string
}

const KEPT = 10

/** @returns an empty list for a text that this module did not write */
export function readRecent(stored: string | undefined): RecentBatch[] {
  try {
    const list: unknown = JSON.parse(stored ?? '[]')
    return Array.isArray(list) ? list.filter(isBatch) : []
  } catch {
    return []
  }
}

export const addRecent = (stored: string | undefined, batch: RecentBatch): string =>
  JSON.stringify([batch, ...readRecent(stored)].slice(0, KEPT))

function isBatch(value: unknown): value is RecentBatch {
  const { id, of, at } = (value ?? {}) as Record<string, unknown>
  return typeof id === 'string' && typeof of === 'number' && typeof at === 'string'
}
