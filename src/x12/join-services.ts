import type { BenefitRow } from './model.ts'

/**
 * Merges rows with the same key into one row with the services of all of them, in the position of the first. Rows without a key stay
 * separate. An answer may list each of very many services in a row of its own, so the services are collected before the merged row is
 * built.
 */
export function joinServices(
  rows: readonly BenefitRow[],
  keyOf: (row: BenefitRow) => string | undefined,
): BenefitRow[] {
  const joined = new Map<string | BenefitRow, { row: BenefitRow; services?: Set<string> }>()
  for (const row of rows) {
    const key = keyOf(row) ?? row
    const known = joined.get(key)
    if (!known) joined.set(key, { row })
    else {
      known.services ??= new Set(known.row.serviceTypeCodes)
      for (const code of row.serviceTypeCodes) known.services.add(code)
      known.row = row
    }
  }
  return [...joined.values()].map(({ row, services }) => (services ? { ...row, serviceTypeCodes: [...services] } : row))
}
