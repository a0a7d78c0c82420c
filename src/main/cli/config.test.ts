import { expect, it } from 'vitest'
import { Config, readConfig } from '../../config.ts'
import { describeSettings, findUnknown } from './config.ts'

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

it('names variables that look like a setting but are not', () => {
  expect(findUnknown({ CLEARINGHOUSE_PASWORD: 'x', PORT: '1', PATH: '/bin', S3_BUKET: 'x' })).toEqual([
    'CLEARINGHOUSE_PASWORD',
    'S3_BUKET',
  ])
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
  expect(read).toThrow(/^these settings are wrong: PUBLIC_URL [^\n]*$/)
  expect(read).not.toThrow(PUBLIC_URL)
})
