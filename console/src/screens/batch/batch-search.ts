export interface BatchSearch {
  /** How many patients the batch was started with. */
  of?: number
}

export function readBatchSearch({ of }: Record<string, unknown>): BatchSearch {
  const count = Number(of)
  return Number.isSafeInteger(count) && count > 0 ? { of: count } : {}
}
