/** The levels of a 271 at which a reject reason can stand; `service` is a benefit row. */
export type RejectLevel = 'payer' | 'provider' | 'subscriber' | 'dependent' | 'service'

export interface RejectPlace {
  level: RejectLevel
  /** AAA03; a level may use another code for the same reason. */
  reason: string
  /** AAA04. */
  action: string
}

/** AAA03 by level, each code at the first level that allows it. Source: 005010X279A1 2100A, 2100B, 2100C, 2100D and 2110 AAA. */
const reasons: Readonly<Record<RejectLevel, string>> = {
  payer: '04 41 42 79 80 T4',
  provider: '43 44 45 46 47 48 50 51 97',
  subscriber: '15 35 49 52 56 57 58 60 61 62 63 71 72 73 74 75 76 78',
  dependent: '64 65 66 67 68 77',
  service: '33 53 54 55 69 70 98 AA AE AF AG AO CI E8 IA MA',
}

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

const levels = new Map(
  (Object.keys(reasons) as RejectLevel[]).flatMap((level) =>
    reasons[level].split(' ').map((reason) => [reason, level] as const),
  ),
)

/** True for a reason that a 271 can carry. */
export const isRejectReason = (reason: string) => levels.has(reason)

/** The level of a reason in the answer to an inquiry about a subscriber or a dependent. Source: x12-271.md 8. */
export function placeRejection(reason: string, hasDependent: boolean): RejectPlace {
  const action = actions[reason] ?? 'C'
  const level = levels.get(reason) ?? 'subscriber'
  return level === 'dependent' && !hasDependent
    ? { level: 'subscriber', reason: asSubscriber[reason] ?? '75', action }
    : { level, reason, action }
}
