import type { Deps } from '../deps.ts'
import type { TextRows } from '../platform/database/database.ts'
import { instant } from '../platform/database/instant.ts'

type Needs = Pick<Deps, 'database'>

const dayStatement = {
  name: 'calendar_day',
  text: 'select ($2::timestamptz at time zone time_zone)::date from organization where id = $1',
}

/** The calendar day (YYYY-MM-DD) of an instant in the organization's time zone. Source: rules.md 2.1, 11.3. */
export async function calendarDay(deps: Needs, organizationId: string, instant: string): Promise<string> {
  const row = await deps.database.rowByKey(dayStatement, [organizationId, instant])
  return row?.[0] ?? instant.slice(0, 10)
}

/**
 * The start of a day in the organization's time zone and the start of the next day, as the interface writes instants.
 */
export type DayStarts = (day: string) => { start: string; next: string }

const FIRST_INSTANT = '0001-01-01T00:00:00.000Z'
const LAST_INSTANT = '9999-12-31T23:59:59.999Z'

const dayStartsStatement = {
  name: 'calendar_day_starts',
  text: `select day, ${boundary('day')}, ${boundary('day + 1')}
    from organization, unnest($2::date[]) day where organization.id = $1`,
}

/** Instants outside the range that the interface can write become its first or last instant. */
function boundary(day: string): string {
  const start = `(${day})::timestamp at time zone time_zone`
  return instant(`greatest('${FIRST_INSTANT}', least('${LAST_INSTANT}', ${start}))`)
}

/** Up to this many days are a short answer. */
const FEW_DAYS = 8

function readDays({ database }: Needs, values: unknown[], count: number): Promise<TextRows> {
  return count > FEW_DAYS ? database.rows(dayStartsStatement, values) : database.rowsByKey(dayStartsStatement, values)
}

/**
 * Looks up when days (YYYY-MM-DD) start for an organization; sends no query when `days` is empty. Source: rules.md 2.1.
 */
export async function readDayStarts(deps: Needs, organizationId: string, days: string[]): Promise<DayStarts> {
  const rows = days.length === 0 ? [] : await readDays(deps, [organizationId, days], days.length)
  const starts = new Map(rows.map(([day, start = '', next = '']) => [day, { start, next }]))
  return (day) => {
    const found = starts.get(day)
    if (!found) throw new Error('a day must be looked up before it is used')
    return found
  }
}
