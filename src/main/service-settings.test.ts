import { expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { findServiceFaults, readServiceSettings } from './service-settings.ts'

const OIDC = {
  OIDC_CLIENT_ID: 'a',
  OIDC_CLIENT_SECRET: 'b',
  OIDC_ORGANIZATION: 'c',
  PUBLIC_URL: 'https://clinic.example',
}

it.each<[Record<string, string>, string]>([
  [
    { NODE_ENV: 'production' },
    'PUBLIC_URL is required in production: the http or https address at which callers reach the service',
  ],
  [{ TLS_KEY_FILE: 'key.pem' }, 'TLS_CERT_FILE and TLS_KEY_FILE must be set together'],
  [{ TRUSTED_PROXIES: '10.0.0.0/99' }, 'TRUSTED_PROXIES must be comma-separated addresses or networks (10.0.0.0/8)'],
  [{ WEBHOOK_PRIVATE_NETWORKS: '10.1' }, 'WEBHOOK_PRIVATE_NETWORKS must be comma-separated networks (10.1.0.0/16)'],
  [{ CONNECTOR_PRIVATE_NETWORKS: 'x' }, 'CONNECTOR_PRIVATE_NETWORKS must be comma-separated networks (10.1.0.0/16)'],
  [{ S3_BUCKET: 'images', S3_ACCESS_KEY_ID: 'x' }, 'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together'],
  [{ OIDC_ISSUER: 'https://login.example', ...OIDC }, 'OIDC_ISSUER needs OIDC_ROLES too'],
  [
    { OIDC_ISSUER: 'https://login.example', ...OIDC, OIDC_ROLES: 'boss=x' },
    'OIDC_ROLES takes comma-separated role=value pairs; the roles are front_desk, billing, administrator, read_only',
  ],
  [{ CLEARINGHOUSE_KIND: 'availity', CLEARINGHOUSE_USERNAME: 'x' }, 'CLEARINGHOUSE_PASSWORD is required'],
  [
    { CLEARINGHOUSE_URL: 'https://core.example/rt', CLEARINGHOUSE_ISA_SENDER_ID: 'a*b' },
    'CLEARINGHOUSE_ISA_SENDER_ID must have only ASCII characters, none of * : ~ ^ (delimiters) and ` (not a character of X12), and no blank at its start',
  ],
  [
    { CLEARINGHOUSE_URL: 'https://core.example/rt', CLEARINGHOUSE_ISA_RECEIVER_ID: 'Bürger' },
    'CLEARINGHOUSE_ISA_RECEIVER_ID must have only ASCII characters, none of * : ~ ^ (delimiters) and ` (not a character of X12), and no blank at its start',
  ],
])('a server refuses %o before it opens anything', async (settings, fault) => {
  expect(await findServiceFaults(readConfig(settings))).toEqual([fault])
})

it('a start names every wrong setting at once, and none twice', async () => {
  const wrong = {
    PORT: 'x',
    OIDC_ISSUER: 'x',
    NODE_ENV: 'production',
    PUBLIC_URL: 'clinic.example',
    TRUSTED_PROXIES: 'x',
    TLS_CERT_FILE: 'x',
    CLEARINGHOUSE_KIND: 'sandbox',
    CLEARINGHOUSE_URL: 'https://payer.example/core',
  }
  const refusal = await readServiceSettings(wrong).catch((error: Error) => error.message.split('; '))
  expect(refusal).toEqual([
    'invalid settings: PORT must be a whole number from 0 to 65535',
    'PUBLIC_URL must be an http or https address without username, query and #',
    'OIDC_ISSUER must be an http or https address without username, query and #',
    'CLEARINGHOUSE_KIND sandbox cannot be combined with CLEARINGHOUSE_URL',
    'TLS_CERT_FILE and TLS_KEY_FILE must be set together',
    'TRUSTED_PROXIES must be comma-separated addresses or networks (10.0.0.0/8)',
  ])
})
