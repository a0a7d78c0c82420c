// The verification of a visit on the wire, an extension of the interface. Source: rules.md 17; docs/verification.md.
import { type Static, Type } from 'typebox'
import { AppointmentStatus, NotReadyReason } from '../../../resources/appointments/appointment.schema.ts'
import { FINAL_FINDINGS } from '../../verification/decide.ts'

/** The state of a visit's verification. */
export const VisitVerification = Type.Object({
  appointment_id: Type.String(),
  /** RUNNING: checks are in progress. WAITING: open coverages will be checked again. DONE: every coverage has its final answer. */
  state: Type.Enum(['RUNNING', 'WAITING', 'DONE']),
  begun_at: Type.String({ format: 'date-time' }),
  /** Present when WAITING, if the organization has verification enabled. */
  next_attempt_at: Type.Optional(Type.String({ format: 'date-time' })),
  /** The coverages that have their final answer. */
  coverages: Type.Array(
    Type.Object({
      coverage_id: Type.String(),
      check_id: Type.Optional(Type.String()),
      finding: Type.Enum([...FINAL_FINDINGS]),
    }),
  ),
  /** The current status of the visit. */
  status: AppointmentStatus,
  not_ready_reason: Type.Optional(NotReadyReason),
})
export type VisitVerification = Static<typeof VisitVerification>
