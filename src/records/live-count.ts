import type { Deps } from '../deps.ts'

const statement = {
  name: 'live_count',
  text: 'select total, live from change_clock where organization_id = $1 and record_type = $2',
}

/**
 * How many records of a type an organization has, the deactivated ones only when asked. Every write keeps the number with the
 * clock that it ticks (statements.ts), so it costs the same however many there are.
 */
export async function liveCount(
  deps: Pick<Deps, 'database'>,
  organizationId: string,
  recordName: string,
  { includeDeactivated = false } = {},
): Promise<number> {
  const [total = '0', live = '0'] = (await deps.database.rowByKey(statement, [organizationId, recordName])) ?? []
  return Number(includeDeactivated ? total : live)
}
