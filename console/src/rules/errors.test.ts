import { expect, it } from 'vitest'
import { explainError, refusedField } from './errors.ts'
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
])('says beside the field what "%s" refuses', (message, path, words) => {
  for (const status of [400, 422]) expect(refusedField({ status, message })).toEqual({ path, words })
  expect(refusedField({ status: 409, message })).toBeUndefined()
})

it('says what is not about one field on top of the form', () => {
  for (const message of ['', 'this side has an image', 'invalid settings: url must start with https://'])
    expect(refusedField({ status: 400, message }), message).toBeUndefined()
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
