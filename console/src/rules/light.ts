// What is known of a coverage, in one of three honest states, or why nothing is known yet.
import type { MutableCoverage } from '../api/generated.ts'
import { explainCode } from './reject-words.ts'

export type LightState = 'active' | 'inactive' | 'unknown' | 'checking' | 'unchecked' | 'none'

export interface Light {
  state: LightState
  /** What the light says in words. */
  word: string
  /** Why, where the state needs a reason. */
  reason?: string
  /** When the payer was asked. */
  at?: string
  /** The check that says so. */
  checkId?: string
}

export const lightWords: Record<LightState, string> = {
  active: 'Active',
  inactive: 'Not active',
  unknown: 'Not known',
  checking: 'Checking',
  unchecked: 'Not checked',
  none: 'No coverage',
}

type Coverage = Pick<MutableCoverage, 'status' | 'latest_eligibility_check' | 'eligibility_checks'>

export function lightOf(coverage: Coverage | undefined, isSelfPay = false): Light {
  if (!coverage) return isSelfPay ? light('none', { word: 'Self-pay' }) : light('none')
  if (coverage.status === 'CANCELLED') return light('inactive', { reason: 'This coverage is recorded as cancelled.' })
  const { latest_eligibility_check: latest, eligibility_checks: checks = [] } = coverage
  const open = checks.find(({ status, check_id }) => status === 'PENDING' && check_id !== latest?.check_id)
  if (open && (!latest || open.initiated_at > latest.initiated_at)) {
    return light('checking', { at: open.initiated_at, checkId: open.check_id })
  }
  if (!latest) return light('unchecked')
  const asked = { at: latest.initiated_at, checkId: latest.check_id }
  if (latest.status === 'ACTIVE') return light('active', asked)
  if (latest.status === 'INACTIVE') return light('inactive', asked)
  return light('unknown', { ...asked, reason: reasonOf(latest.errors ?? []) })
}

const light = (state: LightState, rest: Partial<Light> = {}): Light => ({ state, word: lightWords[state], ...rest })

function reasonOf(errors: readonly { code?: string; description?: string }[]): string {
  const [first] = errors
  if (!first) return 'The payer answered and did not say whether the coverage is active.'
  return explainCode(first.code)?.means ?? first.description ?? 'The check could not be completed.'
}

const OLD_DAYS = 30

/** An answer of another month, or of more than 30 days ago, says little about today: coverage begins and ends with months. */
export function isOld(at: string, now: number): boolean {
  const asked = new Date(at)
  const today = new Date(now)
  const isThisMonth = asked.getUTCMonth() === today.getUTCMonth() && asked.getUTCFullYear() === today.getUTCFullYear()
  return !isThisMonth || now - asked.getTime() > OLD_DAYS * 86_400_000
}
