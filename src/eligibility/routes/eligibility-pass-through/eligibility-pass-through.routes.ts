import { endpoint } from '../../../platform/http/endpoint.ts'
import { resource } from '../../../records/resource.ts'
import type { AnsweringNeeds } from '../../checks/answer-check.ts'
import { readParameters } from './availity-parameters.ts'
import * as schemas from './eligibility-pass-through.schema.ts'
import {
  CoverageForm,
  FindAvailityEligibilityResultsRequest,
  FindAvailityEligibilityResultsResponse,
} from './eligibility-pass-through.schema.ts'
import { findExistingChecks } from './existing-checks.ts'
import { passThrough } from './pass-through.ts'

/** Our choice of the date: the month in which the interface's own eligibility check was released. Source: rules.md 13.1, 5. */
const deprecated = { since: new Date('2025-02-01T00:00:00Z'), successor: '/eligibility-checks/v1' }

const partner =
  "`partner` and `availity` are the organization's default connector; else the name of one of its connectors."

const submitByQuery = endpoint({
  operation: 'submitEligibilityCheckAvaility',
  method: 'GET',
  path: '/:partner',
  summary: "Checks a patient's coverage with Availity's parameters in the query; returns Availity's form.",
  parameters: { partner },
  deprecated,
  answer: CoverageForm,
  errors: ['HttpRequestValidationError'],
  // It sends an inquiry and stores the answer, although its method is GET.
  accessType: 'write',
  handle: (deps: AnsweringNeeds, { actor, params, request }) =>
    passThrough(deps, actor, params.partner ?? '', readParameters(request.query)),
})

const submit = endpoint({
  operation: 'submitEligibilityCheckAvailityPost',
  method: 'POST',
  path: '/:partner',
  summary: "Asks about a patient's coverage with Availity's parameters as JSON; answers in Availity's form.",
  parameters: { partner },
  deprecated,
  answer: CoverageForm,
  errors: ['HttpRequestValidationError'],
  handle: (deps: AnsweringNeeds, { actor, params, request }) =>
    passThrough(deps, actor, params.partner ?? '', readParameters(request.body)),
})

const findExisting = endpoint({
  operation: 'findAvailityEligibilityResults',
  method: 'POST',
  path: '/existing-checks',
  summary: 'Finds the successful checks of a member at a payer for a provider and a day.',
  body: FindAvailityEligibilityResultsRequest,
  answer: FindAvailityEligibilityResultsResponse,
  errors: [],
  accessType: 'read',
  handle: (deps: AnsweringNeeds, { actor, body }) => findExistingChecks(deps, actor, body),
})

export const eligibilityPassThrough = resource({
  path: '/api/eligibility/v2',
  group: 'eligibility',
  about: "The clearinghouse's own eligibility operations, passed through. Deprecated.",
  permits: {
    read: 'See the results of checks in the format of Availity.',
    write: 'Check eligibility with payers in the format of Availity.',
  },
  schemas,
  routes: [
    submitByQuery, // GET  /:partner
    submit, // POST /:partner
    findExisting, // POST /existing-checks
  ],
})
