// The names that the published description gives to schemas: what schema files export under that name, and every record under
// its own. A new resource adds its lines here.
import { type TSchema, Type } from 'typebox'
import { AuditEvent } from '../audit/event.ts'
import { AuthGetTokenRequest, AuthGetTokenResponse } from '../auth/token.routes.ts'
import * as appointments from './appointments/appointment.schema.ts'
import { appointment } from './appointments/appointment.ts'
import * as visits from './appointments/visit.schema.ts'
import { AuditPage } from './audit/audit.routes.ts'
import * as common from './common.schema.ts'
import * as coordinationOfBenefits from './coordination-of-benefits/coordination-of-benefits.schema.ts'
import * as coverageEligibility from './coverage-eligibility/coverage-eligibility.schema.ts'
import * as benefits from './coverages/benefits.schema.ts'
import * as coverages from './coverages/coverage.schema.ts'
import { coverage } from './coverages/coverage.ts'
import { CoveragesPage } from './coverages/list-coverages.ts'
import { PayerPlanGroupFields } from './coverages/update-plan-group.ts'
import * as diagnoses from './diagnoses/diagnosis.schema.ts'
import { BatchEligibilityResponse } from './eligibility-checks/check-batches.ts'
import * as eligibilityChecks from './eligibility-checks/eligibility-check.schema.ts'
import * as payers from './eligibility-checks/payer.schema.ts'
import * as eligibilityPassThrough from './eligibility-pass-through/eligibility-pass-through.schema.ts'
import * as eligibilityRecommendations from './eligibility-recommendations/eligibility-recommendation.schema.ts'
import { eligibilityRecommendation } from './eligibility-recommendations/eligibility-recommendation.ts'
import * as encounterEligibility from './encounter-eligibility/encounter-eligibility.schema.ts'
import * as images from './images/image.schema.ts'
import { image } from './images/image.ts'
import * as insuranceDiscovery from './insurance-discovery/insurance-discovery.schema.ts'
import * as lists from './lists/list.schema.ts'
import * as metadataSchemas from './metadata-schemas/metadata-schema.schema.ts'
import { metadataSchema } from './metadata-schemas/metadata-schema.ts'
import * as notes from './notes/note.schema.ts'
import { note } from './notes/note.ts'
import * as providers from './organization-external-providers/organization-external-provider.schema.ts'
import { organizationExternalProvider } from './organization-external-providers/organization-external-provider.ts'
import * as patientMerges from './patient-merges/patient-merge.schema.ts'
import { patientMerge } from './patient-merges/patient-merge.ts'
import { PatientCoverageSnapshot } from './patients/coverage-snapshot.ts'
import { MutablePatientWithMrn } from './patients/create-patient.ts'
import {
  EligibilityAuditEventType,
  EligibilityTimelineEvent,
  EligibilityTimelinePage,
} from './patients/eligibility-timeline.ts'
import * as patients from './patients/patient.schema.ts'
import { patient } from './patients/patient.ts'
import * as patientParts from './patients/patient-parts.schema.ts'
import * as storedChecks from './stored-checks/stored-check.schema.ts'
import * as tags from './tags/tag.schema.ts'
import { tag } from './tags/tag.ts'

const exported: Record<string, unknown> = {
  ...common,
  ...appointments,
  ...visits,
  ...benefits,
  ...coordinationOfBenefits,
  ...coverages,
  ...coverageEligibility,
  ...diagnoses,
  ...eligibilityChecks,
  ...eligibilityPassThrough,
  ...eligibilityRecommendations,
  ...encounterEligibility,
  ...images,
  ...insuranceDiscovery,
  ...lists,
  ...metadataSchemas,
  ...notes,
  ...payers,
  ...providers,
  ...patientMerges,
  ...patientParts,
  ...patients,
  ...storedChecks,
  ...tags,
}

export const schemaNames: Readonly<Record<string, TSchema>> = {
  ...Object.fromEntries(
    Object.entries(exported).filter((entry): entry is [string, TSchema] => Type.IsSchema(entry[1])),
  ),
  AuditEvent,
  AuditPage,
  AuthGetTokenRequest,
  AuthGetTokenResponse,
  BatchEligibilityResponse,
  CoveragesPage,
  EligibilityAuditEventType,
  EligibilityTimelineEvent,
  EligibilityTimelinePage,
  MutablePatientWithMrn,
  PatientCoverageSnapshot,
  PayerPlanGroupFields,
  Appointment: appointment.wire,
  Coverage: coverage.wire,
  EligibilityRecommendation: eligibilityRecommendation.wire,
  Image: image.wire,
  MetadataSchema: metadataSchema.wire,
  Note: note.wire,
  OrganizationExternalProvider: organizationExternalProvider.wire,
  Patient: patient.wire,
  PatientMerge: patientMerge.wire,
  Tag: tag.wire,
}
