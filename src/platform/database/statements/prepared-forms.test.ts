import { expect, it } from 'vitest'
import type { Statement } from '../database.ts'
import { createPreparedForms, FORMS_MAX, SENDINGS_BEFORE } from './prepared-forms.ts'

const formOf = (n: number): Statement => ({ text: `select ${n}`, hasOnePlan: true })
const nameOf = (statement: Statement | string) => (typeof statement === 'string' ? undefined : statement.name)

it('prepares a form that is sent often, under one name', () => {
  const forms = createPreparedForms()
  for (let sending = 1; sending < SENDINGS_BEFORE; sending++) expect(nameOf(forms.prepared(formOf(1)))).toBeUndefined()
  const name = nameOf(forms.prepared(formOf(1)))
  expect(name).toBeDefined()
  expect(nameOf(forms.prepared(formOf(1)))).toBe(name)
})

it('prepares no more forms than fit into the memory of a connection, however many are sent', () => {
  const forms = createPreparedForms()
  const names = new Set<string | undefined>()
  for (let n = 0; n < 2 * FORMS_MAX; n++)
    for (let sending = 0; sending <= SENDINGS_BEFORE; sending++) names.add(nameOf(forms.prepared(formOf(n))))
  names.delete(undefined)
  expect(names.size).toBe(FORMS_MAX)
})

it('prepares no statement whose plan depends on its values', () => {
  const forms = createPreparedForms()
  for (let sending = 0; sending < 2 * SENDINGS_BEFORE; sending++)
    expect(nameOf(forms.prepared({ text: 'select 1' }))).toBeUndefined()
})
