import { Type } from 'typebox'
import { endpoint } from '../../../platform/http/endpoint.ts'
import { resource } from '../../../records/resource.ts'
import type { AnsweringNeeds } from '../../checks/answer-check.ts'
import { askAboutEncounter } from './ask-about-encounter.ts'
import { readEncounterChecks } from './encounter-checks.ts'
import * as schemas from './encounter-eligibility.schema.ts'
import {
  EncounterEligibility,
  EncounterEligibilityRequest,
  EncounterEligibilityResponse,
} from './encounter-eligibility.schema.ts'

const encounterEligibility = endpoint({
  operation: 'encounterEligibility',
  method: 'GET',
  path: '/encounter_eligibility',
  summary: 'Lists the checks of an encounter, newest first; an encounter is identified by its appointment.',
  query: Type.Object({ encounter_id: Type.String() }),
  answer: EncounterEligibilityResponse,
  errors: [],
  handle: async (deps: AnsweringNeeds, { actor, query }) => ({
    items: await readEncounterChecks(deps, actor.organizationId, query.encounter_id),
  }),
})

const createEncounterEligibility = endpoint({
  operation: 'createEncounterEligibility',
  method: 'POST',
  path: '/eligibility',
  summary: "Checks the primary coverage of an encounter's patient on its day, and waits for the answer.",
  body: EncounterEligibilityRequest,
  answer: EncounterEligibility,
  errors: [],
  async handle(deps: AnsweringNeeds, { actor, body }) {
    const checkId = await askAboutEncounter(deps, actor, body.encounter_id)
    const [check] = await readEncounterChecks(deps, actor.organizationId, body.encounter_id, checkId)
    return check
  },
})

export const encounterEligibilities = resource({
  path: '/eligibility-checks/v1',
  group: 'eligibilityChecks',
  schemas,
  routes: [
    encounterEligibility, // GET    /encounter_eligibility
    createEncounterEligibility, // POST   /eligibility
  ],
})
