interface BatchSearch {
  /** The number of patients in the batch. */
  of?: number
}

export function readBatchSearch({ of }: Record<string, unknown>): BatchSearch {
  const count = Number(of)
  return Number.isSafeInteger(count) && count > 0 ? { of: count } : {}
}
