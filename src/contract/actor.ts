/** Who acts: taken from the access token, never from the request. Every client acts as one user of one organization. */
export interface Actor {
  organizationId: string
  userId: string
  clientId: string
  /** The call on whose behalf this one acts, for the audit trail. */
  auditContext?: AuditContext
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
