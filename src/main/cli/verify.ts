import type { Deps } from '../../deps.ts'
import type { Scope } from '../../eligibility/verification/due-visits.ts'
import { type PreviewedVisit, previewVerification } from '../../eligibility/verification/preview-verification.ts'
import { verifyAppointments } from '../../eligibility/verification/verify-appointments.ts'
import type { VerifiedVisit } from '../../eligibility/verification/verify-visit.ts'
import { recordCommand } from '../../platform/audit/administration.ts'
import { findOrganization } from '../../platform/auth/clients.ts'
import type { SystemDatabase } from '../../platform/database/database.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { type CommandLine, UsageError } from './program/command-line.ts'
import { commandLog, printTable } from './program/output.ts'
import { readDays } from './program/values.ts'
import { withClearinghouse } from './program/with-clearinghouse.ts'

/** Verifies the due visits of one organization, or of all with verification enabled, and prints the results. */
export async function verify(line: CommandLine): Promise<void> {
  const { days: text, organization, 'dry-run': isDry } = line.flags
  const days = typeof text === 'string' ? readDays(text, 'days') : undefined
  const unreadable = new Set<string>()
  const visits = await withClearinghouse(async (deps) => {
    const scope: Scope = {
      ...(days !== undefined && { days }),
      ...(typeof organization === 'string'
        ? { organizationId: (await findOrganization(deps.systemDatabase, organization)).organization_id }
        : await requireSwitchedOn(deps.systemDatabase)),
    }
    const { organizationId } = scope
    const operation = isDry ? 'verify --dry-run' : 'verify'
    await recordCommand(deps.database, operation, organizationId === undefined ? {} : { organizationId })
    return isDry ? previewVerification(deps, scope) : run(deps, scope, unreadable)
  })
  printTable(line, line.flags.json ? visits : visits.toSorted(byStart).map(toRow))
  if (unreadable.size > 0)
    throw new StartupError(`the visits of organization ${[...unreadable].join(', ')} could not be read`)
  const failed = visits.filter(({ outcome }) => outcome === 'FAILED').length
  if (failed > 0) throw new StartupError(`${failed} of ${visits.length} appointments could not be verified`)
}

/** @throws UsageError: a run for no organization would look as if there were nothing to verify. */
async function requireSwitchedOn(database: SystemDatabase): Promise<Scope> {
  const row = await database.row('select 1 from organization where verification limit 1')
  if (row) return {}
  throw new UsageError('--organization is required: verification is not enabled for any organization')
}

async function run(deps: Deps, scope: Scope, unreadable: Set<string>): Promise<VerifiedVisit[]> {
  const visits: VerifiedVisit[] = []
  await verifyAppointments(deps, {
    ...scope,
    log: commandLog(),
    onVisit: (visit) => visits.push(visit),
    onUnreadable: (organizationId) => unreadable.add(organizationId),
  })
  return visits
}

type Shown = VerifiedVisit | PreviewedVisit

const byStart = (one: Shown, other: Shown) => ((one.start_timestamp ?? '') < (other.start_timestamp ?? '') ? -1 : 1)

/** Ids, codes and amounts: nothing that identifies the patient. */
function toRow({ appointment_id, start_timestamp, coverages, outcome, decision }: Shown): object {
  const [primary, secondary] = coverages.map(({ finding, detail }) =>
    outcome === 'WOULD_ASK' ? 'would be asked' : detail ? `${finding} (${detail})` : finding,
  )
  const cents = decision?.estimated_copay_cents
  return {
    appointment: appointment_id,
    start: start_timestamp ?? '',
    primary: primary ?? '-',
    secondary: secondary ?? '-',
    outcome,
    reason: decision?.not_ready_reason ?? '-',
    queue: decision?.work_queue ?? '-',
    copay: cents === undefined ? '-' : `$${(cents / 100).toFixed(2)}`,
  }
}
