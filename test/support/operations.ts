// The interface for the tests in test/laws: every endpoint and every versioned record, from the list in src/main/resources.ts.
import { randomUUID } from 'node:crypto'
import { Ajv, type ValidateFunction } from 'ajv'
import { expect } from 'vitest'
import { isDate, isDateTime, isUuid } from '../../src/contract/formats.ts'
import { endpoints as listed, records, resources } from '../../src/main/resources.ts'
import type { Endpoint } from '../../src/platform/http/endpoint.ts'
import type { PathVersions, VersionedRecord, WriteKind } from '../../src/records/record.ts'
import { type Body, type OperationBodies, operationBodies, type RecordBodies, recordBodies } from './bodies.ts'
import type { Caller, Reply } from './service.ts'

/** Every operation of the list. */
export const endpoints: readonly Endpoint[] = listed

/** Those that refuse a faulty body as a whole: an operation that answers for each item does so only for faults that its own test lists. */
export const endpointsWithBody = endpoints.filter(
  ({ body, accepts, access }) => body && !accepts && access !== 'public',
)

/** A versioned record with its operations; `kind.endpoint('update')` is undefined if it has none. */
export interface RecordKind extends RecordBodies {
  name: string
  endpoint(operation: string): Endpoint | undefined
}

export const recordKinds: RecordKind[] = records.map((record) => {
  const entries: Record<string, RecordBodies> = recordBodies
  const bodies = entries[record.name] ?? bodiesFromExample(record)
  return {
    ...bodies,
    name: record.name,
    endpoint: (operation) => {
      const name = operation === 'update' ? (bodies.updatedBy ?? operation) : operation
      return endpoints.find((each) => each.operation === `${bodies.group}.${name}`)
    },
  }
})

/** Bodies from the record's example, with another text each time. */
function bodiesFromExample(record: VersionedRecord): RecordBodies {
  const { group = '' } = resources.find((resource) => resource.record === record) ?? {}
  const schemas = Object.entries(record.mutable.properties as Record<string, { type?: string; format?: string }>)
  const [field] = schemas.find(([, { type, format }]) => type === 'string' && format === undefined) ?? []
  if (field === undefined) throw new Error(`add ${record.name} to test/support/bodies.ts: it has no text to change`)
  const change = (body: Body, value: string) => ({ ...body, [field]: value })
  return { group, make: async () => change(record.example as Body, randomUUID()), change }
}

export const kindsWith = (...operations: string[]) =>
  recordKinds.filter((kind) => operations.every((operation) => kind.endpoint(operation)))

/** The kind that an endpoint belongs to; undefined for operations on something that is not versioned. */
export const kindOf = (endpoint: Endpoint) =>
  recordKinds.find(({ group }) => group === endpoint.operation.split('.')[0])

/** Versioned records, recognized by the paths of their writes, without an entry in test/support/bodies.ts. */
export const unknownKinds = [
  ...new Set(
    endpoints
      .filter((endpoint) => /\/:(\w+_)?id\/:version(\/|$)/.test(endpoint.path) && !kindOf(endpoint))
      .map(({ operation }) => operation.split('.')[0]),
  ),
]

/** The latest version of a record in the interface: by id, or from the scan or the list if it cannot be read by id. */
export async function latestOf(caller: Caller, kind: RecordKind, id: string): Promise<Body | undefined> {
  if (kind.endpoint('get')) return (await operate(caller, kind.endpoint('get'), { params: { id } })).body
  const { body } = await operate(caller, kind.endpoint('scan') ?? kind.endpoint('getLatest'))
  return body.find((record: Body) => record.id === id)
}

/** A valid body of the endpoint. @throws if test/support/bodies.ts has none for it. */
export async function validBody(endpoint: Endpoint, caller: Caller): Promise<Body | undefined> {
  return endpoint.body && bodiesFor(endpoint).make(caller)
}

export function bodiesFor(endpoint: Endpoint): OperationBodies {
  const isOfRecord = /\.(create|update)$/.test(endpoint.operation)
  const bodies = operationBodies[endpoint.operation] ?? (isOfRecord ? kindOf(endpoint) : undefined)
  if (!bodies) throw new Error(`add a way to make a valid body of ${endpoint.operation} to test/support/bodies.ts`)
  return bodies
}

/** What the version in a path means, by record. */
export const pathVersions: Readonly<Record<string, PathVersions>> = Object.fromEntries(
  records.map(({ name, pathVersions }) => [name, pathVersions]),
)

/** The version to put into a path for a write on `current` (rules.md 1.4). */
export function pathVersion(kind: RecordKind, write: WriteKind, current: number): number {
  return pathVersions[kind.name]?.[write] === 'next' ? current + 1 : current
}

/** The URL of an endpoint; a parameter without a value becomes an unknown id. */
export function urlOf(endpoint: Endpoint, params: Record<string, unknown> = {}): string {
  const idParameter = kindOf(endpoint)?.idParameter
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name) =>
    encodeURIComponent(String(params[name === idParameter ? 'id' : name] ?? randomUUID())),
  )
  const required = (endpoint.query as { required?: string[] } | undefined)?.required ?? []
  const query = required.map((name) => `${name}=${encodeURIComponent(SAMPLE_QUERY[name] ?? 'x')}`)
  return query.length === 0 ? path : `${path}?${query.join('&')}`
}

const SAMPLE_QUERY: Record<string, string> = {
  since: '2020-01-01T00:00:00.000Z',
  filters: 'appointment.startTimestamp|gt|2020-01-01',
}

/** Calls an operation and validates a success against the declared answer, including unknown keys. */
export async function operate(
  caller: Caller,
  endpoint: Endpoint | undefined,
  request: { params?: Record<string, unknown>; body?: unknown; query?: string } = {},
): Promise<Reply> {
  if (!endpoint) throw new Error('this record has no such operation')
  const url = withQuery(urlOf(endpoint, request.params), request.query)
  const reply = await caller.call(endpoint.method, url, request.body)
  if (reply.status !== 200) return reply
  expectDeclaredAnswer(endpoint, reply)
  return { ...reply, body: withoutPassing(kindOf(endpoint)?.passing, reply.body) }
}

/** The given parameters replace samples of the same name. */
function withQuery(url: string, query = ''): string {
  const [path, samples = ''] = url.split('?')
  const given = new URLSearchParams(query)
  const rest = samples.split('&').filter((sample) => !given.has(sample.split('=')[0] ?? ''))
  return `${path}?${[...rest, query].filter((part) => part !== '').join('&')}`
}

function withoutPassing(fields: string[] | undefined, body: unknown): unknown {
  if (fields === undefined || typeof body !== 'object' || body === null) return body
  if (Array.isArray(body)) return body.map((each) => withoutPassing(fields, each))
  return Object.fromEntries(Object.entries(body).filter(([key]) => !fields.includes(key)))
}

export function expectDeclaredAnswer(endpoint: Endpoint, reply: Reply): void {
  if (!endpoint.answer) {
    expect([reply.text, reply.headers['content-length']], endpoint.operation).toEqual(['', '0'])
    return
  }
  const validate = answerValidator(endpoint)
  validate(reply.body)
  expect(validate.errors ?? [], endpoint.operation).toEqual([])
}

/** Expects the envelope of a refusal. Source: rules.md 1.5. */
export function expectEnvelope(reply: Reply, status: number | ((status: number) => boolean)): void {
  if (typeof status === 'number') expect(reply.status, reply.text.slice(0, 500)).toBe(status)
  else expect(status(reply.status), `${reply.status} ${reply.text.slice(0, 500)}`).toBe(true)
  expect(String(reply.headers['content-type'])).toMatch(/^application\/json/)
  expect(Object.keys(reply.body).sort()).toEqual(['content', 'errorName'])
  expect(reply.body.errorName).toMatch(/Error$/)
  expect(messageOf(reply)).not.toBe('')
}

/** The message of a refusal; the core group answers with a list of fields. */
export function messageOf(reply: Reply): string {
  const { content } = reply.body
  return Array.isArray(content) ? content.map((each) => each.humanReadableMessage).join('; ') : content.message
}

const validators = new Map<string, ValidateFunction>()
const ajv = new Ajv({ strict: false, formats: { date: isDate, 'date-time': isDateTime, uuid: isUuid } })

function answerValidator(endpoint: Endpoint): ValidateFunction {
  const known = validators.get(endpoint.operation)
  if (known) return known
  const validate = ajv.compile(closed(structuredClone(endpoint.answer)) as object)
  validators.set(endpoint.operation, validate)
  return validate
}

/** The schema with every object closed, so that an unknown key is an error. A union accepts its members' keys. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const { anyOf, ...rest } = schema as { anyOf?: { properties?: object }[] }
  const copy = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, closed(value)]))
  if (anyOf?.some(({ properties }) => properties)) {
    const keys = anyOf.flatMap(({ properties }) => Object.keys(properties ?? {}))
    const known = Object.fromEntries(keys.map((key) => [key, {}]))
    return { ...copy, anyOf, properties: known, additionalProperties: false }
  }
  const shape = anyOf ? { ...copy, anyOf } : copy
  return 'properties' in schema && 'type' in schema ? { ...shape, additionalProperties: false } : shape
}

/** The number of heads and versions of a record type in the whole database; `isWhole` if each head has exactly its history. */
export async function countStored(
  database: { row(sql: string): Promise<string[] | undefined> },
  kind: Pick<RecordKind, 'name'>,
): Promise<{ versions: number; isWhole: boolean }> {
  const row = await database.row(
    `select (select count(*) from ${kind.name}_history),
      (select coalesce(sum(version), 0) from ${kind.name}) = (select count(*) from ${kind.name}_history)
      and not exists (select from ${kind.name} h where not exists (
        select from ${kind.name}_history v where v.organization_id = h.organization_id and v.id = h.id
          and v.version = h.version and v.body = h.body and v.updated_at = h.updated_at and v.deactivated = h.deactivated))`,
  )
  return { versions: Number(row?.[0]), isWhole: row?.[1] === 't' }
}
