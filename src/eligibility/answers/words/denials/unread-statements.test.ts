// A visit is not READY while the payer says of the coverage what nobody understands, and the front desk reads the payer's sentence.
import { describe, expect, test } from 'vitest'
import { DOORS, throughDoor } from '../../../../../test/support/answer-doors.ts'
import { answerText, REQUEST } from '../../../../../test/support/answers.ts'
import { unreadStatementIn } from './unread-statements.ts'

const ask = (rows: string, door: (typeof DOORS)[number] = 'x12') =>
  throughDoor(door, answerText(rows), { ...REQUEST, payerId: 'NWH01' })
const issuesOf = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).readinessIssues ?? []

test.each(DOORS)('through %s, the payer is quoted once', async (door) => {
  const { readinessIssues = [], parsedResponse } = await ask(
    'EB*1**30*PR*GOLD~MSG*COVERAGE HAS BEEN ZORBED 02/28/2026~',
    door,
  )
  expect(parsedResponse?.eligibility_status).toBe('ACTIVE')
  expect(readinessIssues.map(({ kind }) => kind)).toEqual(['NO_COVER_FOR_SERVICE'])
  expect(readinessIssues[0]?.note).toMatch(/^read what the payer says: .*COVERAGE HAS BEEN ZORBED 02\/28\/2026/)
  expect(parsedResponse?.benefits?.notes).not.toContain("Payer's note: COVERAGE")
})

describe('whatever the verb is', () => {
  const subjects = ['COVERAGE', 'THIS POLICY', 'THE MEMBER', 'ELIGIBILITY', 'MBR', 'YOUR PLAN', 'EMPLOYER GROUP']
  test.each(subjects)('%s', (subject) => {
    const says = [
      'ZORBED',
      'WAS ZORBED ON 02/28/2026',
      'ZORBED OUT OF THE PLAN',
      'DOES NOT ZORB',
      'NEVER ZORBED THE QUIX',
    ]
    expect(says.filter((words) => unreadStatementIn(`${subject} ${words}`) === undefined)).toEqual([])
  })
})

test.each([
  'COVERAGE MAY BE ZORBED',
  'IF THE PREMIUM IS LATE COVERAGE IS ZORBED',
  'CLAIMS ARE ZORBED',
  'DENTAL COVERAGE IS ZORBED',
  'PLAN IS ZORBED BY NORTHWIND LIFE',
  'PLAN ZORBS ROUTINE EXAMS',
  'MEMBER HAS NOT ZORBED THE DEDUCTIBLE',
  'BENEFITS ARE NOT GUARANTEED',
  'COVERAGE HAS NOT BEEN',
  'MEMBER ID: ZORBED',
  'GROUP NAME ZORBED HOLDINGS',
])('nothing is held for: %s', (sentence) => {
  expect(unreadStatementIn(sentence)).toBeUndefined()
})

test('what is known to be a denial is reported as one, and not twice', async () => {
  const notes = (await issuesOf('EB*1**30*PR*GOLD~MSG*POLICY ZORBED. COVERAGE TERMINATED 02/28/2026~')).map(
    ({ note }) => note,
  )
  expect(notes).toHaveLength(1)
  expect(notes[0]).toMatch(/^the payer's text contradicts the active coverage/)
})

test('a plan that another row states without such a text is in force', async () => {
  const other = 'EB*1**30*PR*SILVER~'
  expect(await issuesOf(`EB*1**30*PR*GOLD~MSG*POLICY ZORBED~${other}`)).toEqual([])
})
