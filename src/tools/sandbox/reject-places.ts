import { type RejectSubject, subjectOfReason } from '../../x12/codes/rejections.ts'

/** The levels of a 271 at which a reject reason can stand; `service` is a benefit row. */
export type RejectLevel = 'payer' | 'provider' | 'subscriber' | 'dependent' | 'service'

interface RejectPlace {
  level: RejectLevel
  /** AAA03; a level may use another code for the same reason. */
  reason: string
  /** AAA04. */
  action: string
}

/** The first level that allows the reasons about a subject. Source: 005010X279A1 2100A, 2100B, 2100C, 2100D and 2110 AAA. */
const levels: Readonly<Record<RejectSubject, RejectLevel>> = {
  outage: 'payer',
  payer: 'payer',
  access: 'payer',
  provider: 'provider',
  identity: 'subscriber',
  inquiry: 'subscriber',
  date: 'subscriber',
  network: 'subscriber',
  service: 'service',
}

/** Not the primary care physician: the one reason about the provider that is stated at the subscriber's level. */
const NOT_PRIMARY_CARE = '49'

/** Reasons whose AAA04 is not C, please correct and resubmit. */
const actions: Readonly<Record<string, string>> = { '04': 'N', '41': 'N', '42': 'R', '50': 'N', '80': 'R' }

/** The subscriber's code for a reason that only a dependent's level has. */
const asSubscriber: Readonly<Record<string, string>> = {
  '64': '72',
  '65': '73',
  '66': '74',
  '67': '75',
  '68': '76',
  '77': '75',
}

/** True for a reason that a 271 can carry. */
export const isRejectReason = (reason: string) => subjectOfReason(reason) !== undefined

function levelOf(reason: string): RejectLevel {
  if (asSubscriber[reason] !== undefined) return 'dependent'
  const subject = subjectOfReason(reason)
  return subject === undefined || reason === NOT_PRIMARY_CARE ? 'subscriber' : levels[subject]
}

/** The level of a reason in the answer to an inquiry about a subscriber or a dependent. Source: x12-271.md 8. */
export function placeRejection(reason: string, hasDependent: boolean): RejectPlace {
  const action = actions[reason] ?? 'C'
  const level = levelOf(reason)
  return level === 'dependent' && !hasDependent
    ? { level: 'subscriber', reason: asSubscriber[reason] ?? '75', action }
    : { level, reason, action }
}
