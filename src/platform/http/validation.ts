import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { TObject, TSchema } from 'typebox'
import { isDate, isDateTime, isUuid } from '../../contract/formats.ts'

const formats = { date: isDate, 'date-time': isDateTime, uuid: isUuid }
/**
 * The schemas are part of this program and are validated with the OpenAPI document, so a start need not compile the
 * meta schema.
 */
const options = {
  formats,
  strict: false,
  validateFormats: true,
  meta: false,
  validateSchema: false,
  // Half of the time to compile, which a first call takes from everybody; the validation is as fast without it.
  code: { optimize: false },
}

/** The fault of one field: its path as the client wrote it, and a sentence that never repeats the value. */
export interface Fault {
  field: string
  message: string
}

type Validate = (value: unknown) => Fault | undefined

/** Bodies are validated unchanged; parameters arrive as text and are converted in place to the schema's types. */
const bodyAjv = new Ajv(options)
const parameterAjv = new Ajv({ ...options, coerceTypes: 'array' })

export const compileBody = faultFinders((schema) => bodyAjv.compile(withCheckedKeys(schema) as object))
export const compileParameters = faultFinders((schema) => parameterAjv.compile(schema))

/**
 * A schema is compiled for its first value: compiling all of them would cost every start 30 MB and half a second.
 * Operations that share a schema share its validation.
 */
function faultFinders(compile: (schema: TSchema) => ValidateFunction): (schema: TSchema) => Validate {
  const known = new WeakMap<TSchema, Validate>()
  return (schema) => {
    const found = known.get(schema) ?? faultFinder(() => compile(schema))
    known.set(schema, found)
    return found
  }
}

function faultFinder(compile: () => ValidateFunction): Validate {
  let validate: ValidateFunction | undefined
  return (value) => {
    validate ??= compile()
    return validate(value) ? undefined : describe(validate.errors ?? [])
  }
}

/**
 * The schema with every key of a union validated, regardless of the member: a member ignores unknown keys, so
 * `{"organization_name": "x", "last_name": 5}` would pass as an organization with a wrong last name stored beside it.
 */
function withCheckedKeys(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withCheckedKeys)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withCheckedKeys(value)]))
  if (!Array.isArray(copy.anyOf)) return copy
  const known = copy.anyOf.flatMap((member) => Object.entries((member as TObject).properties ?? {}))
  // A constant distinguishes the members; cleaning has kept only the keys of the selected one.
  if (known.some(([, property]) => 'const' in property)) return copy
  const properties: Record<string, { anyOf: unknown[] }> = {}
  for (const [key, property] of known) {
    properties[key] ??= { anyOf: [] }
    properties[key].anyOf.push(property)
  }
  return { ...copy, properties }
}

function describe(errors: ErrorObject[]): Fault {
  // Where a constant distinguishes the members of a union, the errors of the other members only state that; errors of
  // the selected member are more specific.
  const telling = errors.filter(({ keyword }) => keyword !== 'const' && keyword !== 'anyOf')
  // For a union the members' errors come first and the union's own last: the deepest path is the most specific.
  const candidates = telling.length > 0 ? telling : errors
  const error = candidates.reduce((best, each) => (depthOf(each) > depthOf(best) ? each : best))
  const path = error.instancePath
    .slice(1)
    .replaceAll(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.')
  if (error.keyword === 'required') {
    const missing = String(error.params.missingProperty)
    const field = path ? `${path}.${missing}` : missing
    return { field, message: `${field} is required` }
  }
  const field = path || 'body'
  return { field, message: `${field} ${sentence(error, errors)}` }
}

const depthOf = (error: ErrorObject) => error.instancePath.split('/').length

function sentence(error: ErrorObject, errors: ErrorObject[]): string {
  switch (error.keyword) {
    case 'const': {
      const tags = errors.filter(({ keyword, instancePath }) => {
        return keyword === 'const' && instancePath === error.instancePath
      })
      return `must be one of ${tags.map(({ params }) => params.allowedValue).join(', ')}`
    }
    // Only of a closed object: others lose such keys before.
    case 'additionalProperties':
      return `has the unknown key ${JSON.stringify(error.params.additionalProperty)}`
    case 'enum':
      return `must be one of ${(error.params.allowedValues as unknown[]).slice(0, 20).join(', ')}`
    case 'minLength':
      if (error.params.limit === 1) return 'must not be blank'
      return error.message ?? 'is too short'
    case 'format':
      return `must be a ${FORMAT_NAMES[String(error.params.format)] ?? error.params.format}`
    default:
      return error.message ?? 'is not valid'
  }
}

const FORMAT_NAMES: Record<string, string> = {
  date: 'date that exists (YYYY-MM-DD)',
  'date-time': 'date-time with an offset (2026-01-15T09:30:00.000Z)',
  uuid: 'UUID',
}
