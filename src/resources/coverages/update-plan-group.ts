import { Type } from 'typebox'
import { PayerId, PayerPlanGroupId } from '../../contract/common.schema.ts'
import type { Deps } from '../../deps.ts'
import { untilClosed } from '../../platform/http/caller-gone.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import { updateMany } from '../../records/bulk.ts'
import type { BulkChange } from '../../records/bulk-statements.ts'
import { NetworkType } from './coverage.schema.ts'
import { coverage } from './coverage.ts'
import { PLAN_GROUP } from './list-coverages.ts'

type Needs = Pick<Deps, 'database' | 'bulkTurns' | 'newId'>

export const PayerPlanGroupFields = Type.Object({
  payer_plan_group_id: PayerPlanGroupId,
  payer_id: PayerId,
  payer_name: Type.String(),
  plan_type: NetworkType,
})

/**
 * The COVERAGE_UPDATED event in SQL, as coverage-events.ts builds it for a single write: the fields of the plan that
 * have changed.
 */
const editsOfPlan = `jsonb_build_object('source', 'manual', 'edits', (
  select jsonb_agg(
    jsonb_strip_nulls(jsonb_build_object('field', 'insurance_plan.' || field, 'before', was -> field, 'after', now -> field))
    order by position
  )
  from (select before -> 'insurance_plan' as was, after -> 'insurance_plan' as now) plan,
    unnest(array[${Object.keys(PayerPlanGroupFields.properties).map((field) => `'${field}'`)}]) with ordinality as fields (field, position)
  where was -> field is distinct from now -> field
))`

/**
 * POST /batch-update-ppg/:ppg_id: all or none; coverages that would not change stay unchanged. Source: rules.md 10.2.
 */
export const batchUpdatePlanGroup = endpoint({
  operation: 'batchUpdatePpg',
  method: 'POST',
  path: '/batch-update-ppg/:ppg_id',
  summary:
    "Writes a payer plan group's fields to the plan of every coverage in it; another id moves the coverages to that group.",
  body: PayerPlanGroupFields,
  errors: [],
  async handle(deps: Needs, { actor, params, body, reply }) {
    const change: BulkChange = {
      where: `${PLAN_GROUP} = $3`,
      change: `jsonb_set(body, '{insurance_plan}', (body -> 'insurance_plan') || $4::jsonb)`,
      event: {
        type: 'COVERAGE_UPDATED',
        patient: `after ->> 'patient'`,
        payload: editsOfPlan,
      },
      values: [(params.ppg_id ?? '').toLowerCase(), JSON.stringify(body)],
    }
    await updateMany(deps, coverage, actor, change, untilClosed(reply))
    return undefined
  },
})
