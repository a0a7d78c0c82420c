// Generates the console's TypeScript types of the API from the description of the interface: `console/src/api/generated.ts`.
import type { EventTypes } from '../src/events/event-types.ts'
import type { describeProgram } from '../src/main/interface.ts'

type Schema = {
  $ref?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  type?: string | string[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
}
type Content = { content?: Record<string, { schema?: Schema }> }
type Operation = {
  operationId?: string
  security?: Record<string, string[]>[]
  parameters?: { name: string; in: string; required?: boolean; schema?: Schema }[]
  requestBody?: Content
  responses?: Record<string, Content>
}

const HEAD = `// Generated from openapi.json by \`npm run generate\`. Do not edit.\n`

export function describeConsoleApi(
  document: ReturnType<typeof describeProgram>,
  { subjects }: Pick<EventTypes, 'subjects'>,
): string {
  const { paths, components } = document as unknown as {
    paths: Record<string, Record<string, Operation>>
    components: { schemas: Record<string, Schema> }
  }
  const operations = Object.entries(paths)
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })))
    .filter(({ operation }) => operation.operationId !== undefined)
  const types = Object.entries(components.schemas).map(([name, schema]) => `export type ${name} = ${typeOf(schema)}\n`)
  const calls = operations.map(({ operation }) => `  '${operation.operationId}': ${typeOfCall(operation)}\n`)
  const addresses = operations.map(({ path, method, operation }) => {
    const scope = operation.security?.flatMap((each) => Object.values(each).flat())[0] ?? ''
    return `  '${operation.operationId}': ['${method.toUpperCase()}', '${path}', '${scope}'],\n`
  })
  const verbs = subjects.map(({ name, verbs: those }) => `  ${name}: ${JSON.stringify(those)},\n`)
  return [
    HEAD,
    ...types,
    `/** What each operation takes and what it answers. */\nexport type Operations = {\n${calls.join('')}}\n`,
    `export const addresses: { readonly [Name in keyof Operations]: readonly [method: string, path: string, scope: string] } = {\n${addresses.join('')}}\n`,
    `/** The subjects of events, with what can happen to each: \`patient.created\`. */\nexport const eventVerbs = {\n${verbs.join('')}} as const\n`,
  ].join('\n')
}

function typeOfCall({ parameters = [], requestBody, responses = {} }: Operation): string {
  const of = (place: string) => {
    const those = parameters.filter((parameter) => parameter.in === place)
    const properties = Object.fromEntries(those.map(({ name, schema = {} }) => [name, widen(schema, place)]))
    return typeOf({
      type: 'object',
      properties,
      required: those.filter((each) => each.required).map(({ name }) => name),
    })
  }
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
  const answer = success?.content?.['application/json']?.schema
  const body = requestBody?.content?.['application/json']?.schema
  return `{ path: ${of('path')}; query: ${of('query')}; body: ${body ? typeOf(body) : 'undefined'}; answer: ${answer ? typeOf(answer) : 'undefined'} }`
}

/** A number in a URL may be given as a number or as text. */
function widen(schema: Schema, place: string): Schema {
  const isPlain = schema.type === 'string' && !schema.enum
  return place === 'path' && isPlain ? { anyOf: [{ type: 'string' }, { type: 'number' }] } : schema
}

function typeOf(schema: Schema): string {
  if (schema.$ref) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return choices.map(typeOf).join(' | ')
  if (schema.allOf) return schema.allOf.map((each) => `(${typeOf(each)})`).join(' & ')
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(' | ')
  if (schema.type === 'array') return `(${typeOf(schema.items ?? {})})[]`
  if (schema.type === 'object') return typeOfObject(schema)
  return (
    { string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' }[schema.type ?? ''] ??
    'unknown'
  )
}

function typeOfObject({ properties = {}, required = [], additionalProperties }: Schema): string {
  const members = Object.entries(properties).map(
    ([name, schema]) => `${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`,
  )
  if (members.length > 0) return `{ ${members.join('; ')} }`
  const isOpen = additionalProperties !== undefined && additionalProperties !== false
  if (!isOpen) return 'Record<never, never>'
  return `Record<string, ${additionalProperties === true ? 'unknown' : typeOf(additionalProperties)}>`
}
