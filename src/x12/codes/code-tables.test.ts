// The codes alone: the whole client is three thousand files.
import { InsuranceTypeCode } from 'candidhealth/api/resources/preEncounter/resources/coverages/resources/v1/types/InsuranceTypeCode.js'
import { ServiceTypeCode } from 'candidhealth/api/resources/preEncounter/resources/coverages/resources/v1/types/ServiceTypeCode.js'
import { describe, expect, it } from 'vitest'
import { benefitNames } from './benefits.ts'
import { entityNames } from './entities.ts'
import { insuranceTypeNames } from './insurance-types.ts'
import { placeOfServiceNames } from './places-of-service.ts'
import { followUpActionNames, rejectReasonNames, subjectOfReason } from './rejections.ts'
import { serviceTypeNames } from './service-types.ts'

describe('code tables', () => {
  it.each([
    ['service type', serviceTypeNames, ServiceTypeCode],
    ['insurance type', insuranceTypeNames, InsuranceTypeCode],
  ])('name every %s that the published client knows', (_, names, codes) => {
    expect(Object.keys(names).sort()).toEqual(Object.values(codes).sort())
    expect(Object.values(names).every((name) => name !== '')).toBe(true)
  })

  it('have no entry for the name of a built-in property', () => {
    for (const code of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
      expect(benefitNames[code]).toBeUndefined()
      expect(serviceTypeNames[code]).toBeUndefined()
    }
  })

  it('name codes in words, not in identifiers of this program', () => {
    const tables = {
      benefitNames,
      entityNames,
      insuranceTypeNames,
      placeOfServiceNames,
      rejectReasonNames,
      serviceTypeNames,
    }
    const names = Object.values(tables).flatMap((table) => Object.values(table))
    expect(names.filter((name) => /[a-z][A-Z][a-z]/.test(name))).toEqual([])
    expect([insuranceTypeNames.CO, insuranceTypeNames.TF]).toEqual([
      'Consolidated Omnibus Budget Reconciliation Act (COBRA)',
      'Tax Equity Fiscal Responsibility Act (TEFRA)',
    ])
  })

  it('name reject reasons and follow-up actions as X12 does', () => {
    expect(rejectReasonNames['72']).toBe('Invalid/Missing Subscriber/Insured ID')
    expect(rejectReasonNames['04']).toBe('Authorized Quantity Exceeded')
    expect(followUpActionNames.C).toBe('Please Correct and Resubmit')
  })

  it('give no subject to reject reasons that X12 does not define', () => {
    expect(['RC', 'constructor', undefined].map(subjectOfReason)).toEqual([undefined, undefined, undefined])
  })
})
