import { expect, it, vi } from 'vitest'
import { Config, readConfig } from '../../config.ts'
import { findUnusedSettings } from '../service-settings.ts'
import { describeSettings, findUnknown, warnOfIgnored } from './config.ts'
import { findClearinghouse } from './doctor.ts'

const secrets = {
  ENCRYPTION_KEY: 'ab'.repeat(32),
  BACKUP_PASSPHRASE: 'correct horse battery',
  S3_ACCESS_KEY_ID: 'AKIAEXAMPLE',
  S3_SECRET_ACCESS_KEY: 's3-secret-value',
  CLEARINGHOUSE_PASSWORD: 'clearing-secret',
  CLEARINGHOUSE_API_KEY: 'api-key-secret',
  DATABASE_URL: 'postgres://anteroom:db-secret@db.example.com/anteroom?sslpassword=tls-secret',
  CLEARINGHOUSE_URL: 'https://user:url-secret@payer.example.com/core',
}

it('shows every setting with its source, and no secret', () => {
  const environment = { PORT: '4100', LOG_LEVEL: '', ...secrets }
  const file = { HOST: '0.0.0.0', PORT: '4000' }
  const { CLEARINGHOUSE_URL: _, ...sound } = secrets
  const config = {
    ...readConfig({ ...file, ...environment, ...sound, CLEARINGHOUSE_URL: undefined }),
    CLEARINGHOUSE_URL: secrets.CLEARINGHOUSE_URL,
  }
  const shown = describeSettings(config, environment, file)
  expect(shown.map(({ setting }) => setting)).toEqual(Object.keys(Config.properties))
  const of = (name: string) => shown.find(({ setting }) => setting === name)
  expect(of('PORT')).toMatchObject({ value: '4100', from: 'environment' })
  expect(of('HOST')).toMatchObject({ value: '0.0.0.0', from: '.env' })
  expect(of('LOG_LEVEL')).toMatchObject({ value: 'info', from: 'default' })
  expect(of('DATABASE_URL')?.value).toBe('postgres://(set)@db.example.com/anteroom?(set)')
  const text = JSON.stringify(shown)
  const shownSecrets = [...Object.values(secrets), 'db-secret', 'tls-secret', 'url-secret'].filter((secret) =>
    text.includes(secret),
  )
  expect(shownSecrets).toEqual([])
})

it('names variables that look like a setting but are not, and the setting that is perhaps meant', () => {
  const set = {
    CLEARINGHOUSE_PASSWRD: 'x',
    DATABSE_URL: 'x',
    PORT: '1',
    PATH: '/bin',
    HOME: '/',
    S3_BUCKETS: 'x',
    TLS_X: '',
    OIDC_CLIENT: 'x',
    CONNECTOR_NETWORKS: 'x',
  }
  expect(findUnknown(set)).toEqual([
    { name: 'CLEARINGHOUSE_PASSWRD', meant: 'CLEARINGHOUSE_PASSWORD' },
    { name: 'CONNECTOR_NETWORKS' },
    { name: 'DATABSE_URL', meant: 'DATABASE_URL' },
    { name: 'OIDC_CLIENT' },
    { name: 'S3_BUCKETS', meant: 'S3_BUCKET' },
    { name: 'TLS_X' },
  ])
})

it.each([
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be trace, debug, info, warn, error, fatal or silent'],
  [{ ENCRYPTION_KEY: 'secret' }, 'ENCRYPTION_KEY must be 64 hexadecimal digits, as `openssl rand -hex 32` prints'],
  [{ DATABASE_URL: 'mysql://secret' }, 'DATABASE_URL must be an address that begins with postgres://'],
  [{ PUBLIC_URL: 'secret' }, 'PUBLIC_URL must be an http or https address'],
  [
    { PORT: '99999', CLEARINGHOUSE_ISA_SENDER_QUALIFIER: 'secret' },
    'QUALIFIER must be two uppercase letters or digits',
  ],
])('says in words what a setting must be, and does not quote it: %o', (environment, expected) => {
  const read = () => readConfig(environment)
  expect(read).toThrow(expected)
  expect(read).not.toThrow(/secret|\^/)
})

it.each([
  'clinic',
  '/api',
  'http://',
  'ftp://clinic.example',
  'https://me:pw@clinic.example',
  'https://a.example?x=1',
  'https://a.example#x',
  'https://a b',
])('refuses a PUBLIC_URL that is no address, without quoting it: %s', (PUBLIC_URL) => {
  const read = () => readConfig({ NODE_ENV: 'production', PUBLIC_URL })
  expect(read).toThrow(/^invalid settings: PUBLIC_URL [^\n]*$/)
  expect(read).not.toThrow(PUBLIC_URL)
})

it('a start, config check and doctor name credentials that have no effect without an address', () => {
  const said = (settings: Record<string, string>) => findUnusedSettings(readConfig(settings))
  const credentials = { CLEARINGHOUSE_USERNAME: 'harbor', CLEARINGHOUSE_PASSWORD: 'clearing-secret' }
  const text =
    'without CLEARINGHOUSE_URL or CLEARINGHOUSE_KIND CLEARINGHOUSE_USERNAME, CLEARINGHOUSE_PASSWORD have no effect'
  expect(said(credentials)).toBe(`${text}: the sandbox answers checks`)
  expect(said({ ...credentials, NODE_ENV: 'production' })).toBe(`${text}: no check is sent`)
  expect(said({ ...credentials, CLEARINGHOUSE_URL: 'https://core.example/rt' })).toBeUndefined()
  expect(said({ ...credentials, CLEARINGHOUSE_KIND: 'availity' })).toBeUndefined()
  expect(said({})).toBeUndefined()
  const warn = vi.fn()
  vi.stubEnv('CLEARINGHOUSE_PASSWORD', 'clearing-secret')
  warnOfIgnored({ warn } as never, readConfig({ CLEARINGHOUSE_PASSWORD: 'clearing-secret' }))
  vi.unstubAllEnvs()
  expect(warn.mock.calls).toEqual([[expect.stringContaining('CLEARINGHOUSE_PASSWORD has no effect')]])
})

it('doctor says what answers checks: a clearinghouse and its host, the sandbox, or nothing', () => {
  const found = (settings: Record<string, string>) => {
    const { state, says } = findClearinghouse(readConfig(settings))
    return `${state}: ${says}`
  }
  expect(found({})).toBe('ok: the sandbox answers checks')
  expect(found({ NODE_ENV: 'production' })).toMatch(/^warning: none is configured/)
  expect(found({ NODE_ENV: 'production', CLEARINGHOUSE_KIND: 'sandbox' })).toMatch(/^warning: the sandbox answers/)
  expect(found({ CLEARINGHOUSE_KIND: 'stedi' })).toBe('ok: stedi; it was not asked: anteroom connector test does')
  expect(found({ CLEARINGHOUSE_URL: 'https://core.example/rt' })).toBe(
    'ok: core at core.example; it was not asked: anteroom connector test does',
  )
  expect(found({ CLEARINGHOUSE_PASSWORD: 'clearing-secret' })).toMatch(
    /^warning: .*CLEARINGHOUSE_PASSWORD has no effect/,
  )
})
