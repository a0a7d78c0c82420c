// Whoever tries again and again must fill neither the memory nor the trail: refusals that say the same are one event with a count.
import type { StoredAuditEvent } from './event.ts'
import type { NotedEvent } from './trail.ts'

/** Of the refusals that come from one address between two flushes, so many are told with what they asked for; the rest are counted. */
const TOLD_IN_DETAIL = 20
const TOO_MANY_REQUESTS = 429
const UNAVAILABLE = 503

export interface Refusals {
  /** True where the event was counted with an earlier one; else it is to be noted, as this has left it. */
  join(organizationId: string, noted: NotedEvent): boolean
  /** What was noted until now is being stored: it takes no more. */
  forget(): void
}

export function collapseRefusals(): Refusals {
  const known = new Map<string, StoredAuditEvent>()
  const details = new Map<string, number>()

  function isCounted(key: string): boolean {
    const earlier = known.get(key)
    if (earlier) earlier.times = (earlier.times ?? 1) + 1
    return earlier !== undefined
  }

  return {
    join(organizationId, noted) {
      const { event } = noted
      if (!isRepeatable(event)) return false
      const { operation, address, status, error_name, user_id, client_id, record_ids } = event
      const caller = `${organizationId} ${address} ${user_id} ${user_id && client_id}`
      const kind = `${caller} ${operation} ${status} ${error_name}`
      const detailed = `${kind} ${client_id} ${record_ids} ${JSON.stringify(noted.clues)}`
      if (isCounted(detailed)) return true
      const told = details.get(caller) ?? 0
      if (told < TOLD_IN_DETAIL) {
        details.set(caller, told + 1)
        known.set(detailed, event)
        return false
      }
      if (isCounted(kind)) return true
      leaveOutDetails(noted)
      known.set(kind, event)
      return false
    },
    forget() {
      known.clear()
      details.clear()
    },
  }
}

/** Of nobody known, and what a client was refused only because of how much it, or everybody, asks. */
function isRepeatable({ user_id, status }: StoredAuditEvent): boolean {
  return user_id === undefined || status === TOO_MANY_REQUESTS || status === UNAVAILABLE
}

/** What does not hold for all that are counted in it. Whom somebody unknown says to be is one of that. */
function leaveOutDetails(noted: NotedEvent): void {
  const { event } = noted
  for (const key of ['record_type', 'record_ids', 'patient_ids'] as const) delete event[key]
  if (event.user_id === undefined) delete event.client_id
  noted.clues = undefined
}
