import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import { deactivate, scan } from '../../records/endpoints.ts'
import { pageOf } from '../../records/page.ts'
import { resource } from '../../records/resource.ts'
import { createPatientMerge } from './create-patient-merge.ts'
import { readMergesOf, searchMerges } from './list-patient-merges.ts'
import { readMergeStatus } from './merge-status.ts'
import * as schemas from './patient-merge.schema.ts'
import { MutablePatientMerge, PatientMergeSearchRequest, PatientMergeStatus } from './patient-merge.schema.ts'
import { patientMerge } from './patient-merge.ts'

type Needs = Pick<Deps, 'database' | 'vault' | 'now' | 'newId'>

const create = endpoint({
  operation: 'create',
  method: 'POST',
  path: '',
  summary: 'Merges one patient into another: a mapping between their MRNs.',
  body: MutablePatientMerge,
  answer: patientMerge.wire,
  errors: ['BadRequestError', 'InternalError'],
  handle: (deps: Needs, { actor, body }) => createPatientMerge(deps, actor, body),
})

const readStatus = endpoint({
  operation: 'getStatus',
  method: 'GET',
  path: '/status/:mrn_or_id',
  summary:
    'Returns whether a patient is an alternative, a primary or neither. A UUID is a patient id, any other text an MRN.',
  answer: PatientMergeStatus,
  errors: ['NotFoundError'],
  handle: (deps: Needs, { actor, params }) => readMergeStatus(deps, actor, params.mrn_or_id ?? ''),
})

const readAll = endpoint({
  operation: 'getAllByMrn',
  method: 'GET',
  path: '/all/:mrn',
  summary: 'Lists the active merges with this MRN on either side.',
  answer: Type.Array(patientMerge.wire),
  errors: ['NotFoundError'],
  handle: (deps: Needs, { actor, params }) => readMergesOf(deps, actor, params.mrn ?? ''),
})

const search = endpoint({
  operation: 'search',
  method: 'POST',
  path: '/search',
  summary: 'Lists the active merges that have one of these MRNs on either side.',
  body: PatientMergeSearchRequest,
  answer: pageOf(patientMerge.wire),
  errors: ['BadRequestError'],
  accessType: 'read',
  handle: (deps: Needs, { actor, body }) => searchMerges(deps, actor, body),
})

export const patientMerges = resource({
  path: '/patient-merge/v1',
  group: 'patientMerges',
  about: 'Merges of patients who are the same person: mappings between MRNs that can be undone.',
  permits: { read: 'See which records of patients were merged.', write: 'Merge records of patients, and undo merges.' },
  record: patientMerge,
  schemas,
  routes: [
    create, // POST   /
    readStatus, // GET    /status/:mrn_or_id
    readAll, // GET    /all/:mrn
    deactivate(patientMerge), // DELETE /:id/:version
    scan(patientMerge, 'maxResults'), // GET    /updates/scan
    search, // POST   /search
  ],
})
