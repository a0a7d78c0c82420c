/** Dates that payers send instead of CCYYMMDD: 2025-12-31, 2025/12/31, 12/31/2025. */
const SPELLING = String.raw`\d{4}-\d{2}-\d{2}|\d{4}/\d{2}/\d{2}|\d{2}/\d{2}/\d{4}`
const ONE = new RegExp(`^(?:${SPELLING})$`)
/** Two dates, and what payers write between them instead of a hyphen. */
const RANGE = new RegExp(
  `^(\\d{8}|${SPELLING})\\s{0,9}(?:-{1,2}|[/: ]|TO|THRU|THROUGH)?\\s{0,9}(\\d{8}|${SPELLING})$`,
  'i',
)

/** CCYYMMDD of a date in another spelling; undefined for any other text. The day is not checked against the calendar. */
export function respellDate(text: string): string | undefined {
  if (!ONE.test(text)) return undefined
  const [one = '', two = '', three = ''] = text.split(/[-/]/)
  return one.length === 4 ? one + two + three : three + one + two
}

/** The two dates of a range in which at least one may have another spelling; undefined for any other text. */
export function splitRange(text: string): [start: string, end: string] | undefined {
  const [, start, end] = RANGE.exec(text) ?? []
  return start === undefined || end === undefined ? undefined : [start, end]
}
