// The API description matches the service, and the service matches the published contract.
import { readFileSync } from 'node:fs'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { isDate, isDateTime, isUuid } from '../../src/contract/formats.ts'
import { describeProgram, operationsOf } from '../../src/main/interface.ts'
import type { Operation } from '../../src/platform/http/documentation/openapi.ts'
import type { JsonSchema } from '../../src/platform/http/documentation/openapi-schemas.ts'
import { packageFile } from '../../src/platform/package-root.ts'
import { OF_EVERY_OPERATION } from '../support/acceptance-calls.ts'
import { type ContractOperation, hasContract, readAliases, readOperations, readTypes } from '../support/contract.ts'
import { send, testService } from '../support/service.ts'

const service = testService()
const document = describeProgram()
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ address: `${method.toUpperCase()} ${path}`, ...operation })),
)
const schemas = document.components.schemas

describe('the description', () => {
  it('is served to anyone, and is the committed openapi.json', async () => {
    const reply = await send(service.app, { method: 'GET', url: '/openapi.json' })
    const committed = JSON.parse(readFileSync(packageFile('openapi.json'), 'utf8'))
    expect(reply.status).toBe(200)
    expect(reply.text === JSON.stringify(committed), 'npm run generate brings openapi.json up to date').toBe(true)
  })

  it('describes exactly the operations that are routed', () => {
    const declared = operationsOf().map(({ method, path, operation }) => ({ method, url: path, operation }))
    expect(operations.map(({ operationId }) => operationId)).toHaveLength(declared.length)
    expect(new Set(operations.map(({ operationId }) => operationId))).toEqual(
      new Set(declared.map(({ operation }) => operation)),
    )
    for (const { method, url } of declared) expect(service.app.hasRoute({ method, url }), `${method} ${url}`).toBe(true)
  })

  it('has a sentence for every group and every parameter', () => {
    const groups = new Set(document.tags.map(({ name }) => name))
    for (const { operationId, tags, parameters = [] } of operations) {
      expect(groups, operationId).toContain(tags[0])
      const silent = parameters.filter(({ description }) => description === '').map(({ name }) => name)
      expect(silent, `${operationId}: parameters without a sentence`).toEqual([])
    }
  })

  it('gives every object a name, so that nothing is written out twice', () => {
    const bodies = operations.flatMap((operation) => contentsOf(operation).map(({ schema }) => schema.items ?? schema))
    expect(bodies.filter((schema) => schema.properties ?? schema.anyOf)).toEqual([])
  })

  it('passes a public linter without an error', async () => {
    const config = await createConfig({ extends: ['recommended'] })
    const source = readFileSync(packageFile('openapi.json'), 'utf8')
    const problems = await lintFromString({ source, absoluteRef: packageFile('openapi.json'), config })
    expect(problems.filter(({ severity }) => severity === 'error').map(({ message }) => message)).toEqual([])
  })
})

describe('the examples', () => {
  const ajv = new Ajv({ strict: false, formats: { date: isDate, 'date-time': isDateTime, uuid: isUuid } })
  ajv.addSchema({ $id: 'openapi', components: document.components })
  const faultsOf = (schema: JsonSchema, example: unknown) => {
    const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')))
    validate(example)
    return validate.errors ?? []
  }

  it.each(operations)('$operationId has examples of body and answer that are valid by its schemas', (operation) => {
    for (const { schema, example } of contentsOf(operation)) {
      expect(example, 'add what is missing to src/main/documentation/examples.ts').toBeDefined()
      expect(faultsOf(schema, example)).toEqual([])
    }
  })

  it.each(Object.entries(document.components.responses))(
    'the example of %s equals the response that is sent',
    (_, { content = {} }) => {
      for (const { schema, example } of Object.values(content)) expect(faultsOf(schema, example)).toEqual([])
    },
  )
})

describe('the HTML page', () => {
  it('shows every operation and every type, and has no broken links', async () => {
    const reply = await send(service.app, { method: 'GET', url: '/docs' })
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    const ids = new Set([...reply.text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
    const wanted = [
      ...operations.map(({ operationId }) => operationId),
      ...Object.keys(schemas).map((name) => `type-${name}`),
    ]
    expect(wanted.filter((id) => !ids.has(id))).toEqual([])
    const targets = [...reply.text.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id)
    expect(targets.filter((id) => !ids.has(id))).toEqual([])
  })

  it('loads nothing from other hosts, runs only its own script, and its headers forbid everything else', async () => {
    const reply = await send(service.app, { method: 'GET', url: '/docs' })
    expect(reply.text.match(/<script[^>]*>[^<]*/g)).toEqual(['<script type="module" src="/docs/reference.js">'])
    expect(reply.text).not.toMatch(/(src|href)="(https?:|\/\/)|style="| on\w+="/)
    expect(reply.headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
        "script-src 'self'; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'",
    )
    const script = await send(service.app, { method: 'GET', url: '/docs/reference.js' })
    expect([script.status, script.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8'])
    expect(script.text).not.toMatch(/https?:|innerHTML|localStorage|sessionStorage|\bcookie\b|eval\(|import\(/)
    const style = await send(service.app, { method: 'GET', url: '/docs/style.css' })
    expect([style.status, style.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8'])
    expect(style.text).not.toMatch(/url\(|@import/)
  })
})

/** Operations of the contract that are not implemented yet. */
const pending: Record<string, string[]> = {}

/** The last segment names a configured partner, and `availity` is one of its values (rules.md 5, 18.13). */
const OUR_ADDRESSES: Record<string, string> = {
  'GET /api/eligibility/v2/availity': 'GET /api/eligibility/v2/{partner}',
  'POST /api/eligibility/v2/availity': 'POST /api/eligibility/v2/{partner}',
}

/** Names that differ: two types of the contract share one, and an alias of a type is the type itself. */
const OUR_NAMES: Record<string, string> = {
  'Coverages Address': 'MemberAddress',
  EligibilityResponse: 'EligibilityCheck',
}

/** Optional fields that the contract does not have. */
const ADDITIONS: Record<string, string[]> = {
  // The keys without the question mark, for readers (rules.md 13.3).
  EligibilityCheckErrorDetails: ['field', 'description', 'location', 'possibleResolutions', 'code', 'followupAction'],
}

/** Query parameters that the contract does not declare. */
const PARAMETERS: Record<string, string[]> = {
  // Its text speaks of it (rules.md 13.8).
  'GET /eligibility-checks/v1/recommendation': ['type'],
  // decisions/0146-a-batch-that-is-sent-twice.md, 0150-creates-that-are-sent-twice.md
  'POST /eligibility-checks/v1/batch': ['idempotency_key'],
  'POST /appointments/v1': ['idempotency_key'],
  'POST /coverages/v1': ['idempotency_key'],
  'POST /eligibility-checks/v1/recommendation': ['idempotency_key'],
  'POST /images/v1': ['idempotency_key'],
  'POST /metadata-schemas/v1': ['idempotency_key'],
  'POST /notes/v1': ['idempotency_key'],
  'POST /organization-external-providers/v1': ['idempotency_key'],
  'POST /patients/v1': ['idempotency_key'],
  'POST /patients/v1/with_mrn': ['idempotency_key'],
}

/** Fields whose type differs from the contract's, and why. */
const OTHER_TYPES: Record<string, string> = {
  'CheckEligibilityRequest.date_of_service': 'described as the day that it must be',
  'Coverage.id': 'described as text, like the ids of all records',
  'OrganizationExternalProvider.id': 'described as text, like the ids of all records',
  'Coverage.previous_appointment_copays':
    'a map with four possible keys is written as an object with four optional fields',
  'MutableCoverage.previous_appointment_copays': 'the same',
  'CountsResponse.not_ready_reason_counts': 'the same, with one optional field a reason',
  'AvailityEligibilityResult.dateOfService': 'a date-time, as the client reads it and as it was asked for',
  'FindAvailityEligibilityResultsRequest.date_of_service': 'a date-time, as the client sends it (rules.md 5)',
  'ExpandedMemberInfo.address': 'MemberAddress: the contract has two types named Address',
  'MemberInfo.date_of_birth': 'a published mock case sends 20040404 (rules.md 13.4)',
  'PatientMergeSearchRequest.limit': 'part of a record cannot be asked for',
}

if (!hasContract)
  process.stdout.write('The contract is not beside the repository: the comparison with it is left out.\n')

describe.skipIf(!hasContract)('against the published contract', () => {
  const contract = hasContract
    ? readOperations().map((published) => ({
        ...published,
        address: OUR_ADDRESSES[published.address] ?? published.address,
      }))
    : []
  const waiting = new Set(Object.values(pending).flat())
  const find = (address: string) => operations.find((operation) => operation.address === address)

  it('has every operation except the pending ones, and no other', () => {
    const missing = contract.map(({ address }) => address).filter((address) => !find(address))
    expect(missing.sort()).toEqual([...waiting].sort())
    const known = new Set(contract.map(({ address }) => address))
    const own = operations.filter((operation) => operation['x-anteroom-extension'])
    expect(own.filter(({ address }) => !address.includes(' /anteroom/v1/'))).toEqual([])
    const others = operations.filter((operation) => !own.includes(operation)).map(({ address }) => address)
    expect(others.filter((address) => !known.has(address))).toEqual([])
  })

  it.each(contract.filter(({ address }) => find(address)))(
    '$address has the same request and response',
    (published) => {
      const operation = find(published.address)!
      const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query')
      const names = query.map(({ name }) => name).filter((name) => !PARAMETERS[published.address]?.includes(name))
      expect(names.sort()).toEqual(published.query.toSorted())
      const [body] = Object.values(operation.requestBody?.content ?? {})
      const answer = operation.responses[200]
      const [content] = Object.values((answer && 'content' in answer && answer.content) || {})
      expect({ body: typeName(body?.schema), answer: typeName(content?.schema) }).toEqual({
        body: ourName(published.body, operation),
        answer: ourName(published.answer, operation),
      })
      expectDeclaredErrors(operation, published)
    },
  )

  const compared = hasContract
    ? readTypes()
        .map((type) => ({ ...type, ours: OUR_NAMES[`${type.section} ${type.name}`] ?? type.name }))
        .filter(({ ours, section }) => schemas[ours] && (ours !== 'Address' || section !== 'Coverages'))
    : []

  /** The types that operations refer to, directly or indirectly. */
  function namesReachedFrom(value: unknown, reached = new Set<string>()): Set<string> {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (reached.has(name)) continue
      reached.add(name)
      namesReachedFrom(schemas[name], reached)
    }
    return reached
  }

  it('has no type that the contract does not have', () => {
    const known = new Set(compared.map(({ ours }) => ours))
    // Unions and errors that the contract describes in prose.
    const described = new Set([
      'EligibilityRecommendationPayload',
      'Provider',
      'PatientMergeStatus',
      'RequestValidationError',
      'YesNoIndicator',
    ])
    const shown = namesReachedFrom(operations.filter((operation) => !operation['x-anteroom-extension']))
    expect([...shown].filter((name) => !known.has(name) && !described.has(name))).toEqual([])
  })

  it.each(compared)('$ours has the same fields and values', ({ ours, fields, values }) => {
    const schema = schemas[ours]!
    if (values) expect(schema.enum?.toSorted()).toEqual(values.toSorted())
    if (!fields) return
    expect(schema.required?.toSorted() ?? []).toEqual(namesOf(fields.filter(({ isRequired }) => isRequired)))
    const keys = Object.keys(schema.properties ?? {}).filter((key) => !ADDITIONS[ours]?.includes(key))
    expect(keys.sort()).toEqual(namesOf(fields))
    const typed = fields.filter(({ key }) => !(`${ours}.${key}` in OTHER_TYPES))
    const publishedTypes = Object.fromEntries(typed.map(({ key, type }) => [key, publishedType(type)]))
    expect(Object.fromEntries(typed.map(({ key }) => [key, fieldType(schema.properties?.[key])]))).toEqual(
      publishedTypes,
    )
  })
})

const aliases = hasContract ? readAliases() : new Map<string, string>()

/** A type of types.md in the notation of `fieldType`. It uses two ids without a definition, which are UUIDs (rules.md 1.3). */
function publishedType(type: string): string {
  if (type.endsWith('[]')) return `list of ${publishedType(type.slice(0, -2))}`
  if (type.startsWith('map<')) return 'map'
  return OUR_NAMES[type] ?? aliases.get(type) ?? (/^(Encounter|ServiceLine)Id$/.test(type) ? 'uuid' : type)
}

function fieldType(schema: JsonSchema | undefined): string | undefined {
  if (schema?.items) return `list of ${fieldType(schema.items)}`
  if (schema?.additionalProperties) return 'map'
  if (schema?.format === 'date-time') return 'datetime'
  return schema?.$ref?.split('/').at(-1) ?? schema?.format ?? schema?.type ?? 'any'
}

const namesOf = (fields: { key: string }[]) => [...new Set(fields.map(({ key }) => key))].sort()

function contentsOf({ requestBody, responses }: Operation) {
  const answer = responses[200]
  return Object.values({
    ...requestBody?.content,
    ...(answer && 'content' in answer && { answer: answer.content?.['application/json'] }),
  }).flatMap((content) => content ?? [])
}

/** A named type, a list of one, or none, in the notation of operations.md. */
function typeName(schema: JsonSchema | undefined): string | undefined {
  if (schema?.items) return `array of ${typeName(schema.items)}`
  return schema?.$ref?.split('/').at(-1) ?? (schema && 'any JSON')
}

function ourName(published: string | undefined, operation: Operation): string | undefined {
  if (published === undefined || published === 'none') return undefined
  if (published === 'array of the record') return `array of ${recordOf(operation)}`
  const [prefix, name = ''] = published.startsWith('array of ') ? ['array of ', published.slice(9)] : ['', published]
  return prefix + (OUR_NAMES[name] ?? name)
}

/** The record of a group: the answer of its `get`, otherwise of its `create`. */
function recordOf({ tags }: Operation): string | undefined {
  const ofGroup = operations.filter((operation) => operation.tags[0] === tags[0])
  const maker = ofGroup.find(({ operationId }) => operationId.endsWith('.create'))
  const [content] = maker ? contentsOf(maker).slice(-1) : []
  return typeName(content?.schema)
}

/**
 * The errors that the contract declares, and no others. Operations for which it declares none answer in the same envelope
 * (rules.md 1.4), and are declared here nevertheless.
 */
function expectDeclaredErrors(operation: Operation, published: ContractOperation): void {
  const declared = Object.values(operation.responses).flatMap((response) =>
    '$ref' in response ? (response.$ref.split('/').at(-1) ?? []) : [],
  )
  const ours = declared.filter((name) => !OF_EVERY_OPERATION.includes(name)).sort()
  if (published.errors.length > 0) expect(ours).toEqual(published.errors.toSorted())
}
