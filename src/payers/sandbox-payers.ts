import type { DirectoryPayer } from './directory-payer.ts'

/** Both together; an id of the table is the table's payer alone, so that nobody is shown twice. */
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
