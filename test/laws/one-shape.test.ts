// The rows and parties of an answer are objects of one shape, whichever door it comes through: decisions/0227-rows-of-one-shape.md
import { describe, expect, it } from 'vitest'
import { readCoverage } from '../../src/clearinghouses/availity/read-coverage.ts'
import { readEligibility } from '../../src/clearinghouses/stedi/read-eligibility.ts'
import { readPlans } from '../../src/clearinghouses/stedi/read-plans.ts'
import { emptyRow } from '../../src/x12/benefit-row.ts'
import type { Response } from '../../src/x12/model.ts'
import { emptyParty } from '../../src/x12/party.ts'
import { DOORS, type Door, writtenIn } from '../support/answer-doors.ts'
import { interchangeOf, readAnswer, SUBSCRIBER } from '../support/answers.ts'

const TEXT = interchangeOf(
  'HL*1**20*1~NM1*PR*2*NORTHWIND HEALTH*****PI*P1~HL*2*1*21*1~NM1*1P*2*HARBOR CLINIC*****XX*1999999984~' +
    `${SUBSCRIBER}EB*1*IND*30*PR*GOLD PPO~DTP*291*D8*20260101~` +
    'EB*B*IND*98***27*25*****Y~MSG*SPECIALIST~III*ZZ*22~REF*18*GOLD1~' +
    'EB*C*FAM*30***29*500*****N~EB*A*IND*33****.2~HSD*VS*20~' +
    'EB*F*IND*33*****VS*20~EB*1**98~MSG*COVERED~EB*MC**30~LS*2120~NM1*Y2*2*NORTHWIND CARE~LE*2120~' +
    'EB*R**30*HN~REF*1W*X1~LS*2120~NM1*PRP*2*OTHER PAYER*****PI*O1~PER*IC**TE*5551234567~LE*2120~' +
    'EB*L~LS*2120~NM1*P3*1*JONES*AMY****XX*1999999984~N3*1 MAIN ST~N4*ALBANY*NY*12207~LE*2120~',
)

function through(door: Door): Response {
  if (door === 'x12') return readAnswer(TEXT)
  const json = writtenIn(door, TEXT, '2026-03-09')
  if (door === 'availity') return readCoverage(json, { reference: 'r1' })
  return door === 'plans' ? readPlans(json) : readEligibility(json)
}

describe.each(DOORS)('an answer through the door %s', (door) => {
  const [patient] = through(door).patients
  const rows = patient?.benefits ?? []

  it('has rows with every key of a row, in the same order', () => {
    expect(rows.length).toBeGreaterThan(5)
    const keys = Object.keys(emptyRow('', []))
    for (const row of rows) expect(Object.keys(row)).toEqual(keys)
  })

  it('has parties with every key of a party, in the same order', () => {
    const parties = [
      patient?.payer,
      patient?.provider,
      patient?.subscriber,
      ...rows.flatMap(({ entities }) => entities),
    ]
    expect(parties.length).toBeGreaterThan(4)
    const keys = Object.keys(emptyParty())
    for (const party of parties) if (party) expect(Object.keys(party)).toEqual(keys)
  })
})
