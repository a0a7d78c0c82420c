// Valid bodies as a starting point: complete enough to be accepted, small enough to read.
import { randomUUID } from 'node:crypto'
import type { Caller } from './caller.ts'

export type Body = Record<string, unknown>

/** A placeholder for a text that must be unique; a test that sends a body many times replaces it. */
export const UNIQUE_TEXT = 'unique-text'

/** How the tests in test/laws create a record of one type, if its example with another text is not enough. */
export interface RecordBodies {
  /** The stem of its operations: `notes` of `notes.update`. */
  group: string
  /** A valid body of POST, different each time; creates the records that it refers to. */
  make(caller: Caller): Promise<Body>
  /** The same record with another value. */
  change(body: Body, value: string): Body
  /** The names of optional fields for which no generated value is valid. */
  unfillable?: string[]
  /** Optional fields that this body needs. */
  needed?: string[]
  /** Optional fields that refer to records, which must exist. */
  references?(caller: Caller): Promise<Body>
  /** The operation that writes the next version, if it is not `update`; `change` then creates its body. */
  updatedBy?: string
  /** The name of its id in paths, if it is not `id`. */
  idParameter?: string
  /** Fields that are generated for every answer, so that two answers with one version differ in them. */
  passing?: string[]
}

export const recordBodies = {
  appointment: {
    group: 'appointments',
    async make(caller) {
      const { body } = await caller.call('POST', '/patients/v1', patientBody({ name: nameBody(randomUUID()) }))
      return appointmentBody(body.id)
    },
    change: (body, value) => ({ ...body, notes: value }),
    // Valid only for foreign addresses, and in other statuses.
    unfillable: ['administrative_area', 'checked_in_timestamp', 'checked_out_timestamp'],
  },
  coverage: {
    group: 'coverages',
    async make(caller) {
      const { body } = await caller.call('POST', '/patients/v1', patientBody({ name: nameBody(randomUUID()) }))
      return coverageBody(body.id)
    },
    change: (body, value) => ({ ...body, insurance_plan: { ...(body.insurance_plan as Body), group_number: value } }),
    unfillable: ['administrative_area'],
  },
  eligibility_recommendation: {
    group: 'eligibilityRecommendations',
    make: async (caller) => recommendationBody(await caller.newCheckId()),
    // A recommendation never changes; its votes do.
    change: (_, value) => ({ user_id: value, value: 'UPVOTE' }),
    updatedBy: 'vote',
    idParameter: 'recommendation_id',
  },
  image: {
    group: 'images',
    async make(caller) {
      const { body } = await caller.call('POST', '/coverages/v1', await recordBodies.coverage.make(caller))
      return imageBody({ coverage: { id: body.id, side: 'FRONT' }, patient: { id: body.patient } })
    },
    change: (body, value) => ({ ...body, display_name: value }),
    passing: ['signed_url'],
  },
  metadata_schema: {
    group: 'metadataSchemas',
    // The same fields each time, because an update cannot remove one.
    make: async () => ({ name: `Intake ${randomUUID()}`, fields: [{ key: 'color', type: 'STRING' }] }),
    change: (body, value) => ({ ...body, description: value }),
    // For fields of type ENUM only.
    unfillable: ['enum_values'],
  },
  organization_external_provider: {
    group: 'organizationExternalProviders',
    make: async () => ({ name: nameBody(randomUUID()), types: ['REFERRING'] }),
    change: (body, value) => ({ ...body, tax_id: value }),
    unfillable: ['administrative_area'],
  },
  patient: {
    group: 'patients',
    make: async () => patientBody({ name: nameBody(randomUUID()) }),
    change: (body, value) => ({ ...body, language: value }),
    // Valid only for foreign addresses, and for existing coverages and metadata schemas.
    unfillable: ['administrative_area', 'coverages', 'coverages_for_related_causes', 'custom_metadata'],
    references: noteAndTag,
  },
  patient_merge: {
    group: 'patientMerges',
    async make({ call }) {
      const create = () => call('POST', '/patients/v1', patientBody({ name: nameBody(randomUUID()) }))
      const [alternative, primary] = [await create(), await create()]
      return { alternative_patient_mrn: alternative.body.mrn, primary_patient_mrn: primary.body.mrn }
    },
    // A merge is undone, never changed.
    change: (body) => body,
  },
  tag: {
    group: 'tags',
    make: async () => ({ value: `Tag ${randomUUID()}` }),
    change: (body, value) => ({ ...body, description: value }),
  },
} satisfies Record<string, RecordBodies>

/** How the tests in test/laws create the body of an operation that neither creates nor updates a record above. */
export interface OperationBodies extends Pick<RecordBodies, 'make' | 'unfillable' | 'needed' | 'references'> {
  /** Path parameters of an existing object. */
  target?(caller: Caller): Promise<Body>
}

export const operationBodies: Record<string, OperationBodies> = {
  'coverages.checkEligibility': { make: async () => coverageCheckBody() },
  'coverages.batchUpdatePpg': { make: async () => planGroupBody() },
  'diagnoses.create': { make: async () => diagnosisBody() },
  'diagnoses.update': {
    make: async () => ({ name: 'Ankle sprain', code: 'S93.401A' }),
    target: async ({ call }) => (await call('POST', '/api/diagnoses/v2', diagnosisBody())).body,
    // The code must match its type.
    unfillable: ['code_type'],
  },
  'eligibility.findAvailityEligibilityResults': {
    make: async () => ({
      member_id: 'AETNA12345',
      payer_id: '60054',
      date_of_service: '2026-03-10T00:00:00.000Z',
      provider_npi: '1999999984',
    }),
  },
  'eligibilityChecks.post': {
    make: async () => eligibilityRequestBody(),
    // Codes of a code table, and a reference to earlier checks.
    unfillable: ['service_type_codes', 'get_existing_check_initiated_after', 'date_of_birth'],
  },
  'eligibilityRecommendations.vote': { make: async () => ({ user_id: randomUUID(), value: 'UPVOTE' }) },
  'eligibilityChecks.insuranceDiscovery': {
    make: async () => discoveryBody(),
    // Texts that must be dates or numbers; one day or a range.
    unfillable: ['date_of_birth', 'ssn', 'date_of_service', 'beginning_date_of_service', 'end_date_of_service'],
  },
  'eligibilityChecks.lookUpMedicareNumber': {
    make: async () => ({
      provider: { npi: '1999999984', organization_name: 'Clinic' },
      person: { first_name: 'Ana', last_name: 'Rivera', date_of_birth: '1944-02-29', ssn: '900112222' },
    }),
    unfillable: ['date_of_birth', 'ssn'],
  },
  'eligibilityChecks.coordinationOfBenefits': {
    // Member id or social security number is required: with both present, either may be omitted.
    async make() {
      const body = coordinationBody()
      return { ...body, subscriber: { ...body.subscriber, ssn: '123456789' } }
    },
    // A dependent's birth date is text with its own rule.
    unfillable: ['ssn', 'dependent', 'date_of_service', 'beginning_date_of_service', 'end_date_of_service'],
  },
  'eligibilityChecks.createEncounterEligibility': {
    async make({ call }) {
      const patient = await call('POST', '/patients/v1', patientBody({ name: nameBody(randomUUID()) }))
      const { body } = await call('POST', '/appointments/v1', appointmentBody(patient.body.id))
      return { encounter_id: body.id }
    },
  },
  'webhooks.create': { make: async () => webhookBody() },
  'webhooks.update': { make: async () => webhookBody(), target: newWebhook },
  'webhooks.replay': { make: async () => ({ since: '2020-01-01T00:00:00.000Z' }), target: newWebhook },
  'users.create': { make: async () => userBody() },
  'users.update': { make: async () => ({ name: 'Ana Reyes', role: 'billing', disabled: false }), target: newUser },
  'apiClients.create': { make: async () => ({ name: `Client ${randomUUID()}`, scopes: ['admin'] }) },
  'apiClients.update': { make: async () => ({ scopes: ['admin'] }), target: newApiClient },
  // Kinds and settings have their own rules.
  'connectors.create': {
    make: async () => connectorBody(),
    unfillable: ['kind', 'name', 'settings'],
    needed: ['url', 'senderId', 'receiverId'],
  },
  'connectors.update': {
    make: async () => ({ settings: connectorBody().settings }),
    target: newConnector,
    unfillable: ['settings'],
    needed: ['url', 'senderId', 'receiverId'],
  },
  'connectors.test': {
    make: async () => ({ payer_id: '60054' }),
    target: newConnector,
    needed: ['payer_id'],
    unfillable: ['payer_id', 'npi'],
  },
  'payerRoutes.set': {
    make: async (caller) => newConnector(caller),
    target: async () => ({ payer_id: '60054' }),
    unfillable: ['connector'],
  },
  'verificationRules.update': {
    make: async () => ({ enabled: false, days_ahead: 3, visit_services: {}, auto_update_benefits: false }),
    unfillable: ['npi'],
  },
  'patientMerges.search': {
    make: async () => ({ mrns: ['2601010001'] }),
    // A token is valid only for its search.
    unfillable: ['page_token'],
  },
  'patients.createWithMrn': {
    make: async () => ({ ...patientBody({ name: nameBody(randomUUID()) }), mrn: UNIQUE_TEXT }),
    unfillable: ['administrative_area', 'coverages', 'coverages_for_related_causes', 'custom_metadata'],
    references: noteAndTag,
  },
}

async function newWebhook({ call }: Caller): Promise<Body> {
  const { body } = await call('POST', '/anteroom/v1/webhooks', webhookBody())
  return { webhook_id: body.id }
}

async function newUser({ call }: Caller): Promise<Body> {
  const { body } = await call('POST', '/anteroom/v1/users', userBody())
  return { user_id: body.id }
}

async function newApiClient({ call }: Caller): Promise<Body> {
  const { body } = await call('POST', '/anteroom/v1/api-clients', { name: 'A client', scopes: ['*:read'] })
  return { client_id: body.client_id }
}

async function newConnector({ call }: Caller): Promise<Body> {
  const { body } = await call('POST', '/anteroom/v1/connectors', connectorBody())
  return { connector: body.name }
}

async function noteAndTag({ call }: Caller): Promise<Body> {
  const note = await call('POST', '/notes/v1', { value: 'A note' })
  const tag = await call('POST', '/tags/v1', { value: `Tag ${randomUUID()}` })
  return { note_ids: [note.body.id], tag_ids: [tag.body.id] }
}

export function nameBody(family: string, given = 'Ana') {
  return { family, given: [given], use: 'USUAL' }
}

export function userBody() {
  return { username: `ana.${randomUUID()}`, name: 'Ana Reyes', role: 'read_only' }
}

export function webhookBody() {
  return { url: 'https://hooks.invalid/', event_types: ['*'] }
}

export function connectorBody(settings: Body = {}) {
  return {
    name: `partner-${randomUUID()}`.slice(0, 50),
    kind: 'core',
    settings: { url: 'https://partner.invalid/core', senderId: 'CLINIC', receiverId: 'PARTNER', ...settings },
  }
}

export function diagnosisBody(overrides: Body = {}) {
  return { code_type: 'ABF', code: 'E11.9', encounter_id: randomUUID(), ...overrides }
}

export function eligibilityRequestBody(overrides: Body = {}) {
  return {
    payer_id: '60054',
    provider: { organization_name: 'Elm Street Clinic', npi: '1234567893' },
    subscriber: { member_id: 'W123456789', first_name: 'Ana', last_name: 'Rivera', date_of_birth: '1984-02-29' },
    ...overrides,
  }
}

export function coverageCheckBody(overrides: Body = {}) {
  return { service_code: '30', date_of_service: '2026-03-10', npi: '1999999984', ...overrides }
}

export function discoveryBody(overrides: Body = {}) {
  return { provider: { npi: '1234567893' }, subscriber: { first_name: 'Ana', last_name: 'Rivera' }, ...overrides }
}

export function coordinationBody(overrides: Body = {}) {
  return {
    trading_partner_service_id: '60054',
    provider: { organization_name: 'Elm Street Clinic', npi: '1234567893' },
    subscriber: { member_id: 'W123456789', first_name: 'Ana', last_name: 'Rivera', date_of_birth: '1984-02-29' },
    encounter: {},
    ...overrides,
  }
}

export function recommendationBody(checkId: string, overrides: Body = {}) {
  const payload = { payer_name: 'HUMANA', payer_id: '61101' }
  return {
    eligibility_check_id: checkId,
    patient: { id: randomUUID(), last_name: 'Rivera', member_id: 'W123456789' },
    recommendation: { type: 'MEDICARE_ADVANTAGE', payload },
    ...overrides,
  }
}

export function planGroupBody(overrides: Body = {}) {
  return { payer_plan_group_id: randomUUID(), payer_id: '60054', payer_name: 'Aetna', plan_type: 'HM', ...overrides }
}

export function patientBody(overrides: Record<string, unknown> = {}) {
  return {
    name: { family: 'Rivera', given: ['Ana', 'Lucia'], use: 'USUAL' },
    other_names: [],
    birth_date: '1984-02-29',
    biological_sex: 'FEMALE',
    primary_address: addressBody(),
    other_addresses: [],
    other_telecoms: [],
    contacts: [],
    general_practitioners: [],
    filing_order: { coverages: [] },
    ...overrides,
  }
}

export function addressBody(overrides: Record<string, unknown> = {}) {
  return {
    use: 'HOME',
    line: ['12 Elm St'],
    city: 'Albany',
    state: 'NY',
    postal_code: '12207',
    country: 'US',
    ...overrides,
  }
}

export function appointmentBody(patientId: string, overrides: Record<string, unknown> = {}) {
  return {
    patient_id: patientId,
    start_timestamp: '2026-03-10T14:00:00.000Z',
    service_duration: 30,
    services: [{ universal_service_identifier: 'MD_Visit' }],
    ...overrides,
  }
}

export function imageBody(overrides: Record<string, unknown> = {}) {
  return { file_name: 'card.png', display_name: 'Card', file_type: 'image/png', status: 'PENDING', ...overrides }
}

export function coverageBody(patientId: string, overrides: Record<string, unknown> = {}) {
  return {
    status: 'ACTIVE',
    subscriber: {
      name: { family: 'Rivera', given: ['Ana'], use: 'USUAL' },
      date_of_birth: '1984-02-29',
      biological_sex: 'FEMALE',
    },
    relationship: 'SELF',
    patient: patientId,
    insurance_plan: { member_id: 'W123456789', payer_id: '60054', payer_name: 'Aetna' },
    verified: false,
    ...overrides,
  }
}
