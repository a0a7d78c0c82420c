// Days that a payer writes without their year, which a person reads as the one beside the visit: "grp term 2/28". decisions/0245.

const PAST =
  'TERM(?:INATED|INATION)?|CANCELL?ED|CANCELLATION|DISENROLLED|DROPPED|ENDED|EXPIRED|INACTIVE|INELIGIBLE|LAPSED|LEFT PLAN|REMOVED|SUSPENDED'
const AHEAD = 'CANCELS|END|ENDS|ENDING|EXPIRES|LAPSES|TERMINATES'
const BETWEEN = '(?: (?:DATE|EFFECTIVE|RETRO|RETROACTIVE|AS OF|ON|TO|IS|WAS|BY EMPLOYER)|:)*'
const DAY = '(\\d{1,2})\\/(\\d{1,2})(?![\\d/.%])'
const ENDED_ON = new RegExp(`\\b(?:(${PAST})|${AHEAD})${BETWEEN} ${DAY}`, 'g')
/** A year of a plan: "policy term 1/1 - 12/31". */
const PERIOD = /\d{1,2}\/\d{1,2}(?:\/\d{2,4})? ?(?:-|TO|THRU|THROUGH) ?\d{1,2}\/\d{1,2}/
const ANY = /\d\/\d/

/** A month whose year has two digits, of eligibility: "no recorded eligibility for 03/26" (Medi-Cal). */
const MONTH = /\b(?<month>NO (?:[A-Z]+ )?ELIGIBILITY (?:FOR|IN) (?:0[1-9]|1[0-2])\/)(?=2\d(?![\d/])(?! UNTIL\b))/g

/** How far the other way such a day may lie: what ended may do so at the end of the next month, and what ends may just have done so. */
const NEAR = 60

/** A sentence in capitals without abbreviations, with the years of its days of an end. */
export function withYears(sentence: string, day: string): string {
  if (!ANY.test(sentence) || PERIOD.test(sentence)) return sentence
  return sentence
    .replace(MONTH, '$<month>20')
    .replace(ENDED_ON, (said: string, past: string | undefined, month: string, date: string) => {
      const year = yearOf(Number(month), Number(date), day, past !== undefined)
      return year === undefined ? said : `${said}/${year}`
    })
}

function yearOf(month: number, date: number, day: string, isPast: boolean): number | undefined {
  if (month < 1 || month > 12 || date < 1 || date > 31) return undefined
  const visit = Date.parse(day)
  const year = Number(day.slice(0, 4))
  const distances = [year - 1, year, year + 1].map(
    (each) => [(Date.UTC(each, month - 1, date) - visit) / DAY_MS, each] as const,
  )
  const [ahead, behind] = [distances.find(([days]) => days >= 0)!, distances.findLast(([days]) => days < 0)!]
  const nearest = isPast ? (ahead[0] <= NEAR ? ahead : behind) : -behind[0] <= NEAR ? behind : ahead
  return nearest[1]
}

const DAY_MS = 86_400_000
