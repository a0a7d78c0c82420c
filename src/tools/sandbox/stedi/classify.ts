import type { RosterMember } from '../roster.ts'

/** Another coverage in force on the requested days, and the services that both coverages include. */
export interface Overlap {
  other: NonNullable<RosterMember['otherCoverage']>
  services: string[]
}

interface Classification {
  classification: string
  instanceExists: boolean
  primacyDetermined: boolean
  coverageOverlap: boolean
  benefitOverlap: boolean
}

/** The classification for the four flags. Source: rules.md 13.11. */
export function classify(overlap: Overlap | undefined): Classification {
  const coverageOverlap = overlap !== undefined
  const benefitOverlap = coverageOverlap && overlap.services.length > 0
  const instanceExists = benefitOverlap && overlap.other.isCoordinated !== false
  const primacyDetermined = instanceExists && overlap.other.primary !== undefined
  const flags = { instanceExists, primacyDetermined, coverageOverlap, benefitOverlap }
  return { classification: wordFor(flags), ...flags }
}

function wordFor(flags: Omit<Classification, 'classification'>): string {
  if (flags.primacyDetermined) return 'CobInstanceExistsPrimacyDetermined'
  if (flags.instanceExists) return 'CobInstanceExistsPrimacyUndetermined'
  if (flags.benefitOverlap) return 'CoverageOverlapExistsNotSubjectToCob'
  return flags.coverageOverlap ? 'CoverageOverlapNoBenefitOverlap' : 'MemberFoundNoCob'
}
