// Examples of administration records, for the API description.

const ApiClient = {
  client_id: '0197a2c0-11aa-7b2c-8d3e-4f5061728394',
  name: 'Scheduling system',
  scopes: ['appointments:read', 'appointments:write'],
  revoked: false,
  created_at: '2026-03-02T15:04:05.000Z',
}

const connector = {
  name: 'northwind',
  kind: 'core',
  settings: {
    url: 'https://core.northwind.example/eligibility',
    senderId: 'HARBOR',
    receiverId: 'NORTHWIND',
    password: '(set)',
  },
}

const ConnectorSummary = {
  name: connector.name,
  kind: connector.kind,
  is_default: true,
  public_only: true,
  created_at: '2026-03-02T15:04:05.000Z',
  updated_at: '2026-03-02T15:04:05.000Z',
}

const explanation =
  'The payer answered about an invented patient (AAA 75 Subscriber/Insured Not Found): the connection works'

export const administrationExamples = {
  NewApiClient: { name: ApiClient.name, scopes: ApiClient.scopes },
  ApiClientScopes: { scopes: ApiClient.scopes },
  ApiClient,
  ApiClientCredentials: {
    client_id: ApiClient.client_id,
    client_secret: 'the secret that is shown once',
    organization_id: '0197a2bf-5b6c-7d7e-8f9a-0b1c2d3e4f5a',
  },
  ScopeDescription: { scope: 'patients:read', description: 'See patients.', grantable: true },
  NewConnector: { ...connector, settings: { ...connector.settings, password: 'the password that the partner gave' } },
  ConnectorSettings: { settings: connector.settings },
  ConnectorSummary,
  Connector: { ...ConnectorSummary, settings: connector.settings },
  ConnectorTest: { payer_id: '60054' },
  ConnectorTestResult: { works: true, explanation },
  MutablePayerRoute: { connector: connector.name, connector_payer_id: 'NWH01' },
  PayerRoute: { payer_id: '60054', connector: connector.name, connector_payer_id: 'NWH01' },
  VerificationRules: {
    enabled: true,
    days_ahead: 3,
    npi: '1999999984',
    visit_services: { Treatment: ['PT', '98'] },
    auto_update_benefits: false,
  },
  SystemHealth: {
    findings: [
      { what: 'database', state: 'ok', says: 'The database answers.' },
      {
        what: 'checks',
        state: 'fault',
        says: '12 checks are waiting, the oldest for 2 hours: is a worker running?',
      },
    ],
    versions: { anteroom: '1.0.0', node: '24.1.0', postgresql: '17.5' },
  },
}
