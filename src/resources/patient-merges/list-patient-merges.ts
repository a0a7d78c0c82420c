import type { Readable } from 'node:stream'
import type { Actor } from '../../contract/actor.ts'
import { notFound } from '../../contract/errors.ts'
import type { Deps } from '../../deps.ts'
import type { PlainListing } from '../../records/listing.ts'
import { readPage } from '../../records/page.ts'
import { readAll } from '../../records/read-all.ts'
import { wireColumns } from '../../records/statements.ts'
import { toWire } from '../../records/wire.ts'
import type { PatientMergeSearchRequest } from './patient-merge.schema.ts'
import { patientMerge } from './patient-merge.ts'

type Needs = Pick<Deps, 'database' | 'vault'>

const mrnIsKnown = {
  name: 'patient_mrn_is_known',
  text: `select 1 from patient where organization_id = $1 and mrn = $2`,
}

/**
 * Every active merge with this MRN on either side, oldest first, as a JSON array.
 * @throws NotFoundError for an unknown MRN. Source: rules.md 16.
 */
export async function readMergesOf(deps: Needs, actor: Actor, mrn: string): Promise<string | Readable> {
  const values = [actor.organizationId, mrn]
  const answer = await readAll(deps, { ...mergesOf(deps, '= $2'), values })
  if (answer === '[]' && !(await deps.database.row(mrnIsKnown, values))) throw notFound('Patient')
  return answer
}

/**
 * A page of the active merges that have one of the MRNs on either side, oldest first; an unknown MRN matches none.
 * @throws BadRequestError for a page token of another search. Source: rules.md 16.
 */
export function searchMerges(deps: Needs, actor: Actor, search: PatientMergeSearchRequest): Promise<string | Readable> {
  const values = [actor.organizationId, search.mrns]
  return readPage(deps, { ...mergesOf(deps, '= any($2::text[])'), values }, search)
}

/** The active merges with an MRN on either side that matches $2, oldest first. */
function mergesOf(deps: Needs, condition: string): Omit<PlainListing, 'values'> {
  return {
    from: `from patient_merge where organization_id = $1 and not deactivated
      and (body ->> 'alternative_patient_mrn' ${condition} or body ->> 'primary_patient_mrn' ${condition})`,
    columns: wireColumns('patient_merge'),
    sort: { sql: 'created_at', type: 'timestamptz', direction: 'asc' },
    id: 'id',
    request: { operation: 'patientMerges.search' },
    toText: (row) => toWire(patientMerge, row, deps.vault),
  }
}
