import { Type } from 'typebox'
import { ExternalProvider } from '../../contract/common.schema.ts'
import { badRequest } from '../../contract/errors.ts'
import type { Deps } from '../../deps.ts'
import { findNear, vocabularyOf } from '../../payers/near-terms.ts'
import { takeTurn } from '../../platform/event-loop.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import { CHUNK_BYTES } from '../../records/read-all.ts'
import { toArray } from '../../records/wire.ts'

type Needs = Pick<Deps, 'database'>

/** Letters and digits of any script, blanks between the words of a name. Source: rules.md 6. */
const CRITERIA = /^[\p{L}\p{M}\p{N} ]*[\p{L}\p{N}][\p{L}\p{M}\p{N} ]*$/u
const CRITERIA_LENGTH_MAX = 100

/** The share of common trigrams that makes a provider a candidate, and the share that is a match in itself. */
const CANDIDATE = 0.15
const SIMILAR = 0.4
const CANDIDATES_MAX = 500
const FOUND_MAX = 20
/** The part of a provider's names that mistakes are sought in. */
const NAMES_LENGTH = 1000

/**
 * Referring providers that contain the criteria or share some of its trigrams, most similar first. A provider of
 * several patients is listed once, as on the most recently changed patient: identified by NPI, otherwise by name.
 */
const candidatesStatement = {
  name: 'patient_search_providers',
  // A provider may be nearly as large as a patient's record.
  maxBytes: CHUNK_BYTES,
  text: `select provider::text, caseless(left(text, ${NAMES_LENGTH})), likeness, position(caseless($2::text) in caseless(text)) > 0 from (
      select distinct on (key) provider, text, likeness
      from patient, jsonb_array_elements(patient_referring_providers(patient.body)) provider,
        lateral (select provider_search_text(provider) as text) searched,
        lateral (
          select coalesce(provider ->> 'npi', caseless(text)) as key, word_similarity(trigram_text($2::text), trigram_text(text)) as likeness
        ) identity
      where organization_id = $1 and not deactivated and referring_providers > 0
        and (position(caseless($2::text) in caseless(text)) > 0 or likeness >= ${CANDIDATE})
      order by key, patient.updated_at desc, patient.id
    ) found
    order by likeness desc, text limit ${CANDIDATES_MAX}`,
}

/** A complete NPI finds providers of every type. */
const NPI = /^\d{10}$/
const ofNpiStatement = {
  name: 'patient_providers_of_npi',
  text: `select provider::text from patient, jsonb_array_elements(patient_providers(patient.body)) provider
    where organization_id = $1 and not deactivated and provider_npis ? $2 and provider ->> 'npi' = $2
    order by patient.updated_at desc, patient.id limit 1`,
}

async function findProviders(deps: Needs, organizationId: string, criteria: string): Promise<string[]> {
  const values = [organizationId, criteria]
  if (NPI.test(criteria)) {
    const row = await deps.database.row(ofNpiStatement, values)
    if (row?.[0]) return [row[0]]
  }
  const wanted = criteria.normalize('NFC').toLowerCase()
  const found: string[] = []
  for (const [provider = 'null', names = '', likeness, isPart] of await deps.database.rows(
    candidatesStatement,
    values,
  )) {
    // Comparing the words of hundreds of long names is long work.
    await takeTurn(organizationId)
    if (Number(likeness) >= SIMILAR || isPart === 't' || isNearly(wanted, names)) found.push(provider)
    if (found.length === FOUND_MAX) break
  }
  return found
}

/**
 * True when every word matches a word of the provider with at most one or two mistakes; swapping two letters counts as
 * one mistake.
 */
function isNearly(wanted: string, text: string): boolean {
  const vocabulary = vocabularyOf([...new Set(text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [])].sort())
  return wanted.split(/ +/).every((word) => {
    let isFound = false
    findNear(vocabulary, word, () => {
      isFound = true
    })
    return isFound
  })
}

/** GET /search_providers: the referring providers that patients name. Source: rules.md 6. */
export const searchProviders = endpoint({
  operation: 'searchProviders',
  method: 'GET',
  path: '/search_providers',
  summary:
    'Finds up to 20 referring providers of patients by name or NPI, the most similar first; a whole NPI finds a provider of any type.',
  query: Type.Object({ search_criteria: Type.String() }),
  answer: Type.Array(ExternalProvider),
  errors: [],
  async handle(deps: Needs, { actor, query }) {
    const criteria = query.search_criteria.trim()
    if (criteria.length > CRITERIA_LENGTH_MAX || !CRITERIA.test(criteria)) {
      throw badRequest(`search_criteria must consist of letters, digits and spaces, at most ${CRITERIA_LENGTH_MAX}`)
    }
    return toArray(await findProviders(deps, actor.organizationId, criteria))
  },
})
