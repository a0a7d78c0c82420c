import type { Readable } from 'node:stream'
import type { Actor } from '../../contract/actor.ts'
import { notFound } from '../../contract/errors.ts'
import { spellings } from '../../contract/formats.ts'
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
  text: `select 1 from patient where organization_id = $1 and mrn = any($2::text[])`,
}

/**
 * Every active merge with this MRN on either side, oldest first, as a JSON array.
 * @throws NotFoundError for an unknown MRN. Source: rules.md 16.
 */
export async function readMergesOf(deps: Needs, actor: Actor, mrn: string): Promise<string | Readable> {
  const values = [actor.organizationId, spellings(mrn)]
  const answer = await readAll(deps, { ...mergesOf(deps), values })
  if (answer === '[]' && !(await deps.database.row(mrnIsKnown, values))) throw notFound('Patient')
  return answer
}

/**
 * A page of the active merges that have one of the MRNs on either side, oldest first; an unknown MRN matches none.
 * @throws BadRequestError for a page token of another search. Source: rules.md 16.
 */
export function searchMerges(deps: Needs, actor: Actor, search: PatientMergeSearchRequest): Promise<string | Readable> {
  const values = [actor.organizationId, search.mrns]
  return readPage(deps, { ...mergesOf(deps), values }, search)
}

/** The active merges that have one of the MRNs of $2 on either side, oldest first. */
function mergesOf(deps: Needs): Omit<PlainListing, 'values'> {
  return {
    from: `from patient_merge where organization_id = $1 and not deactivated
      and (body ->> 'alternative_patient_mrn' = any($2::text[]) or body ->> 'primary_patient_mrn' = any($2::text[]))`,
    columns: wireColumns('patient_merge'),
    sort: { sql: 'created_at', type: 'timestamptz', direction: 'asc' },
    id: 'id',
    request: { operation: 'patientMerges.search' },
    toText: (row) => toWire(patientMerge, row, deps.vault),
  }
}
