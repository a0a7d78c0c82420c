// Source: types.md, "Appointments".
import { Type } from 'typebox'
import { PayerPlanGroupId } from '../../contract/common.schema.ts'
import { pageOf } from '../../records/page.ts'
import { CoverageStatus } from '../coverages/coverage.schema.ts'
import { MutablePatientWithMrn } from '../patients/create-patient.ts'
import { AppointmentStatus, NotReadyReason } from './appointment.schema.ts'

/** A patient's appointments on one day. */
export const Visit = Type.Object({
  patient_id: Type.String(),
  organization_id: Type.String(),
  patient: MutablePatientWithMrn,
  start_time: Type.String({ format: 'date-time' }),
  status: AppointmentStatus,
  primary_coverage_status: Type.Optional(CoverageStatus),
  secondary_coverage_status: Type.Optional(CoverageStatus),
  primary_payer_name: Type.Optional(Type.String()),
  primary_payer_plan_group_id: Type.Optional(PayerPlanGroupId),
  secondary_payer_name: Type.Optional(Type.String()),
  secondary_payer_plan_group_id: Type.Optional(PayerPlanGroupId),
})

export const VisitsPage = pageOf(Visit)

export const CountsResponse = Type.Object({
  not_ready_reason_counts: Type.Optional(Type.Partial(Type.Record(NotReadyReason, Type.Integer()))),
})
