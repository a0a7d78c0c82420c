import type { Deps } from '../../deps.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import { deactivate, expectedFrom, history, prepared, read, scan } from '../../records/endpoints.ts'
import { createOnce, Once } from '../../records/once.ts'
import { resource } from '../../records/resource.ts'
import { createRecord, replacedBy, updateRecord } from '../../records/store.ts'
import * as appointmentSchemas from './appointment.schema.ts'
import { MutableAppointment } from './appointment.schema.ts'
import { appointment } from './appointment.ts'
import { writeWithDoctor } from './attending-doctor.ts'
import * as visitSchemas from './visit.schema.ts'
import { getCounts, getVisits } from './visits.ts'

type Needs = Pick<Deps, 'database' | 'vault' | 'now' | 'newId'>

const create = endpoint({
  operation: 'create',
  method: 'POST',
  path: '',
  summary: "Creates an appointment; its attending doctor becomes the patient's.",
  query: Once,
  body: MutableAppointment,
  answer: appointment.wire,
  errors: ['VersionConflictError', 'NotFoundError'],
  handle: (deps: Needs, call) =>
    createOnce(deps, appointment, call, async (id) => {
      const body = (await prepared(deps, appointment, call)) as MutableAppointment
      return writeWithDoctor(deps, call.actor, body, (inner) =>
        createRecord(inner, appointment, call.actor, body, { id }),
      )
    }),
})

const update = endpoint({
  operation: 'update',
  method: 'PUT',
  path: '/:id/:version',
  summary: "Replaces an appointment and reactivates a deactivated one; its attending doctor becomes the patient's.",
  body: MutableAppointment,
  answer: appointment.wire,
  errors: ['NotFoundError', 'VersionConflictError'],
  async handle(deps: Needs, call) {
    const { actor, params } = call
    const target = { id: params.id ?? '', expectedVersion: expectedFrom(appointment, 'update', params.version ?? '') }
    const replaced = replacedBy(deps, appointment, actor, target)
    const body = (await prepared(deps, appointment, call, replaced)) as MutableAppointment
    return writeWithDoctor(deps, actor, body, (inner) =>
      updateRecord(inner, appointment, actor, { ...target, body, replaced }),
    )
  },
})

export const appointments = resource({
  path: '/appointments/v1',
  group: 'appointments',
  about: 'Appointments and visits: a visit is the appointments of one patient on one day.',
  permits: { read: 'See visits.', write: 'Add, change and cancel visits, and verify their coverages.' },
  record: appointment,
  schemas: { ...appointmentSchemas, ...visitSchemas },
  routes: [
    create, // POST   /
    getVisits, // GET    /visits
    getCounts, // GET    /visits/counts
    read(appointment), // GET    /:id
    history(appointment), // GET    /:id/history
    update, // PUT    /:id/:version
    scan(appointment, 'fixed'), // GET    /updates/scan
    deactivate(appointment), // DELETE /:id/:version
  ],
})
