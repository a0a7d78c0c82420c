// The same requests to Anteroom and to Medplum, for bench/peer-medplum.ts.
import { coverageBody, patientBody } from '../test/support/bodies.ts'
import { appointmentBody } from './bodies.ts'

export interface Question {
  method?: 'POST' | 'PUT'
  path: string
  body?: string
}

export interface Person {
  family: string
  given: string
  email: string
}

/** The requests that are compared, as one interface writes them. */
export interface Dialect {
  token: string
  patient(person: Person): object
  appointment(patientId: string, turn: number): object
  coverage(patientId: string): object
  paths: Record<'createPatient' | 'appointment' | 'coverage', string>
  record(type: 'patient' | 'appointment', id: string): string
  update(type: 'patient' | 'appointment', id: string, version: number): string
  history(patientId: string): string
  byFamily(family: string): string
  appointments: string
  appointmentsAlone: string
  byFamilyUncounted(family: string): string
}

export const anteroom: Dialect = {
  token: '/api/auth/v2/token',
  patient: ({ family, given, email }) => patientBody({ name: { family, given: [given], use: 'USUAL' }, email }),
  appointment: (patientId, turn) => ({ ...appointmentBody(patientId), estimated_copay_cents: turn }),
  coverage: (patientId) => coverageBody(patientId),
  paths: {
    createPatient: '/patients/v1?skip_duplicate_check=true',
    appointment: '/appointments/v1',
    coverage: '/coverages/v1',
  },
  record: (type, id) => `/${type}s/v1/${id}`,
  update: (type, id, version) => `/${type}s/v1/${id}/${version + 1}`,
  history: (id) => `/patients/v1/${id}/history`,
  byFamily: (family) => `/lists/v1/patient?limit=20&filters=${encodeURIComponent(`patient.name.family|eq|${family}`)}`,
  byFamilyUncounted: (family) => anteroom.byFamily(family),
  appointments: '/lists/v1/appointment?limit=100',
  appointmentsAlone: '/lists/v1/appointment?limit=100',
}

const resourceOf = { patient: 'Patient', appointment: 'Appointment' }

export const medplum: Dialect = {
  token: '/oauth2/token',
  patient: ({ family, given, email }) => ({
    resourceType: 'Patient',
    identifier: [{ system: 'urn:example:mrn', value: `${Date.now()}${Math.random()}` }],
    name: [{ use: 'usual', family, given: [given] }],
    gender: 'female',
    birthDate: '1984-02-29',
    address: [{ use: 'home', line: ['12 Elm St'], city: 'Albany', state: 'NY', postalCode: '12207', country: 'US' }],
    telecom: [{ system: 'email', value: email }],
  }),
  appointment: (patientId, turn) => ({
    resourceType: 'Appointment',
    status: 'pending',
    start: '2026-12-01T09:30:00.000Z',
    end: '2026-12-01T10:00:00.000Z',
    minutesDuration: 30,
    participant: [{ actor: { reference: `Patient/${patientId}` }, status: 'accepted' }],
    comment: `Copay ${turn}`,
  }),
  coverage: (patientId) => ({
    resourceType: 'Coverage',
    status: 'active',
    subscriberId: 'W123456789',
    subscriber: { reference: `Patient/${patientId}` },
    beneficiary: { reference: `Patient/${patientId}` },
    relationship: { coding: [{ code: 'self' }] },
    payor: [{ identifier: { value: '60054' }, display: 'Aetna' }],
  }),
  paths: {
    createPatient: '/fhir/R4/Patient',
    appointment: '/fhir/R4/Appointment',
    coverage: '/fhir/R4/Coverage',
  },
  record: (type, id) => `/fhir/R4/${resourceOf[type]}/${id}`,
  update: (type, id) => `/fhir/R4/${resourceOf[type]}/${id}`,
  history: (id) => `/fhir/R4/Patient/${id}/_history`,
  byFamily: (family) => `/fhir/R4/Patient?family=${family}&_count=20&_total=accurate`,
  byFamilyUncounted: (family) => `/fhir/R4/Patient?family=${family}&_count=20`,
  appointments: '/fhir/R4/Appointment?_count=100&_include=Appointment:patient&_total=accurate',
  appointmentsAlone: '/fhir/R4/Appointment?_count=100',
}
