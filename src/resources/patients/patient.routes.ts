import { type Static, Type } from 'typebox'
import type { Actor } from '../../contract/actor.ts'
import { notFound } from '../../contract/errors.ts'
import { spellings } from '../../contract/formats.ts'
import type { Deps } from '../../deps.ts'
import { ofUnknownLength } from '../../platform/database/statements/unknown-length.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import {
  deactivate,
  expectedFrom,
  history,
  reactivate,
  read,
  scan,
  update as updatePlainly,
} from '../../records/endpoints.ts'
import { createOnce, Once } from '../../records/once.ts'
import { resource } from '../../records/resource.ts'
import { wireColumns } from '../../records/statements.ts'
import { holdRecord, replacedBy, updateRecord } from '../../records/store.ts'
import { toWire } from '../../records/wire.ts'
import { coverageSnapshot, PatientCoverageSnapshot } from './coverage-snapshot.ts'
import { createPatient, MutablePatientWithMrn } from './create-patient.ts'
import {
  EligibilityAuditEventType,
  EligibilityTimelineEvent,
  EligibilityTimelinePage,
  eligibilityTimeline,
} from './eligibility-timeline.ts'
import { getMulti, search } from './list-patients.ts'
import { addedCoverages, holdOwnCoverages } from './named-records.ts'
import * as patientSchemas from './patient.schema.ts'
import { MutablePatient } from './patient.schema.ts'
import { patient } from './patient.ts'
import * as patientPartsSchemas from './patient-parts.schema.ts'
import { applyPatientRules } from './patient-rules.ts'
import { searchProviders } from './search-providers.ts'

type Needs = Pick<Deps, 'database' | 'vault' | 'now' | 'newId'>

const Creating = Type.Object({ ...Once.properties, skip_duplicate_check: Type.Optional(Type.Boolean()) })

const create = endpoint({
  operation: 'create',
  method: 'POST',
  path: '',
  summary: 'Creates a patient with a generated MRN.',
  query: Creating,
  body: MutablePatient,
  answer: patient.wire,
  errors: ['VersionConflictError'],
  handle: (deps: Needs, call) => createOncePerKey(deps, call),
})

const createWithMrn = endpoint({
  operation: 'createWithMrn',
  method: 'POST',
  path: '/with_mrn',
  summary: 'Creates a patient with the MRN that the caller gives; it cannot be changed later.',
  query: Creating,
  body: MutablePatientWithMrn,
  answer: patient.wire,
  errors: ['VersionConflictError', 'BadRequestError'],
  handle: (deps: Needs, call) => createOncePerKey(deps, call),
})

/** A newly named coverage is locked together with the patient until the write commits. */
const update = endpoint({
  ...updatePlainly(patient),
  body: MutablePatient,
  async handle(deps: Needs, { actor, params, body: sent }) {
    const target = { id: params.id ?? '', expectedVersion: expectedFrom(patient, 'update', params.version ?? '') }
    const replaced = replacedBy(deps, patient, actor, target)
    const context = { actor, deps, replaced }
    const body = await applyPatientRules(sent, context)
    const added = await addedCoverages(body, context)
    if (added.length === 0) return updateRecord(deps, patient, actor, { ...target, body, replaced })
    return deps.database.transaction(async (database) => {
      const inTransaction = { ...deps, database }
      await holdRecord(inTransaction, patient, actor, target.id)
      await holdOwnCoverages(database, actor.organizationId, target.id, added)
      return updateRecord(inTransaction, patient, actor, { ...target, body })
    })
  },
})

const readByMrn = endpoint({
  operation: 'getByMrn',
  method: 'GET',
  path: '/mrn/:mrn',
  summary: 'Reads the patient with this MRN, compared exactly.',
  answer: patient.wire,
  errors: ['NotFoundError'],
  async handle(deps: Needs, { actor, params }) {
    const statement = {
      name: 'patient_read_by_mrn',
      text: `select ${wireColumns('patient')} from patient where organization_id = $1 and mrn = any(${ofUnknownLength('$2', 'text')})`,
    }
    const row = await deps.database.rowByKey(statement, [actor.organizationId, spellings(params.mrn ?? '')])
    if (!row) throw notFound(patient.label)
    return toWire(patient, row, deps.vault)
  },
})

interface CreateCall {
  actor: Actor
  query: Static<typeof Creating>
  body: MutablePatient
}

function createOncePerKey(deps: Needs, call: CreateCall): Promise<string> {
  const { actor, query, body } = call
  const skipDuplicateCheck = query.skip_duplicate_check ?? false
  return createOnce(deps, patient, call, (id) => createPatient(deps, actor, body, { id, skipDuplicateCheck }))
}

export const patients = resource({
  path: '/patients/v1',
  group: 'patients',
  about: 'Patients, their history, their filing order and their change feed.',
  permits: { read: 'See patients.', write: 'Add, change and remove patients.' },
  record: patient,
  schemas: {
    ...patientSchemas,
    ...patientPartsSchemas,
    EligibilityAuditEventType,
    EligibilityTimelineEvent,
    EligibilityTimelinePage,
    MutablePatientWithMrn,
    PatientCoverageSnapshot,
  },
  routes: [
    create, // POST   /
    createWithMrn, // POST   /with_mrn
    getMulti, // GET    /get_multi
    searchProviders, // GET    /search_providers
    read(patient), // GET    /:id
    readByMrn, // GET    /mrn/:mrn
    history(patient), // GET    /:id/history
    coverageSnapshot, // GET    /:id/snapshot
    eligibilityTimeline, // GET    /:id/eligibility-timeline
    update, // PUT    /:id/:version
    deactivate(patient), // DELETE /:id/:version
    reactivate(patient), // PATCH  /:id/:version
    search, // GET    /
    scan(patient, 'maxResults'), // GET    /updates/scan
  ],
})
