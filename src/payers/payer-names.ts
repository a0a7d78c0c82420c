// Payer names by primary payer id, for lists that store the id alone.
import { isSandboxStandard, type PayerNeeds } from './payer-ids.ts'

const namesStatement = {
  name: 'payer_names_by_id',
  text: 'select primary_payer_id, min(display_name) from payer where primary_payer_id = any ($1::text[]) group by 1',
}

/** The name of each id that the directory has. The sandbox's payers count where checks go to the sandbox. */
export async function findPayerNames(
  deps: PayerNeeds,
  organizationId: string,
  ids: readonly string[],
): Promise<(id: string) => string | undefined> {
  const names = new Map<string, string>()
  if (ids.length > 0) {
    if (await isSandboxStandard(deps, organizationId)) {
      for (const payer of await deps.payers.sandboxPayers()) names.set(payer.primary_payer_id, payer.display_name)
    }
    // The table's payer is kept where both have an id, as in searches.
    for (const [id = '', name = ''] of await deps.database.rows(namesStatement, [[...ids]])) {
      names.set(String(id), String(name))
    }
  }
  return (id) => names.get(id)
}
