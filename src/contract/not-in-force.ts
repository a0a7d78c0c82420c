/** Why a plan is not in force on a day, by its own days; undefined if they include the day or are not stated. All days are YYYY-MM-DD. */
export function whyNotInForce(
  plan: { start_date?: string | undefined; end_date?: string | undefined } | undefined,
  day: string,
): string | undefined {
  if (plan?.start_date !== undefined && plan.start_date > day) return `The plan begins ${plan.start_date}.`
  if (plan?.end_date !== undefined && plan.end_date < day) return `The plan ended ${plan.end_date}.`
  return undefined
}
