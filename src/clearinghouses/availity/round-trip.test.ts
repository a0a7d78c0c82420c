import { describe, expect, test } from 'vitest'
import { answerAbout } from '../../../test/support/answers.ts'
import { addressAt } from '../../../test/support/interchange-address.ts'
import { decodePatient } from '../../eligibility/answers/decode.ts'
import { answerInterchange } from '../../tools/sandbox/answer-interchange.ts'
import { readRoster } from '../../tools/sandbox/roster.ts'
import { readEnvelope } from '../../x12/envelope.ts'
import { writeInquiry } from '../../x12/inquiry-writer.ts'
import type { Inquiry, PatientResponse } from '../../x12/model.ts'
import { readResponse } from '../../x12/response-reader.ts'
import { readCoverage } from './read-coverage.ts'
import { writeCoverage } from './write-coverage.ts'

const at = new Date('2026-01-31T12:00:00.000Z')
const roster = await readRoster()
const sound = roster.members.filter(({ answer }) => answer?.reject === undefined && answer?.instead === undefined)

function ask(member: (typeof sound)[number]): { inquiry: Inquiry; patient: PatientResponse } {
  const { firstName, lastName, birthDate, memberId } = member
  const inquiry: Inquiry = {
    reference: 'REF1',
    traceNumber: 'TRACE1',
    payer: { id: member.payer },
    provider: { npi: '1999999984' },
    subscriber: { memberId, firstName, lastName, dateOfBirth: birthDate },
    dateOfService: '2026-01-31',
    serviceTypeCodes: ['30'],
  }
  const asked = writeInquiry(inquiry, addressAt(at))
  const outcome = answerInterchange(roster, asked, at)
  if (outcome.kind !== 'answered') throw new Error('the roster knows its own payers')
  const response = readResponse(readEnvelope(outcome.text).transactions[0]!)
  return { inquiry, patient: response.patients[0]! }
}

describe('a 271 written as a coverage and read again', () => {
  test.each(sound.map((member) => [`${member.memberId} (${member.about})`, member] as const))(
    'says the same of %s: status, plan and every benefit',
    (_, member) => {
      const { inquiry, patient } = ask(member)
      const context = { dateOfService: '2026-01-31', serviceTypeCodes: ['30'] }
      const frame = { id: 'c1', createdAt: at, payerId: member.payer, ...context }
      const coverage = JSON.parse(JSON.stringify(writeCoverage(patient, frame)))
      const [again] = readCoverage(coverage, inquiry).patients
      const [before, after] = [decodePatient(patient, context), decodePatient(again!, context)]
      expect(after.eligibility_status).toBe(before.eligibility_status)
      expect(after.plan_metadata).toEqual(before.plan_metadata)
      expect(sorted(after.benefits)).toEqual(sorted(before.benefits))
    },
  )
})

/** What is read again from the coverage of an answer with these rows. */
function again(rows: string, member?: string): PatientResponse {
  const frame = { id: 'c1', createdAt: at, payerId: 'P1', dateOfService: '2026-01-31', serviceTypeCodes: ['30'] }
  const coverage = JSON.parse(JSON.stringify(writeCoverage(answerAbout(rows, member), frame)))
  return readCoverage(coverage, { reference: 'REF1' }).patients[0]!
}

describe('of one insurance type', () => {
  const FORMER = 'EB*1**30*PR*OLD~DTP*292*RD8*20250101-20251231~'
  const CURRENT = 'EB*1**30*PR*NEW~DTP*292*RD8*20260101-20261231~'

  test.each([`${FORMER}${CURRENT}`, `${CURRENT}${FORMER}`, `EB*6**30*PR*OLD~${CURRENT}`])(
    'a former and a current plan stay apart: %s',
    (rows) => {
      const parsed = decodePatient(again(rows), { dateOfService: '2026-01-31' })
      expect([parsed.eligibility_status, parsed.plan_metadata?.plan_name]).toEqual(['ACTIVE', 'NEW'])
    },
  )
})

describe('of a dependent', () => {
  const FAMILY = (subscriber: string, dependent: string) =>
    `HL*3*2*22*1~NM1*IL*1*MARLOWE*IRIS****MI*NW-1~${subscriber}HL*4*3*23*0~NM1*03*1*MARLOWE*ELLA~${dependent}`
  const PLAN = 'EB*1**30*PR*GOLD~'
  const statusOf = (patient: PatientResponse) =>
    decodePatient(patient, { dateOfService: '2026-01-31' }).eligibility_status

  test.each([
    ['ended for all', FAMILY('DTP*347*D8*20251231~', 'DTP*346*D8*20250101~'), 'INACTIVE'],
    ['ended for the subscriber alone', FAMILY('DTP*347*D8*20251231~', 'DTP*347*D8*20261231~'), 'ACTIVE'],
    ['of a subscriber who died', FAMILY('DTP*442*D8*20251231~', 'DTP*346*D8*20250101~'), 'ACTIVE'],
  ])('the policy is %s', (_, member, status) => {
    expect(statusOf(answerAbout(PLAN, member))).toBe(status)
    expect(statusOf(again(PLAN, member))).toBe(status)
  })
})

test('the people that a plan is for stay with its status', () => {
  expect(again('EB*1*CHD*30*PR*GOLD~').benefits.map(({ coverageLevel }) => coverageLevel)).toEqual(['CHD'])
})

test('the label of a figure stays with it', () => {
  const rows = 'EB*1**30*PR*GOLD~EB*C*IND*30**DEDUCTIBLE REMAINING*23*120*****Y~EB*C*IND*30**DEDUCTIBLE*23*500*****Y~'
  const { benefits } = decodePatient(again(rows))
  expect(benefits?.plan_coverage?.in_network?.deductible).toEqual({ individual: 500 })
})

describe('the copay of one procedure is neither the plan’s nor that of an office visit', () => {
  const copayOf = (benefit: object) => {
    const coverage = { plans: [{ status: 'Active', statusCode: '1', benefits: [benefit] }] }
    const { benefits } = readCoverage(coverage as never, { reference: 'REF1' }).patients[0]!
    return benefits.find(({ code }) => code === 'B')
  }
  const amounts = (more: object) => ({ coPayment: { inNetwork: [{ amount: '75', units: 'Dollars', ...more }] } })

  test.each([
    ['its code is the type', { type: '99213', amounts: amounts({}) }, [], ['HC', '99213']],
    ['its code is the name', { type: 'D0120', name: 'D0120', amounts: amounts({}) }, [], ['AD', 'D0120']],
    [
      'its benefit has a source',
      { type: '98', name: 'Office visit', source: 'Fee schedule', amounts: amounts({}) },
      ['98'],
      ['ZZ', 'Office visit'],
    ],
    [
      'its description names it',
      { type: '98', amounts: amounts({ description: 'CPT 99213-25' }) },
      ['98'],
      ['HC', '99213', '25'],
    ],
  ])('if %s', (_, benefit, services, procedure) => {
    expect(copayOf(benefit)).toMatchObject({ serviceTypeCodes: services, procedure })
  })

  test.each(['EB*B**98***27*75*****Y*HC:99213:25~', 'EB*B*****27*75*****Y*AD:D0120~'])('and returns: %s', (row) => {
    const [copay] = again(`EB*1**30~${row}`).benefits.filter(({ code }) => code === 'B')
    const [stated] = answerAbout(`EB*1**30~${row}`).benefits.filter(({ code }) => code === 'B')
    expect([copay?.procedure, copay?.serviceTypeCodes]).toEqual([stated?.procedure, stated?.serviceTypeCodes])
  })

  test('a description of an office visit is not a procedure', () => {
    expect(copayOf({ type: '98', amounts: amounts({ description: 'Office visit 99213 or other' }) })?.procedure).toBe(
      undefined,
    )
  })
})

test('a telephone number is not replaced by its extension', () => {
  const entity = 'LS*2120~NM1*P3*1*OKAFOR*ADA~PER*IC*DESK*TE*5035551212*EX*22~LE*2120~'
  const { benefits } = again(`EB*1**30*HM*HMO~EB*L~${entity}`)
  const numbers = benefits.flatMap(({ entities }) =>
    entities.flatMap(({ contacts }) => contacts.flatMap((each) => each.numbers)),
  )
  expect(numbers.map(({ value }) => value)).toContain('5035551212')
})

/**
 * Lines of a note, sorted. A coverage has no dates for single rows, so the dates of Medicare's parts become the plan's. It lists other
 * payers, facilities and coordinators in a different form, without their level; read-coverage.test.ts covers how they are read.
 */
function comparableNotes(notes: string): string[] {
  const listedElsewhere =
    /^(ATTENTION: (Medicare|pays)|Medicare Part [ABD]: |Active Coverage: the plan|Other or |Health Care F|Managed Care C|Benefit D)/
  return notes
    .split('\n')
    .filter((line) => !listedElsewhere.test(line))
    .map((line) =>
      line
        .split(/[:;,] /)
        .sort()
        .join(' '),
    )
    .sort()
}

/** A coverage groups benefits by service and kind: a row about several services returns as several rows, in another order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    const each = value.flatMap((item) => splitByService(item)).map(sorted)
    return each.sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => {
      if (key === 'notes') return [key, comparableNotes(each)]
      return [key, sorted(each)]
    }),
  )
}

function splitByService(item: { service_type_codes?: string[] }): unknown[] {
  return item.service_type_codes?.map((code) => ({ ...item, service_type_codes: [code] })) ?? [item]
}
