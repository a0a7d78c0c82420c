import { isDay } from '../../rules/days.ts'

interface WeekSearch {
  /** YYYY-MM-DD, a day of the week; without it today. */
  day?: string
}

export const readWeekSearch = ({ day }: Record<string, unknown>): WeekSearch => (isDay(day) ? { day } : {})
