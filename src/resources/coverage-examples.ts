// Invented examples of insurance discovery and coordination of benefits.

const person = { first_name: 'Iris', last_name: 'Marlowe' }

export const coverageExamples = {
  InsuranceDiscoveryRequest: {
    provider: { npi: '1999999984' },
    subscriber: {
      ...person,
      date_of_birth: '19840229',
      gender: 'F',
      address: { address_1: '4 Quay St', city: 'Portland', state: 'ME', postal_code: '04101' },
    },
    encounter: { date_of_service: '20260302' },
  },
  InsuranceDiscoveryResponse: {
    discovery_id: '0197a2c9-7a8b-7c9d-8e0f-1a2b3c4d5e6f',
    status: 'COMPLETE',
    items: [
      {
        payer: { name: 'NORTHWIND HEALTH', payorIdentification: '60054' },
        subscriber: { memberId: 'NW-100200', firstName: 'IRIS', lastName: 'MARLOWE' },
        confidence: { level: 'HIGH', reason: 'Name and date of birth match' },
      },
    ],
    coverages_found: 1,
  },
  MedicareNumberRequest: {
    provider: { npi: '1999999984', organization_name: 'Harbor Clinic' },
    person: { first_name: 'Harold', last_name: 'Whitfield', date_of_birth: '1944-02-29', ssn: '900-44-0229' },
  },
  MedicareNumberResponse: { member_id: '1EG4TE5MK72', payer_id: 'CMS', eligibility_status: 'ACTIVE' },
  CoordinationOfBenefitsRequest: {
    trading_partner_service_id: '60054',
    provider: { organization_name: 'Harbor Clinic', npi: '1999999984' },
    subscriber: { ...person, date_of_birth: '1984-02-29', member_id: 'NW-100200' },
    encounter: { date_of_service: '2026-03-02' },
  },
  CoordinationOfBenefitsResponse: {
    provider: { provider_org_name: 'Harbor Clinic', npi: '1999999984' },
    subscriber: { member_id: 'NW-100200', first_name: 'IRIS', last_name: 'MARLOWE', date_of_birth: '1984-02-29' },
    payer: { name: 'NORTHWIND HEALTH', payer_identification: '60054' },
    plan_date_information: { plan_begin: '2026-01-01' },
    benefits_information: [
      { code: '1', name: 'Active Coverage', serviceTypeCodes: ['1'] },
      {
        code: 'R',
        name: 'Other or Additional Payor',
        serviceTypeCodes: ['1'],
        benefitsRelatedEntities: [{ entityIdentifier: 'Primary Payer', entityName: 'EASTERLY MUTUAL' }],
      },
    ],
    coordination_of_benefits: {
      classification: 'CobInstanceExistsPrimacyDetermined',
      instance_exists: true,
      primacy_determined: true,
      coverage_overlap: true,
      benefit_overlap: true,
    },
  },
}
