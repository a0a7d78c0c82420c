// Extension of the interface: a search while a person types. decisions/0082-what-a-board-reads.md
import type { Deps } from '../../deps.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import { resource } from '../../records/resource.ts'
import { readListPage } from './list.ts'
import { FoundPatient, FoundPatientPage, patientSearch as list, PatientSearchQuery } from './patient-search.ts'

const find = endpoint({
  operation: 'find',
  method: 'GET',
  path: '/patients',
  summary:
    'Lists patients with what tells them apart, with the filters and the order of `GET /lists/v1/patient`. The pages have no `total`, so that a search for a part of a number takes as long for a frequent part as for a rare one; sort them by `patient.id`, the order in which the patients were created. `family_begins` narrows the list to family names that begin with it, regardless of case and accents; sort them by `patient.name.family`. `given_begins` narrows it to given names of which a word begins with each of its words, with or without `family_begins`. `telephone` narrows it to numbers with these digits, however they are punctuated. `member_id` narrows it to patients with a coverage whose member ID ends with these letters and digits, at least four of them, without regard to case and punctuation; `matched_coverage` is that coverage, which may be of a patient who was merged into the one found. Sorted by `similar_name`, the list has only names that resemble the text.',
  query: PatientSearchQuery,
  answer: FoundPatientPage,
  errors: ['BadRequestError'],
  handle: (deps: Pick<Deps, 'database' | 'vault' | 'now' | 'pageCache'>, { actor, query }) =>
    readListPage(deps, actor, list, query),
})

export const patientSearch = resource({
  path: '/anteroom/v1/lists',
  group: 'patientSearch',
  about: 'Patients as a search shows them.',
  schemas: { FoundPatient, FoundPatientPage },
  routes: [
    find, // GET    /patients
  ],
})
