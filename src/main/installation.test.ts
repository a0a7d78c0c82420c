import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { readConfig } from '../config.ts'
import type { Database } from '../platform/database/database.ts'
import { createMetrics } from '../platform/metrics/metrics.ts'
import { packageFile } from '../platform/package-root.ts'
import { findCertificate, findDisk } from './cli/doctor.ts'
import { certificateEndsAt, measureInstallation } from './installation.ts'

const TLS_CERT_FILE = packageFile('test/support/tls/server.pem')

const noDatabase = { row: () => Promise.reject(new Error('no connection')) }

async function measured(name: string, settings: Record<string, string>, database: Pick<Database, 'row'> = noDatabase) {
  const metrics = createMetrics()
  measureInstallation(metrics, readConfig(settings), database)
  const line = (await metrics.registry.metrics()).split('\n').find((each) => each.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length))
}

it('the metrics report the free share of the data folder’s disk, and nothing for a folder that cannot be read', async () => {
  const share = await measured('anteroom_disk_free_ratio', { DATA_DIR: packageFile('docs') })
  expect(share).toBeGreaterThan(0)
  expect(share).toBeLessThanOrEqual(1)
  expect(await measured('anteroom_disk_free_ratio', { DATA_DIR: '/nowhere' })).toBeUndefined()
})

it('the metrics report when the certificate expires, and nothing without one', async () => {
  const name = 'anteroom_certificate_expires_timestamp_seconds'
  expect(await measured(name, { TLS_CERT_FILE })).toBe((await certificateEndsAt(TLS_CERT_FILE)) / 1000)
  expect(await measured(name, { TLS_CERT_FILE: '/nowhere.pem' })).toBeUndefined()
  expect(await measured(name, {})).toBeUndefined()
})

it('the doctor reports a certificate that expires within two weeks, one that has expired, and one that is none', async () => {
  const endsAt = await certificateEndsAt(TLS_CERT_FILE)
  const day = new Date(endsAt).toISOString().slice(0, 10)
  const config = readConfig({ TLS_CERT_FILE })
  const says = async (before: number) => (await findCertificate(config, endsAt - before * 86_400_000))[0]
  expect(await says(15)).toMatchObject({ state: 'ok', says: `valid until ${day}` })
  expect(await says(13)).toMatchObject({ state: 'warning', says: `expires on ${day}: renew it` })
  expect(await says(-1)).toMatchObject({ state: 'fault', says: `expired on ${day}: callers refuse it` })
  expect(await says(40_000)).toMatchObject({
    state: 'fault',
    says: expect.stringMatching(/^is not valid before .* clock/),
  })
  expect(await findCertificate(readConfig({ TLS_CERT_FILE: packageFile('package.json') }))).toMatchObject([
    { state: 'fault' },
  ])
  expect(await findCertificate(readConfig({}))).toEqual([])
})

it('the doctor makes a file to know whether a disk can be written, and leaves none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'anteroom-doctor-'))
  const examine = (path: string) => findDisk({ what: 'disk', path, name: 'DATA_DIR' })
  try {
    expect((await examine(folder)).says).toContain('is free')
    expect(await readdir(folder)).toEqual([])
    // It refuses new files to root as well, whose permissions suffice everywhere: like a disk that the system has aborted.
    expect(await examine('/proc')).toMatchObject({ state: 'fault', says: expect.stringContaining('cannot be written') })
  } finally {
    await rm(folder, { recursive: true })
  }
})

it('the metrics report by how much the database’s clock is ahead or behind, not how slowly it answers, and nothing without an answer', async () => {
  const name = 'anteroom_database_clock_difference_seconds'
  const now = Date.now()
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    const difference = (aheadSeconds: number, tookSeconds = 0) => {
      vi.setSystemTime(now)
      const row = async () => {
        const at = Date.now() / 1000 + aheadSeconds
        vi.setSystemTime(now + tookSeconds * 1000)
        return [String(at)]
      }
      return measured(name, {}, { row })
    }
    expect(await difference(60)).toBeCloseTo(60)
    expect(await difference(-60)).toBeCloseTo(60)
    expect(await difference(8, 10)).toBe(0)
    expect(await difference(60, 10)).toBeCloseTo(50)
    expect(await measured(name, {})).toBeUndefined()
  } finally {
    vi.useRealTimers()
  }
})
