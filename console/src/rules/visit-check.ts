// What the verification of a visit came to, in a sentence for who asked for it.
import type { VisitVerification } from '../api/generated.ts'
import { missingOf } from './missing.ts'

type State = Pick<VisitVerification, 'state' | 'status' | 'not_ready_reason' | 'next_attempt_at'>

export function sayVerification(name: string, { state, status, not_ready_reason, next_attempt_at }: State): string {
  if (state === 'RUNNING') return `The payer of ${name} has not answered yet.`
  if (status !== 'PENDING' && status !== 'READY' && status !== 'NOT_READY')
    return `Somebody else changed the visit of ${name} meanwhile. It was left as it is.`
  if (state === 'WAITING') {
    return `The payer of ${name} cannot answer now. ${next_attempt_at ? 'It is asked again by itself.' : 'Check again later, or telephone the payer.'}`
  }
  if (status === 'READY') return `${name} is ready.`
  const missing = missingOf({ status, ...(not_ready_reason && { not_ready_reason }) })
  return missing ? `${name} is not ready. ${missing.what}. ${missing.todo}` : `The visit of ${name} was checked.`
}
