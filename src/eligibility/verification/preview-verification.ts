import type { Deps } from '../../deps.ts'
import { decide } from './decide.ts'
import { listDueVisits, type Scope } from './due-visits.ts'
import type { VerifiedVisit } from './verify-visit.ts'
import { hoursToVisit, MISSING_NPI, readVisit, type Visit } from './visit.ts'

type Needs = Pick<Deps, 'database' | 'systemDatabase' | 'now'>

/** An appointment that a run would take up; without a decision, the result depends on the payers' answers. */
export type PreviewedVisit = Omit<VerifiedVisit, 'outcome'> & { outcome: 'WOULD_ASK' | 'NOT_READY' }

/** The visits that a run would take up now. Sends no inquiry and changes nothing. */
export async function previewVerification(deps: Needs, scope: Scope): Promise<PreviewedVisit[]> {
  const visits: PreviewedVisit[] = []
  for (const { organizationId, appointmentId } of await listDueVisits(deps, scope)) {
    const visit = await readVisit(deps, organizationId, appointmentId)
    if (visit) visits.push(preview(deps, visit))
  }
  return visits
}

function preview(deps: Needs, visit: Visit): PreviewedVisit {
  const about = {
    organization_id: visit.organizationId,
    appointment_id: visit.appointmentId,
    start_timestamp: visit.body.start_timestamp,
  }
  const { coverages, npi, hasEarlierVisit } = visit
  if (npi !== undefined && coverages.length > 0) {
    const open = coverages.map(({ id }) => ({ coverage_id: id, finding: 'PENDING' as const }))
    return { ...about, coverages: open, outcome: 'WOULD_ASK' }
  }
  const missing = coverages.map(({ id }) => ({
    coverage_id: id,
    finding: 'NOT_ASKED' as const,
    detail: MISSING_NPI,
  }))
  const findings = missing.map(({ finding }) => finding)
  const hours = hoursToVisit(deps, visit.body.start_timestamp)
  const decision = decide({ findings, hoursToVisit: hours, hasEarlierVisit })
  return { ...about, coverages: missing, outcome: 'NOT_READY', ...(decision && { decision }) }
}
