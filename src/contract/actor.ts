/**
 * The identity that a call acts as. It comes from the access token or the session, never from the request. A person is
 * a user of one organization; a client acts for one organization.
 */
export interface Actor {
  organizationId: string
  userId: string
  /** Absent when the caller is a person. */
  clientId?: string
  /** Set when the caller is a person who has signed in. */
  sessionId?: string
  /** The audit context of the call, for the audit trail. */
  auditContext?: AuditContext
}

/** A client that authenticates with an access token. */
export interface ClientActor extends Actor {
  clientId: string
}

/** The operation call that a write belongs to. */
export interface AuditContext {
  operation: string
  /** The same id in every event and log line of the call. */
  requestId: string
  address: string
  /** True once a write has stored the audit event of this call: its success then needs no event of its own. */
  isWritten: boolean
  /**
   * The patients whose data the answer shows, where the handler states them. The answer is then not searched for ids.
   */
  shown?: Set<string>
  /** MRNs of patients that the answer identifies in no other way. */
  shownMrns?: string[]
}
