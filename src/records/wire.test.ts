import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { createVault } from '../platform/crypto/encryption.ts'
import { defineRecord } from './record.ts'
import { toArray, toStored, toWire } from './wire.ts'

const note = defineRecord({
  name: 'note',
  label: 'Note',
  mutable: Type.Object({ value: Type.String() }),
  example: { value: 'x' },
  pathVersions: {},
  patients: 'none',
  shows: ['created_at'],
})
const patient = defineRecord({
  name: 'patient',
  label: 'Patient',
  mutable: Type.Object({ social_security_number: Type.String() }),
  example: { social_security_number: '' },
  pathVersions: {},
  patients: 'itself',
  encrypts: ['social_security_number'],
})

const key = { organizationId: 'organization', id: 'id' }
const vault = createVault(randomBytes(32))
const columns = ['id', 'organization', 'f', '3', '2026-01-15 09:30:00+00', 'user', '2026-01-14 00:00:00+00']
const base = {
  id: 'id',
  organization_id: 'organization',
  deactivated: false,
  version: 3,
  updated_at: '2026-01-15T09:30:00.000Z',
  updating_user_id: 'user',
}

/** JSON as jsonb prints it: with a blank after every colon and comma. */
function jsonb(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jsonb).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, each]) => `${JSON.stringify(key)}: ${jsonb(each)}`)
    .join(', ')}}`
}

const onWire = (record: typeof note, body: object) => JSON.parse(toWire(record, [...columns, jsonb(body)], vault))

it.each([
  ['2026-01-15 09:30:00+00', '2026-01-15T09:30:00.000Z'],
  ['2026-01-15 09:30:00.1+00', '2026-01-15T09:30:00.100Z'],
  ['2026-01-15 09:30:59.042+00', '2026-01-15T09:30:59.042Z'],
  ['2026-01-15 09:30:59.999999+00', '2026-01-15T09:30:59.999Z'],
  ['0001-01-01 00:00:00+00', '0001-01-01T00:00:00.000Z'],
])('writes the time %s with milliseconds', (stored, shown) => {
  expect(JSON.parse(toWire(note, [...columns.with(4, stored).with(6, stored), '{}'], vault))).toMatchObject({
    updated_at: shown,
    created_at: shown,
  })
})

it('joins head columns and stored body into one JSON object', () => {
  expect(onWire(note, { value: 'a "b" \\ \n' })).toEqual({
    ...base,
    created_at: '2026-01-14T00:00:00.000Z',
    value: 'a "b" \\ \n',
  })
  expect(onWire(patient, {})).toEqual(base)
  expect(JSON.parse(toWire(patient, [...columns.with(2, 't'), '{}'], vault)).deactivated).toBe(true)
})

it('builds an array of zero, one and many texts', () => {
  expect([toArray([]), toArray(['1']), toArray(['{"a":1}', '2'])]).toEqual(['[]', '[1]', '[{"a":1},2]'])
})

it('encrypts the declared fields and decrypts them again, regardless of their text and the fields around them', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('"', '\\', 'encrypted:x', '"social_security_number": "encrypted:'),
  )
  fc.assert(
    fc.property(text, text, fc.jsonValue(), (number, language, free) => {
      const body = {
        language,
        social_security_number: number,
        custom_metadata: [{ free, social_security_number: language }],
      }
      const stored = JSON.parse(toStored(patient, key, body, vault))
      expect(stored.social_security_number).not.toBe(number)
      expect(onWire(patient, stored)).toEqual({ ...base, ...JSON.parse(JSON.stringify(body)) })
    }),
  )
})

it('shows a value from before its field was encrypted as it is', () => {
  expect(onWire(patient, { social_security_number: '123-45-6789' }).social_security_number).toBe('123-45-6789')
})

it('stores a body without such a field unchanged', () => {
  expect(toStored(note, key, { value: 'x' }, vault)).toBe('{"value":"x"}')
  expect(toStored(patient, key, { language: 'en' }, vault)).toBe('{"language":"en"}')
})
