import type { Actor } from '../../../contract/actor.ts'
import * as eligibilityCheckSchemas from '../../../contract/eligibility-check.schema.ts'
import { EligibilityCheck, EligibilityRequest } from '../../../contract/eligibility-check.schema.ts'
import { endpoint } from '../../../platform/http/endpoint.ts'
import { resource } from '../../../records/resource.ts'
import { type AnsweringNeeds, answerCheck, beginCheck, prepareInquiry } from '../../checks/answer-check.ts'
import { findSame } from '../../checks/check-store.ts'
import { toWire } from '../../checks/check-wire.ts'
import { BatchEligibilityResponse, pollBatch, postBatch } from './check-batches.ts'
import { getMulti } from './list-checks.ts'
import * as payerSchemas from './payer.schema.ts'
import { searchPayers } from './search-payers.ts'

/** The interface's EligibilityCheck has no field for its id, which a recommendation for it needs (rules.md 13.2, 13.8). */
const CHECK_ID_HEADER = 'x-eligibility-check-id'

const check = endpoint({
  operation: 'post',
  method: 'POST',
  path: '',
  summary:
    'Checks eligibility with the payer in real time. A failed check is still a 200, with the reasons in `errors`.',
  body: EligibilityRequest,
  answer: EligibilityCheck,
  answerHeaders: {
    [CHECK_ID_HEADER]:
      'The id of the check: recommendations refer to it, and GET /anteroom/v1/eligibility-checks/{id} reads it.',
  },
  errors: [],
  async handle(deps: AnsweringNeeds, { actor, body, reply }) {
    const { id, wire } = await checkEligibility(deps, actor, body)
    reply.header(CHECK_ID_HEADER, id)
    return wire
  },
})

/** Runs and stores a check, or returns an earlier answer to the same inquiry. Source: rules.md 13.1 to 13.5. */
async function checkEligibility(
  deps: AnsweringNeeds,
  actor: Actor,
  request: EligibilityRequest,
): Promise<{ id: string; wire: string | object }> {
  const inquiry = await prepareInquiry(deps, actor, request)
  const after = request.get_existing_check_initiated_after
  const existing = after === undefined ? undefined : await findSame(deps, actor, inquiry.asked, after)
  if (existing !== undefined) return existing
  const check = await beginCheck(deps, actor, inquiry)
  return { id: check.id, wire: toWire(inquiry.request, await answerCheck(deps, check)) }
}

export const eligibilityChecks = resource({
  path: '/eligibility-checks/v1',
  group: 'eligibilityChecks',
  about: 'Eligibility of a patient at a payer, in real time or in batches, and the resulting recommendations.',
  permits: {
    read: 'See payers, checks and their answers, benefit sheets and suggestions.',
    write: 'Check eligibility with payers, in batches too, and search for unknown coverage.',
  },
  schemas: { ...eligibilityCheckSchemas, ...payerSchemas, BatchEligibilityResponse },
  routes: [
    check, // POST   /
    postBatch, // POST   /batch
    pollBatch, // GET    /batch/:batch_id
    searchPayers, // GET    /payer/search
    getMulti, // GET    /get-multi/
  ],
})
