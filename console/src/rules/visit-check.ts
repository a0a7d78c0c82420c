// The result of a visit's verification, in a sentence for the user who requested it.
import type { VisitVerification } from '../api/generated.ts'
import { missingOf } from './missing.ts'

type State = Pick<VisitVerification, 'state' | 'status' | 'not_ready_reason' | 'next_attempt_at'>

/** Whether the payer's answer is pending; so it is without a reason. Any other reason needs a person, even if another coverage has no answer yet: possibly no payer could be asked about it. */
const isPayers = (reason: State['not_ready_reason']) => reason === undefined || /^(?:UNAVAILABLE|PENDING)_/.test(reason)

/** `visit`: with its coverages, so that the sentence is that of the board. */
export function sayVerification(
  name: string,
  { state, status, not_ready_reason, next_attempt_at }: State,
  visit: Parameters<typeof missingOf>[1] = {},
): string {
  if (state === 'RUNNING') return `The payer of ${name} has not answered yet.`
  if (status !== 'PENDING' && status !== 'READY' && status !== 'NOT_READY')
    return `Another user changed the visit of ${name}. It was not changed.`
  if (state === 'WAITING' && isPayers(not_ready_reason)) {
    return `The payer of ${name} cannot answer now. ${next_attempt_at ? 'The check is repeated automatically.' : 'Check again later, or call the payer.'}`
  }
  if (status === 'READY') return `${name} is ready.`
  const missing = missingOf({ status, ...(not_ready_reason && { not_ready_reason }) }, visit)
  return missing ? `${name} is not ready. ${missing.what}. ${missing.todo}` : `The visit of ${name} was checked.`
}
