import { Type } from 'typebox'
import { notFound } from '../../contract/errors.ts'
import { isUuid } from '../../contract/formats.ts'
import type { Deps } from '../../deps.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import { wireColumns } from '../../records/statements.ts'
import { toWire } from '../../records/wire.ts'
import { coverage } from '../coverages/coverage.ts'
import { patient } from './patient.ts'

type Needs = Pick<Deps, 'database' | 'vault' | 'now'>

export const PatientCoverageSnapshot = Type.Object({
  patient: patient.wire,
  primary_coverage: Type.Optional(coverage.wire),
  secondary_coverage: Type.Optional(coverage.wire),
  tertiary_coverage: Type.Optional(coverage.wire),
  coverages_for_related_causes: Type.Array(coverage.wire),
})

const PLACES = ['primary_coverage', 'secondary_coverage', 'tertiary_coverage'] as const
const RELATED = 'related'

/**
 * The current coverages of a patient, each with its position: in the filing order that was in force at $3 (the first
 * version's for an earlier time), or among the related causes, which are not part of that order.
 */
const coveragesStatement = {
  name: 'patient_snapshot_coverages',
  text: `with in_force as (
      select body from patient_history where organization_id = $1 and id = $2
      order by updated_at <= $3::timestamptz desc, case when updated_at <= $3::timestamptz then -version else version end limit 1
    ),
    placed as (
      select coverage_id, number::text as place, number as position from in_force,
        jsonb_array_elements_text(body #> '{filing_order,coverages}') with ordinality as filed (coverage_id, number)
      where number <= ${PLACES.length}
      union all
      select lower(coverage_id) as coverage_id, '${RELATED}' as place, number as position from patient,
        jsonb_array_elements_text(body #> '{coverages_for_related_causes,coverages}') with ordinality as related (coverage_id, number)
      where organization_id = $1 and id = $2
    )
    select placed.place, ${wireColumns('coverage')} from placed
    join coverage on coverage.organization_id = $1 and coverage.id = placed.coverage_id::uuid order by placed.position`,
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
    const placed = (await deps.database.rows(coveragesStatement, [...key, at])).map(([place, ...columns]) => ({
      place,
      text: toWire(coverage, columns, deps.vault),
    }))
    const filed = PLACES.flatMap((name, index) => {
      const found = placed.find(({ place }) => place === String(index + 1))
      return found ? [`"${name}":${found.text},`] : []
    })
    const related = placed.filter(({ place }) => place === RELATED).map(({ text }) => text)
    return `{"patient":${toWire(patient, row, deps.vault)},${filed.join('')}"coverages_for_related_causes":[${related}]}`
  },
})
