import type { Deps } from '../../deps.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import { resource } from '../../records/resource.ts'
import * as schemas from './diagnosis.schema.ts'
import { Diagnosis, DiagnosisUpdate, StandaloneDiagnosisCreate } from './diagnosis.schema.ts'
import { createDiagnosis, deleteDiagnosis, updateDiagnosis } from './diagnosis-store.ts'

type Needs = Pick<Deps, 'database' | 'newId'>

const diagnosis = { name: 'diagnosis', patients: 'none' } as const

const create = endpoint({
  operation: 'create',
  method: 'POST',
  path: '',
  summary: 'Adds a diagnosis to an encounter, which has at most one primary (ABK or BK).',
  body: StandaloneDiagnosisCreate,
  answer: Diagnosis,
  errors: ['DisallowMultiplePrimaryDiagnosisHTTPError'],
  handle: (deps: Needs, { actor, body }) => createDiagnosis(deps, actor, body),
})

const update = endpoint({
  operation: 'update',
  method: 'PATCH',
  path: '/:diagnosis_id',
  addresses: { diagnosis_id: diagnosis },
  summary: 'Changes only the fields of a diagnosis that are sent.',
  body: DiagnosisUpdate,
  answer: Diagnosis,
  errors: ['DiagnosisNotFoundHTTPError', 'DisallowMultiplePrimaryDiagnosisHTTPError'],
  handle: (deps: Needs, { actor, params, body }) => updateDiagnosis(deps, actor, params.diagnosis_id ?? '', body),
})

const remove = endpoint({
  operation: 'delete',
  method: 'DELETE',
  path: '/:diagnosis_id',
  addresses: { diagnosis_id: diagnosis },
  summary: 'Deletes a diagnosis.',
  errors: ['DiagnosisNotFoundHTTPError', 'ServiceLinesMustHaveAtLeastOneDiagnosisHTTPError'],
  handle: async (deps: Needs, { actor, params }) => {
    await deleteDiagnosis(deps, actor, params.diagnosis_id ?? '')
    return undefined
  },
})

export const diagnoses = resource({
  path: '/api/diagnoses/v2',
  group: 'diagnoses',
  about: 'Diagnoses of an encounter, with at most one principal diagnosis.',
  permits: { write: 'Add, change and delete diagnoses.' },
  schemas,
  routes: [
    create, // POST   /
    update, // PATCH  /:diagnosis_id
    remove, // DELETE /:diagnosis_id
  ],
})
