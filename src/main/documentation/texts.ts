// The texts of the API description that are not in the declarations: names, groups, parameters. A law test requires
// every entry.
import { groupOf, type Vocabulary } from '../../platform/http/documentation/openapi.ts'
import type { Resource } from '../../records/resource.ts'
import { recordExamples, schemaNames } from '../../resources/schema-names.ts'
import { examples } from './examples.ts'

/** A sentence for each group of operations, by the segment of their paths: that of the first resource in the group. */
function groupsOf(resources: readonly Resource[]): Record<string, string> {
  const groups: Record<string, string> = { auth: 'Access tokens. Every other operation needs one.' }
  for (const { path, about } of resources) if (about !== undefined) groups[groupOf(path)] ??= about
  return groups
}

const parameters = {
  id: 'The id of the record.',
  version: 'A version of the record.',
  mrn: 'A medical record number, compared exactly.',
  mrn_or_id: 'A patient id if it is a UUID, otherwise an MRN.',
  diagnosis_id: 'The id of the diagnosis.',
  check_id: 'The id of the eligibility check.',
  batch_id: 'The id of the batch.',
  ppg_id: 'The payer plan group whose coverages change.',
  recommendation_id: 'The id of the recommendation.',
  patients_only: 'Only events that showed or changed patients.',
  from: 'Inclusive.',
  to: 'Exclusive.',
  since: 'Inclusive: the greatest `updated_at` that the caller has seen.',
  maxResults: 'The maximum number of records: 100 by default, 1000 at most.',
  limit: 'The maximum number of items.',
  page_token: 'The `next_page_token` or `prev_page_token` of a page of the same request.',
  page_size: 'The maximum number of items.',
  sort_field: 'A field of the items in camelCase, or `similar_name:<text>`.',
  sort_direction: '`asc` or `desc`.',
  family_begins: 'The first letters of the family name, ignoring case and accents.',
  given_begins: 'The first letters of one or more given names, ignoring case, accents and order.',
  telephone: 'Three or more digits of the telephone number, in any punctuation.',
  member_id:
    'Four or more letters and digits at the end of the member ID of a coverage, ignoring case and punctuation.',
  filters:
    'Filters `path|operator|value`, joined by commas; all must hold. The values of `in` are joined by semicolons. In a value `\\,`, `\\;` and `\\\\` stand for a comma, a semicolon and a backslash.',
  start: 'The first day, inclusive, in the calendar of the organization.',
  end: 'The last day, inclusive, in the calendar of the organization.',
  non_auto_updated_coverages_only: 'Leaves out the versions that the system wrote from an eligibility check.',
  skip_duplicate_check: 'Creates the patient even when one with this name and birth date exists.',
  idempotency_key:
    'A text that the caller chooses for each create. The same content that is sent again with the same key is stored once, and the stored record is returned.',
  patient_id: 'The id of a patient.',
  ids: 'Up to a hundred ids; repeat the parameter for several.',
  operation: 'The id of an operation, such as `patients.update`, or the part before its dot for all of that group.',
  coverage_id: 'The id of a coverage.',
  appointment_id: 'The id of an appointment.',
  payer_plan_group_id: 'The id of a payer plan group.',
  date: 'The instant whose filing order applies; now by default.',
  event_types: 'Only events of these types; repeat the parameter for several.',
  heartbeat: 'For a stream: also sends an event `heartbeat` at the beginning and every 15 seconds.',
  after: 'The number of an event; only later events are returned.',
  webhook_id: 'The id of the webhook.',
  user_id: 'The id of the user.',
  session_id: 'The id of the session.',
  passkey_id: 'The id of the passkey.',
  client_id: 'The id of the API client.',
  connector: 'The name of the connector.',
  number: 'The number of the event.',
  status: 'Only deliveries that are PENDING, DELIVERED or FAILED.',
  search_criteria: 'Letters and digits of a name or an NPI.',
  similar_name_ordering: 'Sorts the patients whose names are most similar to this text first.',
  redirect_to_primary: 'Returns the primary patient in place of one that is merged into it.',
  include_deactivated: 'Includes deactivated records.',
  hide_alternatives: 'Leaves out patients that are merged into another.',
  include_merged_patient_data:
    'Includes the appointments of patients who are merged into the patient that the filters name.',
  npi: 'A national provider identifier, compared exactly.',
  type: 'Only records of this type.',
  first_name: 'Part of a given name, ignoring case.',
  last_name: 'Part of a family name, ignoring case.',
  file_type: 'A file type, compared exactly.',
  patient_notes: "A text that the notes of the image's patient contain, ignoring case.",
  query: 'Words of a payer name, an alias or an id; typing errors are tolerated.',
  subscriber_member_id: 'A member id, compared exactly.',
  payer_id: 'A payer id, compared exactly.',
  provider_npi: 'An NPI, compared exactly.',
  date_of_service: 'A date of service, compared exactly.',
  initiated_at_min: 'The earliest instant, inclusive.',
  initiated_at_max: 'The latest instant, inclusive.',
  encounter_id: 'The id of an encounter.',
}

const description = `Anteroom answers before a patient is seen: who the patient is, which coverage pays, what the payer says about it.

**Access.** \`auth.getToken\` exchanges a client id and secret for a token of one organization. Records of other organizations do not exist for it.

**Versions.** A change never overwrites a version: it creates the next one, with author and time. A write names a version in its path; if another client wrote first, the answer is 409 and nothing is written.

**Fields.** \`null\` for an optional field equals leaving it out. Unknown fields are ignored. Instants are RFC 3339 and come back in UTC with milliseconds; dates are \`YYYY-MM-DD\`.

**Errors.** Every refusal is \`{"errorName", "content"}\` as JSON. Messages name fields, never values.

**Addresses.** A trailing slash and a double slash change nothing: \`/coverages/v1//{id}\` is \`/coverages/v1/{id}\`.`

/** @param version of the program. */
export function vocabulary(version: string, resources: readonly Resource[]): Vocabulary {
  return {
    info: {
      title: 'Anteroom',
      version,
      summary: 'Everything that happens before a patient is seen.',
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    schemas: schemaNames(resources),
    groups: groupsOf(resources),
    parameters,
    examples: { ...examples, schemas: { ...examples.schemas, ...recordExamples(resources) } },
  }
}
