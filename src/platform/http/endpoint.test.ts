import Fastify from 'fastify'
import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { describeInterface } from './documentation/openapi.ts'
import { endpoint, registerEndpoint } from './endpoint.ts'
import { describeScopes } from './scopes.ts'

const Greeting = Type.Object({ greeting: Type.String() })

const greet = endpoint({
  operation: 'greetings.get',
  method: 'GET',
  path: '/greetings/v1/:name',
  summary: 'Greets.',
  query: Type.Object({ times: Type.Optional(Type.Integer()) }),
  answer: Greeting,
  errors: [],
  access: 'public',
  handle: async (deps: { word: string }, { params, query }) => ({
    greeting: `${deps.word.repeat(query.times ?? 1)} ${params.name}`,
  }),
})

const vocabulary = {
  info: { title: 'Greetings', version: '1', summary: '', description: '', license: {} },
  schemas: { Greeting },
  groups: { greetings: 'Greetings.' },
  parameters: {},
  examples: { schemas: {}, fields: {} },
}

it('an operation is described and has its scope without its dependencies', () => {
  const { paths, components } = describeInterface([greet], vocabulary)
  expect(paths['/greetings/v1/{name}']?.get?.operationId).toBe('greetings.get')
  expect(components.schemas.Greeting?.required).toEqual(['greeting'])
  expect(describeScopes([{ ...greet, access: undefined as never }])).toHaveProperty('greetings:read')
})

it('a handler receives its dependencies at each call, and its query with the types of the schema', async () => {
  const app = Fastify()
  registerEndpoint(app, greet, { word: 'Hello' })
  const answer = await app.inject({ method: 'GET', url: '/greetings/v1/Iris?times=2' })
  expect(answer.json()).toEqual({ greeting: 'HelloHello Iris' })
  await app.close()
})

it('an operation without its dependencies does not compile', () => {
  const app = Fastify()
  // @ts-expect-error the handler needs a word
  registerEndpoint(app, greet, { words: 'Hello' })
  // @ts-expect-error a declaration does not say that it may be called with nothing
  expect(() => greet.handle({}, {})).toBeTypeOf('function')
})
