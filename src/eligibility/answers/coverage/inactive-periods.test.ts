import { expect, test } from 'vitest'
import { answerAbout } from '../../../../test/support/answers.ts'
import { findInactivePeriods } from './inactive-periods.ts'

const DAY = '2026-03-01'

test('a plan that an answer states as active and as inactive for the same people and network contradicts itself', () => {
  const found = (rows: string) => findInactivePeriods(answerAbout(rows).benefits, DAY).length
  expect(found('EB*1*IND*30**GOLD~EB*6*IND*30**Gold ~')).toBe(1)
  expect(found('EB*1*IND*30**GOLD~EB*6*FAM*30**GOLD~')).toBe(0)
  expect(found('EB*1*IND*30**GOLD~EB*6*IND*30*PR*GOLD~')).toBe(0)
  expect(found('EB*1*IND*30**GOLD~EB*6*IND*30**GOLD*******N~')).toBe(0)
  expect(found('EB*1*IND*30**GOLD~EB*6*IND*30**GOLD~DTP*347*D8*20251231~')).toBe(0)
  expect(found('EB*1*IND*30~EB*6*IND*30~')).toBe(0)
})

test('the work for an answer of thousands of active and inactive plans grows with their number, not with its square', () => {
  const lookedAt = (count: number) => {
    let looks = 0
    const plans = (code: number) => Array.from({ length: count }, (_, at) => `EB*${code}**30**${code} ${at}~`).join('')
    const { benefits } = answerAbout(plans(1) + plans(6))
    for (const row of benefits) {
      const { planDescription } = row
      const get = () => {
        looks += 1
        return planDescription
      }
      Object.defineProperty(row, 'planDescription', { get })
    }
    expect(findInactivePeriods(benefits, DAY)).toEqual([])
    return looks
  }
  expect(lookedAt(400)).toBeLessThanOrEqual(2 * lookedAt(200))
})
