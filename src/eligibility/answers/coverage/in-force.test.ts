// Coverage that has not begun or has ended on the date of the visit. Source: x12-271.md 5, rule 6.
import { describe, expect, test } from 'vitest'
import { answerAbout, SUBSCRIBER } from '../../../../test/support/answers.ts'
import { decodePatient } from '../decode.ts'
import { unreadableDates } from './in-force.ts'
import { judgeEligibility } from './status.ts'

const DAY = '2026-03-01'
const judge = (level: string, row = '', member = SUBSCRIBER) =>
  judgeEligibility(answerAbout(`EB*1**30~${row}`, member + level), { dateOfService: DAY })
const statusOf = (...parts: Parameters<typeof judge>) => judge(...parts).status

const BEGINS = ['346', '348', '356', '539']
const ENDS = ['341', '347', '349', '357', '540']
const RANGES = ['291', '292', '307']

/** The same date at the member's level and under the row that determines the status. */
const places = [
  ['at the level', (date: string) => judge(date)],
  ['under the row', (date: string) => judge('', date)],
] as const

test('a date behind endless blanks is unreadable like any other text', () => {
  // Quadratic work on this length would run into the time limit of the tests.
  const { benefits } = answerAbout(`EB*1**30~DTP*307*RD8*20260101-${' '.repeat(1_400_000)}x~`)
  expect(unreadableDates(benefits[0]!.dates)).toEqual(['307'])
})

describe.each(places)('a date %s', (_, judged) => {
  test.each(BEGINS)('DTP %s: coverage begins on that day and not a day before, with the reason', (qualifier) => {
    expect(judged(`DTP*${qualifier}*D8*20260301~`).status).toBe('ACTIVE')
    const later = judged(`DTP*${qualifier}*D8*20270101~`)
    expect(later).toMatchObject({ status: 'INACTIVE', alert: 'not in force on 2026-03-01: begins 2027-01-01' })
    expect(later.reason).toContain('begins 2027-01-01')
  })

  test.each(ENDS)('DTP %s: coverage ends with that day, with the reason', (qualifier) => {
    expect(judged(`DTP*${qualifier}*D8*20260301~`).status).toBe('ACTIVE')
    const ended = judged(`DTP*${qualifier}*D8*20260228~`)
    expect(ended).toMatchObject({ status: 'INACTIVE', alert: 'not in force on 2026-03-01: ended 2026-02-28' })
  })

  test.each([...RANGES, ...BEGINS])('DTP %s as a range holds on its days only', (qualifier) => {
    for (const days of ['20260301-20261231', '20250101-20260301', '20260101-99991231']) {
      expect(judged(`DTP*${qualifier}*RD8*${days}~`).status).toBe('ACTIVE')
    }
    expect(judged(`DTP*${qualifier}*RD8*20250101-20260228~`).reason).toContain('ended 2026-02-28')
    expect(judged(`DTP*${qualifier}*RD8*20260302-20261231~`).reason).toContain('begins 2026-03-02')
    expect(judged(`DTP*${qualifier}*RD8*20260101-20251231~`).status, 'cancelled from its first day').toBe('INACTIVE')
  })

  test.each(RANGES)('two ranges (DTP %s) with a gap between do not hold in the gap', (qualifier) => {
    const years = `DTP*${qualifier}*RD8*20250101-20251231~DTP*${qualifier}*RD8*20260401-20261231~`
    expect(judged(years)).toMatchObject({
      status: 'INACTIVE',
      alert: 'not in force on 2026-03-01: begins 2026-04-01',
    })
    expect(judged(`${years}DTP*${qualifier}*RD8*20260101-20260331~`).status).toBe('ACTIVE')
  })

  test('an invalid date is ignored', () => {
    for (const raw of ['202601', '2020', '20201399', '00000000', '20200230', 'SOON', '13/31/2020', '', '0']) {
      for (const qualifier of ENDS) expect(judged(`DTP*${qualifier}*D8*${raw}~`).status).toBe('ACTIVE')
    }
    expect(judged('DTP*291*RD8*SOON-20251231~').status, 'the end of a range is a date of its own').toBe('INACTIVE')
    expect(judged('DTP*291*RD8*20270101-SOON~').status).toBe('INACTIVE')
    expect(judged('DTP*346*D8*20270101~DTP*346*D8*SOON~').status).toBe('INACTIVE')
  })

  test.each(ENDS)('DTP %s ends the coverage in every spelling of its day', (qualifier) => {
    for (const raw of ['2025-12-31', '2025/12/31', '12/31/2025', '2025-01-01-2025-12-31', '20250101 - 20251231']) {
      expect(judged(`DTP*${qualifier}*D8*${raw}~`)).toMatchObject({
        status: 'INACTIVE',
        alert: 'not in force on 2026-03-01: ended 2025-12-31',
      })
    }
  })

  test.each([
    ['346', '347'],
    ['348', '349'],
    ['356', '357'],
  ])('periods from DTP %s to DTP %s do not hold in the gap between them', (begin, end) => {
    const periods = (...days: [string, string][]) =>
      days.map(([first, last]) => `DTP*${begin}*D8*${first}~DTP*${end}*D8*${last}~`).join('')
    expect(judged(periods(['20250101', '20250630'], ['20260901', '20271231']))).toMatchObject({
      status: 'INACTIVE',
      alert: 'not in force on 2026-03-01: begins 2026-09-01',
    })
    expect(judged(periods(['20260901', '20271231'], ['20250101', '20250630'])).status).toBe('INACTIVE')
    expect(judged(periods(['20240101', '20240630'], ['20260101', '20261231'])).status).toBe('ACTIVE')
    expect(judged(periods(['20250101', '20260301'], ['20260901', '20271231'])).status).toBe('ACTIVE')
  })

  test.each(['340', '290', '435', '771', '636', '102', '342', '343'])(
    'DTP %s says nothing of the coverage',
    (qualifier) => {
      expect(judged(`DTP*${qualifier}*D8*20270101~DTP*${qualifier}*RD8*20200101-20200102~`).status).toBe('ACTIVE')
    },
  )
})

test('an eligibility range of one day is an echo; a plan year of one day is not', () => {
  expect(statusOf('DTP*307*RD8*20260101-20260101~')).toBe('ACTIVE')
  expect(statusOf('DTP*291*RD8*20260101-20260101~')).toBe('INACTIVE')
})

test('a single day besides a range is an echo, and does not extend it', () => {
  expect(statusOf('DTP*291*RD8*20250101-20251231~DTP*291*D8*20260301~')).toBe('INACTIVE')
  expect(statusOf('DTP*291*RD8*20260101-20261231~DTP*291*D8*20260301~')).toBe('ACTIVE')
})

test('a range without a readable beginning ends the coverage, and never makes it begin', () => {
  for (const qualifier of ['539', '346', '291']) {
    const half = `DTP*${qualifier}*RD8*20269999-20260701~`
    expect(statusOf(half)).toBe('ACTIVE')
    expect(statusOf(`DTP*${qualifier}*RD8*20360529-20371231~${half}`)).toBe('INACTIVE')
    expect(statusOf(`DTP*${qualifier}*RD8*20200101-20301231~DTP*${qualifier}*RD8*20269999-20260201~`)).toBe('INACTIVE')
  }
})

test('every kind of date must include the day: a continuing policy does not extend an ended plan', () => {
  expect(statusOf('DTP*539*D8*20100101~DTP*346*D8*20270101~')).toBe('INACTIVE')
  expect(statusOf('DTP*357*D8*99991231~DTP*347*D8*20251231~')).toBe('INACTIVE')
  expect(judge('DTP*346*D8*20270101~DTP*357*D8*20251231~').alert).toBe(
    'not in force on 2026-03-01: ended 2025-12-31; the payer also lists a newer period that begins on 2027-01-01: ask the payer',
  )
  expect(judge('DTP*291*RD8*20240101-20241231~DTP*291*D8*20250601~')).toMatchObject({
    status: 'INACTIVE',
    alert: expect.stringContaining('a newer period that begins on 2025-06-01'),
  })
})

test('coverage includes the date of death and ends after it', () => {
  expect(judge('DTP*442*D8*20260228~')).toMatchObject({
    status: 'INACTIVE',
    alert: 'not in force on 2026-03-01: the payer has 2026-02-28 as the date of death',
  })
  expect(statusOf('DTP*442*D8*20260301~')).toBe('ACTIVE')
})

test('benefit dates end the coverage only when every active row of the plan has them', () => {
  const ended = 'DTP*349*D8*20251231~'
  expect(statusOf('', `${ended}EB*1**30**SECOND~`)).toBe('ACTIVE')
  expect(statusOf('', `${ended}EB*1**30**SECOND~DTP*292*RD8*20250101-20251231~`)).toBe('INACTIVE')
})

describe("a dependent's dates", () => {
  const family = (subscriber: string, dependent: string) =>
    judgeEligibility(
      answerAbout('EB*1**30~', `${SUBSCRIBER}${subscriber}HL*4*3*23*0~NM1*03*1*MARLOWE*FINN~${dependent}`),
      { dateOfService: DAY },
    ).status

  test("take precedence over the subscriber's dates of the same kind", () => {
    expect(family('DTP*347*D8*20251231~', 'DTP*347*D8*20261231~')).toBe('ACTIVE')
    expect(family('DTP*347*D8*20261231~', 'DTP*347*D8*20251231~')).toBe('INACTIVE')
    expect(family('DTP*346*D8*20270101~', 'DTP*356*D8*20260101~')).toBe('ACTIVE')
  })

  test('do not hide the end of the policy, nor do unrelated dates', () => {
    expect(family('DTP*347*D8*20251231~', '')).toBe('INACTIVE')
    expect(family('DTP*347*D8*20251231~', 'DTP*346*D8*20200101~')).toBe('INACTIVE')
    expect(family('DTP*347*D8*20251231~', 'DTP*771*D8*20260101~')).toBe('INACTIVE')
  })

  test("are not affected by the subscriber's death, only by the dependent's own", () => {
    expect(family('DTP*442*D8*20200101~', '')).toBe('ACTIVE')
    expect(family('', 'DTP*442*D8*20200101~')).toBe('INACTIVE')
  })
})

test('the reason is in the notes of the parsed response', () => {
  const patient = answerAbout('EB*1**30~', `${SUBSCRIBER}DTP*346*D8*20270101~`)
  expect(decodePatient(patient, { dateOfService: DAY }).benefits?.notes).toBe(
    'ATTENTION: not in force on 2026-03-01: begins 2027-01-01',
  )
})

test('active coverage of single services lists the services in force on the day', () => {
  const patient = answerAbout('EB*1**88~EB*1**35^AL~EB*1**98~DTP*349*D8*20251231~')
  const { eligibility_status, benefits } = decodePatient(patient, { dateOfService: DAY })
  expect(eligibility_status).toBe('ACTIVE')
  expect(benefits?.notes).toMatch(/^ATTENTION: active for Pharmacy, Dental Care, Vision \(Optometry\) only/)
})
