import { type Static, Type } from 'typebox'
import { AppointmentStatus, NotReadyReason } from '../../../resources/appointments/appointment.schema.ts'

/** How the verification of one visit stands. */
export const VisitVerification = Type.Object({
  appointment_id: Type.String(),
  /** RUNNING: payers are being asked. WAITING: what is not settled is asked again. DONE: every coverage has its final answer. */
  state: Type.Enum(['RUNNING', 'WAITING', 'DONE']),
  begun_at: Type.String({ format: 'date-time' }),
  /** Of one that is WAITING, and only where the organization has verification switched on. */
  next_attempt_at: Type.Optional(Type.String({ format: 'date-time' })),
  /** The coverages that have their final answer. */
  coverages: Type.Array(
    Type.Object({
      coverage_id: Type.String(),
      check_id: Type.Optional(Type.String()),
      finding: Type.Enum(['ACTIVE', 'INACTIVE', 'OTHER_PAYER', 'UNKNOWN', 'REJECTED', 'UNUSABLE']),
    }),
  ),
  /** Of the visit, as it is now. */
  status: AppointmentStatus,
  not_ready_reason: Type.Optional(NotReadyReason),
})
export type VisitVerification = Static<typeof VisitVerification>
