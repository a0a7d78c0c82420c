import { alreadyInUse } from '../../errors.ts'
import { defineRecord, type RuleContext } from '../../records/record.ts'
import { requirePatient } from '../patients/require-patient.ts'
import { MutableAppointment } from './appointment.schema.ts'
import { appointmentEvents } from './appointment-events.ts'
import { applyStatusRules } from './status-rules.ts'

/** A time at which a patient is to be seen. Source: rules.md 11. */
export const appointment = defineRecord({
  name: 'appointment',
  label: 'Appointment',
  mutable: MutableAppointment,
  updateReactivates: true,
  columns: { patient_id: 'uuid', start_timestamp: 'text', status: 'text', not_ready_reason: 'text' },
  prepare: applyAppointmentRules,
  events: appointmentEvents,
  uniqueness: {
    appointment_placer_id_unique: () => alreadyInUse('placer_appointment_id is in use'),
  },
})

/** @throws BadRequestError for a field that does not fit the status, NotFoundError for a patient that is not there. */
async function applyAppointmentRules(sent: MutableAppointment, context: RuleContext): Promise<MutableAppointment> {
  const body = applyStatusRules(sent)
  return { ...body, patient_id: await requirePatient(body.patient_id, context) }
}
