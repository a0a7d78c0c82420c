import { EligibilityCheckMetadata } from '../../../contract/eligibility-check.schema.ts'
import { notFound } from '../../../contract/errors.ts'
import { isUuid } from '../../../contract/formats.ts'
import type { Deps } from '../../../deps.ts'
import { instant } from '../../../platform/database/instant.ts'
import { endpoint } from '../../../platform/http/endpoint.ts'
import { withTimeLimit } from '../../../platform/with-time-limit.ts'
import { resource } from '../../../records/resource.ts'
import { coverage } from '../../../resources/coverages/coverage.ts'
import { PLAN_SERVICE } from '../../../x12/codes/service-types.ts'
import { type AnsweringNeeds, answerCheck, beginCheck, prepareInquiry } from '../../checks/answer-check.ts'
import { checkLeases } from '../../checks/check-queue.ts'
import { storedToWire, WIRE_COLUMNS } from '../../checks/check-wire.ts'
import { COVERAGE_FIELDS, findAsked, toCoverageRequest } from '../../checks/coverage-request.ts'
import { metadataOf, showPending } from '../../checks/update-coverage.ts'
import { eligibilityCheck } from '../eligibility-checks/audited-checks.ts'
import { WAIT_MS } from '../request-fields.ts'
import * as schemas from './coverage-eligibility.schema.ts'
import { CheckEligibilityRequest, CoverageEligibilityCheckResponse } from './coverage-eligibility.schema.ts'

type Needs = AnsweringNeeds & Pick<Deps, 'systemDatabase'>

/** POST /:id/eligibility. Source: rules.md 10.3. */
const checkEligibility = endpoint({
  operation: 'checkEligibility',
  method: 'POST',
  path: '/:id/eligibility',
  summary:
    'Checks a coverage with its payer. If the payer takes longer than two seconds, the check continues in the background and the response is PENDING.',
  body: CheckEligibilityRequest,
  answer: EligibilityCheckMetadata,
  errors: [],
  async handle(deps: Needs, { actor, params, body, request: { log } }) {
    const found = await findAsked(deps, actor.organizationId, params.id ?? '')
    if (!found) throw notFound(coverage.label)
    const { coverageId } = found
    const { npi, date_of_service: dateOfService, service_code } = body
    const request = toCoverageRequest(found.coverage, found.patient, {
      npi,
      dateOfService,
      serviceTypeCodes: [service_code],
    })
    const check = await beginCheck(deps, actor, await prepareInquiry(deps, actor, request, COVERAGE_FIELDS), {
      coverageId,
    })
    const answering = answerCheck(deps, check)
    const outcome = await withTimeLimit(WAIT_MS, answering)
    if (outcome) return metadataOf(check, outcome.status)
    const work = answering.catch((error: Error) =>
      log.error({ type: error.name, checkId: check.id }, 'a check could not be answered'),
    )
    deps.background.carry(work, () => checkLeases.release(deps, [check], { delayMs: 0 }))
    return metadataOf(check, await showPending(deps, { ...check, coverageId }))
  },
})

const checkStatement = {
  name: 'coverage_check',
  text: `select id, coalesce(request #>> '{encounter,service_type_codes,0}', '${PLAN_SERVICE}'), status, user_id,
      ${instant('initiated_at')}, ${WIRE_COLUMNS}
    from eligibility_check where organization_id = $1 and coverage_id = $2 and id = $3`,
}

/** GET /:id/eligibility/:check_id. Source: rules.md 10.3. */
const getEligibility = endpoint({
  operation: 'getEligibility',
  method: 'GET',
  path: '/:id/eligibility/:check_id',
  addresses: { check_id: eligibilityCheck },
  summary: 'Reads a check of a coverage: its result once it is no longer PENDING, or why it failed.',
  answer: CoverageEligibilityCheckResponse,
  errors: [],
  async handle(deps: Needs, { actor, params }) {
    const ids = [params.id ?? '', params.check_id ?? '']
    const row = ids.every(isUuid) ? await deps.database.row(checkStatement, [actor.organizationId, ...ids]) : undefined
    if (!row) throw notFound('Eligibility check')
    const [check_id, service_code, status, initiated_by, initiated_at, ...columns] = row
    const metadata = { check_id, service_code, status, initiated_by, initiated_at }
    // Our choice: a failed check is shown, too, because its errors are not available elsewhere.
    const check = status === 'PENDING' ? '' : `,"check":${await storedToWire(deps, columns)}`
    return `{"metadata":${JSON.stringify(metadata)}${check}}`
  },
})

export const coverageEligibility = resource({
  path: '/coverages/v1',
  group: 'coverages',
  record: coverage,
  schemas,
  routes: [
    checkEligibility, // POST   /:id/eligibility
    getEligibility, // GET    /:id/eligibility/:check_id
  ],
})
