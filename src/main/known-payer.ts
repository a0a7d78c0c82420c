import type { LiveDirectory } from '../payers/live-directory.ts'
import type { Database } from '../platform/database/database.ts'

const statement = { name: 'payer_is_known', text: 'select 1 from payer where primary_payer_id = $1 limit 1' }

/** Whether the directory or the sandbox has a payer with this id. */
export async function isKnownPayer(
  { database, payers }: { database: Database; payers: LiveDirectory },
  id: string,
): Promise<boolean> {
  if (await database.row(statement, [id])) return true
  return (await payers.sandboxPayers()).some(({ primary_payer_id }) => primary_payer_id === id)
}
