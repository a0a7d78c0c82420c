/**
 * Who acts: taken from the access token or the session, never from the request. A person is a user of one organization; a client acts as
 * one.
 */
export interface Actor {
  organizationId: string
  userId: string
  /** Absent for a person. */
  clientId?: string
  /** Of a person who has signed in. */
  sessionId?: string
  /** The call on whose behalf this one acts, for the audit trail. */
  auditContext?: AuditContext
}

/** One that acts with an access token. */
export interface ClientActor extends Actor {
  clientId: string
}

/** The call of an operation on whose behalf something is written. */
export interface AuditContext {
  operation: string
  /** The same in every event and log line of the call. */
  requestId: string
  address: string
  /** True once a write has left the event of this call: nothing is left to be noted of its success. */
  isWritten: boolean
  /** Whose data the answer shows, where whoever makes it has told: it is not searched for ids then. */
  shown?: Set<string>
  /** MRNs of patients whom it shows by nothing else. */
  shownMrns?: string[]
}
