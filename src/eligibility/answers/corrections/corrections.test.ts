import { expect, test } from 'vitest'
import { answerAbout, SUBSCRIBER } from '../../../../test/support/answers.ts'
import { findCorrections } from './corrections.ts'

const sent = { member_id: 'NW-100200', first_name: 'Iris', last_name: 'Marlowe', date_of_birth: '1984-02-29' }
const dependent = { first_name: 'Finn', last_name: 'Marlowe', date_of_birth: '2015-05-04' }
const FINN = 'NM1*03*1*MARLOWE*FINN~DMG*D8*20150504*M~'

const corrections = (subscriber: object, member = SUBSCRIBER) =>
  findCorrections({ subscriber: { ...sent, ...subscriber } }, answerAbout('EB*1**30~', member))

test('a matching answer corrects nothing', () => {
  expect(corrections({})).toEqual([])
})

test('each corrected element is listed with its path and both raw values', () => {
  const wrong = { member_id: 'NW100299', first_name: 'Irene', last_name: 'Marlow', date_of_birth: '1984-02-28' }
  expect(corrections(wrong)).toEqual([
    { property: 'subscriber.member_id', request_value: 'NW100299', corrected_value: 'NW-100200' },
    { property: 'subscriber.first_name', request_value: 'Irene', corrected_value: 'IRIS' },
    { property: 'subscriber.last_name', request_value: 'Marlow', corrected_value: 'MARLOWE' },
    { property: 'subscriber.date_of_birth', request_value: '1984-02-28', corrected_value: '1984-02-29' },
  ])
})

test.each([
  { member_id: 'nw 100200' },
  { first_name: 'Iris Q.' },
  { first_name: 'Iris-Q' },
  { first_name: 'ÍRIS' },
  { last_name: "Mar'lowe" },
  { last_name: 'Marlowe Jr.' },
  { date_of_birth: '19840229' },
])('a different spelling of the same value is not a correction: %o', (spelling) => {
  expect(corrections(spelling)).toEqual([])
})

test('a value that either side leaves out is not a correction', () => {
  expect(corrections({ member_id: null, date_of_birth: undefined, first_name: '' })).toEqual([])
  expect(corrections({ member_id: 'OTHER' }, 'HL*3*2*22*0~NM1*IL*1*MARLOWE*IRIS~')).toEqual([])
})

test('a new member id that accompanies the one we sent (REF Q4, INS 001 25) is a correction', () => {
  const renumbered = SUBSCRIBER.replace('MI*NW-100200', 'MI*100200-00')
  const answer = `${renumbered}REF*Q4*NW-100200~INS*Y*18*001*25~`
  expect(corrections({}, answer)).toEqual([
    { property: 'subscriber.member_id', request_value: 'NW-100200', corrected_value: '100200-00' },
  ])
})

test('gender and group are corrected only where they were sent', () => {
  const member = `${SUBSCRIBER}REF*6P*G-77~`
  expect(corrections({ gender: 'M', group_number: 'G-78' }, member)).toEqual([
    { property: 'subscriber.gender', request_value: 'M', corrected_value: 'F' },
    { property: 'subscriber.group_number', request_value: 'G-78', corrected_value: 'G-77' },
  ])
  expect(corrections({ group_number: 'g77' }, member)).toEqual([])
  expect(corrections({ gender: 'F' }, SUBSCRIBER.replace('19840229*F', '19840229*U'))).toEqual([])
})

test('there are no corrections when the payer rejected the member, for another reason than a benefit', () => {
  expect(corrections({ member_id: 'OTHER' }, `${SUBSCRIBER}AAA*N**72*C~`)).toEqual([])
  expect(corrections({ member_id: 'OTHER' }, `${SUBSCRIBER}AAA*N**54*C~`)).toHaveLength(1)
})

test('the dependent is compared with the dependent, the subscriber with the subscriber', () => {
  const patient = answerAbout('EB*1**30~', `${SUBSCRIBER}HL*4*3*23*0~${FINN}`)
  const request = { subscriber: { ...sent, member_id: 'NW1' }, dependent: { ...dependent, first_name: 'Fin' } }
  expect(findCorrections(request, patient)).toEqual([
    { property: 'subscriber.member_id', request_value: 'NW1', corrected_value: 'NW-100200' },
    { property: 'dependent.first_name', request_value: 'Fin', corrected_value: 'FINN' },
  ])
})

test("a dependent answered in the subscriber's place is still compared as the dependent", () => {
  const patient = answerAbout('EB*1**30~', `HL*3*2*22*0~${FINN.replace('NM1*03', 'NM1*IL')}`)
  const request = { subscriber: sent, dependent: { ...dependent, date_of_birth: '2015-05-05' } }
  expect(findCorrections(request, patient)).toEqual([
    { property: 'dependent.date_of_birth', request_value: '2015-05-05', corrected_value: '2015-05-04' },
  ])
})

test('an answer about the subscriber alone does not rename the dependent', () => {
  expect(findCorrections({ subscriber: sent, dependent }, answerAbout('EB*1**30~'))).toEqual([])
})

test('a patient sent as subscriber and answered as dependent is compared with the dependent', () => {
  const patient = answerAbout('EB*1**30~', `${SUBSCRIBER}HL*4*3*23*0~${FINN}`)
  expect(findCorrections({ subscriber: { ...dependent, member_id: 'NW-1' } }, patient)).toEqual([
    { property: 'subscriber.member_id', request_value: 'NW-1', corrected_value: 'NW-100200' },
  ])
})
