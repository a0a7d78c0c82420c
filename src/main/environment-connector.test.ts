// The settings CLEARINGHOUSE_* describe a connector like any that an organization stores: they are validated and
// connected in the same way.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { testService } from '../../test/support/service.ts'
import { createConnector, showConnector } from '../clearinghouses/connector-store.ts'
import { readConfig } from '../config.ts'
import { environmentConnector } from './environment-connector.ts'
import { createStandardConnection } from './standard-connection.ts'

const service = testService()
const certificates = new URL('../../test/support/tls/', import.meta.url)
const pathOf = (name: string) => fileURLToPath(new URL(name, certificates))
const textOf = (name: string) => readFileSync(pathOf(name), 'utf8')

const core = {
  CLEARINGHOUSE_NAME: 'main',
  CLEARINGHOUSE_URL: 'https://core.example/rt',
  CLEARINGHOUSE_FORM: 'mime',
  CLEARINGHOUSE_USERNAME: 'harbor',
  CLEARINGHOUSE_PASSWORD: 's3cret',
  CLEARINGHOUSE_ISA_SENDER_ID: 'HARBOR01',
  CLEARINGHOUSE_USAGE: 'T',
  CLEARINGHOUSE_TIMEOUT_MS: '3000',
  CLEARINGHOUSE_RETRY_HOURS: '2',
  CLEARINGHOUSE_CA_FILE: pathOf('authority.pem'),
  CLEARINGHOUSE_CLIENT_CERT_FILE: pathOf('client.pem'),
  CLEARINGHOUSE_CLIENT_KEY_FILE: pathOf('client-key.pem'),
}
const stedi = {
  CLEARINGHOUSE_KIND: 'stedi',
  CLEARINGHOUSE_API_KEY: 'key',
  CLEARINGHOUSE_URL: 'https://stedi.example',
  CLEARINGHOUSE_STEDI_VERSION: '2024-04-01',
}
const availity = {
  CLEARINGHOUSE_KIND: 'availity',
  CLEARINGHOUSE_USERNAME: 'id',
  CLEARINGHOUSE_PASSWORD: 's3cret',
  // A setting of another kind: Availity does not have it.
  CLEARINGHOUSE_FORM: 'mime',
}
const limits = { timeoutMs: 55_000, maxConcurrency: 20, retryHours: 8 }

test('the environment gives the same object that an organization stores for these settings', () => {
  expect(environmentConnector(readConfig(core))).toEqual({
    name: 'main',
    kind: 'core',
    settings: {
      url: 'https://core.example/rt',
      form: 'mime',
      senderId: 'ANTEROOM',
      receiverId: 'CLEARINGHOUSE',
      username: 'harbor',
      password: 's3cret',
      interchange: {
        senderQualifier: 'ZZ',
        senderId: 'HARBOR01',
        receiverQualifier: 'ZZ',
        receiverId: 'CLEARINGHOUSE',
      },
      usage: 'T',
      timeoutMs: 3000,
      maxConcurrency: 20,
      retryHours: 2,
      tls: { ca: textOf('authority.pem'), cert: textOf('client.pem'), key: textOf('client-key.pem') },
    },
  })
  expect(environmentConnector(readConfig(stedi)).settings).toEqual({
    ...limits,
    apiKey: 'key',
    url: 'https://stedi.example',
    payersUrl: 'https://stedi.example',
    eligibilityVersion: '2024-04-01',
  })
  expect(environmentConnector(readConfig(availity)).settings).toEqual({
    ...limits,
    clientId: 'id',
    clientSecret: 's3cret',
  })
})

test.each([core, stedi, availity])(
  'a connector described by the environment can be stored unchanged: %j',
  async (environment) => {
    const { organizationId } = await service.newCaller()
    const connector = environmentConnector(readConfig(environment))
    await createConnector(service.deps, { organizationId, ...connector })
    const shown = await showConnector(service.deps, { organizationId, name: connector.name })
    expect(shown).toMatchObject({ name: connector.name, kind: connector.kind })
    expect(Object.keys(shown.settings as object).sort()).toEqual(Object.keys(connector.settings as object).sort())
  },
)

describe('settings that do not make a connector', () => {
  test.each([
    [{ CLEARINGHOUSE_KIND: 'stedi' }, 'invalid settings: CLEARINGHOUSE_API_KEY is required'],
    [{ ...stedi, CLEARINGHOUSE_API_KEY: 'two words' }, /CLEARINGHOUSE_API_KEY must be/],
    [
      { CLEARINGHOUSE_KIND: 'availity' },
      'invalid settings: CLEARINGHOUSE_USERNAME is required; CLEARINGHOUSE_PASSWORD is required',
    ],
    [
      { ...core, CLEARINGHOUSE_CLIENT_KEY_FILE: '' },
      'invalid settings: CLEARINGHOUSE_CLIENT_CERT_FILE and CLEARINGHOUSE_CLIENT_KEY_FILE must be set together',
    ],
    [{ ...core, CLEARINGHOUSE_CA_FILE: '/nowhere.pem' }, 'the file of CLEARINGHOUSE_CA_FILE cannot be read'],
    [{ ...core, CLEARINGHOUSE_CA_FILE: pathOf('client-key.pem') }, /CLEARINGHOUSE_CA_FILE is/],
  ])('are named as the environment names them, without their values: %j', (environment, message) => {
    const start = () => createStandardConnection(readConfig(environment))
    expect(start).toThrow(message)
    expect(start).not.toThrow(/two words|s3cret|nowhere/)
  })
})
