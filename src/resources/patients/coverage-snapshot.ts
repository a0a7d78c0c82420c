import { Type } from 'typebox'
import type { Actor } from '../../contract/actor.ts'
import { notFound } from '../../contract/errors.ts'
import { isUuid } from '../../contract/formats.ts'
import type { Deps } from '../../deps.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import type { PlainListing } from '../../records/listing.ts'
import { answerOf, readByIds, textsOf } from '../../records/read-all.ts'
import { wireColumns } from '../../records/statements.ts'
import { toWire } from '../../records/wire.ts'
import { coverage } from '../coverages/coverage.ts'
import { PATIENT_COVERAGES } from '../lists/filed-coverages.ts'
import { patient } from './patient.ts'

type Needs = Pick<Deps, 'database' | 'vault' | 'now'>

export const PatientCoverageSnapshot = Type.Object({
  patient: patient.wire,
  primary_coverage: Type.Optional(coverage.wire),
  secondary_coverage: Type.Optional(coverage.wire),
  tertiary_coverage: Type.Optional(coverage.wire),
  coverages_for_related_causes: Type.Array(coverage.wire),
})

/** The current coverages of the filing order that was in force at $3 (the first version's for an earlier time), by place. */
const filedStatement = {
  name: 'patient_snapshot_coverages',
  text: `with in_force as (
      select body from patient_history where organization_id = $1 and id = $2
      order by updated_at <= $3::timestamptz desc, case when updated_at <= $3::timestamptz then -version else version end limit 1
    ),
    filed as (
      select coverage_id, number from in_force,
        jsonb_array_elements_text(body #> '{filing_order,coverages}') with ordinality as filed (coverage_id, number)
      where number <= ${PATIENT_COVERAGES.length}
    )
    select filed.number, ${wireColumns('coverage')} from filed
    join coverage on coverage.organization_id = $1 and coverage.id = filed.coverage_id::uuid order by filed.number`,
}

/** The ids of the coverages of related causes, which are not part of the filing order. A patient may name thousands. */
const relatedStatement = {
  name: 'patient_snapshot_related',
  text: `select json_agg(lower(coverage_id) order by number) from patient,
      jsonb_array_elements_text(body #> '{coverages_for_related_causes,coverages}') with ordinality as related (coverage_id, number)
    where organization_id = $1 and id = $2`,
}

function coveragesOf({ organizationId }: Actor, { vault }: Needs): PlainListing {
  return {
    from: 'from coverage where organization_id = $1',
    values: [organizationId],
    columns: wireColumns('coverage'),
    sort: { sql: 'id', type: 'uuid', direction: 'asc', isAlwaysSet: true },
    id: 'id',
    request: { operation: 'patients.getCoverageSnapshot' },
    toText: (row) => toWire(coverage, row, vault),
  }
}

/** GET /:id/snapshot. Source: rules.md 6. */
export const coverageSnapshot = endpoint({
  operation: 'getCoverageSnapshot',
  method: 'GET',
  path: '/:id/snapshot',
  summary: 'Reads a patient with the coverages of the filing order that was in force at an instant, now by default.',
  query: Type.Object({ date: Type.Optional(Type.String({ format: 'date-time' })) }),
  answer: PatientCoverageSnapshot,
  errors: ['NotFoundError'],
  async handle(deps: Needs, { actor, params, query }) {
    const id = params.id ?? ''
    const key = [actor.organizationId, id]
    if (!isUuid(id)) throw notFound(patient.label)
    const row = await deps.database.row(patient.statements.read, key)
    if (!row) throw notFound(patient.label)
    const at = query.date ?? deps.now().toISOString()
    const filed = await deps.database.rows(filedStatement, [...key, at])
    const texts = filed.map(([place, ...columns]) => {
      return `"${PATIENT_COVERAGES[Number(place) - 1]}":${toWire(coverage, columns, deps.vault)},`
    })
    const [related] = (await deps.database.rowByKey(relatedStatement, key)) ?? []
    const coverages = coveragesOf(actor, deps)
    const chunks = textsOf(readByIds(deps, coverages, JSON.parse(related ?? '[]')), coverages.toText)
    const before = `{"patient":${toWire(patient, row, deps.vault)},${texts.join('')}"coverages_for_related_causes":[`
    return answerOf(chunks, { before, after: ']}' })
  },
})
