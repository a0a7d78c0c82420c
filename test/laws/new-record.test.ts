// A new kind of record is its folder, one line in the list and a migration (CONTRIBUTING.md). This test creates one
// outside the repository, without a change in src: it has only what its own declaration gives it.
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readTrail } from '../../src/platform/audit/read-trail.ts'
import { changeSchema } from '../../src/platform/database/migrate.ts'
import { encryptedColumns } from '../../src/platform/key-rotation/encrypted-columns.ts'
import { packageFile } from '../../src/platform/package-root.ts'
import { deactivateMany } from '../../src/records/bulk.ts'
import { nameBody, patientBody } from '../support/bodies.ts'
import type { recalls as Recalls } from '../support/recalls/recall.routes.ts'
import { type Caller, testService } from '../support/service.ts'

const scratch = await mkdtemp(join(tmpdir(), 'anteroom-new-record-'))
const folder = join(scratch, 'test', 'support', 'recalls')
await mkdir(folder, { recursive: true })
await cp(packageFile('test/support/recalls'), folder, { recursive: true })
for (const name of ['src', 'node_modules']) await symlink(packageFile(name), join(scratch, name))
const { recalls } = (await import(pathToFileURL(join(folder, 'recall.routes.ts')).href)) as { recalls: typeof Recalls }
afterAll(() => rm(scratch, { recursive: true }))

const record = recalls.record ?? expect.fail('the resource has a record')
const service = testService(() => ({}), [recalls])
let caller: Caller
let patientId: string

beforeAll(async () => {
  const migration = await readFile(join(folder, 'recalls.sql'), 'utf8')
  await changeSchema(service.database, async (transaction) => {
    await transaction.rows(migration)
    // As after every migration (src/platform/database/migrate.ts).
    await transaction.rows('select build_tenant_wall()')
  })
  caller = await service.newCaller()
  const { body } = await caller.call('POST', '/patients/v1', patientBody({ name: nameBody('Recalled') }))
  patientId = body.id
})

const bodyOf = (due_on: string) => ({ patient_id: patientId, due_on, reason: 'Yearly visit', door_code: '4711' })

async function make(due_on: string) {
  const reply = await caller.call('POST', '/recalls/v1', bodyOf(due_on))
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

async function eventsOf(operation: string) {
  await service.deps.audit.flush(caller.organizationId)
  const events = await readTrail(service.database, caller.organizationId, { limit: 100 })
  return events.filter((event) => event.operation === operation)
}

describe('a record type that is a folder and one line', () => {
  it('is served, with its version rule, history, change feed, conflicts and its own 409', async () => {
    const { id, ...made } = await make('2026-09-01')
    expect(made).toMatchObject({ version: 1, deactivated: false, ...bodyOf('2026-09-01') })
    const changed = { ...bodyOf('2026-09-02'), reason: 'Earlier' }
    expect((await caller.call('PUT', `/recalls/v1/${id}/1`, changed)).status).toBe(409)
    expect((await caller.call('PUT', `/recalls/v1/${id}/2`, changed)).body).toMatchObject({ version: 2, ...changed })
    expect((await caller.call('POST', '/recalls/v1', changed)).status).toBe(409)
    expect((await caller.call('DELETE', `/recalls/v1/${id}/3`)).status).toBe(409)
    expect((await caller.call('DELETE', `/recalls/v1/${id}/2`)).status).toBe(200)
    const { body: versions } = await caller.call('GET', `/recalls/v1/${id}/history`)
    expect(versions.map((each: { version: number }) => each.version)).toEqual([1, 2, 3])
    const { body: feed } = await caller.call('GET', '/recalls/v1/updates/scan?since=2020-01-01T00:00:00.000Z')
    expect(feed).toContainEqual(versions[2])
    expect((await caller.call('POST', '/recalls/v1', { ...changed, due_on: 'soon' })).status).toBe(400)
  })

  it('is audited: every write, bulk write, read and conflict names the record and its patient', async () => {
    const { id } = await make('2026-10-01')
    await caller.call('GET', `/recalls/v1/${id}`)
    await caller.call('PUT', `/recalls/v1/${id}/9`, bodyOf('2026-10-02'))
    const { clientId, userId } = { clientId: caller.credentials.client_id, userId: patientId }
    const actor = { organizationId: caller.organizationId, clientId, userId }
    expect(await deactivateMany(service.deps, record, actor, [id])).toBe(1)
    const operations = ['recalls.create', 'recalls.get', 'recalls.update', 'system.recall.deactivate_many']
    for (const operation of operations) {
      const events = (await eventsOf(operation)).filter((event) => event.record_ids?.includes(id))
      expect(events, operation).toHaveLength(1)
      expect(events[0], operation).toMatchObject({ record_type: 'recall', patient_ids: [patientId] })
    }
  })

  it('is documented: its schemas, its example, its group, its versions and its scopes', async () => {
    const { body: document } = await caller.call('GET', '/openapi.json')
    expect(document.components.schemas.Recall.required).toContain('due_on')
    expect(document.tags).toContainEqual({ name: 'recalls', description: recalls.about })
    const { content } = document.paths['/recalls/v1'].post.requestBody
    expect(content['application/json']).toEqual({
      schema: { $ref: '#/components/schemas/MutableRecall' },
      example: record.example,
    })
    const { parameters, responses } = document.paths['/recalls/v1/{id}/{version}'].put
    expect(parameters[1].description).toContain('the latest one plus 1')
    expect(responses[200].content['application/json'].example).toMatchObject({ ...record.example, version: 1 })
    const { scopes } = document.components.securitySchemes.clientCredentials.flows.clientCredentials
    expect(scopes).toMatchObject({ 'recalls:read': 'See recalls.', 'recalls:write': 'Change recalls.' })
    const { text: page } = await caller.call('GET', '/docs')
    expect(page).toContain('/recalls/v1/{id}')
  })

  it('is isolated: neither another organization nor a statement without the organization finds it', async () => {
    const { id } = await make('2026-11-01')
    const stranger = await service.newCaller()
    for (const [method, url, body] of [
      ['GET', `/recalls/v1/${id}`],
      ['GET', `/recalls/v1/${id}/history`],
      ['PUT', `/recalls/v1/${id}/2`, bodyOf('2026-11-02')],
      ['DELETE', `/recalls/v1/${id}/1`],
    ] as const) {
      expect((await stranger.call(method, url, body)).status, `${method} ${url}`).toBe(404)
    }
    for (const table of ['recall', 'recall_history']) {
      const careless = `select count(*) from ${table} where $1::uuid is not null`
      expect(await service.deps.database.row(careless, [stranger.organizationId]), table).toEqual(['0'])
      expect(Number((await service.deps.database.row(careless, [caller.organizationId]))?.[0])).toBeGreaterThan(0)
    }
  })

  it('has its own scopes: a client with the read scope cannot write', async () => {
    const { id } = await make('2026-12-01')
    const reader = await service.newCaller({ beside: caller, scopes: ['recalls:read'] })
    expect((await reader.call('GET', `/recalls/v1/${id}`)).status).toBe(200)
    expect((await reader.call('POST', '/recalls/v1', bodyOf('2026-12-02'))).status).toBe(403)
    expect((await reader.call('GET', `/patients/v1/${patientId}`)).status).toBe(403)
  })

  it('stores its secret encrypted, includes it in key rotations, and excludes it from filters', async () => {
    const { id } = await make('2027-01-01')
    const row = await service.database.row(`select body ->> 'door_code' from recall where id = $1`, [id])
    expect(row?.[0]).not.toContain('4711')
    const places = encryptedColumns([record]).filter(({ table }) => table.startsWith('recall'))
    expect(places.map(({ table, field }) => [table, field])).toEqual([
      ['recall', 'door_code'],
      ['recall_history', 'door_code'],
    ])
    expect([record.paths.has('dueOn'), record.paths.has('doorCode')]).toEqual([true, false])
  })
})
