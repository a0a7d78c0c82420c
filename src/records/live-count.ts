import type { Deps } from '../deps.ts'

const statement = {
  name: 'live_count',
  text: 'select total, live from change_clock where organization_id = $1 and record_type = $2',
}

/**
 * The number of an organization's records of a type, with deactivated ones only on request. Every write maintains the
 * number together with the clock that it ticks (statements.ts), so reading it costs the same for any number of records.
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

/** The same as a column of a statement whose $1 is the organization. */
export function liveCountColumn(recordName: string, { includeDeactivated = false } = {}): string {
  return `(select ${includeDeactivated ? 'total' : 'live'} from change_clock where organization_id = $1 and record_type = '${recordName}')`
}
