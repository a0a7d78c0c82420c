// A patient whom the payer rejected is never active, regardless of other rows. Source: x12-271.md 5, rule 5, and 3.
import { describe, expect, test } from 'vitest'
import { answerAbout, interchangeOf, readAnswer, SUBSCRIBER } from '../../../../test/support/answers.ts'
import { readEligibility } from '../../../clearinghouses/stedi/read-eligibility.ts'
import type { PatientResponse } from '../../../x12/model.ts'
import { decodePatient } from '../decode.ts'
import { errorDetails } from './rejections.ts'

const ROWS = 'EB*1**30**HARBOR GOLD~EB*B**98***27*25*****Y~'
const DEPENDENT = 'NM1*03*1*MARLOWE*FINN~DMG*D8*20150504*M~'
const IDENTITY = ['58', '64', '65', '66', '67', '68', '71', '72', '73', '74', '75', '76', '77', '78']
const OTHERS = [
  '15',
  '35',
  '41',
  '42',
  '43',
  '50',
  '51',
  '52',
  '56',
  '57',
  '60',
  '61',
  '62',
  '63',
  '79',
  '80',
  'T4',
  'ZZ9',
  '',
]
const INFORMATIONAL = ['33', '53', '54', '55', '69', '70', '98', 'AA', 'AE', 'AF', 'AG', 'AO', 'CI', 'E8', 'IA', 'MA']

const statusOf = (patient: PatientResponse) =>
  decodePatient(patient, { dateOfService: '2026-03-01' }).eligibility_status

/** A 271 with an AAA at one level; the last patient is the dependent if there is one. */
function answer(aaa: string, place: Place): PatientResponse {
  const at = (here: Place) => (here === place ? aaa : '')
  const message = interchangeOf(
    `${at('early')}HL*1**20*1~${at('2000A')}NM1*PR*2*NORTHWIND*****PI*N~${at('2100A')}HL*2*1*21*1~${at('2000B')}NM1*1P*2*CLINIC*****XX*1999999984~${at('2100B')}` +
      `HL*3*2*22*1~${at('2000C')}NM1*IL*1*MARLOWE*IRIS****MI*NW-1~${at('2100C')}DMG*D8*19840229*F~${at('after DMG')}${ROWS}` +
      (place.endsWith('D')
        ? `HL*4*3*23*0~${at('2000D')}${DEPENDENT}${at('2100D')}${place === 'rows 2100D' ? `${aaa}${ROWS}` : ''}`
        : ''),
  )
  return readAnswer(message).patients.at(-1)!
}
const PLACES = [
  'early',
  '2000A',
  '2100A',
  '2000B',
  '2100B',
  '2000C',
  '2100C',
  'after DMG',
  '2000D',
  '2100D',
  'rows 2100D',
] as const
type Place = (typeof PLACES)[number]

describe.each(PLACES)('a person whom the payer rejects at %s', (place) => {
  test.each([...IDENTITY, ...OTHERS])(
    'with AAA %s is UNKNOWN beside active rows, regardless of the follow-up action',
    (code) => {
      for (const valid of ['Y']) {
        for (const action of ['C', 'N', 'P', 'R', 'S', 'W', 'X', 'Y', '']) {
          const patient = answer(`AAA*${valid}**${code}*${action}~`, place)
          expect(statusOf(patient)).toBe('UNKNOWN')
          expect(errorDetails(patient.rejections[0]!).code).toBe(code === '' ? undefined : code)
        }
      }
    },
  )

  test.each(INFORMATIONAL)('for information alone (AAA %s) stays ACTIVE', (code) => {
    expect(statusOf(answer(`AAA*Y**${code}*N~`, place))).toBe('ACTIVE')
  })
})

test('a rejected dependent inherits none of the rows of the subscriber', () => {
  const patient = answer('AAA*Y**77*C~', '2100D')
  expect(patient.benefits).toEqual([])
  expect(decodePatient(patient).benefits).toBeUndefined()
})

test('a rejection after more informational ones than a loop may have is not lost', () => {
  const many = 'AAA*Y**33*C~'.repeat(12)
  expect(statusOf(answer(`${many}AAA*N**42*R~`, '2100A'))).toBe('UNKNOWN')
})

test('a rejected sibling does not affect others', () => {
  const family = `${SUBSCRIBER}HL*4*3*23*0~NM1*03*1*MARLOWE*FINN~AAA*N**67*C~HL*5*3*23*0~NM1*03*1*MARLOWE*IVO~EB*1**30~`
  const [finn, ivo] = readAnswer(interchangeOf(`HL*1**20*1~NM1*PR*2*N~HL*2*1*21*1~NM1*1P*2*C~${family}`)).patients
  expect([statusOf(finn!), statusOf(ivo!)]).toEqual(['UNKNOWN', 'ACTIVE'])
})

test.each([...IDENTITY, ...OTHERS, ...INFORMATIONAL])(
  'one benefit that the payer does not answer (2110, AAA %s) leaves the coverage',
  (code) => {
    expect(statusOf(answerAbout(`EB*1**30~EB*V**98~AAA*Y**${code}*C~`))).toBe('ACTIVE')
  },
)

test('inactive rows with a rejection do not prove that there is no coverage', () => {
  expect(statusOf(answerAbout('EB*6**30~', `${SUBSCRIBER}AAA*N**75*C~`))).toBe('UNKNOWN')
})

describe("Stedi's JSON is evaluated by the same rule", () => {
  const json = {
    payer: { name: 'NORTHWIND' },
    subscriber: { memberId: 'NW-1', firstName: 'IRIS', lastName: 'MARLOWE' },
    benefitsInformation: [{ code: '1', serviceTypeCodes: ['30'] }],
  }
  const statusOfJson = (answer: object) => statusOf(readEligibility({ ...json, ...answer }).patients[0]!)

  test.each([...IDENTITY, '42', '79', '80'])('AAA %s at any level rejects', (code) => {
    const aaaErrors = [{ field: 'AAA', code, followupAction: 'Please Correct and Resubmit' }]
    expect(statusOfJson({})).toBe('ACTIVE')
    expect(statusOfJson({ errors: [{ ...aaaErrors[0], location: 'Loop 2100C' }] })).toBe('UNKNOWN')
    expect(statusOfJson({ errors: aaaErrors })).toBe('UNKNOWN')
    expect(statusOfJson({ errors: [{ code, location: 'Loop 2100C' }] })).toBe('UNKNOWN')
    for (const level of ['payer', 'provider', 'subscriber'] as const) {
      expect(statusOfJson({ [level]: { ...json.subscriber, aaaErrors } })).toBe('UNKNOWN')
    }
    expect(statusOfJson({ dependents: [{ firstName: 'FINN', aaaErrors }] })).toBe('UNKNOWN')
  })

  test('an AAA of one benefit does not hide the same code of the member', () => {
    const errors = [{ field: 'AAA', code: '75', location: 'Loop 2110C' }]
    expect(statusOfJson({ errors })).toBe('ACTIVE')
    const subscriber = { ...json.subscriber, aaaErrors: [{ field: 'AAA', code: '75', location: 'Loop 2100C' }] }
    expect(statusOfJson({ errors, subscriber })).toBe('UNKNOWN')
  })

  test('a rejected dependent inherits none of the rows', () => {
    const dependents = [{ firstName: 'FINN', aaaErrors: [{ field: 'AAA', code: '67', location: 'Loop 2100D' }] }]
    expect(readEligibility({ ...json, dependents }).patients[0]?.benefits).toEqual([])
  })
})
