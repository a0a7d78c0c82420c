// The interface, resource by resource: this list is the registration, and its order is the order of the documentation.
//
// Glossary. NPI: national provider identifier, ten digits. MRN: medical record number, an organization's own patient number.
// PPG: payer plan group. COB: coordination of benefits, which payer pays first. X12 270/271: the eligibility inquiry and its
// response. AAA: the segment in which a payer rejects an inquiry. EB: the segment that states one benefit. ISA, GS, ST: the
// envelopes of an X12 message. STC: service type code (X12 1365). CORE: the CAQH rules for carrying X12 over HTTP.

import { apiClients } from '../administration/api-clients/api-client.routes.ts'
import { connectors } from '../administration/connectors/connector.routes.ts'
import { payerRoutes } from '../administration/connectors/payer-route.routes.ts'
import { systemHealth } from '../administration/system-health/system-health.routes.ts'
import { verificationRules } from '../administration/verification-rules/verification-rules.routes.ts'
import { eligibilityRecommendations } from '../eligibility/recommendations/eligibility-recommendation.routes.ts'
import { board } from '../eligibility/routes/board/board.routes.ts'
import { coordinationOfBenefits } from '../eligibility/routes/coordination-of-benefits/coordinate-benefits.ts'
import { coverageEligibility } from '../eligibility/routes/coverage-eligibility/coverage-eligibility.routes.ts'
import { coverageLimits } from '../eligibility/routes/coverage-limits/coverage-limits.routes.ts'
import { eligibilityCheck } from '../eligibility/routes/eligibility-checks/audited-checks.ts'
import { eligibilityChecks } from '../eligibility/routes/eligibility-checks/eligibility-check.routes.ts'
import { eligibilityPassThrough } from '../eligibility/routes/eligibility-pass-through/eligibility-pass-through.routes.ts'
import { encounterEligibilities } from '../eligibility/routes/encounter-eligibility/encounter-eligibility.routes.ts'
import { insuranceDiscovery } from '../eligibility/routes/insurance-discovery/discover-insurance.ts'
import { medicareNumbers } from '../eligibility/routes/medicare-numbers/look-up-medicare-number.ts'
import { storedChecks } from '../eligibility/routes/stored-checks/stored-check.routes.ts'
import { visitVerification } from '../eligibility/routes/visit-verification/visit-verification.routes.ts'
import { eventStream } from '../events/event.routes.ts'
import type { AuditedRecord } from '../platform/audit/audited-record.ts'
import { endpointsOf, type Resource, recordsOf } from '../records/resource.ts'
import { appointments } from '../resources/appointments/appointment.routes.ts'
import { auditTrail } from '../resources/audit/audit.routes.ts'
import { coverages } from '../resources/coverages/coverage.routes.ts'
import { diagnoses } from '../resources/diagnoses/diagnosis.routes.ts'
import { images } from '../resources/images/image.routes.ts'
import { lists } from '../resources/lists/list.routes.ts'
import { patientSearch } from '../resources/lists/patient-search.routes.ts'
import { metadataSchemas } from '../resources/metadata-schemas/metadata-schema.routes.ts'
import { notes } from '../resources/notes/note.routes.ts'
import { organizationExternalProviders } from '../resources/organization-external-providers/organization-external-provider.routes.ts'
import { patientMerges } from '../resources/patient-merges/patient-merge.routes.ts'
import { patients } from '../resources/patients/patient.routes.ts'
import { tags } from '../resources/tags/tag.routes.ts'
import { users } from '../resources/users/user.routes.ts'
import { userNames } from '../resources/users/user-name.routes.ts'
import { webhooks } from '../webhooks/webhook.routes.ts'

export const resources: readonly Resource[] = [
  appointments,
  coordinationOfBenefits,
  coverages,
  coverageEligibility,
  diagnoses,
  eligibilityPassThrough,
  eligibilityChecks,
  encounterEligibilities,
  eligibilityRecommendations,
  images,
  insuranceDiscovery,
  lists,
  metadataSchemas,
  notes,
  organizationExternalProviders,
  patientMerges,
  patients,
  tags,
  // Anteroom's own resources, in addition to the published interface.
  storedChecks,
  visitVerification,
  coverageLimits,
  board,
  patientSearch,
  medicareNumbers,
  auditTrail,
  eventStream,
  webhooks,
  users,
  userNames,
  apiClients,
  connectors,
  payerRoutes,
  verificationRules,
  systemHealth,
]

export const endpoints = endpointsOf(resources)
export const records = recordsOf(resources)

/** Every record type whose patient the audit trail may have to find. */
export const auditedRecords: readonly AuditedRecord[] = [...records, eligibilityCheck]
