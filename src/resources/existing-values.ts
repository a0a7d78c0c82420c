// Rules that were introduced after records were stored: existing values may stay, and only new ones are refused.
import { badRequest } from '../contract/errors.ts'
import { isBlank } from '../contract/invisible-characters.ts'
import { calendarDay } from '../records/calendar.ts'
import type { RuleContext } from '../records/record.ts'

/** Values of a body by the paths that messages name. */
type Values<Body> = (body: Body) => Record<string, string | undefined>

/**
 * @throws BadRequestError that names the first field with an invalid value that the replaced version does not have
 * there.
 */
export async function refuseNew<Body>(
  body: Body,
  { replaced }: RuleContext,
  valuesOf: Values<Body>,
  rule: { isWrong(value: string): boolean; must: string },
): Promise<void> {
  const wrong = Object.entries(valuesOf(body)).filter(([, value]) => value !== undefined && rule.isWrong(value))
  if (wrong.length === 0) return
  const before: Record<string, string | undefined> = replaced ? valuesOf((await replaced.read()) as Body) : {}
  const fault = wrong.find(([field, value]) => before[field] !== value)
  if (fault) throw badRequest(`${fault[0]} ${rule.must}`)
}

/** Refuses blank names of people, and of records that users choose by their name. @throws BadRequestError. */
export function refuseBlank<Body>(body: Body, context: RuleContext, valuesOf: Values<Body>): Promise<void> {
  return refuseNew(body, context, valuesOf, { isWrong: isBlank, must: 'must not be blank' })
}

/** The last time zone to reach a day is this far behind UTC. */
const FURTHEST_WEST_MS = 12 * 3_600_000

/** Refuses days that are in the future in the organization's time zone. @throws BadRequestError. */
export async function refuseFuture<Body>(body: Body, context: RuleContext, valuesOf: Values<Body>): Promise<void> {
  const { actor, deps } = context
  const now = deps.now()
  const latest = new Date(now.getTime() - FURTHEST_WEST_MS).toISOString().slice(0, 10)
  // Most dates are past in every time zone, and the calendar then need not be queried.
  if (Object.values(valuesOf(body)).every((value) => value === undefined || value <= latest)) return
  const today = await calendarDay(deps, actor.organizationId, now.toISOString())
  await refuseNew(body, context, valuesOf, { isWrong: (value) => value > today, must: 'must not be in the future' })
}
