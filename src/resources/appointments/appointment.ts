import { alreadyInUse } from '../../contract/errors.ts'
import { canonicalDateTime, isDateTime } from '../../contract/formats.ts'
import { defineRecord, type RuleContext } from '../../records/record.ts'
import { patientId } from '../example-people.ts'
import { refuseNew } from '../existing-values.ts'
import { addressesAt, refuseDomesticAreas } from '../international-addresses.ts'
import { requirePatient } from '../patients/require-patient.ts'
import { MutableAppointment } from './appointment.schema.ts'
import { appointmentEvents } from './appointment-events.ts'
import { applyStatusRules } from './status-rules.ts'

/** A scheduled time at which a patient is to be seen. Source: rules.md 11. */
export const appointment = defineRecord({
  name: 'appointment',
  label: 'Appointment',
  mutable: MutableAppointment,
  example: {
    patient_id: patientId,
    start_timestamp: '2026-03-02T14:30:00.000Z',
    status: 'NOT_READY',
    not_ready_reason: 'NEW_INSURANCE',
    work_queue: 'RETURNING_PATIENT',
    service_duration: 30,
    services: [{ universal_service_identifier: 'MD_Visit' }],
    placer_appointment_id: 'HC-A-5531',
    estimated_copay_cents: 2500,
  },
  pathVersions: { update: 'next', deactivate: 'current' },
  patients: [{ patient: 'patient_id' }],
  updateReactivates: true,
  columns: {
    patient_id: 'uuid',
    start_timestamp: 'text',
    status: 'text',
    not_ready_reason: 'text',
    placer_appointment_id: 'text',
  },
  prepare: applyAppointmentRules,
  events: appointmentEvents,
  uniqueness: {
    appointment_placer_id_unique: () => alreadyInUse('placer_appointment_id is in use'),
  },
})

/**
 * @throws BadRequestError for a field that does not fit the status, NotFoundError for a patient that does not exist.
 */
async function applyAppointmentRules(sent: MutableAppointment, context: RuleContext): Promise<MutableAppointment> {
  await refuseNew(sent, context, ({ service_duration }) => ({ service_duration: String(service_duration) }), {
    isWrong: (minutes) => Number(minutes) < 0,
    must: 'must not be negative',
  })
  await refuseNew(sent, context, ({ checked_out_timestamp }) => ({ checked_out_timestamp }), {
    isWrong: (instant) => !isDateTime(instant),
    must: 'must be a date-time with an offset (2026-01-15T09:30:00.000Z)',
  })
  await refuseDomesticAreas(sent, context, ({ attending_doctor: doctor }) =>
    addressesAt('attending_doctor.addresses', doctor?.addresses),
  )
  const body = applyStatusRules(withStoredInstant(sent))
  await requirePatient(body.patient_id, context, 'patient_id')
  return body
}

/** The interface declares it as plain text; it is stored in the same form as every other instant. */
function withStoredInstant(body: MutableAppointment): MutableAppointment {
  const { checked_out_timestamp: sent } = body
  return sent === undefined ? body : { ...body, checked_out_timestamp: canonicalDateTime(sent) ?? sent }
}
