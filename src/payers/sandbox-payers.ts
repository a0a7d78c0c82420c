import type { DirectoryPayer } from './directory-payer.ts'

/** Both lists; where both have an id, only the table's payer is kept, so that no payer is listed twice. */
export function withSandboxPayers(
  payers: readonly DirectoryPayer[],
  sandbox: readonly DirectoryPayer[] = [],
): DirectoryPayer[] {
  const taken = new Set(payers.flatMap(({ stedi_id, primary_payer_id }) => [stedi_id, primary_payer_id]))
  const others = sandbox.filter(
    ({ stedi_id, primary_payer_id }) => !taken.has(stedi_id) && !taken.has(primary_payer_id),
  )
  return [...payers, ...others]
}
