import { badRequest } from '../../contract/errors.ts'
import type { Deps } from '../../deps.ts'

type Needs = Pick<Deps, 'database' | 'now'>

/** Source: rules.md 6 and 18. */
const MRN_LENGTH_MAX = 20

/** @throws BadRequestError for an MRN that is empty or over 20 characters. */
export function checkMrn(mrn: string): void {
  if (mrn.length === 0) throw badRequest('mrn must not be empty')
  // Characters as people count them in a field, not UTF-16 units.
  if ([...mrn].length > MRN_LENGTH_MAX) throw badRequest(`mrn must not be longer than ${MRN_LENGTH_MAX} characters`)
}

/**
 * The next MRN of the organization's calendar day: `YYMMDD` and a counter from 0001 that grows past four digits. Numbers of
 * creates that fail are lost; none is ever given twice.
 */
export async function nextMrn(deps: Needs, organizationId: string): Promise<string> {
  const statement = {
    name: 'mrn_next',
    text: `insert into mrn_counter as c (organization_id, day, last)
      select id, ($2::timestamptz at time zone time_zone)::date, 1 from organization where id = $1
      on conflict (organization_id, day) do update set last = c.last + 1
      returning to_char(day, 'YYMMDD'), last`,
  }
  const row = await deps.database.row(statement, [organizationId, deps.now().toISOString()])
  const [day, last] = row as [string, string]
  return day + last.padStart(4, '0')
}
