import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hasTooManyParameters, normalizePath, PARAMETERS_MAX, routedUrl } from './paths.ts'

it.each([
  ['/coverages/v1//x', '/coverages/v1/x'],
  ['/coverages/v1/', '/coverages/v1'],
  ['//coverages///v1//', '/coverages/v1'],
  ['/coverages/v1/?a=//b/', '/coverages/v1?a=//b/'],
  ['/coverages/v1?next=/', '/coverages/v1?next=/'],
  ['/', '/'],
  ['//', '/'],
  ['//?a', '/?a'],
  ['http://desk.example:4000/coverages/v1/?a=http://b/', '/coverages/v1?a=http://b/'],
  ['HTTPS://desk.example', '/'],
  ['http://desk.example?a', '/?a'],
  ['/http://desk.example/x', '/http:/desk.example/x'],
  ['*', '*'],
])('%s is %s', (url, expected) => {
  expect(normalizePath({ url })).toBe(expected)
})

it('is idempotent, never changes the query, and accepts any text', () => {
  const url = fc.string({ unit: fc.constantFrom(...'/a?.%=&') }).map((text) => `/${text}`)
  fc.assert(
    fc.property(url, (text) => {
      const once = normalizePath({ url: text })
      expect(normalizePath({ url: once })).toBe(once)
      expect(once.split('?').slice(1)).toEqual(text.split('?').slice(1))
      expect(once.split('?')[0]).not.toMatch(/\/\/|.\/$/)
    }),
  )
})

it('is quick on a hostile run of slashes', () => {
  expect(normalizePath({ url: `${'/'.repeat(100_000)}a${'/'.repeat(100_000)}` })).toBe('/a')
})

it('a URL of more parameters than any call needs is routed without them, before they are read', () => {
  const url = (count: number) => `/p/?${Array.from({ length: count }, (_, index) => `n${index}=`).join('&')}`
  const [most, more] = [url(PARAMETERS_MAX), url(PARAMETERS_MAX + 1)]
  expect([hasTooManyParameters(most), routedUrl({ url: most })]).toEqual([false, most.replace('/p/', '/p')])
  expect([hasTooManyParameters(more), routedUrl({ url: more })]).toEqual([true, '/p'])
  expect(hasTooManyParameters('/p')).toBe(false)
})
