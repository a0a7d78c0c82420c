/**
 * What the version in a path means: `current` is the version that the caller read, `next` the one that the write will make.
 * The only place that knows. Source: rules.md 1.4; where the published wording may be stale, a flip here is all it takes.
 */
export const pathVersions = {
  appointment: { update: 'next', deactivate: 'current' },
  coverage: { update: 'next' },
  // The update is a vote.
  eligibility_recommendation: { update: 'next' },
  image: { update: 'current', deactivate: 'current' },
  metadata_schema: { update: 'current', deactivate: 'current', reactivate: 'current' },
  note: { update: 'current', deactivate: 'current' },
  organization_external_provider: { update: 'next', deactivate: 'next' },
  patient: { update: 'next', deactivate: 'next', reactivate: 'next' },
  patient_merge: { deactivate: 'next' },
  tag: { update: 'current', deactivate: 'current' },
} as const satisfies Record<string, Partial<Record<WriteKind, 'current' | 'next'>>>

export type WriteKind = 'update' | 'deactivate' | 'reactivate'
export type RecordName = keyof typeof pathVersions
