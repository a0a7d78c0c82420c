import { expect, it } from 'vitest'
import { readBenefitRow } from './benefit-row.ts'
import { joinServices } from './join-services.ts'
import type { BenefitRow } from './model.ts'

const delimiters = { element: '*', component: ':', segment: '~', repetition: '^' }
const row = readBenefitRow({ id: 'EB', elements: ['EB', 'I'], ordinal: 0 }, delimiters)
const rowOf = (...serviceTypeCodes: string[]): BenefitRow => ({ ...row, serviceTypeCodes })

it('makes one row of rows of one key, with every service once, and leaves rows without a key apart', () => {
  const rows = [rowOf('1', '2'), rowOf('30'), rowOf('2', '3'), rowOf('30')]
  const joined = joinServices(rows, ({ serviceTypeCodes }) => (serviceTypeCodes.includes('30') ? undefined : 'alike'))
  expect(joined.map(({ serviceTypeCodes }) => serviceTypeCodes)).toEqual([['1', '2', '3'], ['30'], ['30']])
})

it('joins very many services, each told by itself', () => {
  // Work that grew with the square of this would not be done before the runner gives up.
  const rows = Array.from({ length: 300_000 }, (_, index) => rowOf(String(index)))
  expect(joinServices(rows, () => 'alike').map(({ serviceTypeCodes }) => serviceTypeCodes.length)).toEqual([300_000])
})
