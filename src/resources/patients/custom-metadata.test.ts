import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { nameBody, patientBody } from '../../../test/support/bodies.ts'
import { expectEnvelope } from '../../../test/support/operations.ts'
import { type Caller, testService } from '../../../test/support/service.ts'
import { CHUNK_BYTES } from '../../records/read-all.ts'

/** How many ids each statement has named, how many schemas it has read, and the characters of its answer. */
const idsNamed: number[] = []
const schemasRead: number[] = []
const charactersRead: number[] = []
let schemasText = ''
const service = testService(({ database }) => ({
  database: {
    ...database,
    async rows(statement, values, ...rest) {
      const rows = await database.rows(statement, values, ...rest)
      if (typeof statement === 'object' && statement.name === 'metadata_schemas_of_entries') {
        schemasText = statement.text
        idsNamed.push(((values ?? [])[1] as string[]).length)
        schemasRead.push(rows.length)
        charactersRead.push(rows.flat().join('').length)
      }
      return rows
    },
  },
}))
type Fields = Record<string, unknown>

const fields = [
  { key: 'text', type: 'STRING' },
  { key: 'count', type: 'INTEGER' },
  { key: 'ratio', type: 'DOUBLE' },
  { key: 'flag', type: 'BOOLEAN' },
  { key: 'color', type: 'ENUM', enum_values: ['red', 'blue'] },
]

async function newSchema({ call }: Caller, more: Fields[] = []) {
  const reply = await call('POST', '/metadata-schemas/v1', {
    name: `Intake ${randomUUID()}`,
    fields: [...fields, ...more],
  })
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

const someone = (metadata_schema_id: string, key_value_pairs: Fields) =>
  patientBody({ name: nameBody(randomUUID()), custom_metadata: [{ metadata_schema_id, key_value_pairs }] })

async function expectRefused({ call }: Caller, body: Fields, field: string) {
  for (const [method, url] of [
    ['POST', '/patients/v1'],
    ['POST', '/patients/v1/with_mrn'],
  ] as const) {
    const reply = await call(method, url, { ...body, mrn: randomUUID().slice(0, 20) })
    expectEnvelope(reply, 400)
    expect(reply.body.errorName).toBe('BadRequestError')
    expect(reply.body.content.message).toContain(field)
    expect(reply.text).not.toContain('canary')
  }
}

describe("a patient's custom metadata", () => {
  it('is stored when every key is a field of the schema and every value matches its type', async () => {
    const caller = await service.newCaller()
    const { id } = await newSchema(caller)
    for (const pairs of [
      { text: '', count: -3, ratio: 0.5, flag: false, color: 'blue' },
      { ratio: 2 },
      { count: 3e2 },
      {},
    ]) {
      const { status, body } = await caller.call('POST', '/patients/v1', someone(id, pairs))
      expect(status).toBe(200)
      expect(body.custom_metadata).toEqual([{ metadata_schema_id: id, key_value_pairs: pairs }])
    }
  })

  it('names its schema in lower case, also where it is sent in capitals, and is found by it in either', async () => {
    const caller = await service.newCaller()
    const { id } = await newSchema(caller)
    const { status, body: made } = await caller.call('POST', '/patients/v1', someone(id.toUpperCase(), {}))
    expect(status).toBe(200)
    expect(made.custom_metadata[0].metadata_schema_id).toBe(id)
    for (const asked of [id, id.toUpperCase()]) {
      const filters = `patient.customMetadata.metadataSchemaId|eq|${asked}`
      const { body } = await caller.call('GET', `/lists/v1/patient?${new URLSearchParams({ filters })}`)
      expect(body.total, asked).toBe(1)
    }
  })

  it.each<Fields>([
    { text: 1 },
    { text: null },
    { text: ['canary'] },
    { count: 1.5 },
    { count: '1' },
    { ratio: '0.5' },
    { ratio: true },
    { flag: 'true' },
    { flag: 0 },
    { color: 'canary' },
    { color: null },
    { canary: 'x' },
    { constructor: 'x' },
    { text: 'fine', Text: 'canary' },
  ])('is refused with 400 for %o', async (pairs) => {
    const caller = await service.newCaller()
    const { id } = await newSchema(caller)
    await expectRefused(caller, someone(id, pairs), 'custom_metadata[0].key_value_pairs')
  })

  it('is refused with 400 for a schema that does not exist or belongs to another organization', async () => {
    const [caller, stranger] = [await service.newCaller(), await service.newCaller()]
    const { id } = await newSchema(stranger)
    for (const unknown of [id, randomUUID(), 'nobody', '']) {
      await expectRefused(caller, someone(unknown, {}), 'custom_metadata[0].metadata_schema_id')
    }
  })

  it('of many schemas is read some schemas at a time, each of which may be large, asks for none again, and names the first wrong entry', async () => {
    const caller = await service.newCaller()
    const ids: string[] = []
    for (let count = 0; count < 20; count++) ids.push((await newSchema(caller)).id)
    const body = (wrong: Record<number, Fields> = {}) =>
      patientBody({
        name: nameBody(randomUUID()),
        custom_metadata: [...ids, ids[3]].map((metadata_schema_id, index) => ({
          metadata_schema_id,
          key_value_pairs: wrong[index] ?? { count: index },
        })),
      })
    idsNamed.length = schemasRead.length = 0
    expect((await caller.call('POST', '/patients/v1', body())).status).toBe(200)
    expect(schemasRead).toEqual([8, 12])
    expect(idsNamed).toEqual([20, 12])
    await expectRefused(caller, body({ 12: { no: 1 }, 19: { no: 1 } }), 'custom_metadata[12].key_value_pairs')
    await expectRefused(caller, body({ 20: { count: 'canary' } }), 'custom_metadata[20].key_value_pairs')
  })

  it('is checked in little memory however large its schemas are: only the fields that it has are read, and some 1 MB of them at a time', async () => {
    const caller = await service.newCaller()
    const many = Array.from({ length: 2000 }, (_, index) => ({
      key: `field ${index} ${'x'.repeat(100)}`,
      type: 'STRING',
    }))
    const values = {
      key: 'large',
      type: 'ENUM',
      enum_values: Array.from({ length: 6000 }, (_, index) => `${index} ${'x'.repeat(100)}`),
    }
    const ids: string[] = []
    for (let count = 0; count < 9; count++) ids.push((await newSchema(caller, [...many.slice(count), values])).id)
    const create = (pairs: Fields) =>
      caller.call('POST', '/patients/v1', {
        ...someone('', {}),
        custom_metadata: ids.map((metadata_schema_id) => ({ metadata_schema_id, key_value_pairs: pairs })),
      })
    charactersRead.length = 0
    expect((await create({ count: 1, [many[1999]?.key ?? '']: 'x' })).status).toBe(200)
    expect(charactersRead.reduce((sum, each) => sum + each)).toBeLessThan(10_000)

    charactersRead.length = 0
    expect((await create({ large: values.enum_values[5999] })).status).toBe(200)
    expect(Math.max(...charactersRead)).toBeLessThan(2 * CHUNK_BYTES)
    expectEnvelope(await create({ large: 'canary' }), 400)
  })

  it('is looked up in a hash table of its keys, also by a plan that is kept for all patients: thousands of keys would be compared with each of thousands of fields', async () => {
    const caller = await service.newCaller()
    const { id } = await newSchema(caller)
    await caller.call('POST', '/patients/v1', someone(id, { count: 1 }))
    const plan = (await service.database.rows(`explain (generic_plan) ${schemasText}`)).flat().join('\n')
    expect(plan).toMatch(/Hash Cond: .*'key'/)
    expect(plan).toMatch(/Index Cond: .*\bid = ANY/)
  })

  it('stays when its schema is deactivated, and is refused after it was removed', async () => {
    const caller = await service.newCaller()
    const { id } = await newSchema(caller)
    const body = someone(id, { text: 'x' })
    const { body: patient } = await caller.call('POST', '/patients/v1', body)
    await caller.call('DELETE', `/metadata-schemas/v1/${id}/1`)
    expect((await caller.call('GET', `/patients/v1/${patient.id}`)).body).toEqual(patient)
    const update = (version: number, sent: Fields) => caller.call('PUT', `/patients/v1/${patient.id}/${version}`, sent)
    expect((await update(2, body)).body.custom_metadata).toEqual(patient.custom_metadata)
    expect((await update(3, { ...body, custom_metadata: [] })).status).toBe(200)
    expectEnvelope(await update(4, body), 400)
    await expectRefused(caller, someone(id, { text: 'x' }), 'metadata_schema_id')
  })

  it('stays too where an earlier release stored the id of its schema in capitals', async () => {
    const caller = await service.newCaller()
    const { id } = await newSchema(caller)
    const { body: patient } = await caller.call('POST', '/patients/v1', someone(id, { text: 'x' }))
    await service.database.rows(
      `update patient set body = jsonb_set(body, '{custom_metadata,0,metadata_schema_id}', to_jsonb($2::text)) where id = $1`,
      [patient.id, id.toUpperCase()],
    )
    await caller.call('DELETE', `/metadata-schemas/v1/${id}/1`)
    const { body: stored } = await caller.call('GET', `/patients/v1/${patient.id}`)
    expect(stored.custom_metadata[0].metadata_schema_id).toBe(id.toUpperCase())
    const { status, body } = await caller.call('PUT', `/patients/v1/${patient.id}/2`, stored)
    expect([status, body.custom_metadata]).toEqual([200, patient.custom_metadata])
  })
})
