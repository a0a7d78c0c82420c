import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { nameBody } from '../../../test/support/bodies.ts'
import { CLINIC_NPI, clinicsOf } from '../../../test/support/clinic.ts'
import { refuseWrites } from '../../../test/support/refuse-writes.ts'
import { testService } from '../../../test/support/service.ts'
import { runCommand } from '../../../test/support/started-server.ts'
import { openTokenIssuer } from '../../platform/auth/tokens.ts'
import { createVault } from '../../platform/crypto/encryption.ts'

const key = 'ab'.repeat(32)
/** The service with an encryption key that the commands can use as well. */
const service = testService(async ({ systemDatabase: database, now }) => {
  const vault = createVault(Buffer.from(key, 'hex'))
  await database.rows('delete from signing_key')
  const tokens = await openTokenIssuer({ database, vault, issuer: 'anteroom', lifetimeSeconds: 18_000, now })
  return { vault, tokens }
})
const { newClinic, newPatient, newVisit, read } = clinicsOf(service)
const anteroom = (...args: string[]) => runCommand(args, { DATABASE_URL: service.databaseUrl, ENCRYPTION_KEY: key })
const inHours = (hours: number) => ({ start_timestamp: new Date(Date.now() + hours * 3_600_000).toISOString() })

/** Members of the sandbox: covered, and covered until 2023. Source: its roster. */
const jane = {
  insurance_plan: { member_id: 'AETNA12345', payer_id: '60054', payer_name: 'Aetna' },
  subscriber: { name: nameBody('Doe', 'Jane'), date_of_birth: '2004-04-04', biological_sex: 'FEMALE' },
}
const owen = {
  insurance_plan: { member_id: 'U7712345602', payer_id: '62308', payer_name: 'Cigna' },
  subscriber: { name: nameBody('Gallagher', 'Owen'), date_of_birth: '1966-08-25', biological_sex: 'MALE' },
}

describe('anteroom verify', () => {
  let caller: Awaited<ReturnType<typeof newClinic>>
  let covered: { id: string }
  let ended: { id: string }
  let uncovered: { id: string }
  beforeAll(async () => {
    caller = await newClinic({ on: false, npi: '1999999984' })
    covered = await newVisit(caller, (await newPatient(caller, ['jane', jane])).id, inHours(30))
    ended = await newVisit(caller, (await newPatient(caller, ['jane', jane], ['owen', owen])).id, inHours(50))
    uncovered = await newVisit(caller, (await newPatient(caller)).id, inHours(2))
    await newVisit(caller, (await newPatient(caller, ['jane', jane])).id, inHours(5 * 24))
  })

  it('requires --organization while verification is not enabled for any organization, and accepts 1 to 30 days', async () => {
    const days = ['0', '31', 'three'].map((text) =>
      anteroom('verify', '--days', text, '--organization', caller.organizationId),
    )
    const [whom, ...refused] = await Promise.all([anteroom('verify'), ...days])
    expect([whom.code, whom.stderr]).toEqual([
      2,
      'anteroom: --organization is required: verification is not enabled for any organization\n',
    ])
    for (const { code, stderr } of refused) {
      expect([code, stderr]).toEqual([2, 'anteroom: --days must be a number from 1 to 30\n'])
    }
  })

  it('--dry-run lists the inquiries that would be sent and what is missing, sends none and changes nothing', async () => {
    const { code, stdout } = await anteroom('verify', '--organization', caller.organizationId, '--dry-run')
    const lines = stdout.trimEnd().split('\n')
    expect([code, lines.length]).toEqual([0, 4])
    expect(lines[1]).toMatch(new RegExp(`^${uncovered.id} .* NOT_READY +NO_COVERAGE +EMERGENT_ISSUE `))
    expect(lines[2]).toMatch(new RegExp(`^${covered.id} .* would be asked +- +WOULD_ASK `))
    expect(lines[3]).toMatch(new RegExp(`^${ended.id} .* would be asked +would be asked +WOULD_ASK `))
    expect((await read(caller, uncovered.id)).version).toBe(1)
    expect(await service.database.rows('select 1 from eligibility_check')).toEqual([])
    expect(await service.database.rows('select 1 from appointment_verification')).toEqual([])
  })

  it('verifies with the sandbox and prints a table without names; the next run has nothing left to do', async () => {
    const { code, stdout, stderr } = await anteroom('verify', '--organization', caller.organizationId)
    expect([code, stderr]).toEqual([0, ''])
    const [heading, ...lines] = stdout.trimEnd().split('\n')
    expect(heading?.split(/ +/)).toEqual([
      'appointment',
      'start',
      'primary',
      'secondary',
      'outcome',
      'reason',
      'queue',
      'copay',
    ])
    expect(lines).toHaveLength(3)
    expect(lines[0]).toMatch(new RegExp(`^${uncovered.id} .* NOT_READY +NO_COVERAGE +EMERGENT_ISSUE `))
    expect(lines[1]).toMatch(new RegExp(`^${covered.id} +\\S+Z +ACTIVE +- +READY +- +- `))
    expect(lines[2]).toMatch(
      new RegExp(`^${ended.id} +\\S+Z +ACTIVE +INACTIVE +NOT_READY +INACTIVE_SECONDARY +NEW_PATIENT `),
    )
    expect(stdout).not.toMatch(/doe|jane|gallagher|owen/i)
    expect(await read(caller, covered.id)).toMatchObject({ version: 2, status: 'READY', ready_source: 'MACHINE' })
    expect((await anteroom('verify', '--organization', caller.organizationId)).stdout).toBe('none\n')
  })

  it('fails and names the organization where visits cannot be taken: no visit would look as if there were none to verify', async () => {
    const accept = await refuseWrites(
      service.database,
      'before insert on appointment_verification',
      `new.organization_id = '${caller.organizationId}'`,
    )
    const { code, stdout, stderr } = await anteroom('verify', '--organization', caller.organizationId, '--days', '6')
    await accept()
    expect([code, stdout]).toEqual([1, 'none\n'])
    expect(stderr).toContain(`anteroom: the visits of organization ${caller.organizationId} could not be read\n`)
  })

  it('looks further with --days, and prints JSON for programs', async () => {
    const { stdout } = await anteroom('verify', '--organization', caller.organizationId, '--days', '6', '--json')
    expect(JSON.parse(stdout)).toMatchObject([{ outcome: 'READY', coverages: [{ finding: 'ACTIVE' }] }])
  })
})

describe('anteroom organization update', () => {
  it('switches the verification on, with the days that it looks ahead and the NPI that asks', async () => {
    const caller = await newClinic({ on: false, npi: null })
    const args = ['--verify', 'on', '--verify-days', '5', '--npi', CLINIC_NPI, '--json']
    const { code, stdout } = await anteroom('organization', 'update', caller.organizationId, ...args)
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { verification: true, verification_days: 5, npi: CLINIC_NPI }])
    const visit = await newVisit(caller, (await newPatient(caller, ['jane', jane])).id, inHours(4 * 24))
    expect((await anteroom('verify')).stdout).toContain(visit.id)
    const off = await anteroom('organization', 'update', caller.organizationId, '--verify', 'off', '--json')
    expect(JSON.parse(off.stdout)).toMatchObject({ verification: false, verification_days: 5 })
    expect((await anteroom('verify')).code).toBe(2)
  })

  it.each([
    ['--verify', 'yes', '--verify takes on or off'],
    ['--verify-days', '0', '--verify-days must be a number from 1 to 30'],
    ['--npi', '1234567890', '--npi must be a National Provider Identifier: ten digits with a check digit'],
  ])('refuses %s %s with exit code 2', async (flag, value, message) => {
    const { code, stderr } = await anteroom('organization', 'update', randomUUID(), flag, value)
    expect([code, stderr]).toEqual([2, `anteroom: ${message}\n`])
  })
})
