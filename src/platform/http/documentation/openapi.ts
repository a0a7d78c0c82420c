// OpenAPI 3.1, generated from the endpoints: requests are described by the same schemas that route and validate them
// (decisions/0006-openapi.md).
import type { TSchema } from 'typebox'
import type { ErrorName } from '../../../contract/errors.ts'
import { type Endpoint, requiresBody } from '../endpoint.ts'
import { describeScopes, scopeOf } from '../scopes.ts'
import { CSRF_HEADER, SESSION_COOKIE } from '../session-cookie.ts'
import * as errorSchemas from './openapi-errors.ts'
import { type ErrorDescription, errorDescriptions } from './openapi-errors.ts'
import { type ExampleSource, exampleOf } from './openapi-examples.ts'
import { type Components, collectComponents, type JsonSchema } from './openapi-schemas.ts'

/** The texts of a description that are not in the declarations of its endpoints. */
export interface Vocabulary {
  info: { title: string; version: string; summary: string; description: string; license: object }
  /** The names of schemas; a schema without one is written out where it is used. */
  schemas: Readonly<Record<string, TSchema>>
  /** A sentence for each group of operations, by the first segment of their paths, in the order of the document. */
  groups: Readonly<Record<string, string>>
  /** A sentence for each parameter, by name. */
  parameters: Readonly<Record<string, string>>
  examples: ExampleSource
}

export interface OpenApiDocument {
  openapi: string
  info: Vocabulary['info']
  servers: { url: string; description: string }[]
  security: Record<string, string[]>[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    securitySchemes: Record<string, object>
    responses: Record<string, Response>
    schemas: Record<string, JsonSchema>
  }
}

export interface Operation {
  operationId: string
  summary: string
  deprecated?: boolean
  tags: string[]
  /** True for operations that Anteroom adds to the published interface. */
  'x-anteroom-extension'?: true
  /** Empty: public. */
  security: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, Response | { $ref: string }>
}

export interface Parameter {
  name: string
  in: 'path' | 'query'
  required: boolean
  description: string
  schema: JsonSchema
}

export interface Response {
  description: string
  content?: Content
}

export type Content = Record<string, { schema: JsonSchema; example?: unknown }>

/** Describes the endpoints, in their order. */
export function describeInterface(endpoints: readonly Endpoint[], vocabulary: Vocabulary): OpenApiDocument {
  const components = collectComponents({ ...vocabulary.schemas, ...(errorSchemas as object) })
  const paths: OpenApiDocument['paths'] = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = {
      ...paths[path],
      [endpoint.method.toLowerCase()]: describeOperation(endpoint, vocabulary, components),
    }
  }
  const used = new Set(endpoints.map(({ path }) => groupOf(path)))
  return {
    openapi: '3.1.0',
    info: vocabulary.info,
    servers: [{ url: '/', description: 'The service that this description came from.' }],
    security: securityOf(),
    tags: Object.entries(vocabulary.groups)
      .filter(([name]) => used.has(name))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: describeSecurity(endpoints),
      responses: describeErrors(endpoints, components),
      schemas: components.schemas(),
    },
  }
}

const describeSecurity = (endpoints: readonly Endpoint[]) => ({
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The access token of `auth.getToken`.' },
  clientCredentials: {
    type: 'oauth2',
    description:
      'Exchanges a client id and secret for an access token. The permissions belong to the client and may change while the token is valid. A client has every scope unless it was limited.',
    flows: { clientCredentials: { tokenUrl: '/api/auth/v2/token', scopes: describeScopes(endpoints) } },
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: SESSION_COOKIE,
    description: `The session of a person, which \`session.create\` begins (over TLS the name begins with \`__Host-\`). What it permits follows from the person's role. A call that may change something carries the session's \`csrf_token\` in the header \`${CSRF_HEADER}\`. It is ignored where an Authorization header is sent.`,
  },
})

/** Any scheme, with the scope that an operation requires. */
const securityOf = (...scopes: string[]): Record<string, string[]>[] => [
  { bearer: scopes },
  { clientCredentials: scopes },
  { session: scopes },
]

function securityOfOperation(endpoint: Endpoint): Record<string, string[]>[] {
  if (endpoint.access === 'public') return []
  return endpoint.access === 'session' ? [{ session: [] }] : securityOf(scopeOf(endpoint))
}

function describeOperation(endpoint: Endpoint, vocabulary: Vocabulary, components: Components): Operation {
  const content = (schema: TSchema): Content[string] => {
    const example = exampleOf(schema, vocabulary.examples, components.nameOf)
    return { schema: components.refer(schema), ...(example !== undefined && { example }) }
  }
  const parameters = [...pathParameters(endpoint, vocabulary), ...queryParameters(endpoint, vocabulary, components)]
  const body = endpoint.body && content(endpoint.body)
  return {
    operationId: endpoint.operation,
    summary: endpoint.summary,
    ...(endpoint.deprecated && { deprecated: true }),
    tags: [groupOf(endpoint.path)],
    ...(endpoint.path.startsWith(OWN_PREFIX) && { 'x-anteroom-extension': true as const }),
    security: securityOfOperation(endpoint),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: requiresBody(endpoint),
        content: Object.fromEntries((endpoint.bodyTypes ?? ['application/json']).map((type) => [type, body])),
      },
    }),
    responses: {
      200: endpoint.answer
        ? {
            description: 'Done.',
            ...(endpoint.answerHeaders && { headers: describeHeaders(endpoint.answerHeaders) }),
            content: { [endpoint.answerType ?? 'application/json']: content(endpoint.answer) },
          }
        : { description: 'Success; the response has no body.' },
      ...errorResponses(endpoint),
    },
  }
}

const describeHeaders = (headers: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  )

/** The path prefix of operations that Anteroom adds to the interface. */
const OWN_PREFIX = '/anteroom/v1/'

/** The group of an operation, or of a resource, by its path. */
export const groupOf = (path: string) => path.replace(/^\/api/, '').split('/')[1] ?? ''

function pathParameters(endpoint: Endpoint, vocabulary: Vocabulary): Parameter[] {
  return [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: endpoint.parameters?.[name] ?? vocabulary.parameters[name] ?? '',
    schema: name === 'version' ? { type: 'string', pattern: '^-?\\d+$' } : { type: 'string' },
  }))
}

function queryParameters(endpoint: Endpoint, { parameters }: Vocabulary, components: Components): Parameter[] {
  const { properties = {}, required = [] } = (endpoint.query ?? {}) as JsonSchema
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description: parameters[name] ?? '',
    schema: components.refer(schema),
  }))
}

function errorResponses(endpoint: Endpoint): Operation['responses'] {
  const declared: ErrorName[] =
    endpoint.access === 'public' ? endpoint.errors : [...endpoint.errors, 'UnauthorizedError']
  const byStatus = declared
    .map((name) => [errorDescriptions[name].status, { $ref: `#/components/responses/${name}` }] as const)
    .sort(([a], [b]) => a - b)
  return {
    ...Object.fromEntries(byStatus),
    ...(endpoint.access !== 'public' && { 403: { $ref: '#/components/responses/MissingScope' } }),
    default: { $ref: '#/components/responses/OtherError' },
  }
}

function describeErrors(endpoints: readonly Endpoint[], components: Components): Record<string, Response> {
  const declared = new Set<ErrorName>(['UnauthorizedError', ...endpoints.flatMap(({ errors }) => errors)])
  const named = Object.entries(errorDescriptions)
    .filter(([name]) => declared.has(name as ErrorName))
    .map(([name, error]) => [name, describeError(name, error, components)])
  const missingScope = describeError('UnauthorizedError', errorSchemas.missingScope, components)
  return { ...Object.fromEntries(named), MissingScope: missingScope, OtherError: otherError }
}

function describeError(name: string, error: ErrorDescription, components: Components): Response {
  const properties = { errorName: { type: 'string', const: name }, content: components.refer(error.content) }
  return {
    description: error.description,
    content: {
      'application/json': {
        schema: { type: 'object', required: ['errorName', 'content'], properties },
        example: { errorName: name, content: error.example },
      },
    },
  }
}

const otherError: Response = {
  description:
    'Any other refusal or failure, in the same envelope: a malformed request (400, 422), too large a body (413), another content type (415), too many requests (429), a failure of the service (500, 503).',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['errorName', 'content'],
        properties: { errorName: { type: 'string' }, content: {} },
      },
      example: { errorName: 'BadRequestError', content: errorDescriptions.BadRequestError.example },
    },
  },
}
