import { Address, HumanName, patientId } from '../example-people.ts'
import type { MutableCoverage } from './coverage.schema.ts'

export const coverageExample: MutableCoverage = {
  status: 'ACTIVE',
  subscriber: { name: HumanName, date_of_birth: '1984-02-29', biological_sex: 'FEMALE', address: Address },
  relationship: 'SELF',
  patient: patientId,
  insurance_plan: {
    member_id: 'NW-100200',
    payer_id: '60054',
    payer_name: 'Northwind Health',
    group_number: 'G-77120',
    plan_type: '12',
    type: 'C1',
    period: { start: '2026-01-01' },
  },
  verified: true,
}
