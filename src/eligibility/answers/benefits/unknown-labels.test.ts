// A figure under a label that is not understood is listed with it and stands for nothing else. decisions/0190.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answerAbout } from '../../../../test/support/answers.ts'
import { decodePatient } from '../decode.ts'

/** Words that no list of the service has. */
const unknownWord = fc
  .string({ unit: fc.constantFrom('K', 'V', 'X', 'O', 'U', 'M'), minLength: 3, maxLength: 9 })
  .map((word) => `ZQ${word}`)
const knownWord = fc.constantFrom(
  '',
  'FOR',
  'COPAY',
  'PROVIDERS',
  'VISIT',
  'DEDUCTIBLE',
  'NETWORK',
  'MEMBER',
  'PER YEAR',
  '25',
  '80',
)
const label = fc.tuple(knownWord, unknownWord, knownWord).map((words) => words.filter((word) => word !== '').join(' '))

const ROWS = [
  'EB*C*IND*30***23*1111*****Y',
  'EB*C*FAM*30***29*1111*****Y',
  'EB*G*IND*30***24*1111*****Y',
  'EB*B*IND*98***27*1111*****Y',
  'EB*B*IND*30***27*1111',
  'EB*A*IND*48*****.11****N',
  'EB*F*IND*PT***23***VS*1111**Y',
  'EB*F*IND*33***29***VS*1111**Y',
]

const slotsOf = (row: string, text: string) => {
  const { benefits } = decodePatient(answerAbout(`EB*1*IND*30**HARBOR PPO~${row}~MSG*${text}~`))
  const all = [benefits?.plan_coverage, ...(benefits?.service_specific_coverage ?? [])]
  return {
    slots: all.flatMap((each) => [each?.in_network, each?.out_of_network].filter((details) => details !== undefined)),
    shown: JSON.stringify(all),
  }
}

test('a figure whose label has a word that nobody knows fills no slot and is listed with its label', () => {
  fc.assert(
    fc.property(label, fc.constantFrom(...ROWS), (text, row) => {
      const { slots, shown } = slotsOf(row, text)
      return slots.length === 0 && shown.includes(text) && shown.includes('"value":11')
    }),
    { numRuns: 300 },
  )
  expect(slotsOf(ROWS[0]!, 'ZQXOK NETWORK').slots).toEqual([])
})

const LONG = 'SERVICES RENDERED OR SUPPLIES FURNISHED BY PROVIDERS OF THE NETWORK FOR'

test('so does a name that is longer than a label, but not a notice, which has a verb', () => {
  fc.assert(
    fc.property(unknownWord, fc.constantFrom(...ROWS), (word, row) => {
      const { slots, shown } = slotsOf(row, `${LONG} ${word}`)
      const notice = slotsOf(
        row,
        `THE ${word} OFFICE IS OPEN TO MEMBERS ON WEEKDAYS FROM EIGHT IN THE MORNING UNTIL FIVE`,
      )
      expect(slots).toEqual([])
      expect(shown).toContain(word)
      expect(notice.slots).toHaveLength(slotsOf(row, 'IN THE PLAN').slots.length)
    }),
    { numRuns: 100 },
  )
})

const requirement = fc.constantFrom(
  'REFERRAL REQUIRED',
  'NO REFERRAL',
  'NO REFERRAL NEEDED',
  'PRIOR AUTHORIZATION REQUIRED',
  'PRECERT NOT REQUIRED',
  'INCLUDED',
  'CREDITED TO DEDUCTIBLE',
)
const waiver = fc.constantFrom('WAIVED AT', 'COPAY WAIVED WITH', 'NO COPAY AT', 'NO REFERRAL REQUIRED AT')

test('a name before what is required, or at which a figure is waived, restricts it without a comma', () => {
  fc.assert(
    fc.property(requirement, waiver, unknownWord, fc.constantFrom(...ROWS), (required, waived, name, row) => {
      for (const text of [`${name} PROVIDERS ${required}`, `${waived} ${name} CLINIC`])
        expect(slotsOf(row, text).slots).toEqual([])
    }),
    { numRuns: 200 },
  )
})

test.each([
  'REFERRAL REQUIRED',
  'PRIOR AUTHORIZATION REQUIRED',
  'CALL CARELON FOR AUTHORIZATION',
  'ZQXOK SCANS REQUIRE AUTHORIZATION',
  'ZQXOK NOT INCLUDED',
  'PHARMACY INCLUDED',
])('what is required, of whom, and for other care leaves the figure: %s', (text) => {
  expect(slotsOf(ROWS[3]!, text).slots).toHaveLength(1)
})

/** Words of conditions and connectives, which leave a word as unknown as it is. */
const condition = fc.constantFrom(
  'WHEN SEEN AT',
  'IF',
  'AFTER',
  'AND',
  'OR',
  'PLUS',
  'BILLED',
  'APPLIES TO',
  'COPAY IS FOR',
  'COVERED AT',
  'PAYABLE BY',
  'ALL',
  'LIMITED TO',
)

test('a word of a condition does not hide a word that nobody knows', () => {
  fc.assert(
    fc.property(condition, unknownWord, fc.boolean(), fc.constantFrom(...ROWS), (words, name, isFirst, row) => {
      const text = isFirst ? `${words} ${name} PROVIDERS` : `${name} ${words} PROVIDERS`
      // A sentence about something else is not about the figure.
      if (!isFirst && /^(?:APPLIES|COPAY IS)/.test(words)) return true
      return slotsOf(row, text).slots.length === 0
    }),
    { numRuns: 300 },
  )
  expect(slotsOf(ROWS[3]!, 'WHEN SEEN AT ZQXOK PROVIDERS').slots).toEqual([])
})

test('labels of two tiers do not hide a third label that nobody knows', () => {
  const tiers = slotsOf(ROWS[3]!, 'TIER 1~MSG*TIER 2')
  expect(tiers.slots).toHaveLength(1)
  expect(slotsOf(ROWS[3]!, 'TIER 1~MSG*TIER 2~MSG*ZQXOK CLINICS').slots).toEqual([])
  expect(slotsOf(ROWS[3]!, 'TIER 1~MSG*SPECIALIST').slots).toEqual([])
})

test.each([
  ['VISITS ON FILE', 'EB*F*IND*PT***23***VS*9**Y'],
  ['PREVIOUS VISITS', 'EB*F*IND*33***23***VS*4**Y'],
  ['PER BENEFIT PERIOD OF 3 YEARS', 'EB*F*IND*AL******VS*1**Y'],
  ['PLAN 70 / PATIENT 30', 'EB*A*IND*48*****.7****Y'],
  ['BENEFIT 80', 'EB*A*IND*48*****.8****Y'],
  ['OFFICE VISIT WITH X-RAY', 'EB*B*IND*98***27*55*****Y'],
  ['ARBOR PROVIDERS', 'EB*B*IND*98***27*15*****Y'],
  ['ACO PROVIDERS', 'EB*B*IND*98***27*15*****Y'],
  ['WHEN SEEN AT A PARTNER CLINIC', 'EB*B*IND*98***27*30*****Y'],
  ['SAVINGS PLUS PROVIDERS', 'EB*B*IND*98***27*15*****Y'],
  ['EXTENDED AND FLEX NETWORK', 'EB*B*IND*98***27*15*****Y'],
  ['PARTNER CLINIC, REFERRAL REQUIRED', 'EB*B*IND*98***27*15*****Y'],
  ['TIER 2 - REFERRAL REQUIRED', 'EB*B*IND*98***27*15*****Y'],
  ['PREVENTIVE - DEDUCTIBLE WAIVED', 'EB*A*IND*BY*****.2****Y'],
  ['VISITS BILLED SO FAR', 'EB*F*IND*33***23***VS*12**Y'],
  ['ONCE EVERY 24 MONTHS', 'EB*F*IND*AL******VS*1**Y'],
  ['OUTPATIENT SURGERY', 'EB*B*IND*50***27*100*****Y'],
  ['PCP OR OB/GYN', 'EB*B*IND*98***27*20*****Y'],
  ['HMO COPAY', 'EB*B*IND*98***27*25*****Y'],
])('"%s" does not become a figure of the whole service', (text, row) => {
  expect(slotsOf(row, text).slots).toEqual([])
})

test.each([
  ['PLAN 70 / PATIENT 30', 'EB*A*IND*48*****.3****Y'],
  ['PER CALENDAR YEAR', 'EB*F*IND*PT***23***VS*20**Y'],
  ['PHYSICAL THERAPY VISITS', 'EB*F*IND*PT***23***VS*20**Y'],
  ['HARBOR PPO DEDUCTIBLE', 'EB*C*IND*30***23*500*****Y'],
  ['WAIVED IF~MSG*ADMITTED WITHIN 24 HRS', 'EB*B*IND*86***27*250*****Y'],
  ['REFERRAL REQUIRED', 'EB*B*IND*98***27*25*****Y'],
  ['COPAY PER OFFICE VISIT', 'EB*B*IND*98***27*25*****Y'],
  ['INSURER 70 MEMBER 30', 'EB*A*IND*48*****.3****Y'],
  ['PHARMACY INCLUDED', 'EB*G*IND*30***23*4000*****Y'],
  ['FAMILY DEDUCTIBLE - TWO MEMBERS', 'EB*C*FAM*30***23*3000*****Y'],
  ['THREE TIMES INDIVIDUAL', 'EB*C*FAM*30***23*3000*****Y'],
  ['HSA QUALIFIED PLAN', 'EB*C*IND*30***23*3200*****Y'],
  ['PPO COPAY', 'EB*B*IND*98***27*25*****Y'],
  ['PCP AND SPECIALIST', 'EB*B*IND*98***27*25*****Y'],
  ['EMERGENCY ROOM', 'EB*B*IND*86***27*250*****Y'],
  ['CLAIMS ARE SENT TO ZQXOK', 'EB*C*IND*30***23*500*****Y'],
])('"%s" leaves a figure what its row makes of it', (text, row) => {
  expect(slotsOf(row, text).slots).toHaveLength(1)
})
