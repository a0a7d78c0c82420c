// Source: types.md, "Coverages".
import { Type } from 'typebox'
import { ServiceTypeCode } from '../../../contract/benefits.schema.ts'
import {
  EligibilityCheck,
  EligibilityCheckMetadata,
  IDENTIFIER_MAX,
} from '../../../contract/eligibility-check.schema.ts'

export const CheckEligibilityRequest = Type.Object({
  service_code: ServiceTypeCode,
  date_of_service: Type.String({ format: 'date' }),
  npi: Type.String({ maxLength: IDENTIFIER_MAX }),
})

export const CoverageEligibilityCheckResponse = Type.Object({
  metadata: EligibilityCheckMetadata,
  check: Type.Optional(EligibilityCheck),
})
