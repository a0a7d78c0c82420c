// What the sandbox's members demonstrate, from their 271 to the recommendation.

import { expect, test } from 'vitest'
import { addressAt } from '../../../../test/support/interchange-address.ts'
import { answerInquiry } from '../../../tools/sandbox/answer-inquiry.ts'
import { findPayer } from '../../../tools/sandbox/find-member.ts'
import { readRoster } from '../../../tools/sandbox/roster.ts'
import { readEnvelope } from '../../../x12/envelope.ts'
import { writeInterchange } from '../../../x12/interchange-writer.ts'
import { readResponse } from '../../../x12/response-reader.ts'
import { toInquiry } from '../../inquiries/check-inquiry.ts'
import { recognizePayer } from '../coverage/other-coverage.ts'
import { decodePatient } from '../decode.ts'
import { type DerivedRecommendation, deriveRecommendations, withPayerIds } from './recommendations.ts'

const AT = new Date('2026-03-01T12:00:00.000Z')
const DAY = '2026-03-01'
const address = addressAt(AT)

const roster = await readRoster()
const payerIds = new Map(roster.payers.map(({ name, id }) => [name, id]))

function recommendationsFor(memberId: string): DerivedRecommendation[] {
  const member = roster.members.find((each) => each.memberId === memberId)!
  const payer = findPayer(roster, member.payer)!
  const { firstName, lastName, birthDate: dateOfBirth } = member
  const asked = { payerId: payer.id, dateOfService: DAY, serviceTypeCodes: ['30'] }
  const inquiry = toInquiry(
    { ...asked, provider: { npi: '1999999984' }, subscriber: { memberId, firstName, lastName, dateOfBirth } },
    '0197a2c7-6e5f-7a80-9b1c-3d4e5f6a7b8c',
  )
  const { segments } = answerInquiry(roster, payer, inquiry, AT)
  const text = writeInterchange({ address, functionalId: 'HB', transactions: [segments] })
  const patient = readResponse(readEnvelope(text).transactions[0]!).patients[0]!
  const answer = { patient, payer: { id: payer.id }, dateOfService: DAY, parsed: decodePatient(patient, asked) }
  return withPayerIds(deriveRecommendations(recognizePayer(answer)), (name) => payerIds.get(name))
}

const summarize = (recommendations: DerivedRecommendation[]) =>
  recommendations.map((each) => {
    if (each.type === 'COPAY_ESTIMATION') return `copay ${each.payload.structured_response}`
    if (each.type !== 'COORDINATION_OF_BENEFITS')
      return [each.type, each.payload.payer_name, each.payload.payer_id, each.payload.member_id].join(' ')
    const [other] = each.payload.other_payers
    return [each.payload.primacy, other?.payer_name, other?.payer_id, other?.member_id].join(' ').trim()
  })

const memberId = (about: string) => roster.members.find((each) => each.about.startsWith(about))!.memberId

test.each([
  ['Published mock: active, subscriber only', []],
  ['Terminated', []],
  ['Medical inactive, pharmacy carved out', []],
  ["Medicare Advantage carrier's own answer", ['MEDICARE_ADVANTAGE HUMANA 61101 H60123456']],
  ['Dual coverage', ['OTHER_PAYER_IS_PRIMARY CIGNA 62308 U7799001122']],
  ['Another payer is named', ['UNDETERMINED HUMANA 61101']],
  ['Original Medicare', []],
  ['Medicare Advantage enrolment and part D', ['MEDICARE_ADVANTAGE HUMANA 61101 H60999888']],
  ['Medicare secondary', ['OTHER_PAYER_IS_PRIMARY AETNA 60054']],
  ['Medicaid, fee for service', ['copay 300']],
  ['Medicaid with a managed care', ['MEDICAID_MANAGED_CARE EXAMPLE COMMUNITY CARE  EXC0044210']],
  ['Dental only', []],
])('%s', (about, expected) => {
  expect(summarize(recommendationsFor(memberId(about)))).toEqual(expected)
})

test('a plan that an answer names with a payer of the sandbox can be checked there, for the same person', () => {
  const people = roster.members.filter(({ payer }) => payer !== 'SBTEST')
  const named = people.flatMap((member) =>
    recommendationsFor(member.memberId).flatMap(({ type, payload }) => {
      const plans =
        type === 'COORDINATION_OF_BENEFITS' ? payload.other_payers : type === 'COPAY_ESTIMATION' ? [] : [payload]
      return plans.map((plan) => ({ ...plan, lastName: member.lastName, birthDate: member.birthDate }))
    }),
  )
  const whole = named.filter(({ payer_id, member_id }) => payer_id !== undefined && member_id !== undefined)
  expect(whole.length).toBeGreaterThan(2)
  for (const { payer_id, member_id, lastName, birthDate } of whole) {
    const there = roster.members.filter(({ payer, memberId: id }) => payer === payer_id && id === member_id)
    const names = there.flatMap((each) => [each, ...(each.dependents ?? [])])
    expect(names, member_id).toContainEqual(expect.objectContaining({ lastName, birthDate }))
  }
})
