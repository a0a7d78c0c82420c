import type { Deps } from '../../deps.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import { resource } from '../../records/resource.ts'
import { AppointmentListQuery, appointmentList } from './appointment-list.ts'
import * as schemas from './list.schema.ts'
import { AppointmentListPage, PatientListPage } from './list.schema.ts'
import { readListPage } from './list.ts'
import { PatientListQuery, patientList } from './patient-list.ts'

type Needs = Pick<Deps, 'database' | 'vault' | 'now' | 'pageCache'>

const getPatientList = endpoint({
  operation: 'getPatientList',
  method: 'GET',
  path: '/patient',
  summary: 'Lists patients with their coverages, next appointment and merges, most recently changed last.',
  query: PatientListQuery,
  answer: PatientListPage,
  errors: ['BadRequestError'],
  handle: (deps: Needs, { actor, query }) => readListPage(deps, actor, patientList, query),
})

const getAppointmentList = endpoint({
  operation: 'getAppointmentList',
  method: 'GET',
  path: '/appointment',
  summary: 'Lists appointments with their patient and coverages, the earliest first.',
  query: AppointmentListQuery,
  answer: AppointmentListPage,
  errors: [],
  handle: (deps: Needs, { actor, query }) => readListPage(deps, actor, appointmentList, query),
})

/** Source: rules.md 12. */
export const lists = resource({
  path: '/lists/v1',
  group: 'lists',
  about: 'Patients and appointments as a worklist shows them: filtered, sorted and joined with their related records.',
  permits: { read: 'See and search the lists of patients and of visits.' },
  schemas,
  routes: [
    getPatientList, // GET    /patient
    getAppointmentList, // GET    /appointment
  ],
})
