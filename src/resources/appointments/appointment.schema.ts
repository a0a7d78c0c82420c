// Source: types.md, "Appointments".
import { type Static, Type } from 'typebox'
import { ExternalProvider, Int32, PatientId } from '../../contract/common.schema.ts'

export const AppointmentStatus = Type.Enum(['PENDING', 'NOT_READY', 'READY', 'CHECKED_IN', 'CHECKED_OUT', 'NO_SHOW'])
export type AppointmentStatus = Static<typeof AppointmentStatus>

export const AppointmentWorkQueue = Type.Enum([
  'EMERGENT_ISSUE',
  'NEW_PATIENT',
  'RETURNING_PATIENT',
  'MANUAL_ESCALATION',
])

export const NotReadyReason = Type.Enum([
  'INACTIVE_PRIMARY',
  'INACTIVE_SECONDARY',
  'MEDICARE_ADVANTAGE_CONVERSION',
  'MEDICAID_MANAGED_CONVERSION',
  'UNAVAILABLE_PRIMARY',
  'UNAVAILABLE_SECONDARY',
  'PENDING_PRIMARY',
  'PENDING_SECONDARY',
  'ELIGIBILITY_CHECK_FAILED_PRIMARY',
  'ELIGIBILITY_CHECK_FAILED_SECONDARY',
  'NEW_COMBO',
  'NEW_INSURANCE',
  'PRIOR_APPOINTMENT_NOT_READY',
  'NO_COVERAGE',
  'ERROR',
  'MANUAL',
])

export const PriorAuthorizationStatus = Type.Enum([
  'NOT_REQUIRED',
  'REQUIRED',
  'PENDING',
  'APPROVED',
  'PARTIALLY_APPROVED',
  'DENIED',
  'EXPIRED',
])

export const ReadySource = Type.Enum(['MANUAL', 'MACHINE'])

export const UniversalServiceIdentifier = Type.Enum(['MD_Visit', 'Treatment', 'Tests', 'Activity'])

export const Service = Type.Object({
  universal_service_identifier: Type.Optional(UniversalServiceIdentifier),
  start_timestamp: Type.Optional(Type.String({ format: 'date-time' })),
})

export const AppointmentReasonDetail = Type.Object({
  diagnosis_codes: Type.Optional(Type.Array(Type.String())),
  procedure_codes: Type.Optional(Type.Array(Type.String())),
})

/** Unique, so it must fit into an index row (2,704 bytes) even with four bytes per character. */
const PLACER_ID_MAX = 500

export const MutableAppointment = Type.Object({
  patient_id: PatientId,
  start_timestamp: Type.String({ format: 'date-time' }),
  status: Type.Optional(AppointmentStatus),
  not_ready_reason: Type.Optional(NotReadyReason),
  ready_source: Type.Optional(ReadySource),
  /** Minutes. */
  service_duration: Int32,
  services: Type.Array(Service),
  placer_appointment_id: Type.Optional(Type.String({ maxLength: PLACER_ID_MAX })),
  placer_system_name: Type.Optional(Type.String()),
  attending_doctor: Type.Optional(ExternalProvider),
  estimated_copay_cents: Type.Optional(Int32),
  estimated_patient_responsibility_cents: Type.Optional(Int32),
  patient_deposit_cents: Type.Optional(Int32),
  appointment_details: Type.Optional(Type.String()),
  checked_in_timestamp: Type.Optional(Type.String({ format: 'date-time' })),
  // The interface declares this one as plain text.
  checked_out_timestamp: Type.Optional(Type.String()),
  appointment_reason_detail: Type.Optional(AppointmentReasonDetail),
  medical_necessity_verified: Type.Optional(Type.Boolean()),
  prior_authorization_status: Type.Optional(PriorAuthorizationStatus),
  notes: Type.Optional(Type.String()),
  location_resource_id: Type.Optional(Type.String()),
  automated_eligibility_check_complete: Type.Optional(Type.Boolean()),
  work_queue: Type.Optional(AppointmentWorkQueue),
})
export type MutableAppointment = Static<typeof MutableAppointment>
