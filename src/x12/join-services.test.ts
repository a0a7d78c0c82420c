import { expect, it } from 'vitest'
import { readBenefitRow } from './benefit-row.ts'
import { joinServices } from './join-services.ts'
import type { BenefitRow } from './model.ts'

const delimiters = { element: '*', component: ':', segment: '~', repetition: '^' }
const row = readBenefitRow({ id: 'EB', elements: ['EB', 'I'], ordinal: 0 }, delimiters)
const rowOf = (...serviceTypeCodes: string[]): BenefitRow => ({ ...row, serviceTypeCodes })

it('merges rows with the same key, lists every service once, and keeps rows without a key separate', () => {
  const rows = [rowOf('1', '2'), rowOf('30'), rowOf('2', '3'), rowOf('30')]
  const joined = joinServices(rows, ({ serviceTypeCodes }) => (serviceTypeCodes.includes('30') ? undefined : 'alike'))
  expect(joined.map(({ serviceTypeCodes }) => serviceTypeCodes)).toEqual([['1', '2', '3'], ['30'], ['30']])
})

it('merges very many services that each have their own row', () => {
  // Quadratic work on this size would run into the test runner's time limit.
  const rows = Array.from({ length: 300_000 }, (_, index) => rowOf(String(index)))
  expect(joinServices(rows, () => 'alike').map(({ serviceTypeCodes }) => serviceTypeCodes.length)).toEqual([300_000])
})
