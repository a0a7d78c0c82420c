import { expect, it } from 'vitest'
import { describeRecommendation, namesItself } from './recommendations.ts'

it('a copay is explained without X12 segments', () => {
  const exposition =
    'The payer states an in-network copay of $30 for an office visit, by its row EB*B*IND*98 (Office Visit, Individual); it also states $50 by EB*B**98 (Office Visit, SPECIALIST (ANY)).'
  const { title, todo } = describeRecommendation({
    type: 'COPAY_ESTIMATION',
    payload: { structured_response: 3000, exposition },
  })
  expect(title).toBe('Copay to collect: $30')
  expect(todo).toBe(
    'The payer states an in-network copay of $30 for an office visit, by its row (Office Visit, Individual); it also states $50 by its row (Office Visit, SPECIALIST (ANY)).',
  )
})

it.each([
  [{ payer_id: '61101', payer_name: 'HUMANA' }, true],
  [{ payer_name: 'Humana' }, true],
  [{ payer_id: '60054', payer_name: 'HUMANA' }, false],
  [{ payer_name: 'AETNA' }, false],
  [{}, false],
])('tells a plan that pays instead of the asked one from the asked one itself: %o', (named, isItself) => {
  const asked = { payer_id: '61101', payer_name: 'HUMANA' }
  const payload = { ma_benefit: {}, member_id: 'H1', ...named }
  expect(namesItself({ type: 'MEDICARE_ADVANTAGE', payload }, asked)).toBe(isItself)
  expect(namesItself({ type: 'MEDICARE_ADVANTAGE', payload }, undefined)).toBe(false)
})
