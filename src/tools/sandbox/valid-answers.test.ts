import { describe, expect, test } from 'vitest'
import { addressAt } from '../../../test/support/interchange-address.ts'
import { checkInterchange } from '../../../test/support/x12-guide/check-interchange.ts'
import { readEnvelope } from '../../x12/envelope.ts'
import { writeInquiry } from '../../x12/inquiry-writer.ts'
import type { Inquiry } from '../../x12/model.ts'
import { readResponse } from '../../x12/response-reader.ts'
import { answerInterchange } from './answer-interchange.ts'
import { checkRoster, type Roster, type RosterMember, readRoster } from './roster.ts'

const at = new Date('2026-11-22T12:00:00Z')
const address = addressAt(at)
const clinic = { npi: '1999999984', organizationName: 'CLINIC' }
const roster = await readRoster()

function ask(changes: Partial<Inquiry>, known: Roster = roster): string {
  const inquiry: Inquiry = {
    reference: 'R1',
    traceNumber: 'T1',
    payer: { id: '60054', name: 'PAYER' },
    provider: clinic,
    subscriber: { memberId: 'NOBODY', firstName: 'NO', lastName: 'BODY', dateOfBirth: '1980-01-01' },
    dateOfService: '2026-11-22',
    serviceTypeCodes: ['30'],
    ...changes,
  }
  const answer = answerInterchange(known, writeInquiry(inquiry, address), at)
  if (answer.kind !== 'answered') throw new Error(answer.kind)
  return answer.text
}

/** A member and each of their dependents as patients. */
function patientsOf(member: RosterMember): Pick<Inquiry, 'subscriber' | 'dependent'>[] {
  const { memberId, firstName, lastName, birthDate: dateOfBirth, dependents = [] } = member
  const subscriber = { memberId, firstName, lastName, dateOfBirth }
  return [
    { subscriber },
    ...dependents.map((each) => ({
      subscriber,
      dependent: { firstName: each.firstName, lastName: each.lastName, dateOfBirth: each.birthDate },
    })),
  ]
}

const services = [['30'], ['98'], ['35', '88', 'PT', 'A4', 'UC', 'MH', '42', 'AG']]

describe('every answer of the sandbox is a valid 271 according to the guide', () => {
  test.each(roster.members.map((member) => [`${member.memberId} of ${member.payer}`, member] as const))(
    'about %s, regardless of the inquiry',
    (_name, member) => {
      for (const patient of patientsOf(member)) {
        for (const serviceTypeCodes of services) {
          for (const dateOfService of ['2026-11-22', '1990-01-01', '2099-12-31']) {
            const payer = { id: member.payer, name: 'PAYER' }
            expect(checkInterchange(ask({ payer, ...patient, serviceTypeCodes, dateOfService }))).toEqual([])
          }
        }
      }
    },
  )

  test.each(roster.payers.map(({ id }) => id))('of payer %s about an unknown member', (id) => {
    const payer = { id, name: 'PAYER' }
    expect(checkInterchange(ask({ payer }))).toEqual([])
    expect(checkInterchange(ask({ payer, dependent: { firstName: 'NO', lastName: 'CHILD' } }))).toEqual([])
  })

  test('about a dependent that the subscriber does not have', () => {
    const member = roster.members.find(({ dependents }) => dependents)
    if (!member) throw new Error('the roster has no dependents')
    const [{ subscriber } = { subscriber: {} }] = patientsOf(member)
    const text = ask({
      payer: { id: member.payer, name: 'PAYER' },
      subscriber,
      dependent: { firstName: 'NO', lastName: 'CHILD', dateOfBirth: '2019-01-01', gender: 'F' },
    })
    expect(checkInterchange(text)).toEqual([])
    expect(reasonsOf(text)).toEqual([['67', '2100D']])
  })
})

function reasonsOf(text: string) {
  const rejections = readEnvelope(text).transactions.flatMap((each) => readResponse(each).rejections)
  return rejections.map(({ reasonCode, loop }) => [reasonCode, loop])
}

const REASONS =
  '04 15 33 35 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 97 98 AA AE AF AG AO CI E8 IA MA T4'.split(
    ' ',
  )

describe('a rejection is at a level that the guide permits', () => {
  test.each(REASONS)('AAA %s, of a subscriber and of a dependent', (reject) => {
    const [payer] = roster.payers
    const [plan] = Object.keys(roster.plans)
    const member = { about: 'refused', memberId: 'REFUSED', firstName: 'NO', lastName: 'BODY', plan: plan ?? '' }
    const known = checkRoster({
      ...roster,
      members: [
        { ...member, payer: payer?.id, birthDate: '1980-01-01', gender: 'F', from: '2020-01-01', answer: { reject } },
      ],
    })
    const subscriber = { memberId: 'REFUSED', firstName: 'NO', lastName: 'BODY', dateOfBirth: '1980-01-01' }
    const asked = { payer: { id: payer?.id ?? '', name: 'PAYER' }, subscriber }
    const texts = [ask(asked, known), ask({ ...asked, dependent: { firstName: 'A', lastName: 'B' } }, known)]
    for (const text of texts) {
      expect(checkInterchange(text)).toEqual([])
      expect(reasonsOf(text)).toHaveLength(1)
    }
    expect(reasonsOf(texts[1] ?? '')[0]?.[0]).toBe(reject)
  })

  test('a roster with a reason that no 271 can carry is rejected', () => {
    const [member] = roster.members
    expect(() => checkRoster({ ...roster, members: [{ ...member, answer: { reject: 'ZZ' } }] })).toThrow(
      'answer/reject',
    )
  })
})
