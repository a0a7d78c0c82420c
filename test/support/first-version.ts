import { expect } from 'vitest'

/** What every kind of record has at version 1, besides its own fields. */
export const firstVersionOf = ({ organizationId }: { organizationId: string }) => ({
  id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  organization_id: organizationId,
  deactivated: false,
  version: 1,
  updated_at: expect.any(String),
  updating_user_id: expect.any(String),
})
