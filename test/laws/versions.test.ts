// What holds for every versioned record. Source: rules.md 1.4, 1.8; decisions/0001-versioned-records.md.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Endpoint } from '../../src/platform/http/endpoint.ts'
import type { WriteKind } from '../../src/records/record.ts'
import type { Body } from '../support/bodies.ts'
import {
  countStored,
  expectEnvelope,
  kindsWith,
  latestOf,
  operate,
  pathVersion,
  pathVersions,
  type RecordKind,
  recordKinds,
  unknownKinds,
} from '../support/operations.ts'
import { type Caller, type Reply, testService } from '../support/service.ts'

const service = testService()
const writes = ['update', 'deactivate', 'reactivate'] as const

/** The published rule, n or n+1. Source: rules.md 1.4, the table. */
const contract: Record<string, Partial<Record<WriteKind, 'current' | 'next'>>> = {
  appointment: { update: 'next', deactivate: 'current' },
  coverage: { update: 'next' },
  eligibility_recommendation: { update: 'next' },
  patient: { update: 'next', deactivate: 'next', reactivate: 'next' },
  organization_external_provider: { update: 'next', deactivate: 'next' },
  patient_merge: { deactivate: 'next' },
  image: { update: 'current', deactivate: 'current' },
  note: { update: 'current', deactivate: 'current' },
  tag: { update: 'current', deactivate: 'current' },
  metadata_schema: { update: 'current', deactivate: 'current', reactivate: 'current' },
}

it('the version in a path means what the interface says', () => {
  for (const [name, rule] of Object.entries(pathVersions)) expect({ [name]: rule }).toEqual({ [name]: contract[name] })
})

it('every versioned record of the interface is held to these laws: add it to test/support/bodies.ts', () => {
  expect(unknownKinds).toEqual([])
  expect(recordKinds.filter((kind) => !kind.endpoint('create')).map(({ group }) => group)).toEqual([])
})

interface Made {
  caller: Caller
  body: Body
  record: Body & { id: string; version: number }
}

async function make(kind: RecordKind): Promise<Made> {
  const caller = await service.newCaller()
  const body = await kind.make(caller)
  const reply = await operate(caller, kind.endpoint('create'), { body })
  expect(reply.status, reply.text).toBe(200)
  return { caller, body, record: reply.body }
}

/** Sends one write of a record as if the caller had read `version`. */
function send(kind: RecordKind, write: WriteKind, { caller, body, record }: Made, version: number): Promise<Reply> {
  const params = { id: record.id, version: pathVersion(kind, write, version) }
  return operate(caller, kind.endpoint(write), {
    params,
    ...(write === 'update' && { body: kind.change(body, randomUUID()) }),
  })
}

const pathOf = (kind: RecordKind, write: WriteKind, id: string) =>
  (kind.endpoint(write)?.path ?? '').replace(`:${kind.idParameter ?? 'id'}`, id)

/** Version numbers, flags and bodies of a record as they are stored, oldest first. */
const storedVersions = (kind: RecordKind, id: string) =>
  service.database.rows(
    `select version, deactivated, to_char(updated_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), body::text
    from ${kind.name}_history where id = $1 order by version`,
    [id],
  )

const kindWrites = recordKinds.flatMap((kind) =>
  writes
    .filter((write) => kind.endpoint(write))
    .map((write) => ({ kind, write, operation: `${kind.group}.${write}`, endpoint: kind.endpoint(write) as Endpoint })),
)

describe.each(kindWrites)('$operation', ({ kind, write }) => {
  it('answers 409 with the latest version to a version that is not the current one, and writes nothing', async () => {
    const made = await make(kind)
    await send(kind, kind.endpoint('update') ? 'update' : write, made, 1)
    for (const stale of [1, 3, 2_147_483_646, 2_147_483_647, 99_999_999_999]) {
      const reply = await send(kind, write, made, stale)
      expectEnvelope(reply, 409)
      expect(reply.body).toMatchObject({ errorName: 'VersionConflictError', content: { latest_version: 2 } })
    }
    expect(await storedVersions(kind, made.record.id)).toHaveLength(2)
  })

  it.each(['0', '-1', '1.5', 'abc', '1e0', '0x1', '%00', '99999999999999999999', '9'.repeat(400)])(
    'refuses version %s in the envelope and writes nothing',
    async (version) => {
      const { caller, body, record } = await make(kind)
      const path = pathOf(kind, write, record.id).replace(':version', version)
      const changed = write === 'update' ? kind.change(body, 'x') : undefined
      const reply = await caller.call(kind.endpoint(write)?.method, path, changed)
      expectEnvelope(reply, (status) => [400, 404, 409].includes(status))
      expect(reply.body.errorName === 'VersionConflictError').toBe(/^-?\d+$/.test(version))
      expect(await storedVersions(kind, record.id)).toHaveLength(1)
    },
  )

  it('answers 404 for an unknown id and for a malformed one', async () => {
    const made = await make(kind)
    for (const id of [randomUUID(), 'abc', `${made.record.id}0`, '%00', '00000000-0000-0000-0000-00000000000g']) {
      const path = pathOf(kind, write, id).replace(':version', '1')
      const changed = write === 'update' ? kind.change(made.body, 'x') : undefined
      const reply = await made.caller.call(kind.endpoint(write)?.method, path, changed)
      expectEnvelope(reply, 404)
      expect(reply.body.errorName).toBe('NotFoundError')
    }
  })
})

describe.each(kindsWith('create', 'get'))('a record of $group', (kind) => {
  it('is found by its id in capital letters, and not by what is no id', async () => {
    const { caller, record } = await make(kind)
    const { body } = await operate(caller, kind.endpoint('get'), { params: { id: record.id.toUpperCase() } })
    expect(body).toEqual(record)
    for (const id of [randomUUID(), 'abc', '%']) {
      expectEnvelope(await operate(caller, kind.endpoint('get'), { params: { id } }), 404)
    }
  })
})

describe.each(kindsWith('create', 'update'))('updates of $group', (kind) => {
  it('answers 409 to the same update sent twice', async () => {
    const { caller, body, record } = await make(kind)
    const request = { params: { id: record.id, version: pathVersion(kind, 'update', 1) }, body: kind.change(body, 'x') }
    expect((await operate(caller, kind.endpoint('update'), request)).body.version).toBe(2)
    expectEnvelope(await operate(caller, kind.endpoint('update'), request), 409)
    expect(await storedVersions(kind, record.id)).toHaveLength(2)
  })

  it('lets one of 50 concurrent updates of a version through and answers 409 to the others', async () => {
    const made = await make(kind)
    const replies = await Promise.all(Array.from({ length: 50 }, () => send(kind, 'update', made, 1)))
    const statuses = replies.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(49)
    expect((await storedVersions(kind, made.record.id)).map(([version]) => version)).toEqual(['1', '2'])
    const latest = await latestOf(made.caller, kind, made.record.id)
    expect(latest).toEqual(replies.find(({ status }) => status === 200)?.body)
  })

  it('keeps every version as it was answered, in order, with a stamp that never goes down', async () => {
    const made = await make(kind)
    const answered = [made.record as Body]
    for (let version = 1; version < 6; version++) answered.push((await send(kind, 'update', made, version)).body)
    const stored = await storedVersions(kind, made.record.id)
    expect(stored.map(([version]) => version)).toEqual(['1', '2', '3', '4', '5', '6'])
    expect(stored.map(([, , stamp]) => stamp)).toEqual(answered.map(({ updated_at }) => updated_at))
    const stamps = stored.map(([, , stamp]) => stamp)
    expect(stamps).toEqual([...stamps].sort())
    if (kind.endpoint('getHistory')) {
      const { body: history } = await operate(made.caller, kind.endpoint('getHistory'), { params: made.record })
      expect(history).toEqual(answered)
    }
    const latest = await latestOf(made.caller, kind, made.record.id)
    expect(latest).toEqual(answered.at(-1))
  })
})

describe.each(kindsWith('create', 'deactivate'))('a deactivated record of $group', (kind) => {
  it('is a new version that reads, history and scan still return', async () => {
    const made = await make(kind)
    expect((await send(kind, 'deactivate', made, 1)).status).toBe(200)
    const { id } = made.record
    const latest = await latestOf(made.caller, kind, made.record.id)
    expect(latest).toEqual({ ...made.record, deactivated: true, version: 2, updated_at: expect.any(String) })
    expect((await storedVersions(kind, id)).map(([version, flag]) => [version, flag])).toEqual([
      ['1', 'f'],
      ['2', 't'],
    ])
    if (kind.endpoint('getHistory')) {
      const { body: history } = await operate(made.caller, kind.endpoint('getHistory'), { params: made.record })
      expect(history).toEqual([made.record, latest])
    }
    if (kind.endpoint('scan')) {
      const { body: scanned } = await operate(made.caller, kind.endpoint('scan'))
      expect(scanned.filter((each: { id: string }) => each.id === id)).toEqual([latest])
    }
  })

  it('can be deactivated again: 200, and no new version', async () => {
    const made = await make(kind)
    await send(kind, 'deactivate', made, 1)
    expect((await send(kind, 'deactivate', made, 2)).status).toBe(200)
    expectEnvelope(await send(kind, 'deactivate', made, 1), 409)
    expect(await storedVersions(kind, made.record.id)).toHaveLength(2)
  })
})

describe.each(kindsWith('deactivate', 'reactivate'))('a reactivated record of $group', (kind) => {
  it('is a new version; reactivating an active one is 200 without one', async () => {
    const made = await make(kind)
    expect((await send(kind, 'reactivate', made, 1)).status).toBe(200)
    await send(kind, 'deactivate', made, 1)
    expect((await send(kind, 'reactivate', made, 2)).status).toBe(200)
    expect(await latestOf(made.caller, kind, made.record.id)).toMatchObject({ deactivated: false, version: 3 })
    expect(await storedVersions(kind, made.record.id)).toHaveLength(3)
  })
})

describe.each(kindsWith('create', 'scan'))('the scan of $group', (kind) => {
  it('takes `since` inclusively, oldest change first, each record once at its latest version', async () => {
    const first = await make(kind)
    const { caller } = first
    const { body: second } = await operate(caller, kind.endpoint('create'), { body: await kind.make(caller) })
    await send(kind, kind.endpoint('update') ? 'update' : 'deactivate', first, 1)
    const changed = (await latestOf(caller, kind, first.record.id)) as Made['record']
    const url = kind.endpoint('scan')?.path
    const since = async (at: string) => (await caller.call('GET', `${url}?since=${encodeURIComponent(at)}`)).body
    expect(await since('2020-01-01T00:00:00Z')).toEqual([second, changed])
    expect(await since(String(changed.updated_at))).toContainEqual(changed)
    expect(await since('9999-12-31T23:59:59.999999999Z')).toEqual([])
  })

  it.each(['', 'yesterday', '2025-02-30T00:00:00Z', '2025-01-01', '2025-01-01T00:00:00'])(
    'answers 400 to since=%s',
    async (since) => {
      const { call } = await service.newCaller()
      expectEnvelope(await call('GET', `${kind.endpoint('scan')?.path}?since=${encodeURIComponent(since)}`), 400)
    },
  )

  it('takes an instant with any offset that exists', async () => {
    const { call } = await service.newCaller()
    for (const since of ['2025-01-01T00:00:00+23:59', '2025-01-01t00:00:00z', '0001-01-01T00:00:00Z']) {
      const reply = await call('GET', `${kind.endpoint('scan')?.path}?since=${encodeURIComponent(since)}`)
      expect([reply.status, reply.body]).toEqual([200, []])
    }
  })
})

it('heads and histories agree for everything that these tests have written', async () => {
  for (const kind of recordKinds) expect((await countStored(service.database, kind)).isWhole, kind.group).toBe(true)
})
