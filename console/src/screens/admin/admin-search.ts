interface AdminSearch {
  /** The id of the patient whose audit trail is shown. */
  patient?: string
}

export const readAdminSearch = ({ patient }: Record<string, unknown>): AdminSearch =>
  typeof patient === 'string' ? { patient } : {}
