import { UsageError } from './command-line.ts'

/** What is looked at every minute has an end. */
const MAX_DAYS = 30

/** How many days ahead visits are verified. @throws UsageError for what is no such number. */
export function readDays(text: string, flag: string): number {
  const days = Number(text)
  if (!/^\d+$/.test(text) || days < 1 || days > MAX_DAYS) {
    throw new UsageError(`--${flag} must be a number from 1 to ${MAX_DAYS}`)
  }
  return days
}
