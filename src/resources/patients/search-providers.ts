import { Type } from 'typebox'
import { badRequest } from '../../errors.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { Route } from '../../records/endpoints.ts'
import { toArray } from '../../records/wire.ts'
import { ExternalProvider } from '../common.schema.ts'

/** Letters and digits of any script, blanks between the words of a name. Source: rules.md 6. */
const CRITERIA = /^[\p{L}\p{M}\p{N} ]*[\p{L}\p{N}][\p{L}\p{M}\p{N} ]*$/u
const CRITERIA_LENGTH_MAX = 100

/** How much must agree: at 0.4 a name of six letters is found with one too many, one too few, or the last two swapped. */
const SIMILARITY = 0.4

/**
 * A provider who stands on many patients is found once, as on the patient changed last: by NPI, else by name. The criteria
 * hold letters, digits and blanks only, so none of them is a wildcard.
 */
const searchStatement = {
  name: 'patient_search_providers',
  text: `select provider::text from (
      select distinct on (key) provider, provider_search_text(provider) as text
      from patient, jsonb_array_elements(patient_referring_providers(patient.body)) provider,
        lateral (select coalesce(provider ->> 'npi', lower(provider_search_text(provider))) as key) identity
      where organization_id = $1 and not deactivated and jsonb_array_length(patient_referring_providers(body)) > 0
        and (provider_search_text(provider) ilike '%' || $2::text || '%'
          or word_similarity($2::text, provider_search_text(provider)) >= ${SIMILARITY})
      order by key, patient.updated_at desc, patient.id
    ) found
    order by word_similarity($2::text, text) desc, text limit 20`,
}

/** GET /search_providers: the referring providers that stand on patients. Source: rules.md 6. */
export const searchProviders: Route = (deps, base) =>
  endpoint({
    operation: 'searchProviders',
    method: 'GET',
    path: `${base}/search_providers`,
    summary: 'Finds up to 20 referring providers of patients by name or NPI, the most similar first.',
    query: Type.Object({ search_criteria: Type.String() }),
    answer: Type.Array(ExternalProvider),
    errors: [],
    async handle({ actor, query }) {
      const criteria = query.search_criteria.trim()
      if (criteria.length > CRITERIA_LENGTH_MAX || !CRITERIA.test(criteria)) {
        throw badRequest(`search_criteria must be letters, digits and blanks, at most ${CRITERIA_LENGTH_MAX}`)
      }
      const rows = await deps.database.rows(searchStatement, [actor.organizationId, criteria])
      return toArray(rows.map(([provider]) => provider ?? 'null'))
    },
  })
