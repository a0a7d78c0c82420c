import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint.ts'
import type { Route } from '../../records/endpoints.ts'
import { resource } from '../../records/resource.ts'
import { askAboutEncounter } from './ask-about-encounter.ts'
import { readEncounterChecks } from './encounter-checks.ts'
import {
  EncounterEligibility,
  EncounterEligibilityRequest,
  EncounterEligibilityResponse,
} from './encounter-eligibility.schema.ts'

const encounterEligibility: Route = (deps, base) =>
  endpoint({
    operation: 'encounterEligibility',
    method: 'GET',
    path: `${base}/encounter_eligibility`,
    summary:
      'Lists the checks of an encounter, the one initiated last first; an encounter is known by its appointment.',
    query: Type.Object({ encounter_id: Type.String() }),
    answer: EncounterEligibilityResponse,
    errors: [],
    handle: async ({ actor, query }) => ({
      items: await readEncounterChecks(deps, actor.organizationId, query.encounter_id),
    }),
  })

const createEncounterEligibility: Route = (deps, base) =>
  endpoint({
    operation: 'createEncounterEligibility',
    method: 'POST',
    path: `${base}/eligibility`,
    summary: "Checks the primary coverage of an encounter's patient on its day, and waits for the answer.",
    body: EncounterEligibilityRequest,
    answer: EncounterEligibility,
    errors: [],
    async handle({ actor, body }) {
      const checkId = await askAboutEncounter(deps, actor, body.encounter_id)
      const [check] = await readEncounterChecks(deps, actor.organizationId, body.encounter_id, checkId)
      return check
    },
  })

export const encounterEligibilities = resource('/eligibility-checks/v1', 'eligibilityChecks', [
  encounterEligibility, // GET    /encounter_eligibility
  createEncounterEligibility, // POST   /eligibility
])
