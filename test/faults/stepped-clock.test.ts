// The clock of the service and the clock of the database are set forward and back while records are written.
import { expect, test } from 'vitest'
import { openTokenIssuer } from '../../src/platform/auth/tokens.ts'
import { patientBody } from '../support/bodies.ts'
import { testService } from '../support/service.ts'

const HOUR_MS = 3_600_000
let offsetMs = 0
const now = () => new Date(Date.now() + offsetMs)
const service = testService(async ({ systemDatabase: database, vault }) => ({
  now,
  tokens: await openTokenIssuer({ database, vault, issuer: 'anteroom', lifetimeSeconds: 18_000, now }),
}))

test.each([
  ['an hour forward', HOUR_MS],
  ['an hour back', -HOUR_MS],
  ['a year forward', 365 * 24 * HOUR_MS],
  ['a year back', -365 * 24 * HOUR_MS],
])('after a step of the service’s clock by %s new tokens are good, and writes follow each other', async (_, stepMs) => {
  offsetMs = 0
  const { credentials, call } = await service.newCaller()
  const { body: before } = await call('POST', '/notes/v1', { value: 'before' })
  offsetMs = stepMs
  const { client_id, client_secret } = credentials
  const { body: token } = await call('POST', '/api/auth/v2/token', { client_id, client_secret })
  const headers = { authorization: `Bearer ${token.access_token}` }
  const written = await call('PUT', `/notes/v1/${before.id}/1`, { value: 'after' }, headers)
  expect(written.status, written.text).toBe(200)
  expect(written.body.version).toBe(2)
  expect(written.body.updated_at > before.updated_at).toBe(true)
  offsetMs = 0
  const back = await call('GET', `/notes/v1/${before.id}`)
  expect(back.body).toEqual(written.body)
})

test('an access token expires by the current clock, and the answer explains how to get another', async () => {
  offsetMs = 0
  const { call } = await service.newCaller()
  offsetMs = 6 * HOUR_MS
  const late = await call('GET', '/notes/v1/x')
  expect([late.status, late.headers['www-authenticate']]).toEqual([401, expect.stringContaining('Bearer')])
  offsetMs = 0
})

test('after the database’s clock has been a year ahead, versions and scans keep their order', async () => {
  offsetMs = 0
  const { organizationId, call } = await service.newCaller()
  const { body: first } = await call('POST', '/patients/v1', patientBody())
  await service.database.rows(`update change_clock set at = at + interval '1 year' where organization_id = $1`, [
    organizationId,
  ])
  const stamps = [first.updated_at]
  for (let version = 2; version <= 6; version++) {
    const { status, body } = await call(
      'PUT',
      `/patients/v1/${first.id}/${version}`,
      patientBody({ language: `${version}` }),
    )
    expect(status).toBe(200)
    stamps.push(body.updated_at)
  }
  expect(stamps).toEqual([...new Set(stamps)].sort())
  const { body: created } = await call('POST', '/patients/v1', patientBody({ birth_date: '1990-01-01' }))
  const { body: seen } = await call('GET', `/patients/v1/updates/scan?since=${encodeURIComponent(stamps[1])}`)
  expect(seen.map(({ id }: { id: string }) => id)).toEqual([first.id, created.id])
})
