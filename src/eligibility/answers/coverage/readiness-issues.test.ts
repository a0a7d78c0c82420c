import { expect, test } from 'vitest'
import { answerText, readAnswer } from '../../../../test/support/answers.ts'
import { describeJudgment } from '../decode.ts'
import { recognizePayer } from './other-coverage.ts'
import { findReadinessIssues } from './readiness-issues.ts'
import { judgeEligibility } from './status.ts'

const ROWS = 1000
const request = { dateOfService: '2026-06-15', serviceTypeCodes: ['30'] }

/** How often the code of a row is read to find the readiness issues of an answer. */
async function readsOf(rows: string): Promise<number> {
  const [patient] = readAnswer(answerText(rows)).patients
  const judgment = judgeEligibility(patient!, request)
  const parsed = describeJudgment(patient!, judgment)
  let reads = 0
  const benefits = patient!.benefits.map((row) => {
    return new Proxy(row, {
      get(target, name) {
        if (name === 'code') reads++
        return Reflect.get(target, name)
      },
    })
  })
  const answer = { patient: { ...patient!, benefits }, payer: { id: 'P' }, dateOfService: '2026-06-15', parsed }
  expect(
    (await findReadinessIssues(recognizePayer(answer), judgment, { corrections: [], request })).length,
  ).toBeGreaterThan(0)
  return reads
}

test.each([
  ['services that have ended', 'EB*6**98~'],
  ['services that have ended beside active ones', 'EB*6**98~EB*1**1~'],
  ['services that are not covered', 'EB*I**98~'],
  ['spend-downs', 'EB*Y**30~MSG*SPEND DOWN NOT MET~'],
  ['other primary payers', 'EB*R**30~LS*2120~NM1*PRP*2*OTHER~LE*2120~'],
])('a payer that sends many rows of %s costs no more for each of them', async (_, row) => {
  const [few, many] = [await readsOf(`EB*1**30~${row}`), await readsOf(`EB*1**30~${row.repeat(ROWS)}`)]
  expect(many).toBeLessThan(few * ROWS)
})

async function issuesOf(rows: string, turn?: () => Promise<void>) {
  const [patient] = readAnswer(answerText(rows)).patients
  const judgment = judgeEligibility(patient!, request)
  const parsed = describeJudgment(patient!, judgment)
  const answer = { patient: patient!, payer: { id: 'P' }, dateOfService: '2026-06-15', parsed }
  return findReadinessIssues(recognizePayer(answer), judgment, { corrections: [], request, ...(turn && { turn }) })
}

test.each([
  ['spend-downs', 'EB*D**30~MSG*SPEND DOWN IS MET 01/01/2026'],
  ['limits', 'EB*D**30~MSG*EMERGENCY SERVICES ONLY'],
])('long texts about %s are evaluated in several turns of the event loop', async (_, row) => {
  let turns = 0
  const count = async () => void turns++
  await issuesOf(`EB*1**30~${row}~`, count)
  const few = turns
  await issuesOf(`EB*1**30~${`${row.padEnd(250, ' X')}~`.repeat(3000)}`, count)
  expect(turns - few).toBeGreaterThan(few + 5)
})

test('a row with more messages than are evaluated prevents READY', async () => {
  const rows = (count: number) => `EB*1**30~${'MSG*SEE PLAN DOCUMENT~'.repeat(count)}`
  expect(await issuesOf(rows(300))).toEqual([])
  const isCut = [{ kind: 'NO_COVER_FOR_SERVICE', note: 'more texts than can be evaluated: read them' }]
  expect(await issuesOf(rows(301))).toEqual(isCut)
  // A text of III is evaluated behind those of MSG.
  expect(await issuesOf(`${rows(300)}III**44*COVERAGE TERMINATED~`)).toEqual(isCut)
})
