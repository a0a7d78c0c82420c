// A caller that tries again and again must fill neither the memory nor the trail: repeated refusals become one event
// with a count.
import type { NotedEvent, StoredAuditEvent } from './event.ts'

/**
 * The number of refusals from one address, between two flushes, that are recorded in detail; the rest are only counted.
 */
const DETAILED_MAX = 20
const TOO_MANY_REQUESTS = 429
const UNAVAILABLE = 503

interface Refusals {
  /**
   * True when the event was counted with an earlier one. Otherwise it must be stored, in the form in which this call
   * has left it.
   */
  join(organizationId: string, noted: NotedEvent): boolean
  /** Called when the events so far of an organization are being stored: their counts are final. */
  forget(organizationId: string): void
}

/** Counts within this process, from one `forget` of the organization to the next. */
export function collapseRefusals(): Refusals {
  const organizations = new Map<string, { known: Map<string, StoredAuditEvent>; details: Map<string, number> }>()

  return {
    join(organizationId, noted) {
      const { event } = noted
      if (!isRepeatable(event)) return false
      const { known, details } = organizations.get(organizationId) ?? { known: new Map(), details: new Map() }
      organizations.set(organizationId, { known, details })
      const isCounted = (key: string) => {
        const earlier = known.get(key)
        if (earlier) earlier.times = (earlier.times ?? 1) + 1
        return earlier !== undefined
      }
      const { operation, address, status, error_name, user_id, client_id, record_ids } = event
      const caller = `${address} ${user_id} ${user_id && client_id}`
      const kind = `${caller} ${operation} ${status} ${error_name}`
      const detailed = `${kind} ${client_id} ${record_ids} ${JSON.stringify(noted.clues)}`
      if (isCounted(detailed)) return true
      const detailedCount = details.get(caller) ?? 0
      if (detailedCount < DETAILED_MAX) {
        details.set(caller, detailedCount + 1)
        known.set(detailed, event)
        return false
      }
      if (isCounted(kind)) return true
      removeDetails(noted)
      known.set(kind, event)
      return false
    },
    forget(organizationId) {
      organizations.delete(organizationId)
    },
  }
}

/** Refusals of unknown callers, and of a client that exceeds its rate or meets an overloaded server. */
function isRepeatable({ user_id, status }: StoredAuditEvent): boolean {
  return user_id === undefined || status === TOO_MANY_REQUESTS || status === UNAVAILABLE
}

/** Removes facts that do not hold for all counted refusals, such as the client id that an unknown caller claims. */
function removeDetails(noted: NotedEvent): void {
  const { event } = noted
  for (const key of ['record_type', 'record_ids', 'patient_ids'] as const) delete event[key]
  if (event.user_id === undefined) delete event.client_id
  noted.clues = undefined
}
