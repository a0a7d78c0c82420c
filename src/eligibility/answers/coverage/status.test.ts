import { expect, test } from 'vitest'
import { answerAbout, SUBSCRIBER } from '../../../../test/support/answers.ts'
import { type InquiryContext, judgeEligibility } from './status.ts'

function judge(rows: string, context: InquiryContext = {}, levelDates = '') {
  return judgeEligibility(answerAbout(rows, SUBSCRIBER + levelDates), context)
}

test.each(['1', '2', '3', '4', '5'])('EB01 %s on the plan is ACTIVE', (code) => {
  expect(judge(`EB*${code}**30~`).status).toBe('ACTIVE')
})

test.each(['6', '7', '8'])('EB01 %s on the plan is INACTIVE', (code) => {
  expect(judge(`EB*${code}**30~`).status).toBe('INACTIVE')
})

test.each(['9', '10', '01', 'AA', 'V', 'U', 'I', 'R', ''])('EB01 "%s" alone never makes coverage', (code) => {
  expect(judge(`EB*${code}**30~`).status).toBe('UNKNOWN')
})

test('a row without service type is about the plan, as 4010 payers write it', () => {
  expect(judge('EB*6~EB*1**88~').status).toBe('INACTIVE')
})

test('an active plan besides a terminated one is ACTIVE and chosen', () => {
  const { status, chosen } = judge('EB*6**30**OLD PLAN~EB*1**30**NEW PLAN~')
  expect(status).toBe('ACTIVE')
  expect(chosen?.planDescription).toBe('NEW PLAN')
})

test('a terminated plan stays INACTIVE even when a carve-out such as pharmacy is active', () => {
  expect(judge('EB*6**30~EB*1**88~EB*1**35~').status).toBe('INACTIVE')
})

test('a dental payer that answers only its own services is ACTIVE', () => {
  expect(judge('EB*1**35~EB*6**41~').status).toBe('ACTIVE')
  expect(judge('EB*6**35~').status).toBe('INACTIVE')
})

test('a request for one service is evaluated by the rows of that service when there is no plan row', () => {
  const rows = 'EB*1**98~EB*6**35~'
  expect(judge(rows, { serviceTypeCodes: ['35'] }).status).toBe('INACTIVE')
  expect(judge(rows, { serviceTypeCodes: ['98'] }).status).toBe('ACTIVE')
  expect(judge(rows, { serviceTypeCodes: ['30', '35'] }).status).toBe('ACTIVE')
})

test('a rejection alone is UNKNOWN, and that of a single benefit does not cancel active coverage', () => {
  expect(judge('', {}, 'AAA*N**75*C~').status).toBe('UNKNOWN')
  expect(judge('EB*1**30~AAA*N**42*R~').status).toBe('ACTIVE')
})

test('services that are not covered or cannot be answered do not affect the status', () => {
  expect(judge('EB*I**30~').status).toBe('UNKNOWN')
  expect(judge('EB*1**30~EB*I**98~').status).toBe('ACTIVE')
})

test.each([
  ['plan end', 'DTP*347*D8*20260228~'],
  ['plan range', 'DTP*291*RD8*20250101-20260228~'],
  ['eligibility end', 'DTP*357*D8*20260228~'],
  ['eligibility range', 'DTP*307*RD8*20250101-20260228~'],
  ['policy expiration', 'DTP*540*D8*20260228~'],
])('coverage whose %s lies before the date of service is INACTIVE', (_, dates) => {
  expect(judge('EB*1**30~', { dateOfService: '2026-02-28' }, dates).status).toBe('ACTIVE')
  expect(judge('EB*1**30~', { dateOfService: '2026-03-01' }, dates).status).toBe('INACTIVE')
  expect(judge('EB*1**30~', {}, dates).status).toBe('ACTIVE')
})

test.each(['346', '539'])('coverage that begins (DTP %s) after the date of service is INACTIVE', (qualifier) => {
  const dates = `DTP*${qualifier}*D8*20260401~`
  expect(judge('EB*1**30~', { dateOfService: '2026-03-31' }, dates).status).toBe('INACTIVE')
  expect(judge('EB*1**30~', { dateOfService: '2026-04-01' }, dates).status).toBe('ACTIVE')
})

test('an echo of the inquiry date does not end the coverage', () => {
  const echo = 'DTP*307*RD8*20260101-20260101~'
  expect(judge('EB*1**30~', { dateOfService: '2026-03-01' }, echo).status).toBe('ACTIVE')
})

test('a second plan year continues the coverage after the first has ended', () => {
  const years = 'DTP*291*RD8*20250101-20251231~DTP*291*RD8*20260101-20261231~'
  expect(judge('EB*1**30~', { dateOfService: '2026-03-01' }, years).status).toBe('ACTIVE')
})

test('of several active plans the one in force on the date of service is chosen', () => {
  const rows = 'EB*1**30**FIRST~DTP*347*D8*20251231~EB*1**30**SECOND~DTP*346*D8*20260101~'
  const { status, chosen } = judge(rows, { dateOfService: '2026-03-01' })
  expect(status).toBe('ACTIVE')
  expect(chosen?.planDescription).toBe('SECOND')
  expect(judge(rows, { dateOfService: '2025-12-31' }).chosen?.planDescription).toBe('FIRST')
})

test("a plan row's own end counts when the patient's level has no dates", () => {
  const { status, reason } = judge('EB*1**30~DTP*347*D8*20251231~', { dateOfService: '2026-03-01' })
  expect(status).toBe('INACTIVE')
  expect(reason).toBe(
    'The payer reports active coverage for the plan, but it is not in force on 2026-03-01: ended 2025-12-31.',
  )
})

test('an unreadable date of service or date of the payer is ignored', () => {
  expect(judge('EB*1**30~', { dateOfService: 'soon' }, 'DTP*347*D8*20200101~').status).toBe('ACTIVE')
  expect(judge('EB*1**30~', { dateOfService: '2026-03-01' }, 'DTP*347*D8*20201399~').status).toBe('ACTIVE')
})
