import { Type } from 'typebox'
import type { Actor } from '../../contract/actor.ts'
import type { Deps } from '../../deps.ts'
import { showPatient } from '../../platform/audit/audit-context.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import type { PlainListing } from '../../records/listing.ts'
import { liveCount, liveCountColumn } from '../../records/live-count.ts'
import { pageOf, pageQuery, readPage } from '../../records/page.ts'
import { changePath, lazyPaths } from '../../records/paths.ts'
import { readAll } from '../../records/read-all.ts'
import { nameToCompare, type PathSort, similarNameIn, sortBy } from '../../records/sort.ts'
import { changeJoin, wireColumns } from '../../records/statements.ts'
import { toWire } from '../../records/wire.ts'
import { patient } from './patient.ts'
import { nearestNames, similarity } from './similar-names.ts'

type Needs = Pick<Deps, 'database' | 'vault'>

const sortPaths = lazyPaths(() => [...patient.paths, ['updatedAt', changePath('patient')]])

interface PatientSelection {
  mrn?: string | undefined
  /** Shows the primary patient in place of one who was merged into it. */
  redirectToPrimary?: boolean
  /** A name to order by, most similar first. */
  similarName?: string | undefined
  sort?: PathSort
}

/** GET /: every patient, or the one with the MRN; deactivated ones are excluded. */
export const search = endpoint({
  operation: 'search',
  method: 'GET',
  path: '',
  summary: 'Lists all patients, on request the most similar name first; deactivated patients are excluded.',
  query: Type.Object({ mrn: Type.Optional(Type.String()), similar_name_ordering: Type.Optional(Type.String()) }),
  answer: Type.Array(patient.wire),
  errors: [],
  handle: (deps: Needs, { actor, query }) =>
    readAll(
      deps,
      patientsOf(deps, actor, {
        mrn: query.mrn,
        similarName: query.similar_name_ordering && nameToCompare(query.similar_name_ordering),
      }),
    ),
})

const GetMulti = Type.Object({
  ...pageQuery,
  mrn: Type.Optional(Type.String()),
  sort_field: Type.Optional(Type.String()),
  sort_direction: Type.Optional(Type.Enum(['asc', 'desc'])),
  redirect_to_primary: Type.Optional(Type.Boolean()),
})

/** GET /get_multi, in the order of creation unless a sort field is given. Source: rules.md 2.2, 6. */
export const getMulti = endpoint({
  operation: 'getMulti',
  method: 'GET',
  path: '/get_multi',
  summary: 'Lists patients page by page; deactivated patients are excluded.',
  query: GetMulti,
  answer: pageOf(patient.wire),
  errors: [],
  handle: async (deps: Needs, { actor, query }) => {
    const { sort_field: field = 'id', sort_direction: direction } = query
    const similarName = similarNameIn(field)
    const selection = {
      mrn: query.mrn,
      redirectToPrimary: query.redirect_to_primary ?? false,
      ...(similarName === undefined ? { sort: sortBy(sortPaths, { field, direction }) } : { similarName }),
    }
    const listing = patientsOf(deps, actor, selection)
    const toText: PlainListing['toText'] = (row) => {
      showPatient(actor, row[0] ?? '')
      return listing.toText(row)
    }
    return readPage(deps, { ...listing, toText }, query)
  },
})

function patientsOf(deps: Needs, actor: Actor, selection: PatientSelection): PlainListing {
  const { mrn, redirectToPrimary, similarName, sort = sortBy(patient.paths, { field: 'id' }) } = selection
  const values: unknown[] = [actor.organizationId]
  const bound = (value: unknown) => `$${values.push(value)}::text`
  const tables = [sort.root === 'patient' ? 'patient' : `patient ${changeJoin('patient')}`]
  if (similarName !== undefined) tables.push(`(select trigram_text(${bound(similarName)}) as name) wanted`)
  const conditions = ['patient.organization_id = $1', 'not patient.deactivated']
  if (mrn !== undefined) {
    const asked = bound(mrn)
    conditions.push(`patient.mrn = ${redirectToPrimary ? primaryOf(asked) : asked}`)
  } else if (redirectToPrimary) {
    // Without an MRN the list includes all patients, so the primaries of the excluded ones are in it already.
    conditions.push(`not exists (${mergeOf(`patient.mrn`)})`)
  }
  const from = `from ${tables.join(' cross join ')} where ${conditions.join(' and ')}`
  return {
    from,
    ...(similarName !== undefined && nearestNames(from, similarName)),
    isWalked: mrn === undefined,
    values,
    columns: wireColumns('patient'),
    sort: similarName === undefined ? { ...sort, isJoined: sort.root !== 'patient' } : similarity,
    id: 'patient.id',
    ...(mrn === undefined && !redirectToPrimary && { total: () => liveCount(deps, actor.organizationId, 'patient') }),
    ...(mrn === undefined &&
      !redirectToPrimary &&
      similarName === undefined && { totalColumn: liveCountColumn('patient') }),
    request: { operation: 'patients.getMulti', mrn, redirectToPrimary, similarName },
    toText: (row) => toWire(patient, row, deps.vault),
  }
}

function mergeOf(mrn: string): string {
  return `select merge.body ->> 'primary_patient_mrn' from patient_merge merge
    where merge.organization_id = $1 and not merge.deactivated and merge.body ->> 'alternative_patient_mrn' = ${mrn}`
}

function primaryOf(mrn: string): string {
  return `coalesce((${mergeOf(mrn)}), ${mrn})`
}
