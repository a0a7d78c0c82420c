// The interface, resource by resource: this list is the registration, and its order is the order of the documentation.
//
// Glossary. NPI: national provider identifier, ten digits. MRN: medical record number, an organization's own patient number.
// PPG: payer plan group. COB: coordination of benefits, which payer pays first. X12 270/271: the eligibility inquiry and its
// response. AAA: the segment in which a payer rejects an inquiry. EB: the segment that states one benefit. ISA, GS, ST: the
// envelopes of an X12 message. STC: service type code (X12 1365). CORE: the CAQH rules for carrying X12 over HTTP.

import type { AuditedRecord } from '../audit/whose.ts'
import { endpointsOf, type Resource, recordsOf } from '../records/resource.ts'
import { appointments } from './appointments/appointment.routes.ts'
import { auditTrail } from './audit/audit.routes.ts'
import { coordinationOfBenefits } from './coordination-of-benefits/coordinate-benefits.ts'
import { coverageEligibility } from './coverage-eligibility/coverage-eligibility.routes.ts'
import { coverages } from './coverages/coverage.routes.ts'
import { diagnoses } from './diagnoses/diagnosis.routes.ts'
import { eligibilityCheck } from './eligibility-checks/audited-checks.ts'
import { eligibilityChecks } from './eligibility-checks/eligibility-check.routes.ts'
import { eligibilityPassThrough } from './eligibility-pass-through/eligibility-pass-through.routes.ts'
import { eligibilityRecommendations } from './eligibility-recommendations/eligibility-recommendation.routes.ts'
import { encounterEligibilities } from './encounter-eligibility/encounter-eligibility.routes.ts'
import { images } from './images/image.routes.ts'
import { insuranceDiscovery } from './insurance-discovery/discover-insurance.ts'
import { lists } from './lists/list.routes.ts'
import { medicareNumbers } from './medicare-numbers/look-up-medicare-number.ts'
import { metadataSchemas } from './metadata-schemas/metadata-schema.routes.ts'
import { notes } from './notes/note.routes.ts'
import { organizationExternalProviders } from './organization-external-providers/organization-external-provider.routes.ts'
import { patientMerges } from './patient-merges/patient-merge.routes.ts'
import { patients } from './patients/patient.routes.ts'
import { storedChecks } from './stored-checks/stored-check.routes.ts'
import { tags } from './tags/tag.routes.ts'

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
  // Ours, beyond the interface.
  storedChecks,
  medicareNumbers,
  auditTrail,
]

export const endpoints = endpointsOf(resources)
export const records = recordsOf(resources)

/** Every kind of record that the audit trail may have to find the patient of. */
export const auditedRecords: readonly AuditedRecord[] = [...records, eligibilityCheck]
