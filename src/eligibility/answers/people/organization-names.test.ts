import { describe, expect, it, test, vi } from 'vitest'
import { answerAbout } from '../../../../test/support/answers.ts'
import { type PatientAnswer, recognizePayer } from '../coverage/other-coverage.ts'
import { findOtherPayers } from '../coverage/other-payers.ts'
import { isSameOrganization, keysOf, organizationKey } from './organization-names.ts'

describe('the key of an organization', () => {
  it.each([
    ['NORTHWIND HEALTH PLAN', 'Northwind Health Plan, Inc.'],
    ['NORTHWIND HEALTH PLAN', 'The Northwind Health-Plan L.L.C.'],
    ['ACME', 'ACME CO., INC'],
  ])('is the same for %s and %s', (one, other) => {
    expect(organizationKey(one)).toBe(organizationKey(other))
  })

  it.each([
    ['NORTHWIND HEALTH PLAN', 'NORTHWIND'],
    ['NORTHWIND HEALTH OF TEXAS', 'NORTHWIND HEALTH OF OHIO'],
    ['INC', 'CO'],
  ])('differs for %s and %s', (one, other) => {
    expect(organizationKey(one)).not.toBe(organizationKey(other))
  })

  it.each([
    ['CIGNA', 'CIGNA HEALTH AND LIFE INSURANCE COMPANY', true],
    ['UNITEDHEALTHCARE', 'UNITED HEALTHCARE SERVICES, INC.', true],
    ['BCBS OF TEXAS', 'BLUE CROSS AND BLUE SHIELD OF TEXAS', true],
    ['BLUE CROSS', 'BLUE CROSS BLUE SHIELD OF MICHIGAN', false],
    ['ANTHEM', 'ANTHEM BLUE CROSS', false],
    ['OSCAR', 'OSCARVILLE HEALTH PLAN', false],
  ])('makes %s and %s the same insurer: %s', (one, other, expected) => {
    const keys = [one, other].map((name) => ({ name: organizationKey(name), id: '' }))
    expect(isSameOrganization(keys[0]!, keys[1]!)).toBe(expected)
  })

  it('without a name or an id equals no other', () => {
    const [nameless] = answerAbout('EB*R**30~LS*2120~NM1*PR*2~LE*2120~').benefits[0]?.entities ?? []
    expect(isSameOrganization(keysOf(nameless!), { name: '', id: '' })).toBe(false)
  })
})

test('the names of an answer are normalized once each, regardless of how many organizations it has', () => {
  const count = 5_000
  const payers = Array.from({ length: count }, (_, index) => `NM1*PRP*2*PAYER ${index}*****PI*${index}~`)
  const patient = answerAbout(
    `EB*1**30~EB*R**30~LS*2120~${payers.join('')}LE*2120~EB*U**30~LS*2120~${payers.join('')}LE*2120~`,
  )
  const parsed = { eligibility_status: 'ACTIVE' } as const
  const answer: PatientAnswer = { patient, payer: { id: 'P1', name: 'NORTHWIND' }, dateOfService: '2026-03-09', parsed }
  const named = patient.benefits.flatMap(({ entities }) => entities).length
  expect(named).toBeGreaterThan(9)
  // What is normalized is written in capitals, and nothing else here is.
  const capitals = vi.spyOn(String.prototype, 'toUpperCase')
  try {
    expect(findOtherPayers(recognizePayer(answer))?.other_payers.length).toBeGreaterThan(0)
    // A name and an id of each organization, and of the inquired payer.
    expect(capitals.mock.calls.length).toBeLessThanOrEqual(2 * named + 4)
    capitals.mockClear()
    findOtherPayers(recognizePayer(answer))
    expect(capitals.mock.calls.length).toBeLessThanOrEqual(4)
  } finally {
    capitals.mockRestore()
  }
})
