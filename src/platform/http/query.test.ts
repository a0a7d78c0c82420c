import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { queryReader, statedParameters } from './query.ts'

it.each([
  ['/p', {}, {}],
  ['/p?limit=5&page_token=', { limit: '5', page_token: '' }, { limit: '5', page_token: '' }],
  ['/p?page_token&limit=5', { page_token: '', limit: '5' }, { limit: '5' }],
  ['/p?limit=5&page_token', { limit: '5', page_token: '' }, { limit: '5' }],
  ['/p?mrn&mrn=', { mrn: ['', ''] }, { mrn: ['', ''] }],
  ['/p?&limit=5&', { limit: '5' }, { limit: '5' }],
  ['/p?unknown=x&limit=5', { unknown: 'x', limit: '5' }, { limit: '5' }],
])('%s has the parameters with a value', (url, query, stated) => {
  expect(statedParameters({ url, query }, ['limit', 'page_token', 'mrn'])).toEqual(stated)
})

it.each([
  ['2026-01-15T09:30Z', '2026-01-15T09:30:00.000Z'],
  ['2026-01-15T09:30-05:00', '2026-01-15T14:30:00.000Z'],
  ['2026-01-15T09:30:15Z', '2026-01-15T09:30:15.000Z'],
  // None of these is a date-time with an offset, so validation refuses them.
  ['2026-01-15T09:30', '2026-01-15T09:30'],
  ['2026-01-15T09:61Z', '2026-01-15T09:61:00Z'],
  ['2026-01-15T09Z', '2026-01-15T09Z'],
  ['x2026-01-15T09:30Zx', 'x2026-01-15T09:30Zx'],
])('a date-time parameter %s, as Java writes one, is read as %s', (sent, read) => {
  const reader = queryReader(
    Type.Object({ since: Type.String({ format: 'date-time' }), mrn: Type.Optional(Type.String()) }),
  )
  expect(reader({ url: `/p?since=${sent}`, query: { since: sent } })).toEqual({ since: read })
  // A text stays as it is.
  expect(reader({ url: `/p?mrn=${sent}`, query: { mrn: sent } })).toEqual({ mrn: sent })
})
