// Invented people and their records, for the examples of the API description.
import type { ExampleSource } from '../../platform/http/documentation/openapi-examples.ts'
import { coverageExamples } from '../../resources/coverage-examples.ts'
import {
  Address,
  ContactPoint,
  coverageId,
  ExternalProvider,
  HumanName,
  patientId,
} from '../../resources/example-people.ts'
import { patient } from '../../resources/patients/patient.ts'
import { administrationExamples } from './administration-examples.ts'
import { ONE_TIME_PASSWORD, signInExamples } from './sign-in-examples.ts'

const StandaloneDiagnosisCreate = {
  name: 'Sprain of unspecified ligament of right ankle, initial encounter',
  code_type: 'ABK',
  code: 'S93.401A',
  encounter_id: '0197a2c5-3c4d-7e5f-9a6b-7c8d9e0f1a2b',
}

const EligibilityRequest = {
  payer_id: '60054',
  provider: { organization_name: 'Harbor Clinic', npi: '1999999984' },
  subscriber: { member_id: 'NW-100200', first_name: 'Iris', last_name: 'Marlowe', date_of_birth: '1984-02-29' },
  encounter: { date_of_service: '2026-03-02', service_type_codes: ['30'] },
}

const inNetwork = { coverageLevel: 'INDIVIDUAL', unit: 'CURRENCY' }
const CoverageBenefits = {
  plan_coverage: {
    in_network: { deductible: { individual: 1500 }, deductible_remaining: { individual: 620.5 } },
    in_network_flat: [
      { type: 'DEDUCTIBLE', ...inNetwork, value: 1500 },
      { type: 'DEDUCTIBLE_REMAINING', ...inNetwork, value: 620.5 },
    ],
  },
  service_specific_coverage: [
    {
      service_code: '98',
      in_network: { copay: { individual: 25 } },
      in_network_flat: [{ type: 'COPAY', ...inNetwork, value: 25 }],
    },
  ],
}

const EligibilityCheck = {
  request: EligibilityRequest,
  response: { controlNumber: '000000042', tradingPartnerServiceId: '60054' },
  parsed_response: {
    eligibility_status: 'ACTIVE',
    plan_metadata: {
      payer_name: 'Northwind Health',
      insurance_type: 'Commercial',
      plan_name: 'Harbor PPO',
      member_id: 'NW-100200',
      group_number: 'G-77120',
      start_date: '2026-01-01',
    },
    benefits: CoverageBenefits,
  },
  request_corrections: [],
}

const EligibilityCheckMetadata = {
  check_id: '0197a2c7-6e5f-7a80-9b1c-3d4e5f6a7b8c',
  service_code: '30',
  status: 'COMPLETED',
  initiated_by: '0197a2bf-6c7d-7e8f-9a0b-1c2d3e4f5a6b',
  initiated_at: '2026-03-02T13:05:00.000Z',
}

const event = {
  id: '4c6f1d0e-93b5-4f0e-8a51-2b7c9d3e6f10',
  number: 1204,
  type: 'coverage.updated',
  timestamp: '2026-03-02T15:05:00.000Z',
  data: {
    organization_id: '0197a2bf-0a1b-7c2d-8e3f-405162738495',
    record_type: 'coverage',
    id: coverageId,
    version: 2,
    link: `/coverages/v1/${coverageId}`,
    changed: ['insurance_plan.group_number'],
  },
}

const MutableWebhook = {
  url: 'https://hooks.example.com/anteroom',
  event_types: ['coverage.updated', 'visit.*'],
  description: 'The scheduling system',
}

const Webhook = {
  id: '0197a2c9-1b2c-7d3e-8f40-516273849506',
  organization_id: '0197a2bf-0a1b-7c2d-8e3f-405162738495',
  ...MutableWebhook,
  includes_record: false,
  enabled: true,
  created_at: '2026-03-02T15:05:00.000Z',
  updated_at: '2026-03-02T15:05:00.000Z',
}

export const examples: ExampleSource = {
  schemas: {
    ...coverageExamples,
    Address,
    HumanName,
    ContactPoint,
    ExternalProvider,
    AuditEvent: {
      id: '4711-16',
      at: '2026-03-02T15:05:00.000Z',
      operation: 'patients.update',
      client_id: '0197a2bf-5b6c-7d7e-8f9a-0b1c2d3e4f5a',
      user_id: '0197a2bf-6c7d-7e8f-9a0b-1c2d3e4f5a6b',
      address: '192.0.2.17',
      status: 200,
      request_id: 'n0Zr3Q2p-1024',
      record_type: 'patient',
      record_ids: [patientId],
      version: 2,
      patient_ids: [patientId],
    },
    CheckEligibilityRequest: { service_code: '30', date_of_service: '2026-03-02', npi: '1999999984' },
    CoverageBenefits,
    Diagnosis: {
      diagnosis_id: '0197a2c5-1a2f-7c00-8f44-7d6e5f4a3b2c',
      ...StandaloneDiagnosisCreate,
      created_at: '2026-03-02T15:05:00.000Z',
      updated_at: '2026-03-02T15:05:00.000Z',
    },
    DiagnosisUpdate: { code_type: 'ABF' },
    EligibilityCheck,
    EligibilityCheckMetadata,
    EligibilityRequest,
    EncounterEligibility: {
      id: EligibilityCheckMetadata.check_id,
      source: 'STEDI',
      dateOfService: '2026-03-02T00:00:00.000Z',
      payerId: '60054',
      providerNPI: '1999999984',
      status: 'ACTIVE',
      errors: [],
    },
    EligibilityRecommendationPatientInfo: {
      id: patientId,
      mrn: '2603020001',
      last_name: 'Marlowe',
      first_name: 'Iris',
      date_of_birth: '1984-02-29',
      member_id: 'NW-100200',
    },
    EligibilityRecommendationPayload: {
      type: 'COPAY_ESTIMATION',
      payload: {
        structured_response: 2500,
        exposition:
          'The payer states an in-network copay of $25 for an office visit, by its row EB*B*IND*98 (Professional (Physician) Visit - Office, Individual).',
      },
    },
    AvailityEligibilityResult: {
      id: '0197a2c6-77aa-7b10-8c21-5d4e3f2a1b00',
      dateOfService: '2026-03-02T00:00:00.000Z',
      payerId: '60054',
      providerNPI: '1999999984',
      status: 'ACTIVE',
    },
    FindAvailityEligibilityResultsRequest: {
      member_id: 'NW-100200',
      payer_id: '60054',
      date_of_service: '2026-03-02T00:00:00.000Z',
      provider_npi: '1999999984',
    },
    VisitVerification: {
      appointment_id: '0197a2c5-3c4d-7e5f-9a6b-7c8d9e0f1a2b',
      state: 'DONE',
      begun_at: '2026-03-02T15:04:05.000Z',
      coverages: [{ coverage_id: coverageId, check_id: '0197a2c7-6e5f-7a80-9b1c-3d4e5f6a7b8c', finding: 'ACTIVE' }],
      status: 'READY',
    },
    CoverageLimits: {
      coverage_id: coverageId,
      check_id: '0197a2c7-6e5f-7a80-9b1c-3d4e5f6a7b8c',
      limits: [{ kind: 'COVERAGE', note: 'active for Pharmacy only' }],
    },
    Event: event,
    MutableWebhook,
    Webhook,
    WebhookWithSecret: { ...Webhook, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
    RotatedSecret: {
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      previous_secret_expires_at: '2026-03-03T15:05:00.000Z',
    },
    WebhookDelivery: {
      number: event.number,
      event_id: event.id,
      event_type: event.type,
      record_id: event.data.id,
      status: 'DELIVERED',
      attempts: 1,
      first_attempt_at: '2026-03-02T15:05:01.000Z',
      last_attempt_at: '2026-03-02T15:05:01.000Z',
      response_status: 204,
      duration_ms: 38,
    },
    ...administrationExamples,
    WebhookTestResult: { delivered: true, response_status: 204, duration_ms: 38 },
    ...signInExamples,
    MutablePatientWithMrn: { ...patient.example, mrn: '2603020001' },
    StandaloneDiagnosisCreate,
    StediPayer: {
      stedi_id: 'QNHRB',
      display_name: 'Northwind Health',
      primary_payer_id: '60054',
      aliases: ['NWH01'],
      names: ['Northwind Health Plan of Maine'],
      transaction_support: { eligibilityCheck: 'SUPPORTED', claimStatus: 'ENROLLMENT_REQUIRED' },
      coverage_types: ['medical', 'dental'],
    },
  },
  fields: {
    access_token: 'eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiI…',
    client_id: '0197a2c0-11aa-7b2c-8d3e-4f5061728394',
    client_secret: 'the secret that was shown once',
    expires_in: 18_000,
    token_type: 'Bearer',
    id: patientId,
    organization_id: '0197a2bf-0a1b-7c2d-8e3f-405162738495',
    updating_user_id: '0197a2bf-6c7d-7e8f-9a0b-1c2d3e4f5a6b',
    mrn: '2603020001',
    mrns: ['2603020001'],
    alternative_mrns: ['2603020002'],
    patient_id: patientId,
    coverage_id: coverageId,
    payer_plan_group_id: '0197a2c6-4d5e-7f60-8a1b-2c3d4e5f6a7b',
    payer_id: '60054',
    payer_name: 'Northwind Health',
    eligibility_check_id: '0197a2c7-6e5f-7a80-9b1c-3d4e5f6a7b8c',
    check_id: '0197a2c7-6e5f-7a80-9b1c-3d4e5f6a7b8c',
    batch_id: '0197a2c8-0a1b-7c2d-8e3f-4a5b6c7d8e9f',
    initiated_by: '0197a2bf-6c7d-7e8f-9a0b-1c2d3e4f5a6b',
    inquiry: 'ISA*00*          *00*          *ZZ*HARBOR01       *ZZ*NORTHWIND …',
    response: 'ISA*00*          *00*          *ZZ*NORTHWIND      *ZZ*HARBOR01 …',
    encounter_id: '0197a2c5-3c4d-7e5f-9a6b-7c8d9e0f1a2b',
    event_type: 'COVERAGE_CREATED',
    user_id: '0197a2bf-6c7d-7e8f-9a0b-1c2d3e4f5a6b',
    user_name: 'Front desk',
    username: signInExamples.User.username,
    password: 'lantern orbit velvet cactus',
    current_password: ONE_TIME_PASSWORD,
    new_password: 'lantern orbit velvet cactus',
    one_time_password: ONE_TIME_PASSWORD,
    one_time_code: '492039',
    recovery_codes_left: 10,
    recovery_codes: ['kd7m-wq3x-p9ra-nc42-htyb', '8fzu-g5vc-m2je-xq7d-w3sk'],
    secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
    otpauth_url: 'otpauth://totp/Anteroom:ana.reyes?issuer=Anteroom&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
    address: '192.0.2.17',
    payload: { payer_id: '60054', payer_name: 'Northwind Health' },
    total: 1,
    last_event_id: '1204',
    has_more: false,
    is_incomplete: false,
    deliveries: 12,
    since: '2026-03-02T15:05:00.000Z',
    score: 846,
    stats: {
      total: 1,
      transactionSupport: { eligibilityCheck: { supported: 1, notSupported: 0, enrollmentRequired: 0 } },
    },
    signed_url: 'https://files.example.com/images/0197a2c4?signature=…',
  },
}
