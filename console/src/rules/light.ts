// The status of a coverage: active, active with a limit, not active, unknown, or why it has not been checked.
import { isAlert, isStatusNote, withoutAlert } from '../../../src/contract/answer-notes.ts'
import type { BoardCoverage, CoverageLimit } from '../api/generated.ts'
import { dayOf, inShownForms } from './days.ts'
import { capital } from './names.ts'
import { type Explained, explainCheckError } from './reject-words.ts'

export type LightState = 'active' | 'limited' | 'inactive' | 'unknown' | 'checking' | 'unchecked' | 'none'

export interface Light {
  state: LightState
  /** The status in words. */
  word: string
  /** The reason, for states that need one. */
  reason?: string
  /** What limits active coverage. */
  limits?: Limits
  /** Why the payer refused to answer, if it did so by a code. */
  rejection?: Explained
  /** When the inquiry was sent. */
  at?: string
  /** The underlying check. */
  checkId?: string
}

export const lightWords: Record<LightState, string> = {
  active: 'Active',
  limited: 'Active, but limited',
  inactive: 'Not active',
  unknown: 'Unknown',
  checking: 'Checking',
  unchecked: 'Not checked',
  none: 'No coverage',
}

type Limits = readonly CoverageLimit[]

/** `limits`: of the latest check; without them it is not known whether the coverage is plainly active. */
export type Covered = Pick<BoardCoverage, 'status' | 'latest_eligibility_check' | 'eligibility_checks' | 'benefits'> & {
  limits?: Limits
}

export function lightOf(coverage: Covered | undefined, isSelfPay = false): Light {
  if (!coverage) return isSelfPay ? light('none', { word: 'Self-pay' }) : light('none')
  const uncounted = UNCOUNTED[coverage.status]
  if (uncounted) return light('inactive', { reason: uncounted })
  const { latest_eligibility_check: latest, eligibility_checks: checks = [] } = coverage
  const open = checks.find(({ status, check_id }) => status === 'PENDING' && check_id !== latest?.check_id)
  if (open && (!latest || open.initiated_at > latest.initiated_at)) {
    return light('checking', { at: open.initiated_at, checkId: open.check_id })
  }
  if (!latest) return coverage.status === 'DRAFT' ? light('unchecked', DRAFT) : light('unchecked')
  const inquiry = { at: latest.initiated_at, checkId: latest.check_id }
  if (latest.status === 'ACTIVE') return activeLight(coverage, inquiry)
  const then =
    latest.status === 'INACTIVE'
      ? light('inactive', { ...inquiry, ...whyInactive(coverage.benefits?.notes) })
      : light('unknown', { ...inquiry, ...whyUnknown(latest.errors ?? []) })
  return outdated(then, coverage.limits) ?? then
}

/** An answer that is not active and is about other data than the coverage has now says nothing about the coverage. */
function outdated(then: Light, limits: Limits = []): Light | undefined {
  const changed = limits.filter(({ kind }) => kind === 'CHANGED')
  if (changed.length === 0) return undefined
  const before = then.state === 'inactive' ? `${then.word}.` : then.reason
  const reason = `${limitReason(changed)}. Response before the change: ${before}`
  return { ...then, state: 'unknown', word: 'Not checked since a change', reason, limits: changed }
}

/** Coverages that are in the filing order, and that no visit counts. Source: rules.md 6. */
const UNCOUNTED: Partial<Record<Covered['status'], string>> = {
  CANCELLED: 'This coverage is recorded as cancelled.',
  ENTERED_IN_ERROR: 'This coverage is recorded as entered in error.',
}
export const isCounted = ({ status }: Pick<Covered, 'status'>): boolean => UNCOUNTED[status] === undefined

const DRAFT = {
  word: 'Draft',
  reason: 'A draft does not count for the visit. Set the coverage to active to have it checked.',
}

const light = (state: LightState, rest: Partial<Light> = {}): Light => ({ state, word: lightWords[state], ...rest })

/**
 * The notes of an answer that the coverage is not active begin with its day; the next ones may say why, or what is active beside it, such as a
 * pharmacy benefit. Source: merge-benefits.ts.
 */
function whyInactive(notes = ''): Pick<Light, 'reason'> {
  const [first = '', ...lines] = notes.split('\n')
  if (!first.startsWith('Inactive on ')) return {}
  const why = lines.find(saysWhy)
  if (why) return { reason: capital(inShownForms(withoutAlert(why))) }
  const parts = lines.flatMap((line) => ACTIVE_PART.exec(line)?.[1] ?? [])
  return parts.length > 0 ? { reason: `Only a part is active: ${parts.join(', ')}.` } : {}
}

/** The services of a row that is active although the plan is not. One that states days of its own may be over. Source: benefit-notes.ts. */
const ACTIVE_PART = /^Active Coverage: (?!.*\d{4}-\d{2}-\d{2})([^;]+)/

const saysWhy = (line: string) =>
  isAlert(line) ? withoutAlert(line).startsWith('not in force ') : /^The plan (?:begins|ended) /.test(line)

function activeLight(
  { limits, benefits }: Pick<Covered, 'limits' | 'benefits'>,
  inquiry: Pick<Light, 'at' | 'checkId'>,
): Light {
  if (!limits) return light('checking', { ...inquiry, word: 'Reading' })
  if (limits.length === 0) return light('active', { ...inquiry, ...whatElse(benefits?.notes) })
  return light('limited', { ...inquiry, word: limitedWord(limits), reason: limitReason(limits), limits })
}

/** What the payer wrote about active coverage and no rule understands is read by a person. Source: payer-notes.ts. */
function whatElse(notes = ''): Pick<Light, 'reason'> {
  const [first, ...more] = statusNotesIn(notes)
  if (first === undefined) return {}
  return { reason: `${first}${andMore(more.length, 'note')}` }
}

export const statusNotesIn = (notes: string | undefined) =>
  inShownForms(notes ?? '')
    .split('\n')
    .filter(isStatusNote)

/** Different identity data does not limit the coverage, but leaves open whose it is, and so do data that were changed after the check. */
export const limitedWord = (limits: Limits) =>
  limits.every(({ kind }) => kind === 'IDENTITY' || kind === 'CHANGED') ? 'Active, not confirmed' : lightWords.limited

/** The first limit, and how many more the response has. */
function limitReason([first, ...more]: Limits): string {
  const sentence = capital(inShownForms(first?.note ?? ''))
  return `${sentence}${andMore(more.length, 'reason')}`
}

/** With what they are, because "1 more" behind the name of a payer reads like a second payer. */
const andMore = (count: number, what: string) =>
  count > 0 ? ` (and ${count} more ${what}${count === 1 ? '' : 's'})` : ''

function whyUnknown([first]: readonly { code?: string; description?: string }[]): Pick<Light, 'reason' | 'rejection'> {
  if (!first) return { reason: 'The payer did not state whether the coverage is active.' }
  const rejection = explainCheckError(first)
  if (rejection) return { reason: rejection.means, rejection }
  return { reason: capital(first.description ?? 'The check could not be completed.') }
}

/**
 * Whether the coverage must be corrected before it is checked again: the payer does not recognize it, or it is not active. A failure of the payer or
 * of the connection to it says nothing about the coverage.
 */
export function isToCorrect({ state, limits = [], rejection }: Light): boolean {
  if (limits.some(({ kind }) => kind === 'CHANGED')) return false
  return state === 'inactive' || (state === 'unknown' && rejection?.next === 'fix-coverage')
}

const OLD_DAYS = 30

/**
 * An answer of another month of the clinic, or older than 30 days, is not reliable for today: coverage begins and ends with months. West of
 * Greenwich the evening of the last day belongs to the month that ends, also where UTC has the next one already.
 */
export function isOld(at: string, now: number, timeZone: string): boolean {
  const monthOf = (instant: string | number) => dayOf(instant, timeZone).slice(0, 7)
  return now - Date.parse(at) > OLD_DAYS * 86_400_000 || monthOf(at) !== monthOf(now)
}
