// Valid bodies to start from: complete enough to be taken, small enough to read.
import { randomUUID } from 'node:crypto'
import type { RecordName } from '../../src/records/path-versions.ts'
import type { Caller } from './service.ts'

export type Body = Record<string, unknown>

/** How the laws (test/laws) make a record of one type: every versioned record has an entry here. */
export interface RecordBodies {
  /** The stem of its operations: `notes` of `notes.update`. */
  group: string
  /** A body that POST takes, different each time; makes what it refers to. */
  make(caller: Caller): Promise<Body>
  /** The same record with another value. */
  change(body: Body, value: string): Body
  /** Optional fields that no generated value fits, by name. */
  unfillable?: string[]
}

export const recordBodies: Record<RecordName, RecordBodies> = {
  coverage: {
    group: 'coverages',
    async make(caller) {
      const { body } = await caller.call('POST', '/patients/v1', patientBody({ name: nameBody(randomUUID()) }))
      return coverageBody(body.id)
    },
    change: (body, value) => ({ ...body, insurance_plan: { ...(body.insurance_plan as Body), group_number: value } }),
  },
  note: {
    group: 'notes',
    make: async () => ({ value: `Call back about ${randomUUID()}` }),
    change: (body, value) => ({ ...body, value }),
  },
  patient: {
    group: 'patients',
    make: async () => patientBody({ name: nameBody(randomUUID()) }),
    change: (body, value) => ({ ...body, language: value }),
    // Fit for addresses abroad only, and for coverages that exist.
    unfillable: ['administrative_area', 'coverages', 'coverages_for_related_causes'],
  },
}

/** Bodies of the operations that are neither the create nor the update of a record above. */
export const operationBodies: Record<string, { make(caller: Caller): Promise<Body>; unfillable?: string[] }> = {
  'eligibilityChecks.post': {
    make: async () => eligibilityRequestBody(),
    // Codes of a code table, and a look at earlier checks.
    unfillable: ['service_type_codes', 'get_existing_check_initiated_after', 'date_of_birth'],
  },
  'patients.createWithMrn': {
    make: async (caller) => ({ ...(await recordBodies.patient.make(caller)), mrn: randomUUID().slice(0, 20) }),
    unfillable: ['administrative_area', 'coverages', 'coverages_for_related_causes'],
  },
}

export function nameBody(family: string, given = 'Ana') {
  return { family, given: [given], use: 'USUAL' }
}

export function eligibilityRequestBody(overrides: Body = {}) {
  return {
    payer_id: '60054',
    provider: { organization_name: 'Elm Street Clinic', npi: '1234567893' },
    subscriber: { member_id: 'W123456789', first_name: 'Ana', last_name: 'Rivera', date_of_birth: '1984-02-29' },
    ...overrides,
  }
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
