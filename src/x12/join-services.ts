import type { BenefitRow } from './model.ts'

/**
 * Rows of one key as one row, at the place of the first of them and with the services of all. Rows without a key stay apart. An answer may
 * tell each of very many services by itself, so the services are gathered before a row is made of them.
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
