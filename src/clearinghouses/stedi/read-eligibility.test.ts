import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { answerAbout, answerText, readAnswer, SUBSCRIBER } from '../../../test/support/answers.ts'
import { decodePatient } from '../../eligibility/answers/decode.ts'
import { stediResponse } from '../../eligibility/answers/stedi-form/stedi-response.ts'
import { packageRoot } from '../../platform/package-root.ts'
import { readRoster } from '../../tools/sandbox/roster.ts'
import { answerInJson } from '../../tools/sandbox/stedi/answer-eligibility.ts'
import { readEnvelope } from '../../x12/envelope.ts'
import type { PatientResponse, Response } from '../../x12/model.ts'
import { readResponse } from '../../x12/response-reader.ts'
import type { JsonObject } from '../json-values.ts'
import { readEligibility } from './read-eligibility.ts'

/** The answer written as JSON without its X12, and read back. */
function viaJson(response: Response, patient: PatientResponse, raw: string): PatientResponse {
  const { x12: _x12, ...json } = JSON.parse(JSON.stringify(stediResponse(response, patient, { raw }))) as JsonObject
  return readEligibility(json).patients[0]!
}

const rejectionsOf = ({ rejections }: PatientResponse) =>
  rejections.map(({ reasonCode, followUpCode, loop }) => ({ reasonCode, followUpCode, loop }))

/** Every 271 of a text, decoded from the X12 and from the JSON. */
function bothWays(text: string) {
  const transactions = readEnvelope(text).transactions.filter(({ setId }) => setId === '271')
  return transactions.map(readResponse).flatMap((response) =>
    response.patients.map((patient) => {
      const again = viaJson(response, patient, text)
      const asked = { dateOfService: '2026-03-02', serviceTypeCodes: ['30'] }
      return {
        direct: { parsed: decodePatient(patient, asked), rejections: rejectionsOf(patient) },
        viaJsonOnly: { parsed: decodePatient(again, asked), rejections: rejectionsOf(again) },
      }
    }),
  )
}

const samples = join(packageRoot, '..', 'shared', 'eligibility', 'samples', '271')
const files = existsSync(samples) ? readdirSync(samples) : []
if (files.length === 0) console.info('No sample messages beside the repository: their comparison is left out.')

describe('an answer in JSON means the same as its X12', () => {
  for (const file of files) {
    test(`for ${file}`, () => {
      const read = bothWays(readFileSync(join(samples, file), 'utf8'))
      expect(read.map(({ viaJsonOnly }) => viaJsonOnly)).toEqual(read.map(({ direct }) => direct))
    })
  }

  test('for every member of the sandbox', async () => {
    const roster = await readRoster()
    const at = new Date('2026-03-02T12:00:00Z')
    for (const { payer, memberId, firstName, lastName, birthDate, dependents = [] } of roster.members) {
      for (const dependent of [undefined, ...dependents]) {
        const answered = answerInJson(
          roster,
          {
            reference: 'R',
            traceNumber: 'T',
            payer: { id: payer },
            provider: { npi: '1999999984' },
            subscriber: { memberId, firstName, lastName, dateOfBirth: birthDate },
            ...(dependent && { dependent: { ...dependent, dateOfBirth: dependent.birthDate } }),
            dateOfService: '2026-03-02',
            serviceTypeCodes: ['30', '35', 'PT'],
          },
          at,
        )
        if (answered.kind !== 'answered') throw new Error('the sandbox must know its own payers')
        for (const { direct, viaJsonOnly } of bothWays(answered.x12)) expect(viaJsonOnly).toEqual(direct)
      }
    }
  })

  test('for every segment that can stand under one benefit', () => {
    const rows = `EB*A*IND*98^UC*C1*HARBOR GOLD*27*10.50*0.2*VS*3*Y*W*HC:99213:25:::::99215*1:2~HSD*VS*12*DA*3*29*1*A*D~
REF*9F*R-1~REF*N6*N-1*HARBOR NETWORK~DTP*342*D8*20260101~DTP*348*RD8*20260101-20261231~MSG*CALL US~MSG*OR WRITE~III*ZZ*11~III*GR*22*44*LEFT ARM~
LS*2120~NM1*P3*1*HALE*NORA*Q**JR*XX*1999999984*01~N3*1 PIER*FLOOR 2~N4*PORTLAND*ME*04101*US~PER*IC*DESK*TE*2075550100*EX*12~PRV*PC*PXC*207Q00000X~LE*2120~`
    const text = answerText(rows)
    const response = readAnswer(text)
    const [patient] = response.patients
    expect(viaJson(response, patient!, text).benefits).toEqual(patient!.benefits)
  })

  test('for the details of the subscriber at each level', () => {
    const member = `${SUBSCRIBER}REF*6P*G-77*HARBOR GROUP~REF*1L*P-1~REF*SY*900112222~INS*Y*18*001*25~DTP*291*RD8*20260101-20261231~DTP*346*D8*20200101~`
    const text = answerText('EB*1**30~', member)
    const response = readAnswer(text)
    const [patient] = response.patients
    const again = viaJson(response, patient!, text)
    const byQualifier = (list: readonly { qualifier: string }[]) =>
      [...list].sort((a, b) => (a.qualifier < b.qualifier ? -1 : 1))
    for (const level of ['subscriber', 'payer', 'provider'] as const) {
      const [is, was] = [again[level]!, patient![level]!]
      expect({ ...is, references: [], dates: [], rejections: [] }).toEqual({
        ...was,
        references: [],
        dates: [],
        rejections: [],
      })
      expect(byQualifier(is.references)).toEqual(byQualifier(was.references))
      expect(byQualifier(is.dates)).toEqual(byQualifier(was.dates))
    }
  })
})

test('rows with names and no codes are read by the names, and a service with an unknown name is never the plan', () => {
  const benefitsInformation = [
    { name: 'Active Coverage', serviceTypes: ['Dental Care'], additionalInformation: 'CALL BEFORE THE VISIT' },
    { code: '1', serviceTypes: ['Acupuncture at Sea'], additionalInformation: [{ description: 'A' }, 'B'] },
    { name: 'Suspended', serviceTypeCodes: '30', timeQualifier: 'Visit', inPlanNetworkIndicator: 'No' },
  ]
  const { benefits = [] } = readEligibility({ benefitsInformation }).patients[0] ?? {}
  expect(benefits.map(({ code, serviceTypeCodes, messages }) => [code, ...serviceTypeCodes, ...messages])).toEqual([
    ['1', '35', 'CALL BEFORE THE VISIT'],
    ['1', 'Acupuncture at Sea', 'A', 'B'],
    ['Suspended', '30'],
  ])
  expect(benefits[2]).toMatchObject({ timeQualifier: '27', networkIndicator: 'N' })
})

test('older spellings are accepted: one entity, one information, a status without benefits', () => {
  const json = {
    planStatus: [{ statusCode: '1', planDetails: 'GOLD', serviceTypeCodes: ['30'] }],
    dependents: [{ firstName: 'Leo' }],
  }
  expect(readEligibility(json).patients[0]).toMatchObject({
    dependent: { firstName: 'Leo' },
    benefits: [{ code: '1', planDescription: 'GOLD', serviceTypeCodes: ['30'] }],
  })
  const benefitsInformation = [
    {
      code: 'B',
      benefitAmount: 25,
      benefitsRelatedEntity: { entityIdentifier: 'Payer', entityName: 'NORTHWIND' },
      eligibilityAdditionalInformation: { codeListQualifierCode: 'ZZ', industryCode: '11' },
      benefitsDateInformation: { planBegin: '2026-01-01', planEnd: '2026-01-01-2026-12-31' },
    },
  ]
  expect(readEligibility({ benefitsInformation }).patients[0]?.benefits).toMatchObject([
    {
      amount: '25',
      entities: [{ entityCode: 'PR', lastName: 'NORTHWIND' }],
      additionalInformation: [{ qualifier: 'ZZ', code: '11' }],
      dates: [
        { qualifier: '346', start: '20260101' },
        { qualifier: '347', start: '20260101', end: '20261231' },
      ],
    },
  ])
})

test('every AAA is read once, whether it stands at the top, at its level, or at both', () => {
  const error = (code: string, location?: string) => ({
    field: 'AAA',
    code,
    location,
    followupAction: 'Resubmission Allowed',
  })
  const json = {
    errors: [error('42', 'Loop 2100A'), error('75', 'Loop 2100C'), { code: '33', message: 'not of the payer' }],
    payer: { aaaErrors: [error('42', 'Loop 2100A')] },
    subscriber: { aaaErrors: [error('75')] },
    provider: { aaaErrors: [error('43')] },
  }
  expect(readEligibility(json).rejections).toEqual([
    { reasonCode: '42', followUpCode: 'R', loop: '2100A' },
    { reasonCode: '75', followUpCode: 'R', loop: '2100C' },
    { reasonCode: '43', followUpCode: 'R', loop: '2100B' },
  ])
})

test('reading arbitrary JSON neither throws nor finds coverage in it', () => {
  const names = Object.keys(
    stediResponse(readAnswer(answerText('EB*6**30~')), answerAbout('EB*6**30~'), { raw: answerText('EB*6**30~') }),
  )
  const anything = fc.oneof(fc.jsonValue({ maxDepth: 4 }), fc.array(fc.jsonValue({ maxDepth: 3 })))
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names, '__proto__', 'constructor'), anything), (json) => {
      const [patient] = readEligibility(json).patients
      expect(decodePatient(patient!).eligibility_status).toBe('UNKNOWN')
    }),
    { numRuns: 1000 },
  )
})
