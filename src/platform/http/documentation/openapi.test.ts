import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { type Endpoint, endpoint } from '../endpoint.ts'
import { docsPage } from './docs-page.ts'
import { describeInterface, type Vocabulary } from './openapi.ts'

const Kind = Type.Enum(['CAT', 'DOG'])
const Name = Type.Object({ text: Type.String() })
const MutablePet = Type.Object({
  name: Name,
  nick: Type.Optional(Name),
  kind: Type.Optional(Kind),
  'age?': Type.Optional(Type.Integer()),
  free: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})
const Pet = Type.Object({ id: Type.String(), version: Type.Integer(), ...MutablePet.properties })

const vocabulary: Vocabulary = {
  info: { title: 'Pets', version: '1.0.0', summary: 'Pets & <b>more</b>', description: '', license: {} },
  schemas: { Kind, Name, MutablePet, Pet },
  groups: { owners: 'Nobody uses these.', pets: 'Cats and dogs.' },
  parameters: { id: 'The id of the pet.' },
  examples: { schemas: { MutablePet: { name: { text: 'Rex' }, kind: 'DOG' } }, fields: { id: 'p-1' } },
}
const update: Endpoint = endpoint({
  operation: 'pets.update',
  method: 'PUT',
  path: '/pets/v1/:id/:version',
  summary: 'Replaces a pet.',
  parameters: { version: 'The next one.' },
  query: Type.Object({ force: Type.Optional(Type.Boolean()) }),
  body: MutablePet,
  answer: Pet,
  errors: ['NotFoundError', 'VersionConflictError'],
  handle: async () => undefined,
})
const list: Endpoint = endpoint({
  operation: 'pets.list',
  method: 'GET',
  path: '/pets/v1',
  summary: 'Lists pets.',
  answer: Type.Object({ items: Type.Array(Pet), total: Type.Integer() }),
  errors: [],
  access: 'public',
  handle: async () => undefined,
})

const document = describeInterface([update, list], vocabulary)
const operation = document.paths['/pets/v1/{id}/{version}']?.put
const { schemas } = document.components
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

describe('a schema', () => {
  it('is a component under its name wherever it is used, also where it is optional', () => {
    expect(schemas.MutablePet?.properties).toMatchObject({ name: ref('Name'), nick: ref('Name'), kind: ref('Kind') })
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(['Kind', 'MutablePet', 'Name', 'Pet', 'PetPage']))
  })

  it('keeps its keys, its required fields and its freedom to hold more', () => {
    expect(schemas.MutablePet).toMatchObject({ required: ['name'], properties: { 'age?': { type: 'integer' } } })
    expect(schemas.MutablePet).not.toHaveProperty('additionalProperties')
    expect(schemas.MutablePet?.properties?.free).toEqual({ type: 'object', additionalProperties: true })
  })

  it('of texts has the type string', () => {
    expect(schemas.Kind).toEqual({ type: 'string', enum: ['CAT', 'DOG'] })
  })
})

describe('an operation', () => {
  it('has its parameters, with their meaning for this operation', () => {
    expect(operation?.parameters).toMatchObject([
      { name: 'id', in: 'path', required: true, description: 'The id of the pet.' },
      { name: 'version', in: 'path', required: true, description: 'The next one.' },
      { name: 'force', in: 'query', required: false, schema: { type: 'boolean' } },
    ])
  })

  it('declares its errors, the missing token, and the common form of all other errors', () => {
    expect(Object.keys(operation?.responses ?? {})).toEqual(['200', '401', '403', '404', '409', 'default'])
    expect(document.components.responses.VersionConflictError?.content?.['application/json']?.schema).toMatchObject({
      properties: { errorName: { const: 'VersionConflictError' }, content: ref('VersionConflictErrorBody') },
    })
  })

  it('names the scope that its client needs, and the document lists it', () => {
    expect(operation?.security).toEqual([
      { bearer: ['pets:write'] },
      { clientCredentials: ['pets:write'] },
      { session: ['pets:write'] },
    ])
    expect(document.components.securitySchemes.clientCredentials).toMatchObject({
      flows: { clientCredentials: { scopes: { 'pets:write': 'Change pets.', admin: expect.any(String) } } },
    })
    expect(docsPage(document)).toContain('pets:write')
  })

  it('that is public needs no token and declares none missing', () => {
    expect(document.paths['/pets/v1']?.get).toMatchObject({ security: [] })
    expect(document.paths['/pets/v1']?.get?.responses).not.toHaveProperty('401')
  })

  it('shows the written example of the body, and the resulting record', () => {
    const body = { name: { text: 'Rex' }, kind: 'DOG' }
    expect(operation?.requestBody?.content['application/json']?.example).toEqual(body)
    expect(operation?.responses[200]).toMatchObject({
      content: { 'application/json': { example: { id: 'p-1', version: 1, ...body } } },
    })
  })

  it('shows no example when a text has no sample value', () => {
    const described = describeInterface([update], { ...vocabulary, examples: { schemas: {}, fields: {} } })
    expect(described.paths['/pets/v1/{id}/{version}']?.put?.requestBody?.content['application/json']).toEqual({
      schema: ref('MutablePet'),
    })
  })
})

describe('the document', () => {
  it('lists the groups that have operations', () => {
    expect(document.tags).toEqual([{ name: 'pets', description: 'Cats and dogs.' }])
  })

  it('is rendered as a page with escaped text', () => {
    const page = docsPage(document)
    expect(page).toContain('Pets &amp; &lt;b&gt;more&lt;/b&gt;')
    expect(page).toContain('<code>age?</code>')
    expect(page).not.toContain('<b>more')
  })
})
