// The counts that a first page shows come from the change clock instead of a count(*).
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { coverageBody, patientBody, planGroupBody } from '../../test/support/bodies.ts'
import { countStored, kindsWith, operate, pathVersion, type RecordKind } from '../../test/support/operations.ts'
import { type Caller, testService } from '../../test/support/service.ts'
import { changeSchema } from '../platform/database/migrate.ts'
import { packageFile } from '../platform/package-root.ts'
import { liveCount } from './live-count.ts'

const service = testService()

async function expectTrueCounts(organizationId: string, name: string) {
  const row = await service.database.row(
    `select count(*), count(*) filter (where not deactivated) from ${name} where organization_id = $1`,
    [organizationId],
  )
  const counted = [
    await liveCount(service, organizationId, name, { includeDeactivated: true }),
    await liveCount(service, organizationId, name),
  ]
  expect(counted.map(String), name).toEqual(row)
}

describe.each(kindsWith('create').map((kind) => [kind.name, kind] as const))('the live count of %s', (name, kind) => {
  it('equals count(*) after random creates, updates, deactivations and refused writes', async () => {
    const caller = await service.newCaller()
    const writes = ['create', 'update', 'deactivate', 'reactivate', 'stale'] as const
    const sequence = fc.sample(fc.array(fc.constantFrom(...writes), { minLength: 25, maxLength: 25 }), {
      numRuns: 1,
      seed: 20_261_121,
    })[0]
    const records: { id: string; body: Record<string, unknown>; version: number }[] = []
    for (const write of ['create' as const, 'deactivate' as const, ...(sequence ?? [])]) {
      await perform(caller, kind, write, records)
      await expectTrueCounts(caller.organizationId, name)
    }
    expect((await countStored(service.database, kind)).isWhole).toBe(true)
  })
})

/** Performs one write on a new record or on the last one; does nothing where the record type lacks the operation. */
async function perform(
  caller: Caller,
  kind: RecordKind,
  write: 'create' | 'update' | 'deactivate' | 'reactivate' | 'stale',
  records: { id: string; body: Record<string, unknown>; version: number }[],
): Promise<void> {
  if (write === 'create') {
    const body = await kind.make(caller)
    const { body: made } = await operate(caller, kind.endpoint('create'), { body })
    records.push({ id: made.id, body, version: 1 })
    return
  }
  const record = records.at(-1)
  const operation = write === 'stale' ? 'update' : write
  const endpoint = kind.endpoint(operation)
  if (!endpoint || !record) return
  const version = pathVersion(kind, operation, record.version) + (write === 'stale' ? 5 : 0)
  const body = operation === 'update' ? kind.change(record.body, randomUUID()) : undefined
  const { status } = await operate(caller, endpoint, { params: { id: record.id, version }, body })
  expect(status).toBe(write === 'stale' ? 409 : 200)
  const row = await service.database.row(`select version from ${kind.name} where id = $1`, [record.id])
  record.version = Number(row?.[0])
}

it('is correct after 20 concurrent clients created and deactivated records and raced for the same version', async () => {
  const caller = await service.newCaller()
  const { call, organizationId } = caller
  const made = await Promise.all(Array.from({ length: 20 }, (_, n) => call('POST', '/notes/v1', { value: `${n}` })))
  await Promise.all(
    made.flatMap(({ body }) => [
      call('DELETE', `/notes/v1/${body.id}/1`),
      call('DELETE', `/notes/v1/${body.id}/1`),
      call('PUT', `/notes/v1/${body.id}/1`, { value: 'changed' }),
      call('POST', '/notes/v1', { value: 'another' }),
    ]),
  )
  expect(await liveCount(service, organizationId, 'note', { includeDeactivated: true })).toBe(40)
  await expectTrueCounts(organizationId, 'note')
})

it('is unchanged by a bulk update', async () => {
  const { call, organizationId } = await service.newCaller()
  const { body: patient } = await call('POST', '/patients/v1', patientBody())
  const group = planGroupBody()
  for (let n = 0; n < 3; n++) {
    const body = coverageBody(patient.id)
    const insurance_plan = { ...body.insurance_plan, payer_plan_group_id: group.payer_plan_group_id }
    await call('POST', '/coverages/v1', { ...body, insurance_plan })
  }
  const { status } = await call('POST', `/coverages/v1/batch-update-ppg/${group.payer_plan_group_id}`, group)
  expect(status).toBe(200)
  expect(await liveCount(service, organizationId, 'coverage')).toBe(3)
  await expectTrueCounts(organizationId, 'coverage')
})

it('is zero where nothing was ever written', async () => {
  const { organizationId } = await service.newCaller()
  expect(await liveCount(service, organizationId, 'tag', { includeDeactivated: true })).toBe(0)
})

it('is computed for records that an earlier release wrote', async () => {
  const { call, organizationId } = await service.newCaller()
  for (const value of ['a', 'b', 'c']) await call('POST', '/tags/v1', { value })
  const { body: note } = await call('POST', '/notes/v1', { value: 'gone' })
  await call('DELETE', `/notes/v1/${note.id}/1`)
  const migration = readFileSync(join(packageFile('migrations'), '0017_live_counts.sql'), 'utf8')
  await changeSchema(service.database, async (transaction) => {
    await transaction.rows('alter table change_clock drop column total cascade, drop column live cascade')
    await transaction.rows(migration)
    await transaction.rows('select build_tenant_wall()')
  })
  expect(await liveCount(service, organizationId, 'tag')).toBe(3)
  expect(await liveCount(service, organizationId, 'note')).toBe(0)
  expect(await liveCount(service, organizationId, 'note', { includeDeactivated: true })).toBe(1)
})
