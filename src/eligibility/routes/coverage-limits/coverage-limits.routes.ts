// Extensions of the interface: what limits a coverage's latest answer, which the interface's types cannot say.
// decisions/0068-limits-of-active-coverage.md

import { Type } from 'typebox'
import { isUuid } from '../../../contract/formats.ts'
import { COVERAGE_LIMITS_MAX } from '../../../contract/limits.ts'
import type { Deps } from '../../../deps.ts'
import { showPatient } from '../../../platform/audit/audit-context.ts'
import { endpoint } from '../../../platform/http/endpoint.ts'
import { resource } from '../../../records/resource.ts'
import { findCoverageLimits } from '../../checks/coverage-limits.ts'
import { CoverageLimits } from '../stored-checks/stored-check.schema.ts'

const list = endpoint({
  operation: 'getMulti',
  method: 'GET',
  path: '/limits',
  summary:
    'The limits of the latest answers about coverages: active for some services only, another primary payer, an unmet spend-down, different identity data, a coverage or patient that was changed since. An answer that is not ACTIVE has none but the last. A coverage without a limit is left out.',
  query: Type.Object({ ids: Type.Array(Type.String(), { minItems: 1, maxItems: COVERAGE_LIMITS_MAX }) }),
  answer: Type.Array(CoverageLimits),
  errors: ['BadRequestError'],
  async handle(deps: Pick<Deps, 'database'>, { actor, query }) {
    const found = await findCoverageLimits(deps, actor.organizationId, query.ids.filter(isUuid))
    return found.map(({ coverageId, checkId, patientId, limits }) => {
      showPatient(actor, patientId)
      return { coverage_id: coverageId, check_id: checkId, limits }
    })
  },
})

export const coverageLimits = resource({
  path: '/anteroom/v1/coverages',
  group: 'coverageLimits',
  about: 'What limits active coverage.',
  schemas: { CoverageLimits },
  routes: [
    list, // GET    /limits
  ],
})
