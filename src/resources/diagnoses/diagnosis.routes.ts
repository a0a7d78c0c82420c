import { endpoint } from '../../http/endpoint.ts'
import type { Route } from '../../records/endpoints.ts'
import { resource } from '../../records/resource.ts'
import { Diagnosis, DiagnosisUpdate, StandaloneDiagnosisCreate } from './diagnosis.schema.ts'
import { createDiagnosis, deleteDiagnosis, updateDiagnosis } from './diagnosis-store.ts'

const create: Route = (deps, base) =>
  endpoint({
    operation: 'create',
    method: 'POST',
    path: base,
    summary: 'Adds a diagnosis to an encounter, which has one primary (ABK or BK) at most.',
    body: StandaloneDiagnosisCreate,
    answer: Diagnosis,
    errors: ['DisallowMultiplePrimaryDiagnosisHTTPError'],
    handle: ({ actor, body }) => createDiagnosis(deps, actor, body),
  })

const update: Route = (deps, base) =>
  endpoint({
    operation: 'update',
    method: 'PATCH',
    path: `${base}/:diagnosis_id`,
    summary: 'Changes the fields of a diagnosis that are sent.',
    body: DiagnosisUpdate,
    answer: Diagnosis,
    errors: ['DiagnosisNotFoundHTTPError', 'DisallowMultiplePrimaryDiagnosisHTTPError'],
    handle: ({ actor, params, body }) => updateDiagnosis(deps, actor, params.diagnosis_id ?? '', body),
  })

const remove: Route = (deps, base) =>
  endpoint({
    operation: 'delete',
    method: 'DELETE',
    path: `${base}/:diagnosis_id`,
    summary: 'Deletes a diagnosis.',
    errors: ['DiagnosisNotFoundHTTPError', 'ServiceLinesMustHaveAtLeastOneDiagnosisHTTPError'],
    handle: async ({ actor, params }) => {
      await deleteDiagnosis(deps, actor, params.diagnosis_id ?? '')
      return undefined
    },
  })

export const diagnoses = resource('/api/diagnoses/v2', 'diagnoses', [
  create, // POST   /
  update, // PATCH  /:diagnosis_id
  remove, // DELETE /:diagnosis_id
])
