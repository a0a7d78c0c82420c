import { describe, expect, it } from 'vitest'
import { explainError, type Inputs, refusalsBeside, refusedFields } from './errors.ts'
import { mayCall } from './scopes.ts'

it('states what happened and what to do, for every kind of failure', () => {
  for (const status of [0, 400, 403, 404, 409, 413, 422, 429, 500, 503, -1]) {
    const { title, advice } = explainError({ status, message: '' })
    expect(title.length, String(status)).toBeGreaterThan(5)
    expect(advice.length, String(status)).toBeGreaterThan(10)
  }
  expect(explainError({ status: 400, message: 'birth_date must be a date' }).advice).toBe('Birth date must be a date.')
})

it.each([
  ['primary_address.postal_code must match the pattern', 'Address › ZIP code must match the pattern.'],
  [
    'name.given[0] must not be empty; npi is not valid',
    'Name › First and middle names must not be empty; NPI is not valid.',
  ],
  ['invalid settings: url must start with https://', 'Invalid settings: Address must start with https://.'],
  ['name must match pattern "^[a-z0-9][a-z0-9-]{0,49}$"', 'Name has an invalid format.'],
  ['days_ahead must be <= 30', 'Days ahead must be at most 30.'],
  ['name must NOT have more than 500 characters', 'Name must have at most 500 characters.'],
  ['days_ahead must be integer', 'Days ahead must be a whole number.'],
  ['services must NOT have fewer than 1 items', 'Services must have at least 1 items.'],
  ['this side has an image', 'This side has an image.'],
])('names the field of "%s" as the form does', (message, advice) => {
  expect(explainError({ status: 400, message }).advice).toBe(advice)
})

it.each([
  ['birth_date must not be in the future', 'birth_date', 'Must not be in the future.'],
  [
    'primary_address.line[0] must NOT have more than 500 characters',
    'primary_address.line[0]',
    'Must have at most 500 characters.',
  ],
  ['username is taken', 'username', 'This is taken.'],
  ['fields[1].enum_values needs at least one value', 'fields[1].enum_values', 'This needs at least one value.'],
  ['value holds a NUL character', 'value', 'This holds a NUL character.'],
])('says beside the field what "%s" refuses', (message, path, words) => {
  for (const status of [400, 409, 422]) expect(refusedFields({ status, message })).toEqual([{ path, words }])
  for (const status of [403, 404, 500]) expect(refusedFields({ status, message })).toEqual([])
  expect(refusedFields({ status: 409, message, content: { latest_version: 3 } })).toEqual([])
})

it('says all that is refused of the settings of a connector, each beside its field', () => {
  const message = 'invalid settings: url must start with https://; senderId must have at most 15 characters'
  expect(refusedFields({ status: 400, message })).toEqual([
    { path: 'url', words: 'Must start with https://.' },
    { path: 'senderId', words: 'Must have at most 15 characters.' },
  ])
})

it('says what is not about fields on top of the form', () => {
  for (const message of [
    '',
    'this side has an image',
    'an organization has at most 50 webhooks',
    'url is wrong; try again later',
  ])
    expect(refusedFields({ status: 400, message }), message).toEqual([])
})

describe('beside the inputs of a form', () => {
  const of = (message: string, sent: Inputs, now = sent) => refusalsBeside({ status: 400, message }, sent, now)

  it('finds the input whose path the refused one begins with', () => {
    const inputs = { event_types: 'x', visit_services: '', 'visit_services.MD_Visit': '98' }
    expect(of('event_types[0] must not be blank', inputs)).toEqual({ event_types: 'Must not be blank.' })
    expect(of('visit_services.MD_Visit[0] is unknown', inputs)).toEqual({
      'visit_services.MD_Visit': 'This is unknown.',
    })
    expect(of('event_type must be known', inputs)).toBeUndefined()
  })

  it('says on top what is about an input that has changed since, or about none as well', () => {
    expect(of('url must use https', { url: 'http://x' }, { url: 'https://x' })).toBeUndefined()
    expect(of('url must use https; tls must be an object', { url: 'http://x' })).toBeUndefined()
  })
})

it.each([
  ['too many requests: try again in 846 s', 'Try again in 15 minutes.'],
  ['too many requests: try again in 42 s', 'Try again in 42 seconds.'],
  ['', 'Try again in a moment.'],
])('says how long to wait as people say it: %s', (message, advice) => {
  expect(explainError({ status: 429, message }).advice).toBe(advice)
})

it('says that a file was not accepted, and that a page was not loaded, and not that the page has an error', () => {
  const { title, advice } = explainError({ status: 415, message: 'the content is no image' })
  expect(`${title}. ${advice}`).toMatch(/file was not accepted.*Details: The content is no image\./)
  for (const message of [
    'Unable to preload CSS for /console/assets/week.css',
    'Failed to fetch dynamically imported module: http://x/week.js',
    'error loading dynamically imported module: http://x/week.js',
    'Importing a module script failed.',
  ])
    expect(explainError({ status: -1, message }).title, message).toBe('This page could not be loaded')
  expect(explainError({ status: -1, message: 'x is undefined' }).title).toBe('An error occurred on this page')
})

it('does not describe every conflict as a change by another user', () => {
  expect(explainError({ status: 409, message: '', content: { latest_version: 3 } }).title).toMatch(/Another user/)
  expect(explainError({ status: 409, message: 'this side has an image' })).toEqual({
    title: 'This conflicts with stored data',
    advice: 'Correct your entry and try again. Details: This side has an image.',
  })
})

it('hides operations that the server would reject, by their scopes', () => {
  expect(mayCall(['*:read'], 'patients.get')).toBe(true)
  expect(mayCall(['*:read'], 'patients.update')).toBe(false)
  expect(mayCall(['patients:write'], 'patients.update')).toBe(true)
  expect(mayCall(['*:read', '*:write'], 'storedChecks.getMessages')).toBe(false)
  expect(mayCall([], 'session.get')).toBe(true)
})
