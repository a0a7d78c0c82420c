// Every body of the interface with one fault at a time; the places and the faults are derived from the schemas.
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Endpoint } from '../../src/platform/http/endpoint.ts'
import { UNIQUE_TEXT } from '../support/bodies.ts'
import {
  bodiesFor,
  countStored,
  endpointsWithBody,
  expectEnvelope,
  kindOf,
  messageOf,
  operate,
  pathVersion,
  recordKinds,
  validBody,
} from '../support/operations.ts'
import { fieldOf, filled, type Place, placesOf, type Schema, withValue } from '../support/schemas.ts'
import { type Caller, deadClearinghouses, type Reply, testService } from '../support/service.ts'

const service = testService(() => ({ clearinghouses: deadClearinghouses }))
const RUNS = 100
/** A text that occurs nowhere else: an answer that contains it has repeated a refused value. */
const CANARY = 'QXCANARYXQ'
/** How many unique texts the file has sent. */
let texts = 0
const CANARY_NUMBER = 918273645.5

/**
 * A caller, a body with every field filled in, and a function that sends variants of it with unique texts: to a
 * record that is updated repeatedly, or to create one record after the other.
 */
async function prepare(endpoint: Endpoint) {
  const caller = await service.newCaller()
  const schema = endpoint.body as Schema
  const { references, unfillable } = bodiesFor(endpoint)
  const given = { ...(await validBody(endpoint, caller)), ...(await references?.(caller)) }
  const body = filled(schema, given, unfillable)
  const record = await existing(endpoint, caller)
  const target = await bodiesFor(endpoint).target?.(caller)
  const query =
    endpoint.query && 'skip_duplicate_check' in endpoint.query.properties ? 'skip_duplicate_check=true' : undefined
  const ask = async (variant: unknown) => {
    const unique = JSON.stringify(variant).replaceAll(UNIQUE_TEXT, () => `a${(++texts).toString(16).padStart(11, '0')}`)
    const params = record ? { id: record.id, version: pathVersion(record.kind, 'update', record.version) } : target
    const reply = await operate(caller, endpoint, { ...(params && { params }), query, body: unique })
    if (record && reply.status === 200) record.version++
    return reply
  }
  return { caller, body, places: placesOf(schema, body), ask }
}

/** Sends the body with one place changed, and with new unique values where the record has any. */
async function askWith(
  endpoint: Endpoint,
  { body, ask }: Prepared,
  path: Place['path'],
  value: unknown,
): Promise<Reply> {
  const reply = await ask(withValue(body, path, value))
  if (reply.status !== 409) return reply
  const fresh = await prepare(endpoint)
  return fresh.ask(withValue(fresh.body, path, value))
}

type Prepared = Awaited<ReturnType<typeof prepare>>

async function existing(endpoint: Endpoint, caller: Caller) {
  const kind = kindOf(endpoint)
  if (!kind || !endpoint.path.includes(':')) return undefined
  const { body } = await operate(caller, kind.endpoint('create'), { body: await kind.make(caller) })
  return { id: body.id as string, version: 1, kind }
}

/** A value of every type except the right one. */
function wrongValues({ schema }: Place): unknown[] {
  const values: unknown[] = [CANARY, CANARY_NUMBER, true, [CANARY], { [CANARY]: CANARY }]
  const types = (schema.anyOf ?? [schema]).map((each) => each.type ?? (each.enum ? 'enum' : 'any'))
  if (types.includes('any')) return []
  const fits = (value: unknown) =>
    (types.includes('string') && typeof value === 'string' && !schema.format) ||
    (types.includes('number') && typeof value === 'number') ||
    (types.includes('boolean') && typeof value === 'boolean') ||
    (types.includes('array') && Array.isArray(value)) ||
    (types.includes('object') && typeof value === 'object' && !Array.isArray(value))
  const dates = schema.format?.startsWith('date')
    ? ['2025-02-30', '2025-02-30T00:00:00Z', '0000-01-01', '20250101']
    : []
  return [...values.filter((value) => !fits(value)), ...dates]
}

/** Checks every case if there are at most `runs` of them, otherwise that many random ones. */
async function checkEach<Case>(cases: Case[], runs: number, check: (each: Case) => Promise<void>): Promise<void> {
  if (cases.length > runs) await fc.assert(fc.asyncProperty(fc.constantFrom(...cases), check), { numRuns: runs })
  else for (const each of cases) await check(each)
}

/** Every combination of a place and a value. */
const combine = <Value>(places: Place[], values: Value[]) =>
  places.flatMap(({ path }) => values.map((value) => ({ path, value })))

describe.each(endpointsWithBody)('$operation', (endpoint) => {
  it('accepts a body with every field, and returns the declared answer', async () => {
    const { body, ask } = await prepare(endpoint)
    const reply = await ask(body)
    expect(reply.status, reply.text).toBe(200)
  })

  it('refuses a value of a wrong type anywhere, names the field and never repeats the value', async () => {
    const { body, places, ask } = await prepare(endpoint)
    const faults = places.flatMap((place) => wrongValues(place).map((value) => ({ place, value })))
    await checkEach(faults, RUNS, async ({ place, value }) => {
      const reply = await ask(withValue(body, place.path, value))
      const what = `${JSON.stringify(place.path)} ${JSON.stringify(value)}`
      expectEnvelope(reply, (status) => status === 400 || status === 422)
      expect(messageOf(reply), what).toContain(fieldOf(place.path))
      expect(reply.text, what).not.toMatch(/QXCANARYXQ|918273645/)
    })
  })

  it('refuses a body without a required field, or with null for it, and names the field', async () => {
    const { body, places, ask } = await prepare(endpoint)
    const required = places.filter(({ isRequired, path }) => isRequired && typeof path.at(-1) === 'string')
    await checkEach(combine(required, [undefined, null]), RUNS, async ({ path, value }) => {
      const reply = await ask(withValue(body, path, value))
      expectEnvelope(reply, (status) => status === 400 || status === 422)
      expect(messageOf(reply), `${value} in ${path}`).toContain(fieldOf(path))
    })
  })

  it('treats null for an optional field as absent', async () => {
    const subject = await prepare(endpoint)
    const { needed = [] } = bodiesFor(endpoint)
    const isNeeded = (path: (string | number)[]) => needed.includes(String(path.at(-1)))
    const optional = subject.places.filter(({ isRequired, path }) => !isRequired && !isNeeded(path))
    // An organization has at most 20 webhooks, and each run makes two.
    await checkEach(optional, endpoint.operation === 'webhooks.create' ? 9 : 30, async ({ path }) => {
      const left = await askWith(endpoint, subject, path, undefined)
      const nulled = await askWith(endpoint, subject, path, null)
      expect([left.status, nulled.status], `${path}: ${left.text} ${nulled.text}`).toEqual([200, 200])
      expect(shapeOf(nulled.body)).toEqual(shapeOf(left.body))
    })
  })

  it('ignores unknown keys, and stores none of them; in a closed object it names them', async () => {
    const { body, places, caller, ask } = await prepare(endpoint)
    const isClosed = ({ schema }: Place) => schema.additionalProperties === false
    const objects = places.filter((place) => place.schema.properties && !isClosed(place))
    for (const { path } of places.filter(isClosed)) {
      const refused = await ask(withValue(body, [...path, 'qxUnknownKey'], CANARY))
      expect([refused.status, messageOf(refused)]).toEqual([400, expect.stringContaining('"qxUnknownKey"')])
      expect(refused.text).not.toContain(CANARY)
    }
    let extended: unknown = body
    for (const { path } of objects) {
      extended = withValue(extended, [...path, CANARY], { [CANARY]: CANARY })
    }
    const reply = await ask({ ...(extended as object), [CANARY]: CANARY })
    expect(reply.status, reply.text).toBe(200)
    expect(reply.text).not.toContain(CANARY)
    const kind = kindOf(endpoint)
    if (!kind) return
    const [stored] = (await service.database.row(
      `select count(*) from ${kind.name}_history where organization_id = $1 and body::text like '%${CANARY}%'`,
      [caller.organizationId],
    )) as [string]
    expect(stored).toBe('0')
  })

  it('accepts or refuses unusual values, and never fails with a server error', async () => {
    const { body, places, ask } = await prepare(endpoint)
    const strange: unknown[] = ['', ' ', '\u202e', '\ufeff', '💩'.repeat(1000), [], {}, 0, -0, 1e308, -1e308]
    await checkEach(combine(places, strange), 50, async ({ path, value }) => {
      const reply = await ask(withValue(body, path, value))
      if (reply.status !== 200) expectEnvelope(reply, (status) => status < 500)
    })
  })

  it('accepts or refuses a long text in every field, also one too long for an index', async () => {
    const subject = await prepare(endpoint)
    const long = randomBytes(8000).toString('base64')
    for (const { path } of subject.places.filter(({ schema }) => schema.type === 'string')) {
      const reply = await askWith(endpoint, subject, path, long)
      if (reply.status !== 200) expectEnvelope(reply, (status) => status === 400 || status === 404 || status === 422)
    }
  })
})

it('leaves nothing half-written', async () => {
  for (const kind of recordKinds) {
    const { versions, isWhole } = await countStored(service.database, kind)
    expect(versions, kind.group).toBeGreaterThan(0)
    expect(isWhole, kind.group).toBe(true)
  }
})

/** A JSON value with its leaves replaced by their types: what two records made from the same body share. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shapeOf(each)]))
}
