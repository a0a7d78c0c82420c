// The deprecated eligibility operations on the wire. Source: types.md, "Eligibility pass-through"; rules.md 5.
import { type Static, Type } from 'typebox'
import { EligibilityStatus } from '../../../contract/eligibility-check.schema.ts'

export const FindAvailityEligibilityResultsRequest = Type.Object({
  member_id: Type.String(),
  payer_id: Type.String(),
  date_of_service: Type.String({ format: 'date-time' }),
  provider_npi: Type.String(),
})
export type FindAvailityEligibilityResultsRequest = Static<typeof FindAvailityEligibilityResultsRequest>

export const AvailityEligibilityResult = Type.Object({
  id: Type.String(),
  dateOfService: Type.String({ format: 'date-time' }),
  payerId: Type.String(),
  providerNPI: Type.String(),
  dependent: Type.Optional(Type.String()),
  status: EligibilityStatus,
})
export type AvailityEligibilityResult = Static<typeof AvailityEligibilityResult>

export const FindAvailityEligibilityResultsResponse = Type.Object({
  results: Type.Array(AvailityEligibilityResult),
})

/** Any JSON on the wire; this service returns Availity's Coverage. */
export const CoverageForm = Type.Unknown({
  examples: [
    {
      id: '0197a2c6-77aa-7b10-8c21-5d4e3f2a1b00',
      status: 'Complete',
      statusCode: '4',
      asOfDate: '2026-03-02T00:00:00.000+0000',
      payer: { name: 'AETNA', payerId: '60054', responseName: 'AETNA', responsePayerId: '60054' },
      patient: { firstName: 'JANE', lastName: 'DOE', memberId: 'AETNA12345', subscriberRelationshipCode: '18' },
      plans: [
        {
          status: 'Active Coverage',
          statusCode: '1',
          benefits: [
            {
              name: 'Professional (Physician) Visit - Office',
              type: '98',
              amounts: { coPayment: { inNetwork: [{ amount: '25', units: 'Dollars' }] } },
            },
          ],
        },
      ],
    },
  ],
})
