import type { Deps } from '../deps.ts'

const dayStatement = {
  name: 'calendar_day',
  text: 'select ($2::timestamptz at time zone time_zone)::date from organization where id = $1',
}

/** The day of the organization's calendar, YYYY-MM-DD, on which an instant falls. Source: rules.md 2.1, 11.3. */
export async function calendarDay(deps: Deps, organizationId: string, instant: string): Promise<string> {
  const row = await deps.database.row(dayStatement, [organizationId, instant])
  return row?.[0] ?? instant.slice(0, 10)
}
