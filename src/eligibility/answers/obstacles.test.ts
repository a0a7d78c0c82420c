import { expect, test } from 'vitest'
import { answerText, readAnswer } from '../../../test/support/answers.ts'
import { describeJudgement } from './decode.ts'
import { findObstacles } from './obstacles.ts'
import { judgeEligibility } from './status.ts'

const ROWS = 1000
const request = { dateOfService: '2026-06-15', serviceTypeCodes: ['30'] }

/** How often the code of a row is read to find the obstacles of an answer. */
function readsOf(rows: string): number {
  const [patient] = readAnswer(answerText(rows)).patients
  const judgement = judgeEligibility(patient!, request)
  const parsed = describeJudgement(patient!, judgement)
  let reads = 0
  const benefits = patient!.benefits.map((row) => {
    return new Proxy(row, {
      get(target, name) {
        if (name === 'code') reads++
        return Reflect.get(target, name)
      },
    })
  })
  const finding = { patient: { ...patient!, benefits }, payer: { id: 'P' }, dateOfService: '2026-06-15', parsed }
  expect(findObstacles(finding, judgement, { corrections: [], request }).length).toBeGreaterThan(0)
  return reads
}

test.each([
  ['services that have ended', 'EB*6**98~'],
  ['services that have ended beside active ones', 'EB*6**98~EB*1**1~'],
  ['services that are not covered', 'EB*I**98~'],
  ['spend-downs', 'EB*Y**30~MSG*SPEND DOWN NOT MET~'],
  ['other primary payers', 'EB*R**30~LS*2120~NM1*PRP*2*OTHER~LE*2120~'],
])('a payer that sends many rows of %s costs no more for each of them', (_, row) => {
  const [few, many] = [readsOf(`EB*1**30~${row}`), readsOf(`EB*1**30~${row.repeat(ROWS)}`)]
  expect(many).toBeLessThan(few * ROWS)
})
