// Source: types.md, "EncounterEligibility"; the mixed spelling is the interface's (rules.md 1.3).
import { Type } from 'typebox'
import { EligibilityCheckError, EligibilityStatus } from '../../../contract/eligibility-check.schema.ts'

export const EligibilitySource = Type.Enum(['STEDI', 'AVAILITY', 'PHONE_AGENT', 'BROWSER_AGENT'])

export const Dependent = Type.Object({ name: Type.String() })

export const EncounterEligibility = Type.Object({
  id: Type.String(),
  source: EligibilitySource,
  dateOfService: Type.String(),
  payerId: Type.String(),
  providerNPI: Type.String(),
  dependent: Type.Optional(Dependent),
  status: EligibilityStatus,
  errors: Type.Array(EligibilityCheckError),
})

export const EncounterEligibilityRequest = Type.Object({ encounter_id: Type.String() })

export const EncounterEligibilityResponse = Type.Object({ items: Type.Array(EncounterEligibility) })
