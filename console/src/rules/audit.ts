// The audit trail: what is asked of it, and who did what an entry records.
import type { ApiClient, AuditEvent, User } from '../api/generated.ts'
import { addDays, instantOf, isWholeDay } from './days.ts'

/** As chosen on the screen; an empty text leaves that choice open. */
export interface AuditFilters {
  /** Id of a user. */
  person: string
  /** An operation, or a group of them. */
  operation: string
  /** YYYY-MM-DD, both inclusive. */
  from: string
  to: string
  /** Entries without a patient as well. */
  withOthers: boolean
}

export const NO_FILTERS: AuditFilters = { person: '', operation: '', from: '', to: '', withOthers: false }

const PAGE = 50

/** A chosen patient or operation includes entries that name no patient; days are those of the organization. */
export function auditQuery(
  { person, operation, from, to, withOthers }: AuditFilters,
  { patient, token, timeZone }: { patient: string | undefined; token: string | undefined; timeZone: string },
) {
  const midnight = (day: string, later: number) =>
    isWholeDay(day) ? instantOf(addDays(day, later), '00:00', timeZone) : undefined
  const [begin, end] = [midnight(from, 0), midnight(to, 1)]
  return {
    limit: PAGE,
    ...(patient && { patient_id: patient }),
    ...(!(patient || operation || withOthers) && { patients_only: true }),
    ...(person && { user_id: person }),
    ...(operation && { operation }),
    ...(begin && { from: begin }),
    ...(end && { to: end }),
    ...(token && { page_token: token }),
  }
}

/** The name of the user or client, where it is known; otherwise what the entry says of who it was. */
export function actorOf(
  { user_id, client_id, os_user, operation }: AuditEvent,
  people: readonly Pick<User, 'id' | 'name'>[] = [],
  clients: readonly Pick<ApiClient, 'client_id' | 'name'>[] = [],
): string {
  const name =
    people.find(({ id }) => id === user_id)?.name ?? clients.find((client) => client.client_id === client_id)?.name
  if (name !== undefined) return name
  if (os_user) return `${os_user} (command line)`
  if (operation.startsWith('system.')) return 'The service'
  return client_id ?? user_id ?? 'Unknown'
}
