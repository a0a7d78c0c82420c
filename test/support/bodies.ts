// Valid bodies to start from: complete enough to be taken, small enough to read.

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
