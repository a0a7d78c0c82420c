import { describe, expect, it } from 'vitest'
import type { CoverageDetails } from '../api/generated.ts'
import { othersOf, uncoveredOf } from './plan-figures.ts'

const figure = { type: 'DEDUCTIBLE', coverageLevel: 'INDIVIDUAL', unit: 'CURRENCY', value: 500 } as const

describe('figures of the plan besides the bars', () => {
  it('lists those with a condition or another period, and none that a bar shows', () => {
    const flat: CoverageDetails[] = [
      { ...figure, additional_notes: 'Calendar Year' },
      { ...figure, value: 0, additional_notes: 'Calendar Year; TIER 1' },
      { ...figure, type: 'OOP_MAX', coverageLevel: 'FAMILY', value: 9000, additional_notes: 'Episode' },
    ]
    const others = othersOf({ in_network: { deductible: { individual: 500 } }, in_network_flat: flat })
    expect(others.map(({ where, text, note }) => [where, text, note])).toEqual([
      ['In network', '$0 deductible', 'Calendar Year; TIER 1'],
      ['In network', '$9,000 out-of-pocket maximum (family)', 'Episode'],
    ])
  })

  it('lists a figure of both networks once', () => {
    const flat: CoverageDetails[] = [{ ...figure, additional_notes: 'Medicare Part A' }]
    expect(othersOf({ in_network_flat: flat, out_of_network_flat: flat })).toHaveLength(1)
    expect(othersOf({ in_network_flat: flat, out_of_network_flat: flat })[0]?.where).toBe('In and out of network')
    expect(othersOf(undefined)).toEqual([])
  })
})

describe('services that are not covered', () => {
  it('are named, each text once, with any amount', () => {
    const none = { type: 'NON_COVERED', coverageLevel: 'INDIVIDUAL', unit: 'COUNT', value: 0 } as const
    expect(
      uncoveredOf([
        { ...none, service_type_codes: ['AL'], additional_notes: 'ROUTINE EXAM' },
        { ...none, service_type_codes: ['35'], additional_notes: 'ROUTINE EXAM' },
        { ...none, additional_notes: 'Procedure HC 99999' },
        { ...none, unit: 'CURRENCY', value: 500, service_type_codes: ['48'] },
      ]),
    ).toEqual([
      { services: 'Vision (Optometry), Dental Care', note: 'ROUTINE EXAM' },
      { services: 'A service that the response does not name', note: 'Procedure HC 99999' },
      { services: 'Hospital - Inpatient', note: '$500' },
    ])
    expect(uncoveredOf(undefined)).toEqual([])
  })
})
