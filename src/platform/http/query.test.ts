import { expect, it } from 'vitest'
import { statedParameters } from './query.ts'

it.each([
  ['/p', {}, {}],
  ['/p?limit=5&page_token=', { limit: '5', page_token: '' }, { limit: '5', page_token: '' }],
  ['/p?page_token&limit=5', { page_token: '', limit: '5' }, { limit: '5' }],
  ['/p?limit=5&page_token', { limit: '5', page_token: '' }, { limit: '5' }],
  ['/p?mrn&mrn=', { mrn: ['', ''] }, { mrn: ['', ''] }],
  ['/p?&limit=5&', { limit: '5' }, { limit: '5' }],
])('%s has the parameters with a value', (url, query, stated) => {
  expect(statedParameters({ url, query })).toEqual(stated)
})
