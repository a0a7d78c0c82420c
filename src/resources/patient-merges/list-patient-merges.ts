import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import type { Actor } from '../../http/endpoint.ts'
import { readPage } from '../../records/page.ts'
import { wireColumns } from '../../records/statements.ts'
import { toArray, toWire } from '../../records/wire.ts'
import type { PatientMergeSearchRequest } from './patient-merge.schema.ts'
import { patientMerge } from './patient-merge.ts'

const mergesOf = {
  name: 'patient_merge_all_of',
  text: `select ${wireColumns('patient_merge')} from patient_merge
    where organization_id = $1 and not deactivated
      and (body ->> 'alternative_patient_mrn' = $2 or body ->> 'primary_patient_mrn' = $2)
    order by created_at, id`,
}

const mrnIsKnown = {
  name: 'patient_mrn_is_known',
  text: `select 1 from patient where organization_id = $1 and body ->> 'mrn' = $2`,
}

/**
 * Every active merge with this MRN on either side, oldest first, as a JSON array.
 * @throws NotFoundError for an MRN of no patient. Source: rules.md 16.
 */
export async function readMergesOf(deps: Deps, actor: Actor, mrn: string): Promise<string> {
  const values = [actor.organizationId, mrn]
  const rows = await deps.database.rows(mergesOf, values)
  if (rows.length === 0 && !(await deps.database.row(mrnIsKnown, values))) throw notFound('Patient')
  return toArray(rows.map((row) => toWire(patientMerge, row, deps.vault)))
}

/**
 * A page of the active merges that have one of the MRNs on either side, oldest first; an MRN of nobody is in none.
 * @throws BadRequestError for a page token of another search. Source: rules.md 16.
 */
export function searchMerges(deps: Deps, actor: Actor, search: PatientMergeSearchRequest): Promise<string> {
  const listing = {
    from: `from patient_merge where organization_id = $1 and not deactivated
      and (body ->> 'alternative_patient_mrn' = any($2::text[]) or body ->> 'primary_patient_mrn' = any($2::text[]))`,
    values: [actor.organizationId, search.mrns],
    columns: wireColumns('patient_merge'),
    sort: { sql: 'created_at', type: 'timestamptz', direction: 'asc' } as const,
    id: 'id',
    request: { operation: 'patientMerges.search' },
    toText: (row: string[]) => toWire(patientMerge, row, deps.vault),
  }
  return readPage(deps, listing, search)
}
