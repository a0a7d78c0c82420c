// The tests that run on a distributed database, where CITUS_DATABASE_URL names one. docs/citus.md says what does not run there.
import { defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

if (!process.env.CITUS_DATABASE_URL)
  throw new Error('CITUS_DATABASE_URL is not set: it names a database of a coordinator of Citus (docs/citus.md)')

const include = [
  'test/laws/{access,audit,distributed}.test.ts',
  'test/acceptance/{coverage-checks,desk-records,eligibility-checks,lists,other-coverage,patient-records,payer-directory}.test.ts',
  'test/acceptance/{check-batches,recommendations,records,refusals,visits}.test.ts',
  'src/resources/{diagnoses,metadata-schemas,notes,organization-external-providers,patient-merges,tags,users}/*.test.ts',
  'src/resources/appointments/{appointment,visits}.test.ts',
  'src/resources/coverages/coverage.test.ts',
  'src/resources/images/image.test.ts',
  'src/resources/patients/{create-patient,eligibility-timeline,list-patients,patient}.test.ts',
  'src/administration/{api-clients,connectors}/*.test.ts',
  'src/eligibility/checks/{batch-store,message-retention}.test.ts',
  'src/eligibility/routes/{stored-checks,visit-verification}/*.test.ts',
  'src/eligibility/verification/*.test.ts',
  'src/events/*.test.ts',
  'src/eligibility/recommendations/eligibility-recommendation.test.ts',
  'src/eligibility/routes/{eligibility-pass-through,encounter-eligibility,insurance-discovery}/*.test.ts',
  'src/platform/audit/{block,refusals}.test.ts',
  'src/platform/auth/{openid.routes,session.routes,tokens}.test.ts',
]

export default defineConfig({ ...base, test: { ...base.test, include } })
