import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { patientBody } from '../../../test/support/bodies.ts'
import { firstVersionOf } from '../../../test/support/first-version.ts'
import { type Caller, type Reply, testService } from '../../../test/support/service.ts'

const service = testService()

const color = { key: 'color', type: 'ENUM', enum_values: ['red', 'blue'] }
const height = { key: 'height', type: 'DOUBLE' }
const schemaBody = (overrides: object = {}) => ({
  name: `Intake ${randomUUID()}`,
  fields: [color, height],
  ...overrides,
})

const expectBadRequest = ({ status, body }: Reply, message: string) =>
  expect([status, body]).toEqual([400, { errorName: 'BadRequestError', content: { message } }])

describe('POST /metadata-schemas/v1', () => {
  it('returns 200 with the stored schema at version 1', async () => {
    const { call, organizationId } = await service.newCaller()
    const fields = [
      ...['STRING', 'INTEGER', 'DOUBLE', 'BOOLEAN'].map((type) => ({ key: type, type, enum_values: null })),
      color,
    ]
    const { status, body } = await call('POST', '/metadata-schemas/v1', {
      name: 'Intake',
      description: 'Form 7',
      fields,
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...firstVersionOf({ organizationId }),
      name: 'Intake',
      description: 'Form 7',
      fields: [...fields.slice(0, 4).map(({ key, type }) => ({ key, type })), color],
    })
  })

  it('returns 409 without a version for a name that is in use, also by a deactivated schema', async () => {
    const { call } = await service.newCaller()
    const { body: holder } = await call('POST', '/metadata-schemas/v1', schemaBody({ name: 'Intake' }))
    await call('DELETE', `/metadata-schemas/v1/${holder.id}/1`)
    const { status, body } = await call('POST', '/metadata-schemas/v1', schemaBody({ name: 'Intake' }))
    expect([status, body]).toEqual([
      409,
      { errorName: 'VersionConflictError', content: { message: 'name is in use by another metadata schema' } },
    ])
  })

  it('compares names exactly, and within the organization only', async () => {
    const [one, other] = [await service.newCaller(), await service.newCaller()]
    for (const [caller, name] of [
      [one, 'Intake'],
      [one, 'intake'],
      [other, 'Intake'],
    ] as const) {
      expect((await caller.call('POST', '/metadata-schemas/v1', schemaBody({ name }))).status).toBe(200)
    }
  })

  it('gives the name to one of 10 concurrent creates', async () => {
    const { call } = await service.newCaller()
    const creates = Array.from({ length: 10 }, () => call('POST', '/metadata-schemas/v1', schemaBody({ name: 'Same' })))
    const statuses = (await Promise.all(creates)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, ...Array(9).fill(409)])
  })

  it.each([
    ['a key twice', [height, color, height], 'fields[2].key is the key of an earlier field'],
    ['an ENUM without values', [{ key: 'k', type: 'ENUM' }], 'fields[0].enum_values needs at least one value'],
    [
      'an ENUM with null',
      [{ key: 'k', type: 'ENUM', enum_values: null }],
      'fields[0].enum_values needs at least one value',
    ],
    [
      'an ENUM with an empty list',
      [{ key: 'k', type: 'ENUM', enum_values: [] }],
      'fields[0].enum_values needs at least one value',
    ],
    [
      'values on a STRING',
      [height, { key: 'k', type: 'STRING', enum_values: ['x'] }],
      'fields[1].enum_values is for fields of type ENUM only',
    ],
    [
      'an empty list on a BOOLEAN',
      [{ key: 'k', type: 'BOOLEAN', enum_values: [] }],
      'fields[0].enum_values is for fields of type ENUM only',
    ],
  ])('answers 400 to %s', async (_what, fields, message) => {
    const { call } = await service.newCaller()
    expectBadRequest(await call('POST', '/metadata-schemas/v1', schemaBody({ fields })), message)
  })
})

describe('PUT /metadata-schemas/v1/:id/:version', () => {
  async function made(caller: Caller) {
    const { body } = await caller.call('POST', '/metadata-schemas/v1', schemaBody())
    const put = (version: number, change: object) =>
      caller.call('PUT', `/metadata-schemas/v1/${body.id}/${version}`, {
        name: body.name,
        fields: body.fields,
        ...change,
      })
    return { schema: body, put }
  }

  it('adds fields and values, in any order, and changes name and description', async () => {
    const { put } = await made(await service.newCaller())
    const fields = [height, { key: 'new', type: 'BOOLEAN' }, { ...color, enum_values: ['green', 'blue', 'red'] }]
    const { status, body } = await put(1, { name: 'Other', description: 'longer', fields })
    expect(status).toBe(200)
    expect(body).toMatchObject({ version: 2, name: 'Other', description: 'longer', fields })
  })

  it.each([
    ['removes a field', [height], 'fields must keep the field at index 0 of the latest version'],
    [
      'renames a key',
      [color, { ...height, key: 'Height' }],
      'fields must keep the field at index 1 of the latest version',
    ],
    [
      'changes a type',
      [color, { ...height, type: 'INTEGER' }],
      'fields must keep the field at index 1 of the latest version with its type DOUBLE',
    ],
    [
      'removes a value',
      [{ ...color, enum_values: ['red', 'green'] }, height],
      'fields must keep the field at index 0 of the latest version with all its enum_values',
    ],
  ])('returns 400 for an update that %s, and writes nothing', async (_what, fields, message) => {
    const caller = await service.newCaller()
    const { schema, put } = await made(caller)
    expectBadRequest(await put(1, { fields }), message)
    expect((await caller.call('GET', `/metadata-schemas/v1/${schema.id}`)).body).toEqual(schema)
  })

  it('takes the current version, and returns 409 for another before it validates the fields', async () => {
    const { put } = await made(await service.newCaller())
    const { status, body } = await put(2, { fields: [] })
    expect([status, body.content.latest_version]).toEqual([409, 1])
  })

  it('returns 409 for a name that another schema has', async () => {
    const caller = await service.newCaller()
    await caller.call('POST', '/metadata-schemas/v1', schemaBody({ name: 'Taken' }))
    const { put } = await made(caller)
    const { status, body } = await put(1, { name: 'Taken' })
    expect([status, body.errorName]).toEqual([409, 'VersionConflictError'])
    expect(body.content).not.toHaveProperty('latest_version')
  })

  it('keeps a deactivated schema deactivated', async () => {
    const caller = await service.newCaller()
    const { schema, put } = await made(caller)
    await caller.call('DELETE', `/metadata-schemas/v1/${schema.id}/1`)
    expect((await put(2, { description: 'late' })).body).toMatchObject({ deactivated: true, version: 3 })
  })
})

describe('DELETE and PATCH /metadata-schemas/v1/:id/:version', () => {
  it('take the current version and write the next one, 200 without a body', async () => {
    const { call } = await service.newCaller()
    const { body: schema } = await call('POST', '/metadata-schemas/v1', schemaBody())
    const url = `/metadata-schemas/v1/${schema.id}`
    for (const [method, version, deactivated] of [
      ['DELETE', 1, true],
      ['PATCH', 2, false],
    ] as const) {
      expect((await call(method, `${url}/${version + 1}`)).status).toBe(409)
      const { status, text } = await call(method, `${url}/${version}`)
      expect([status, text]).toEqual([200, ''])
      expect((await call('GET', url)).body).toMatchObject({ version: version + 1, deactivated })
    }
  })

  it('leave the values that patients have for the schema unchanged', async () => {
    const { call } = await service.newCaller()
    const { body: schema } = await call('POST', '/metadata-schemas/v1', schemaBody())
    const custom_metadata = [{ metadata_schema_id: schema.id, key_value_pairs: { color: 'red', height: 1.75 } }]
    const { body: patient } = await call('POST', '/patients/v1', patientBody({ custom_metadata }))
    await call('DELETE', `/metadata-schemas/v1/${schema.id}/1`)
    expect((await call('GET', `/patients/v1/${patient.id}`)).body).toEqual(patient)
    expect(patient.custom_metadata).toEqual(custom_metadata)
  })

  it('PATCH of an active schema is 200 and changes nothing', async () => {
    const { call } = await service.newCaller()
    const { body: schema } = await call('POST', '/metadata-schemas/v1', schemaBody())
    expect((await call('PATCH', `/metadata-schemas/v1/${schema.id}/1`)).status).toBe(200)
    expect((await call('GET', `/metadata-schemas/v1/${schema.id}`)).body).toEqual(schema)
  })
})

describe('GET /metadata-schemas/v1', () => {
  async function withSchemas(...names: string[]) {
    const caller = await service.newCaller()
    const schemas: { id: string; updated_at: string }[] = []
    for (const name of names)
      schemas.push((await caller.call('POST', '/metadata-schemas/v1', schemaBody({ name }))).body)
    const list = async (query = '') => (await caller.call('GET', `/metadata-schemas/v1${query}`)).body
    const namesOf = async (filters: string) =>
      (await list(`?filters=${encodeURIComponent(filters)}`)).items.map(({ name }: { name: string }) => name)
    return { ...caller, schemas, list, namesOf }
  }

  it('lists active schemas by name, page by page', async () => {
    const { call, schemas, list } = await withSchemas('b', 'c', 'a', 'gone')
    await call('DELETE', `/metadata-schemas/v1/${schemas[3]?.id}/1`)
    expect(await list()).toEqual({ items: [schemas[2], schemas[0], schemas[1]], total: 3 })
    const page = await list('?limit=2')
    expect([page.items, page.total]).toEqual([[schemas[2], schemas[0]], 3])
    const next = await list(`?limit=2&page_token=${page.next_page_token}`)
    expect([next.items, next.total]).toEqual([[schemas[1]], 3])
  })

  it('filters by every operator, all filters together', async () => {
    const { namesOf } = await withSchemas('Alpha', 'Beta', 'beta 2|x')
    expect(await namesOf('name|eq|Beta')).toEqual(['Beta'])
    expect(await namesOf('name|ieq|bETA')).toEqual(['Beta'])
    expect(await namesOf('name|contains|ETA')).toEqual(['Beta', 'beta 2|x'])
    expect(await namesOf('name|contains|%')).toEqual([])
    expect(await namesOf('name|gt|Alpha')).toEqual(['Beta', 'beta 2|x'])
    expect(await namesOf('name|lt|Beta')).toEqual(['Alpha'])
    expect(await namesOf('name|in|Alpha;Beta;Gamma')).toEqual(['Alpha', 'Beta'])
    expect(await namesOf('name|eq|beta 2|x')).toEqual(['beta 2|x'])
    expect(await namesOf('name|contains|eta,version|eq|1,name|lt|beta 1')).toEqual(['Beta'])
  })

  it('filters by ids, versions and times', async () => {
    const { namesOf, schemas } = await withSchemas('one', 'two')
    expect(await namesOf(`id|eq|${schemas[0]?.id.toUpperCase()}`)).toEqual(['one'])
    expect(await namesOf(`id|in|${schemas[0]?.id};${schemas[1]?.id}`)).toEqual(['one', 'two'])
    expect(await namesOf('version|gt|1')).toEqual([])
    expect(await namesOf(`updatedAt|eq|${schemas[1]?.updated_at}`)).toContain('two')
    expect(await namesOf(`updatedAt|eq|${schemas[1]?.updated_at.slice(0, 10)}`)).toContain('two')
    expect(await namesOf('updatedAt|lt|2020-01-01')).toEqual([])
  })

  it('includes deactivated schemas when a filter requests them', async () => {
    const { call, namesOf, schemas } = await withSchemas('kept', 'gone')
    await call('DELETE', `/metadata-schemas/v1/${schemas[1]?.id}/1`)
    expect(await namesOf('name|contains|e')).toEqual(['kept'])
    expect(await namesOf('deactivated|eq|true')).toEqual(['gone'])
    expect(await namesOf('deactivated|eq|false')).toEqual(['kept'])
  })

  it.each(['nmae|eq|x', 'name|ne|x', 'name', 'version|eq|x', 'updatedAt|gt|soon'])(
    'answers 400 to %s',
    async (filters) => {
      const { call } = await service.newCaller()
      const { status, body } = await call('GET', `/metadata-schemas/v1?filters=${encodeURIComponent(filters)}`)
      expect([status, body.errorName]).toEqual([400, 'BadRequestError'])
    },
  )

  it('returns 400 for a page token under other filters', async () => {
    const { call, list } = await withSchemas('a', 'b')
    const { next_page_token } = await list('?limit=1&filters=name|gt|A')
    const { status } = await call('GET', `/metadata-schemas/v1?limit=1&filters=name|lt|z&page_token=${next_page_token}`)
    expect(status).toBe(400)
  })
})
