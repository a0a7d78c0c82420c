import { describe, expect, it } from 'vitest'
import type { CoverageBenefits, ServiceCoverage } from '../answers/wire.ts'
import { mergeBenefits } from './merge-benefits.ts'

const service = (service_code: string, copay: number): ServiceCoverage => ({
  service_code: service_code as ServiceCoverage['service_code'],
  in_network: { copay: { individual: copay } },
  in_network_flat: [{ type: 'COPAY', coverageLevel: 'INDIVIDUAL', unit: 'CURRENCY', value: copay }],
})
const broad: CoverageBenefits = {
  plan_coverage: { in_network: { deductible: { individual: 500 } } },
  service_specific_coverage: ['1', '33', '47', '48', '50', '86', '88', '98', 'UC'].map((code) => service(code, 20)),
  notes: 'FIRST NOTE',
  benefits_related_entities: [{ entityIdentifier: 'Primary Care Provider', entityName: 'DOC' }],
  autoUpdatedEligibilityCheckId: 'first',
}
const known = { benefits: broad, source: { id: 'first', day: '2026-03-01', status: 'ACTIVE' as const } }
const check = { id: 'second', day: '2026-03-10' }
const LABEL = 'As of 2026-03-01 (check first)'

describe('benefits of several checks', () => {
  it('a narrow check adds its service to those of a broad one, which are labeled with their check and day', () => {
    const fresh = { service_specific_coverage: [service('98', 45)], notes: 'SECOND NOTE' }
    const merged = mergeBenefits(known, check, { eligibility_status: 'ACTIVE', benefits: fresh })
    expect(merged?.autoUpdatedEligibilityCheckId).toBe('second')
    const services = merged?.service_specific_coverage ?? []
    expect(services.map(({ service_code }) => service_code)).toEqual([
      '1',
      '33',
      '47',
      '48',
      '50',
      '86',
      '88',
      '98',
      'UC',
    ])
    for (const each of services) {
      if (each.service_code === '98') expect(each).toEqual(service('98', 45))
      else {
        expect(each.in_network).toEqual({ copay: { individual: 20 }, additional_notes: LABEL })
        expect(each.in_network_flat?.[0]?.additional_notes).toBe(LABEL)
      }
    }
    expect(merged?.plan_coverage?.in_network).toMatchObject({
      deductible: { individual: 500 },
      additional_notes: LABEL,
    })
    expect(merged?.notes?.split('\n')).toEqual([
      'SECOND NOTE',
      `${LABEL}: FIRST NOTE`,
      `${LABEL}: Primary Care Provider, DOC`,
    ])
    expect(merged).not.toHaveProperty('benefits_related_entities')
  })

  it('a label stays through later checks', () => {
    const second = mergeBenefits(known, check, {
      eligibility_status: 'ACTIVE',
      benefits: { service_specific_coverage: [service('98', 45)] },
    })!
    const source = { id: 'second', day: check.day, status: 'ACTIVE' as const }
    const third = mergeBenefits(
      { benefits: second, source },
      { id: 'third', day: '2026-03-20' },
      { eligibility_status: 'ACTIVE', benefits: { service_specific_coverage: [service('UC', 60)] } },
    )!
    const labels = Object.fromEntries(
      (third.service_specific_coverage ?? []).map((each) => [each.service_code, each.in_network?.additional_notes]),
    )
    expect(labels).toMatchObject({ '98': 'As of 2026-03-10 (check second)', '1': LABEL })
    expect(labels.UC).toBeUndefined()
  })

  it('a broad check leaves nothing of the one before but services that it does not speak of', () => {
    const fresh = {
      plan_coverage: { in_network: { deductible: { individual: 100 } } },
      service_specific_coverage: broad.service_specific_coverage?.slice(1) ?? [],
    }
    const merged = mergeBenefits(known, check, { eligibility_status: 'ACTIVE', benefits: fresh })
    expect(merged?.plan_coverage).toEqual(fresh.plan_coverage)
    expect(
      merged?.service_specific_coverage
        ?.filter(({ in_network }) => in_network?.additional_notes !== undefined)
        .map(({ service_code }) => service_code),
    ).toEqual(['1'])
    expect(merged?.notes).toBeUndefined()
  })

  it('INACTIVE removes the earlier benefits, and a note states it', () => {
    expect(mergeBenefits(known, check, { eligibility_status: 'INACTIVE' })).toEqual({
      notes: 'Inactive on 2026-03-10.',
      autoUpdatedEligibilityCheckId: 'second',
    })
  })

  it.each([
    [{ start_date: '2026-04-01' }, 'The plan begins 2026-04-01.'],
    [{ start_date: '2025-01-01', end_date: '2026-02-28' }, 'The plan ended 2026-02-28.'],
    [{ start_date: '2026-01-01', end_date: '2026-12-31' }, undefined],
  ])('INACTIVE says why, if the plan has days: %j', (plan_metadata, why) => {
    const { notes } = mergeBenefits(known, check, { eligibility_status: 'INACTIVE', plan_metadata })!
    expect(notes?.split('\n')).toEqual(['Inactive on 2026-03-10.', ...(why ? [why] : [])])
  })

  it('ACTIVE after INACTIVE brings nothing back from before', () => {
    const inactive = mergeBenefits(known, check, { eligibility_status: 'INACTIVE' })!
    const merged = mergeBenefits(
      { benefits: inactive, source: { ...check, status: 'INACTIVE' } },
      { id: 'third', day: '2026-03-11' },
      { eligibility_status: 'ACTIVE', benefits: { service_specific_coverage: [service('98', 45)] } },
    )
    expect(merged).toEqual({ service_specific_coverage: [service('98', 45)], autoUpdatedEligibilityCheckId: 'third' })
  })

  it.each(['ACTIVE', 'INACTIVE'] as const)(
    '%s on an earlier day than is known changes nothing',
    (eligibility_status) => {
      expect(
        mergeBenefits(known, { id: 'late', day: '2025-12-01' }, { eligibility_status, benefits: {} }),
      ).toBeUndefined()
    },
  )

  it('nothing of another year stays, and UNKNOWN changes nothing', () => {
    const merged = mergeBenefits(
      known,
      { id: 'next', day: '2027-01-02' },
      { eligibility_status: 'ACTIVE', benefits: { service_specific_coverage: [service('98', 45)] } },
    )
    expect(merged?.service_specific_coverage).toHaveLength(1)
    expect(mergeBenefits(known, check, { eligibility_status: 'UNKNOWN' })).toBeUndefined()
  })

  it('an ACTIVE answer without figures labels the known benefits, and those that a user wrote as not from a check', () => {
    const merged = mergeBenefits({ benefits: { service_specific_coverage: [service('98', 5)] } }, check, {
      eligibility_status: 'ACTIVE',
    })
    expect(merged?.service_specific_coverage?.[0]?.in_network?.additional_notes).toBe('Not from a check')
    expect(mergeBenefits(undefined, check, { eligibility_status: 'ACTIVE' })).toBeUndefined()
  })
})
