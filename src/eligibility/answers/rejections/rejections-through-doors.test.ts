// A rejection at each level, for each reason, beside active rows, gives the same status through every door. Source: x12-271.md 5, rule 5.
import { expect, test } from 'vitest'
import { DOORS, throughDoor } from '../../../../test/support/answer-doors.ts'
import { interchangeOf } from '../../../../test/support/answers.ts'

const HARMLESS = '33 53 54 55 69 70 98 AA AE AF AG AO CI E8 IA MA'.split(' ')
const IDENTITY = '58 64 65 66 67 68 71 72 73 74 75 76 77 78'.split(' ')
const OTHERS = '15 35 41 42 43 49 51 52 57 62 63 79 80 97 T4'.split(' ')
const REASONS = [...HARMLESS, ...IDENTITY, ...OTHERS]
const ROWS = 'EB*1**30*PR*HARBOR GOLD~EB*1**98~'

/** An answer about the subscriber, or about a dependent below, with an AAA at one level. */
function answer(level: string, reason: string, isDependent: boolean): string {
  const at = (here: string) => (here === level ? `AAA*Y**${reason}*C~` : '')
  const benefits = `${ROWS}${at('2110')}`
  const subscriber = `NM1*IL*1*MARLOWE*IRIS****MI*NW-1~${at('2100C')}DMG*D8*19840229*F~`
  const trace = 'TRN*2*TRACE-1*9ANTEROOM1~'
  return interchangeOf(
    `HL*1**20*1~NM1*PR*2*NORTHWIND*****PI*NW~${at('2100A')}HL*2*1*21*1~NM1*1P*2*CLINIC*****XX*1999999984~${at('2100B')}${
      isDependent
        ? `HL*3*2*22*1~${subscriber}HL*4*3*23*0~${trace}NM1*03*1*MARLOWE*FINN~${at('2100D')}DMG*D8*20150504*M~INS*N*19~${benefits}`
        : `HL*3*2*22*0~${trace}${subscriber}${benefits}`
    }`,
  )
}

const cases = [false, true].flatMap((isDependent) =>
  ['2100A', '2100B', '2100C', ...(isDependent ? ['2100D'] : []), '2110'].flatMap((level) =>
    DOORS.map((door) => [isDependent ? 'a dependent' : 'the subscriber', level, door] as const),
  ),
)

test.each(cases)('of %s at %s through %s', async (who, level, door) => {
  const isDependent = who === 'a dependent'
  const found = []
  for (const reason of REASONS) {
    const { parsedResponse, readinessIssues = [] } = await throughDoor(door, answer(level, reason, isDependent), {
      payerId: 'NW',
      provider: { npi: '1999999984' },
      subscriber: { memberId: 'NW-1', firstName: 'Iris', lastName: 'Marlowe', dateOfBirth: '1984-02-29' },
      ...(isDependent && { dependent: { firstName: 'Finn', lastName: 'Marlowe', dateOfBirth: '2015-05-04' } }),
      dateOfService: '2026-03-09',
      serviceTypeCodes: ['30'],
    })
    found.push([reason, parsedResponse?.eligibility_status ?? 'UNKNOWN', ...readinessIssues.map(({ kind }) => kind)])
  }
  // Availity's form does not tell the level of a rejection within a benefit (decisions/0096).
  const isOfBenefit = level === '2110' && door !== 'availity'
  const expected = REASONS.map((reason) => {
    if (HARMLESS.includes(reason)) return [reason, 'ACTIVE']
    if (!isOfBenefit) return [reason, 'UNKNOWN']
    return IDENTITY.includes(reason) ? [reason, 'ACTIVE', 'DOUBT'] : [reason, 'ACTIVE']
  })
  expect(found).toEqual(expected)
})
