import type pg from 'pg'
import { expect, it } from 'vitest'
import type { Statement } from './database.ts'
import { createPreparedForms, FORMS_MAX, SENDINGS_BEFORE } from './prepared-forms.ts'

function newConnection() {
  const sent: string[] = []
  const client = {
    query: async (text: string) => {
      sent.push(text)
    },
  }
  return { sent, client: client as unknown as pg.ClientBase }
}

const formOf = (n: number): Statement => ({ text: `select ${n}`, hasOnePlan: true })
const nameOf = (statement: Statement | string) => (typeof statement === 'string' ? undefined : statement.name)

it('prepares a form that is sent often, under one name on every connection', () => {
  const forms = createPreparedForms()
  const [one, other] = [newConnection(), newConnection()]
  for (let sending = 1; sending < SENDINGS_BEFORE; sending++)
    expect(nameOf(forms.prepared(one.client, formOf(1)))).toBeUndefined()
  const name = nameOf(forms.prepared(one.client, formOf(1)))
  expect(name).toBeDefined()
  expect(nameOf(forms.prepared(other.client, formOf(1)))).toBe(name)
})

it('prepares no more forms than fit into the memory of a connection, however many are sent', () => {
  const forms = createPreparedForms()
  const { client } = newConnection()
  const names = new Set<string | undefined>()
  for (let n = 0; n < 2 * FORMS_MAX; n++)
    for (let sending = 0; sending <= SENDINGS_BEFORE; sending++) names.add(nameOf(forms.prepared(client, formOf(n))))
  names.delete(undefined)
  expect(names.size).toBe(FORMS_MAX)
})

it('prepares no statement whose plan depends on its values', () => {
  const forms = createPreparedForms()
  const { client } = newConnection()
  for (let sending = 0; sending < 2 * SENDINGS_BEFORE; sending++)
    expect(nameOf(forms.prepared(client, { text: 'select 1' }))).toBeUndefined()
})

it('uses no plan for long, because tables grow', () => {
  let now = 0
  const forms = createPreparedForms(() => now)
  const [one, other] = [newConnection(), newConnection()]
  const send = ({ client }: typeof one) => forms.prepared(client, formOf(1))
  for (let sending = 0; sending < SENDINGS_BEFORE; sending++) send(one)
  now = 29_999
  send(one)
  expect(one.sent).toEqual([])
  now = 30_000
  send(other)
  send(one)
  send(one)
  expect(one.sent).toEqual(['discard plans'])
  expect(other.sent).toEqual([])
})
