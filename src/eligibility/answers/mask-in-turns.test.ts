import { expect, it } from 'vitest'
import { maskInTurns, maskTexts } from './social-security.ts'

const SSN = '918227651'
const OWN_ID = '917654329'
const inquiry = { subscriber: { memberId: OWN_ID }, inquiry: { ssn: '915334444' } }

/** A number in every position, and what is not one. */
const entry = (index: number) => ({
  subscriber: { memberId: OWN_ID, ssn: SSN, socialSecurityNumber: Number(SSN) },
  references: [{ referenceIdentificationQualifier: 'SY', value: `91822${1000 + (index % 9000)}` }],
  messages: ['SSN: 918-22-7651', `CALL ABOUT ${SSN}`, 'YOU SENT 915-33-4444', `ID ${OWN_ID}`, 'copay 25'],
  [SSN]: { amounts: [index, 918_227_651, null, true] },
  x12: `ISA*00*~NM1*IL*1*DOE*JANE****MI*X~REF*SY*${SSN}~`,
})
const many = Array.from({ length: 3000 }, (_, index) => entry(index))

const long: [what: string, value: unknown][] = [
  ['a list', many],
  ['lists in lists', [[many.slice(0, 1500)], { deep: { deeper: [many.slice(1500)] } }]],
  ['an object of many members', Object.fromEntries(many.map((each, index) => [`${index}-${SSN}`, each]))],
  [
    'one whose qualifier is its last member',
    {
      value: '912345678',
      ...Object.fromEntries(
        Array.from({ length: 9000 }, (_, index) => [`key${index}`, `9${String(index).padStart(8, '0')}`]),
      ),
      referenceIdentificationQualifier: 'SY',
    },
  ],
  ['long texts', Array.from({ length: 50 }, (_, index) => `${'COVERED. '.repeat(2000)}SSN ${SSN} ${index}`)],
]

it.each(long)('%s is masked in turns exactly as in one piece', async (_, value) => {
  let turns = 0
  const masked = await maskInTurns(value, inquiry, async () => {
    turns += 1
  })
  const whole = maskTexts(value, inquiry)
  expect(masked).toEqual(whole)
  expect(JSON.stringify(masked)).not.toContain(SSN)
  expect(turns).toBeGreaterThan(5)
})

it('a short answer takes no turn, and is returned as it is when there is nothing to mask', async () => {
  const answer = { subscriber: { memberId: OWN_ID } }
  const masked = await maskInTurns(answer, inquiry, () => {
    throw new Error('a turn')
  })
  expect(masked).toBe(answer)
})
