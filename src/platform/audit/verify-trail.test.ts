// A change of the trail by any role with write access to the database, its owner included, is detected.
import { describe, expect, inject, it } from 'vitest'
import { runHere } from '../../../test/support/finished-command.ts'
import { refuseReads } from '../../../test/support/refuse-writes.ts'
import { type Caller, testService } from '../../../test/support/service.ts'
import { openAuditKey } from './key.ts'
import { pruneTrail } from './prune.ts'
import { verifyTrail } from './verify-trail.ts'

const service = testService()
const BLOCKS = 6

/** A trail of that many blocks. */
async function newTrail(): Promise<Caller> {
  const caller = await service.newCaller()
  for (let block = 0; block < BLOCKS; block++) {
    await caller.call('POST', '/notes/v1', { value: `note ${block}` })
    await service.deps.audit.flush(caller.organizationId)
  }
  return caller
}

async function verify(organizationId: string, expected?: string) {
  const key = await openAuditKey(service.database, service.deps.vault)
  return verifyTrail(service.database, key, organizationId, expected)
}

/** Runs statements with the rights of the tables' owner. */
async function tamper(organizationId: string, ...statements: string[]): Promise<void> {
  await service.database.transaction(async (transaction) => {
    await transaction.rows('alter table audit_block disable trigger user')
    for (const statement of statements) await transaction.rows(statement, [organizationId])
    await transaction.rows('alter table audit_block enable trigger user')
  })
}

const LAST = '(select max(number) from audit_block where organization_id = $1)'
const MOVE_HEAD = `update audit_head h set number = b.number, hash = b.hash from audit_block b
  where h.organization_id = $1 and b.organization_id = $1 and b.number = ${LAST}`

const damages: Record<string, { statements: string[]; at: number }> = {
  'an event that was changed': {
    statements: [
      `update audit_block set events = replace(events, '"status":200', '"status":404') where organization_id = $1 and number = 3`,
    ],
    at: 3,
  },
  'a block that was removed': {
    statements: ['delete from audit_block where organization_id = $1 and number = 3'],
    at: 3,
  },
  'the first block removed': {
    statements: ['delete from audit_block where organization_id = $1 and number = 1'],
    at: 1,
  },
  'blocks that changed places': {
    statements: [
      'update audit_block set number = -number where organization_id = $1 and number in (3, 4)',
      'update audit_block set number = 7 + number where organization_id = $1 and number < 0',
    ],
    at: 3,
  },
  'a block that was closed up after another was removed': {
    statements: [
      'delete from audit_block where organization_id = $1 and number = 3',
      'update audit_block set number = number - 1 where organization_id = $1 and number > 3',
      MOVE_HEAD,
    ],
    at: 3,
  },
  'a block that was added': {
    statements: [
      `insert into audit_block select organization_id, number + 1, first_at, last_at, size, patient_ids, events, hash,
        encode(sha256(convert_to(hash || events, 'UTF8')), 'hex') from audit_block where organization_id = $1 and number = ${LAST}`,
      MOVE_HEAD,
    ],
    at: BLOCKS + 1,
  },
  'a patient who is not found any more': {
    statements: [
      `update audit_block set patient_ids = array[gen_random_uuid()] where organization_id = $1 and number = 2`,
    ],
    at: 2,
  },
  'a removed tail': {
    statements: [`delete from audit_block where organization_id = $1 and number = ${LAST}`],
    at: BLOCKS,
  },
}

describe('anteroom audit verify', () => {
  it('verifies the trails behind one that cannot be read, reports that one, and fails', async () => {
    const trails = [await newTrail(), await newTrail(), await newTrail()].map(({ organizationId }) => organizationId)
    const [first = '', ...others] = trails.toSorted()
    const undo = await refuseReads(service.database, 'audit_block', first)
    const settings = { DATABASE_URL: service.databaseUrl, ENCRYPTION_KEY: inject('dataKey') }
    const all = await runHere(['audit', 'verify', '--json'], settings)
    const one = await runHere(['audit', 'verify', '--organization', first], settings)
    await undo()
    expect(all.stderr).toContain(`the trail of ${first} could not be read (P0001)`)
    expect(all.stderr).toContain('anteroom: the audit trail could not be read as a whole')
    expect(JSON.parse(all.stdout).map(({ organization }: { organization: string }) => organization)).toEqual(
      expect.arrayContaining(others),
    )
    expect([all.code, one.code]).toEqual([1, 1])
  })
})

describe('a trail', () => {
  it('is valid when it was not altered', async () => {
    const { organizationId } = await newTrail()
    const verdict = await verify(organizationId)
    expect(verdict).toMatchObject({ blocks: BLOCKS, events: BLOCKS, waiting: 0, faults: [] })
    expect(verdict.head).toMatch(/^[0-9a-f]{64}$/)
    expect(await verify(organizationId, verdict.head)).toEqual(verdict)
  })

  it.each(Object.entries(damages))('shows %s, and where', async (_what, { statements, at }) => {
    const { organizationId } = await newTrail()
    await tamper(organizationId, ...statements)
    const { faults } = await verify(organizationId)
    expect(faults[0]?.number, JSON.stringify(faults)).toBe(at)
  })

  it('detects a removed tail with a reset head when an earlier head is given', async () => {
    const { organizationId } = await newTrail()
    const { head } = await verify(organizationId)
    await tamper(organizationId, `delete from audit_block where organization_id = $1 and number = ${LAST}`, MOVE_HEAD)
    expect((await verify(organizationId)).faults).toEqual([])
    expect((await verify(organizationId, head)).faults).toEqual([
      { number: BLOCKS, fault: 'the block with the expected hash is missing' },
    ])
  })

  it('of one organization is not valid for another', async () => {
    const [one, other] = [await newTrail(), await newTrail()]
    await tamper(
      one.organizationId,
      'delete from audit_block where organization_id = $1',
      `insert into audit_block select $1, number, first_at, last_at, size, patient_ids, events, previous_hash, hash
        from audit_block where organization_id = '${other.organizationId}'`,
      MOVE_HEAD,
    )
    expect((await verify(one.organizationId)).faults.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('cannot be updated, deleted or truncated, not even by the owner of its tables', async () => {
    const { organizationId } = await newTrail()
    for (const statement of [
      `update audit_block set events = '[]' where organization_id = '${organizationId}'`,
      `delete from audit_block where organization_id = '${organizationId}'`,
      'truncate audit_block',
      'truncate audit_pending',
    ]) {
      await expect(service.database.rows(statement), statement).rejects.toMatchObject({ code: '42501' })
    }
    expect((await verify(organizationId)).faults).toEqual([])
  })

  it('may be pruned from its start only by the command that records this in it', async () => {
    const { organizationId } = await newTrail()
    const [row] = await service.database.rows(
      `select to_char(last_at + interval '1 millisecond', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') from audit_block where organization_id = $1 and number = 3`,
      [organizationId],
    )
    expect(await pruneTrail(service.database, organizationId, row?.[0] ?? '')).toBe(3)
    expect((await verify(organizationId)).faults, 'the event of the removal is not chained yet').not.toEqual([])
    await service.deps.audit.flush(organizationId)
    expect(await verify(organizationId)).toMatchObject({ blocks: BLOCKS - 3 + 1, faults: [] })
    await tamper(organizationId, 'delete from audit_block where organization_id = $1 and number <= 4')
    expect((await verify(organizationId)).faults[0]).toEqual({ number: 1, fault: 'blocks 1 to 4 are missing' })
  })
})
