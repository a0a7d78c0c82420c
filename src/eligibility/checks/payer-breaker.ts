import { recentlyUsed } from '../../platform/recently-used.ts'

/** Stops asking a payer that does not answer, so that its outage does not hold up the others. One a process, in memory. */
export interface PayerBreaker {
  /** The time until the next inquiry to this payer, in milliseconds; 0 if one may be sent now. */
  waitMs(payer: PayerKey): number
  /** The payers of an organization with an open circuit, as known to this process. */
  resting(organizationId: string): { payerId: string; connection: string; waitMs: number }[]
  /** Every breaker that this process remembers: payers that have had an outage since their last answer. */
  states(): (PayerKey & { state: BreakerState })[]
  /** Records the result of an inquiry; one that was not sent says nothing about the payer. */
  record(payer: PayerKey, came: InquiryResult, breakAfter: number): void
}

/** `ours`: no place for the inquiry came free at its clearinghouse, or no room for its answer here. */
export type InquiryResult = 'answer' | 'outage' | 'ours'

/** A payer through one connector of one organization. */
interface PayerKey {
  organizationId: string
  connection: string
  payerId: string
}

/** Closed: asked, though the last answer was an outage. Open: not asked. Half open: the pause is over, and the next check tries it. */
type BreakerState = 'closed' | 'open' | 'half_open'

interface PayerState {
  outages: number
  openUntil: number
  pauseMs: number
  /** The pause is over, and a check is on its way to try the payer. */
  isTried: boolean
}

const FIRST_PAUSE_MS = 30_000
const LONGEST_PAUSE_MS = 5 * 60_000
/** Payers with an outage that are kept in memory; beyond it the least recently used is dropped. */
const MAX_PAYERS = 10_000

/**
 * After `breakAfter` outages in a row a payer is left alone for 30 seconds, then one check tries it: an answer closes the
 * breaker, another outage doubles the pause, up to five minutes. Outages of inquiries that were on their way when the breaker
 * opened change nothing. Pauses are measured by a clock that nobody sets: the machine's, set back by two hours, would make a pause as long.
 */
export function createPayerBreaker(now: () => number = () => performance.now()): PayerBreaker {
  const states = recentlyUsed<PayerState>(MAX_PAYERS)
  const keyOf = ({ organizationId, connection, payerId }: PayerKey) =>
    JSON.stringify([organizationId, connection, payerId])
  const payerOf = (key: string): PayerKey => {
    const [organizationId, connection, payerId] = JSON.parse(key) as [string, string, string]
    return { organizationId, connection, payerId }
  }
  const stateOf = ({ openUntil }: PayerState): BreakerState => {
    if (openUntil === 0) return 'closed'
    return openUntil > now() ? 'open' : 'half_open'
  }

  return {
    waitMs(payer) {
      // Nearly always no payer has had an outage since its last answer.
      if (states.size === 0) return 0
      const state = states.get(keyOf(payer))
      if (!state || state.openUntil === 0) return 0
      const waitMs = state.openUntil - now()
      if (waitMs > 0) return waitMs
      // This caller tries the payer; the others wait for the result.
      state.openUntil = now() + state.pauseMs
      state.isTried = true
      return 0
    },
    resting(organizationId) {
      return [...states].flatMap(([key, { openUntil }]) => {
        const { connection, payerId, ...of } = payerOf(key)
        const waitMs = openUntil - now()
        return of.organizationId === organizationId && waitMs > 0 ? [{ payerId, connection, waitMs }] : []
      })
    },
    states: () => [...states].map(([key, state]) => ({ ...payerOf(key), state: stateOf(state) })),
    record(payer, came, breakAfter) {
      if (came === 'answer' && states.size === 0) return
      const key = keyOf(payer)
      if (came === 'answer') {
        states.delete(key)
        return
      }
      if (came === 'ours') {
        const tried = states.get(key)
        // Nothing is known of the payer: the next check tries it.
        if (tried?.isTried) Object.assign(tried, { isTried: false, openUntil: now() })
        return
      }
      const state = states.get(key) ?? { outages: 0, openUntil: 0, pauseMs: FIRST_PAUSE_MS, isTried: false }
      state.outages += 1
      const opens = state.openUntil === 0 && state.outages >= breakAfter
      if (state.isTried) state.pauseMs = Math.min(LONGEST_PAUSE_MS, state.pauseMs * 2)
      if (opens || state.isTried) state.openUntil = now() + state.pauseMs
      state.isTried = false
      states.set(key, state)
    },
  }
}
